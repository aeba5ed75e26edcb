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

NotFinite report(const Tensor& tensor, const Tensors& names) {
  const Array array = tensor.array();
  const std::int64_t place = *place_of_misfit(array);
  const Record where = record_at(array.shape(), place);
  return {tensor, formula(tensor.expression(), names, where), where, array.real(place)};
}

}  // namespace

std::optional<NotFinite> first_not_finite(const Tensor& tensor, const Tensors& names) {
  if (!place_of_misfit(tensor.array())) return std::nullopt;
  const expr::Expr root = expr::without_calls(tensor.expression());
  std::vector<Tensor> reals;
  for (const expr::Expr& node : expr::post_order({&root, 1})) {
    if (is_real(node.element())) reals.emplace_back(node);
  }
  evaluate_together(reals);
  std::unordered_set<const expr::Node*> written;
  for (const Tensor& real : reals) {
    const Array array = real.array();
    const auto place = place_of_misfit(array);
    if (!place) continue;
    const std::span<const expr::Expr> operands = real.expression().operands();
    const bool follows = std::ranges::any_of(
        operands, [&](const expr::Expr& x) { return written.contains(x.identity()); });
    if (!std::isinf(array.real(*place)) || !(operands.empty() || follows)) {
      return report(real, names);
    }
    written.insert(real.expression().identity());
  }
  return report(reals.back(), names);
}

void require_finite(const Tensor& tensor, const std::string& what, const Tensors& names) {
  const auto found = first_not_finite(tensor, names);
  if (!found) return;
  const std::string where = found->where.count() == 0 ? "" : " at " + to_text(found->where);
  throw Error(code("bad-value"),
              fmt::format("{} is not finite: the first number that is not finite is {}{} of {}",
                          what, found->value, where, found->formula),
              "look at what it is computed from; smaller steps (lr) or clipped gradients (clip) "
              "often help");
}

}  // namespace axial
