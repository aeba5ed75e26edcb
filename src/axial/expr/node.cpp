#include "axial/expr/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <thread>

#include "axial/base/error.hpp"
#include "axial/expr/typing.hpp"

namespace axial::expr {

Node::Node(Kind&& node_kind, Operands&& node_operands, Type&& node_type)
    : kind(std::move(node_kind)), operands(std::move(node_operands)), type(std::move(node_type)) {
  open = std::holds_alternative<Parameter>(kind) ||
         std::ranges::any_of(operands, [](const Expr& operand) { return operand.is_open(); });
}

Node::~Node() {
  Operands doomed;
  const auto doom = [&](Operands& own) {
    for (Expr& operand : own) doomed.push_back(std::move(operand));
    own.clear();
  };
  doom(operands);
  while (!doomed.empty()) {
    const Expr last = doomed.pop_back();
    if (last.node_.use_count() != 1) continue;
    // The only owner is about to let go, so nobody can see that the operands are taken away. Those
    // who let go before us may have done so in other threads.
    std::atomic_thread_fence(std::memory_order_acquire);
    doom(const_cast<Node&>(*last.node_).operands);  // NOLINT(*-const-cast)
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
  if (!is_real(element)) {
    throw Error(code("element-type"),
                fmt::format("a number that is computed when the program runs meets a tensor of {}",
                            to_text(element)),
                "convert one of them: to(float32, X)");
  }
  return make(Cast{element}, {expression});
}

Axes Along::axes_of(int k) const {
  std::vector<Axis> axes;
  for (const char letter : word->letters(k)) axes.push_back(over[letter - 'a']);
  return Axes(std::move(axes));
}

class Memory::Turn {
 public:
  explicit Turn(const Memory& memory) : is_used_(memory.is_used_) {
    while (is_used_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { is_used_.clear(std::memory_order_release); }

 private:
  std::atomic_flag& is_used_;
};

std::optional<Array> Memory::value() const {
  if (!is_known()) return std::nullopt;
  const Turn turn(*this);
  return value_;
}

void Memory::remember(Array value) {
  std::optional<Array> known(std::move(value));  // takes an earlier one away, after our turn
  const Turn turn(*this);
  known.swap(value_);
  is_known_.store(true, std::memory_order_release);
}

void Memory::forget() {
  std::optional<Array> forgotten;  // goes after our turn, since that may take long
  const Turn turn(*this);
  is_known_.store(false, std::memory_order_release);
  forgotten.swap(value_);
}

std::optional<Array> Expr::known_value() const {
  if (const auto* leaf = as<Leaf>()) return leaf->value;
  return node_->memory.value();
}

void Expr::remember(Array value) const { node_->memory.remember(std::move(value)); }

Held::Held(Expr expression) : expression_(std::move(expression)) {
  if (!expression_.node_) return;
  std::atomic<std::int64_t>& holders = expression_.node_->holders;
  // Nobody else counts in a node that nobody else knows, and to count alone is quicker.
  if (is_alone()) {
    holders.store(holders.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  } else {
    ++holders;
  }
}

Held::~Held() {
  const Node* node = expression_.identity();
  // A node that nobody else knows ends with this, and its value with it.
  if (node == nullptr || is_alone() || --node->holders != 0) return;
  if (node->memory.is_known()) node->memory.forget();
}

namespace {

/// True for kinds that leave plain numbers as they are.
bool keeps_weak(const Kind& kind) {
  return std::holds_alternative<Map>(kind) || std::holds_alternative<Cast>(kind) ||
         std::holds_alternative<Call>(kind);
}

/// The operands whose element types must agree: not a condition, not indices.
std::span<Expr> agreeing(const Kind& kind, Operands& operands) {
  const auto* map = std::get_if<Map>(&kind);
  const std::size_t skipped = map != nullptr && map->word->conditional ? 1 : 0;
  const bool agree = map != nullptr || std::holds_alternative<Contract>(kind) ||
                     std::holds_alternative<Concat>(kind) || std::holds_alternative<Along>(kind);
  return agree ? std::span(operands).subspan(std::min(skipped, operands.size()))
               : std::span<Expr>{};
}

/// Most operands are strong already and stay as they are.
void strengthen(Expr& operand, ElementType element) {
  if (operand.type().weak) operand = strengthened(operand, element);
}

/// Gives plain numbers the element type of the tensors they meet.
void strengthen_operands(const Kind& kind, Operands& operands) {
  const auto peers = agreeing(kind, operands);
  const auto strong =
      std::ranges::find_if(peers, [](const Expr& operand) { return !operand.type().weak; });
  if (strong != peers.end()) {
    const ElementType element = strong->element();
    for (Expr& operand : peers) strengthen(operand, element);
  }
  if (const auto* map = std::get_if<Map>(&kind)) {
    if (map->word->conditional && !operands.empty()) strengthen(operands[0], boolean);
    if (map->word->takes == Takes::booleans) {
      for (Expr& operand : operands) strengthen(operand, boolean);
    }
  }
  if (const auto* index = std::get_if<Index>(&kind)) {
    const auto* number = operands[1].as<Literal>();
    if (number != nullptr && !number->value.fits(int64)) {
      throw Error(code("bad-value"),
                  fmt::format("{} is not a position along axis `{}`", to_text(number->value),
                              index->axis.name()),
                  "indices are whole numbers");
    }
    strengthen(operands[1], int64);
  }
  if (keeps_weak(kind)) return;
  for (Expr& operand : operands) strengthen(operand, operand.element());
}

}  // namespace

namespace {

/// The number that a word makes of plain numbers, or nothing if an operand is not one. √2 and log 2
/// stay visible, as sizes do, so that they can be read in what is made of them.
std::optional<Number> folded(const Kind& kind, std::span<const Expr> operands) {
  const auto* map = std::get_if<Map>(&kind);
  if (map == nullptr || map->word->gives != Gives::same || map->word->conditional ||
      operands.empty() || std::ssize(operands) != map->word->arity()) {
    return std::nullopt;
  }
  std::vector<Number> numbers;
  for (const Expr& operand : operands) {
    const auto* literal = operand.as<Literal>();
    // A size stays visible, so that |ax| can be read in what is made of it, and so does π.
    if (literal == nullptr || !literal->weak || literal->size_of) return std::nullopt;
    if (literal->value.real() == std::numbers::pi) return std::nullopt;
    numbers.push_back(literal->value);
  }
  numbers.resize(3, 0);
  const bool whole = std::ranges::all_of(numbers, &Number::is_whole);
  if (whole && map->word->whole) {
    return map->word->whole(numbers[0].whole(), numbers[1].whole(), numbers[2].whole());
  }
  const double value = map->word->real(numbers[0].real(), numbers[1].real(), numbers[2].real());
  const bool is_arithmetic = !map->word->symbol.empty();
  if (!is_arithmetic && std::isfinite(value) && std::trunc(value) != value) return std::nullopt;
  return value;
}

}  // namespace

Expr make(Kind kind, Operands operands) {
  if (const auto number = folded(kind, operands)) return make(Literal{.value = *number});
  strengthen_operands(kind, operands);
  Type type = infer(kind, operands);
  return Expr(std::make_shared<Node>(std::move(kind), std::move(operands), std::move(type)));
}

Expr remake(const Expr& node, Operands operands) {
  const auto is_alike = [](const Expr& left, const Expr& right) {
    return left.type() == right.type() && left.shape().is_written_as(right.shape());
  };
  if (!std::ranges::equal(operands, node.operands(), is_alike)) {
    return make(node.kind(), std::move(operands));
  }
  return Expr(std::make_shared<Node>(Kind(node.kind()), std::move(operands), Type(node.type())));
}

}  // namespace axial::expr
