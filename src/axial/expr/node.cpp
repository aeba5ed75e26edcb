#include "axial/expr/node.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axial/base/error.hpp"
#include "axial/expr/typing.hpp"

namespace axial::expr {

Node::Node(Kind node_kind, std::vector<Expr> node_operands, Type node_type)
    : kind(std::move(node_kind)), operands(std::move(node_operands)), type(std::move(node_type)) {
  open = std::holds_alternative<Parameter>(kind) ||
         std::ranges::any_of(operands, [](const Expr& operand) { return operand.is_open(); });
}

Node::~Node() {
  std::vector<Expr> doomed = std::move(operands);
  while (!doomed.empty()) {
    const Expr last = std::move(doomed.back());
    doomed.pop_back();
    if (last.node_.use_count() != 1) continue;
    // The only owner is about to let go, so nobody can see that the operands are taken away.
    auto& inner = const_cast<Node&>(*last.node_).operands;  // NOLINT(*-const-cast)
    std::ranges::move(inner, std::back_inserter(doomed));
    inner.clear();
  }
}

Expr strengthened(const Expr& expression, ElementType element) {
  if (!expression.type().weak) return expression;
  if (const auto* literal = expression.as<Literal>()) {
    if (!literal->value.fits(element)) {
      throw Error(code("element-type"),
                  fmt::format("the number {} meets a tensor of {}, which cannot hold it",
                              to_text(literal->value), to_text(element)),
                  "convert the tensor: to(float32, X)");
    }
    return make(Literal{literal->value, element, false, literal->size_of});
  }
  return make(Cast{element}, {expression});
}

namespace {

/// True for kinds that leave plain numbers as they are.
bool keeps_weak(const Kind& kind) {
  return std::holds_alternative<Map>(kind) || std::holds_alternative<Cast>(kind) ||
         std::holds_alternative<Call>(kind);
}

/// The operands whose element types must agree: not a condition, not indices.
std::span<Expr> agreeing(const Kind& kind, std::vector<Expr>& operands) {
  const auto* map = std::get_if<Map>(&kind);
  const std::size_t skipped = map != nullptr && map->word->conditional ? 1 : 0;
  const bool agree = map != nullptr || std::holds_alternative<Contract>(kind) ||
                     std::holds_alternative<Concat>(kind) || std::holds_alternative<Along>(kind);
  return agree ? std::span(operands).subspan(std::min(skipped, operands.size()))
               : std::span<Expr>{};
}

/// Gives plain numbers the element type of the tensors they meet.
void strengthen_operands(const Kind& kind, std::vector<Expr>& operands) {
  const auto peers = agreeing(kind, operands);
  const auto strong =
      std::ranges::find_if(peers, [](const Expr& operand) { return !operand.type().weak; });
  if (strong != peers.end()) {
    const ElementType element = strong->element();
    for (Expr& operand : peers) operand = strengthened(operand, element);
  }
  if (std::holds_alternative<Index>(kind)) operands[1] = strengthened(operands[1], int64);
  if (keeps_weak(kind)) return;
  for (Expr& operand : operands) operand = strengthened(operand, operand.element());
}

}  // namespace

Expr make(Kind kind, std::vector<Expr> operands) {
  strengthen_operands(kind, operands);
  Type type = infer(kind, operands);
  return Expr(std::make_shared<const Node>(std::move(kind), std::move(operands), std::move(type)));
}

}  // namespace axial::expr
