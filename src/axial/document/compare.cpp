#include "axial/document/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/reference/evaluate.hpp"

namespace axial::document {
namespace {

using expr::Expr;

// Sums of a few dozen terms in double precision agree far better than this.
constexpr double base_tolerance = 1e-9;
constexpr double disturbance = 1e-12;
// What the slow evaluator computes in about a second.
constexpr std::int64_t max_elements = 4'000'000;
// A change of the inputs by 1e-12 is some thousand roundings; the sides may differ by as many.
constexpr double allowed_disturbances = 100;

std::string place_of(const Record& record) {
  std::string text;
  for (const NamedIndex& index : record) {
    if (is_fresh(index.axis)) continue;
    text +=
        fmt::format("{}{}({})", text.empty() ? "" : ", ", index.axis.name(), index.position + 1);
  }
  return text;
}

double element(const Array& array, const Record& record) {
  return array.real(array.offset(restrict(record, array.shape().names())));
}

bool is_close(double left, double right, double tolerance) {
  if (std::isinf(left) || std::isinf(right)) return left == right;
  return std::abs(left - right) <= tolerance * std::max({1.0, std::abs(left), std::abs(right)});
}

}  // namespace

Array value_of(const Expr& expression) {
  const Expr flat = expr::without_calls(expr::strengthened(expression, float64));
  std::int64_t elements = 0;
  for (const Expr& node : expr::post_order(std::span(&flat, 1))) {
    const std::int64_t volume = node.shape().volume();
    if (volume > max_elements || (elements += volume) > max_elements) {
      throw Error(code("foreign"), "it has too many elements to try it out");
    }
  }
  return reference::evaluate(flat);
}

Comparison compare(const Symbols& symbols, const Draw& draw, const Sides& sides) {
  const auto values = [&](double amount) {
    Draw drawn = draw;
    drawn.disturbance = amount;
    World world(symbols, drawn);
    const auto [left, right] = sides(world);
    return std::pair{value_of(left), value_of(right)};
  };
  const auto [left, right] = values(0);
  const Shape shape = left.shape() | right.shape();
  std::optional<std::pair<Array, Array>> disturbed;
  Comparison result{Agreement::equal};
  double worst = 0;
  for (const Record& record : records(shape)) {
    const double a = element(left, record), b = element(right, record);
    if (std::isnan(a) || std::isnan(b)) return {Agreement::undefined};
    if (is_close(a, b, base_tolerance)) continue;
    if (!disturbed) disturbed = values(disturbance);
    const double change = std::max(std::abs(element(disturbed->first, record) - a),
                                   std::abs(element(disturbed->second, record) - b));
    if (std::abs(a - b) <= allowed_disturbances * change) continue;
    result.agreement = Agreement::different;
    if (!result.difference || std::abs(a - b) > worst) {
      worst = std::abs(a - b);
      result.difference = {place_of(record), a, b};
    }
  }
  return result;
}

}  // namespace axial::document
