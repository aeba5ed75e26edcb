#include "support/bounded.hpp"

#include <algorithm>
#include <cmath>

#include "axial/notation/elaborate.hpp"
#include "axial/notation/parse.hpp"

namespace axial::support {
namespace {

using expr::Expr;
using expr::make;

constexpr double taming_bound = 30;

Bounded sum_of(const Bounded& left, const Bounded& right) {
  return {make(expr::Map{&word("add")}, {left.expression, right.expression}),
          left.bound + right.bound};
}

Bounded product_of(const Bounded& left, const Bounded& right) {
  return {make(expr::Map{&word("mul")}, {left.expression, right.expression}),
          left.bound * right.bound};
}

Expr truth_of(const Bounded& x) {
  return make(expr::Map{&word("greater")}, {x.expression, number(0).expression});
}

Expr as_reals(const Expr& expression) {
  return expression.element() == float64 ? expression : make(expr::Cast{float64}, {expression});
}

/// The largest absolute value that a word takes on a grid over its domain, and a little more.
double range(const Word& word) {
  constexpr int points = 16;
  const auto point = [&](int k) {
    return word.domain.low + (word.domain.high - word.domain.low) * k / points;
  };
  if (!word.real || word.gives != Gives::same) return 1;
  double largest = 0;
  for (int i = 0; i <= points; ++i) {
    for (int j = 0; j <= points; ++j) {
      for (const double c : {word.domain.low, word.domain.high}) {
        largest = std::max(largest, std::abs(word.real(point(i), point(j), c)));
      }
    }
  }
  return 1.25 * largest;
}

bool mentions_steps(const notation::Tree& tree) {
  const Word* word = tree.form == notation::Form::apply ? find_word(tree.text) : nullptr;
  if (word != nullptr && std::ranges::all_of(word->partials, &std::string_view::empty)) return true;
  return std::ranges::any_of(tree.children, mentions_steps);
}

}  // namespace

Bounded leaf(const Array& value) {
  double bound = 0;
  for (std::int64_t k = 0; k < value.volume(); ++k) {
    bound = std::max(bound, std::abs(value.real(k)));
  }
  return {make(expr::Leaf{value}), bound};
}

Bounded number(double value) {
  return {make(expr::Literal{.value = value, .element = float64, .weak = false}), std::abs(value)};
}

Bounded squashed(const Bounded& x) {
  const Bounded root = {
      make(expr::Map{&word("sqrt")}, {sum_of(number(1), product_of(x, x)).expression}), 0};
  return {make(expr::Map{&word("div")}, {x.expression, root.expression}), 1};
}

Bounded within(const Bounded& x, const Interval& domain) {
  if (-domain.low >= x.bound && domain.high >= x.bound) return x;
  if (const auto* literal = x.expression.as<expr::Literal>()) {
    const double value = literal->value.real();
    if (domain.low <= value && value <= domain.high) return x;
  }
  const double middle = (domain.low + domain.high) / 2, reach = (domain.high - domain.low) / 2;
  return sum_of(number(middle), product_of(number(reach), squashed(x)));
}

Bounded tamed(const Bounded& x) { return x.bound > taming_bound ? squashed(x) : x; }

Bounded mapped(const Word& word, const std::vector<Bounded>& operands) {
  std::vector<Expr> given;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const bool truth = !accepts(word.takes, float64) || (word.conditional && k == 0);
    given.push_back(truth ? truth_of(operands[k]) : within(operands[k], word.domain).expression);
  }
  return {as_reals(make(expr::Map{&word}, std::move(given))), range(word)};
}

Bounded reduced(const Reduction& reduction, const Axes& over, const Bounded& x) {
  const bool truth = !accepts(reduction.combine->takes, float64);
  const Expr result = make(expr::Reduce{&reduction, over}, {truth ? truth_of(x) : x.expression});
  if (truth) return {as_reals(result), 1};
  double fold = x.bound;
  for (std::int64_t k = 1; k < restrict(x.shape(), over).volume(); ++k) {
    fold = std::max(fold, reduction.combine->real(fold, x.bound));
  }
  return {result, fold};
}

Bounded contracted(const Axes& over, const std::vector<Bounded>& factors) {
  std::vector<Expr> operands;
  Shape all;
  double bound = 1;
  for (const Bounded& factor : factors) {
    operands.push_back(factor.expression);
    all = all | factor.shape();
    bound *= factor.bound;
  }
  bound *= static_cast<double>(restrict(all, over).volume());
  return {make(expr::Contract{over}, std::move(operands)), bound};
}

bool is_smooth(const Word& word) {
  if (word.conditional || !word.real || word.partials[0].empty()) return false;
  return std::ranges::none_of(word.partials, [](std::string_view partial) {
    return !partial.empty() &&
           mentions_steps(notation::parse_formula(partial, notation::is_function));
  });
}

}  // namespace axial::support
