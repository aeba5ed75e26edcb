#include "axial/nn/finite.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "axial/base/error.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/notation/formula_of.hpp"
#include "axial/notation/print.hpp"

namespace axial {
namespace {

/// Where an array has its first NaN or, if it has none, its first infinity.
std::optional<std::int64_t> place_of_misfit(const Array& array) {
  std::optional<std::int64_t> infinite;
  if (!is_real(array.type())) return infinite;
  for (std::int64_t k = 0; k < array.volume(); ++k) {
    if (std::isnan(array.real(k))) return k;
    if (std::isinf(array.real(k)) && !infinite) infinite = k;
  }
  return infinite;
}

/// The first NaN of a tensor of reals or, if it has none, its first infinity.
std::optional<double> misfit(const expr::Expr& node) {
  if (!is_real(node.element())) return std::nullopt;
  const Array array = Tensor(node).array();
  const auto place = place_of_misfit(array);
  return place ? std::optional(array.real(*place)) : std::nullopt;
}

/// The record at an offset of a layout, the last axis varying fastest.
Record record_at(const Shape& layout, std::int64_t offset) {
  std::vector<NamedIndex> indices;
  for (auto axis = layout.written().rbegin(); axis != layout.written().rend(); ++axis) {
    indices.push_back(axis->axis(offset % axis->size));
    offset /= axis->size;
  }
  return Record(std::move(indices));
}

notation::Tree name(std::string text) {
  return {notation::Form::name, {}, std::move(text), {}, {}};
}

/// What is known of an operand where the result is not finite: its element there, or its shape.
std::string explained(const std::string& name, const Tensor& operand, const Record& where) {
  const Axes axes = operand.shape().names();
  for (const Axis axis : axes) {
    if (!where.names().contains(axis))
      return fmt::format("{} : {}", name, to_text(operand.shape()));
  }
  const Array array = operand.array();
  return fmt::format("{} = {:.6g}", name, array.real(array.offset(restrict(where, axes))));
}

/// The last operation of a tensor as a formula, operands without a name called A, B, C.
std::string formula(const expr::Expr& node, const Tensors& names, const Record& where) {
  notation::Names known;
  for (const auto& [text, tensor] : names) {
    known.emplace(tensor.expression().identity(), name(text));
  }
  if (!node.operands().empty()) known.erase(node.identity());
  std::string facts, letter = "A";
  std::unordered_set<const expr::Node*> told;
  for (const expr::Expr& operand : node.operands()) {
    if (operand.as<expr::Literal>() != nullptr || !told.insert(operand.identity()).second) continue;
    while (names.contains(letter)) ++letter[0];
    const auto [place, is_new] = known.try_emplace(operand.identity(), name(letter));
    if (is_new) ++letter[0];
    facts += facts.empty() ? ", where " : ", ";
    facts += explained(place->second.text, Tensor(operand), where);
  }
  if (node.operands().empty()) known.try_emplace(node.identity(), name("a tensor that was given"));
  return fmt::format("`{}`{}", notation::to_text(notation::formula_of(node, known)), facts);
}

using Identities = std::unordered_set<const expr::Node*>;

bool is_any_in(std::span<const expr::Expr> nodes, const Identities& known) {
  return std::ranges::any_of(nodes,
                             [&](const expr::Expr& x) { return known.contains(x.identity()); });
}

/// One walk through what a tensor is computed from.
class Search {
 public:
  /// `varying` are the tensors that the others are looked at for, if there are any, and `meant` those
  /// whose infinities are meant.
  Search(const Tensors& names, Identities varying, Identities meant)
      : names_(names),
        all_(varying.empty()),
        varying_(std::move(varying)),
        meant_(std::move(meant)) {}

  std::optional<NotFinite> in(const Tensor& tensor) {
    if (!place_of_misfit(tensor.array())) return std::nullopt;
    const std::vector<expr::Expr> nodes = expr::post_order({&tensor.expression(), 1});
    std::vector<Tensor> reals;
    for (const expr::Expr& node : nodes) {
      if (is_real(node.element())) reals.emplace_back(node);
    }
    evaluate_together(reals);
    for (const expr::Expr& node : nodes) {
      if (is_any_in(node.operands(), varying_)) varying_.insert(node.identity());
      const auto value = misfit(node);
      if (!value || passes(node, *value)) continue;
      // What is fixed may hold NaN where nobody looks; here somebody does.
      for (const expr::Expr& operand : node.operands()) {
        if (is_fixed(operand) && std::isnan(misfit(operand).value_or(0)))
          return first_not_finite(Tensor(operand), names_);
      }
      return report(Tensor(node));
    }
    return report(tensor);
  }

 private:
  bool is_fixed(const expr::Expr& node) const {
    return !all_ && !varying_.contains(node.identity());
  }

  /// Whether a tensor with such an element is not to blame.
  bool passes(const expr::Expr& node, double value) {
    const bool is_written = node.operands().empty() && !varying_.contains(node.identity());
    if (std::isnan(value)) return is_fixed(node) || node.as<expr::Literal>() != nullptr;
    const bool is_meant = is_written || is_fixed(node) || meant_.contains(node.identity()) ||
                          is_any_in(node.operands(), meant_);
    if (is_meant) meant_.insert(node.identity());
    return is_meant;
  }

  /// What is wrong with a tensor. Of a function that is called, the operation inside.
  NotFinite report(const Tensor& tensor) const {
    const expr::Expr& node = tensor.expression();
    const auto* call = node.as<expr::Call>();
    if (call != nullptr && !node.operands().empty()) {
      Identities arguments;
      for (const expr::Expr& operand : node.operands()) arguments.insert(operand.identity());
      const Tensor body(expr::inlined(*call->function, node.operands()));
      if (auto inside = Search(names_, std::move(arguments), meant_).in(body)) {
        inside->tensor = tensor;
        return *inside;
      }
    }
    const Array array = tensor.array();
    const std::int64_t place = *place_of_misfit(array);
    const Record where = record_at(array.shape(), place);
    return {tensor, formula(node, names_, where), where, array.real(place)};
  }

  const Tensors& names_;
  bool all_;
  Identities varying_, meant_;
};

}  // namespace

std::optional<NotFinite> first_not_finite(const Tensor& tensor, const Tensors& names,
                                          const Tensors& learned) {
  Identities varying;
  for (const auto& [name, value] : learned) varying.insert(value.expression().identity());
  return Search(names, std::move(varying), {}).in(tensor);
}

std::string shown_number(double value) {
  return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

std::string to_text(const NotFinite& found, std::int64_t first_position) {
  std::vector<NamedIndex> indices;
  for (const auto& [axis, position] : found.where)
    indices.push_back(axis(position + first_position));
  const std::string place = indices.empty() ? "" : " at " + to_text(Record(std::move(indices)));
  return fmt::format("{}{} of {}", shown_number(found.value), place, found.formula);
}

void require_finite(const Tensor& tensor, const std::string& what, const Tensors& names,
                    const Tensors& learned) {
  const auto found = first_not_finite(tensor, names, learned);
  if (!found) return;
  throw Error(code("bad-value"),
              fmt::format("{} is not finite: the first number that is not finite is {}", what,
                          to_text(*found)),
              "look at what it is computed from; smaller steps (lr) or clipped gradients (clip) "
              "often help");
}

}  // namespace axial
