// What words, reductions and phrases say about themselves agrees: derivatives written in the
// notation with finite differences of the meaning, and the two definitions of a phrase with each
// other. The tables are iterated, so a new row is tested without a line here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axial/api/create.hpp"
#include "axial/api/operations.hpp"
#include "axial/calculus/formulas.hpp"
#include "axial/notation/elaborate.hpp"
#include "axial/notation/parse.hpp"
#include "axial/notation/phrases.hpp"
#include "axial/reference/evaluate.hpp"
#include "support/generator.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::close_to;
using support::for_each_seed;
using support::Generator;

using Point = std::vector<double>;
using Scalar = std::function<double(const Point&)>;

/// The distance of neighbouring points in finite differences.
constexpr double step = 0x1p-10;

/// The derivative by the k-th argument from four neighbours: its error is of fourth order.
double difference(const Scalar& f, Point x, std::size_t k, double distance) {
  const double center = x[k];
  const auto at = [&](double offset) {
    x[k] = center + offset;
    return f(x);
  };
  const double near = at(distance) - at(-distance), far = at(2 * distance) - at(-2 * distance);
  return (8 * near - far) / (12 * distance);
}

/// A derivative and how far it may be from the exact one: halving the distance shows the error of
/// the method, and rounding is the same for all functions.
struct Slope {
  double value;
  double uncertainty;
};

Slope slope(const Scalar& f, const Point& x, std::size_t k) {
  const double wide = difference(f, x, k, step), narrow = difference(f, x, k, step / 2);
  const double magnitude = std::max({1.0, std::abs(f(x)), std::abs(narrow)});
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * magnitude / step;
  return {narrow, std::abs(wide - narrow) + rounding};
}

/// True if the slope changes suddenly near the point, as at the kink of an absolute value.
bool has_kink(const Scalar& f, const Point& x, std::size_t k) {
  const auto [value, uncertainty] = slope(f, x, k);
  return uncertainty > 1e-4 * (1 + std::abs(value));
}

/// The value of a formula in which the names a, b, c, x, y stand for numbers or tensors.
Tensor formula(std::string_view text, const notation::Scope& scope) {
  const notation::Tree tree = notation::parse_formula(text, notation::is_function);
  return Tensor(reference::evaluate(notation::elaborate(tree, scope)));
}

expr::Expr constant(double value, ElementType type = float64) {
  return expr::make(expr::Leaf{scalar(value, type)});
}

/// A point in the domain of a word where none of its partial derivatives jumps.
Point smooth_point(Generator& generator, const Word& word, const Scalar& f) {
  while (true) {
    Point x;
    for (int k = 0; k < word.arity(); ++k) {
      // Neighbours of the point must be in the domain too.
      x.push_back(generator.real(word.domain.low + 2 * step, word.domain.high - 2 * step));
    }
    if (word.conditional) x[0] = generator.chance(0.5) ? 1 : 0;
    const auto kinked = [&](std::size_t k) {
      return !word.partials[k].empty() && has_kink(f, x, k);
    };
    if (!kinked(0) && (x.size() < 2 || !kinked(1)) && (x.size() < 3 || !kinked(2))) return x;
  }
}

notation::Scope scope_of(const Word& word, const Point& x, double y) {
  notation::Scope scope;
  const std::string names[] = {"a", "b", "c"};
  for (std::size_t k = 0; k < x.size(); ++k) {
    const bool condition = word.conditional && k == 0;
    scope.tensors.emplace(names[k],
                          condition ? constant(static_cast<int>(x[k]), boolean) : constant(x[k]));
  }
  scope.tensors.emplace("y", constant(y));
  return scope;
}

TEST(words, have_the_partial_derivatives_that_they_state) {
  for_each_seed(40, [](Generator& generator) {
    for (const Word& word : elementwise_words) {
      if (std::ranges::all_of(word.partials, &std::string_view::empty)) continue;
      SCOPED_TRACE(word.name);
      const Scalar f = [&](const Point& x) {
        return word.real(x[0], x.size() > 1 ? x[1] : 0, x.size() > 2 ? x[2] : 0);
      };
      const Point x = smooth_point(generator, word, f);
      const notation::Scope scope = scope_of(word, x, f(x));
      for (std::size_t k = 0; k < x.size(); ++k) {
        if (word.partials[k].empty()) continue;
        const double stated = formula(word.partials[k], scope).item();
        const auto [found, uncertainty] = slope(f, x, k);
        EXPECT_NEAR(stated, found, uncertainty)
            << "by argument " << k + 1 << ": " << word.partials[k];
      }
    }
  });
}

TEST(words, without_partial_derivatives_are_piecewise_constant) {
  for_each_seed(40, [](Generator& generator) {
    for (const Word& word : elementwise_words) {
      if (!word.real || word.held) continue;
      if (!std::ranges::all_of(word.partials, &std::string_view::empty)) continue;
      SCOPED_TRACE(word.name);
      const Scalar f = [&](const Point& x) { return word.real(x[0], x.size() > 1 ? x[1] : 0); };
      Point x;
      for (int k = 0; k < word.arity(); ++k)
        x.push_back(generator.real(word.domain.low, word.domain.high));
      EXPECT_EQ(f({x[0] * (1 + 1e-12), x.back() * (1 + 1e-12)}), f({x[0], x.back()}));
    }
  });
}

/// The fold of a reduction over plain numbers.
double folded(const Reduction& reduction, const Point& x) {
  double result = reduction.real_start;
  for (const double element : x) result = reduction.combine->real(result, element);
  return result;
}

TEST(reductions, have_the_weights_that_they_state) {
  const Axis a("a"), b("b");
  for_each_seed(40, [&](Generator& generator) {
    for (const Reduction& reduction : reductions) {
      if (reduction.weight.empty()) continue;
      SCOPED_TRACE(reduction.name);
      // One formal axis stands for one axis or for two at once.
      const Axes over = generator.chance(0.5) ? Axes(a) : a & b;
      const Array x = generator.array(generator.shape(over), 0.5, 1.5);
      const Point point(x.elements<double>().begin(), x.elements<double>().end());
      const expr::Reduce reduce{&reduction, over};
      const expr::Expr node = expr::make(reduce, {expr::make(expr::Leaf{x})});
      const notation::Scope scope = calculus::reduction_scope(reduce, node);
      const Tensor weight = broadcast(formula(reduction.weight, scope), x.shape());
      const auto stated = to(float64, weight).values(x.shape().names());
      const Scalar f = [&](const Point& at) { return folded(reduction, at); };
      for (std::size_t k = 0; k < point.size(); ++k) {
        if (has_kink(f, point, k)) continue;
        const auto [found, uncertainty] = slope(f, point, k);
        EXPECT_NEAR(stated[k], found, uncertainty) << "at position " << k;
      }
    }
  });
}

/// Arguments for a phrase on the axes `over`, one set for each of its formal axes.
std::vector<expr::Expr> arguments_of(Generator& generator, const notation::Phrase& phrase,
                                     const Axes& over, const Shape& sizes) {
  std::vector<expr::Expr> arguments;
  for (const notation::Domain& domain : phrase.signature.parameters) {
    const bool number_beside_vectors = domain.axes.empty() && !phrase.signature.axes.empty();
    const Axes axes =
        (domain.axes.empty() ? Axes{} : over) & generator.subset(sizes.names() - over);
    const Array values =
        generator.array(restrict(sizes, axes), number_beside_vectors ? 0.5 : -3, 3);
    arguments.push_back(expr::make(expr::Leaf{values}));
  }
  return arguments;
}

TEST(phrases, mean_what_they_compute) {
  const Axis a("a"), b("b"), extra("extra");
  for_each_seed(40, [&](Generator& generator) {
    for (const notation::Phrase& phrase : notation::phrases()) {
      const Shape sizes = generator.shape(a & b & extra);
      const std::vector<Axes> over(phrase.signature.axes.size(), Axes(a));
      const auto arguments = arguments_of(generator, phrase, a, sizes);
      const Tensor meaning(notation::apply_phrase(phrase, phrase.meaning, over, arguments));
      const Tensor computed(notation::apply_phrase(phrase, phrase.computed(), over, arguments));
      EXPECT_TRUE(close_to(computed, meaning, 21)) << phrase.signature.name;
    }
  });
}

/// X with `over` flattened into one axis, if it has them.
expr::Expr flattened(const expr::Expr& x, const Axes& over, Axis flat) {
  if (!x.shape().contains(over[0])) return x;
  return expr::make(expr::Reshape{over, flat[restrict(x.shape(), over).volume()]}, {x});
}

/// Along two axes at once, `apply` gives what it gives along the flattened axis.
template <class Apply>
void expect_joint(const Apply& apply, const std::vector<expr::Expr>& arguments, const Axes& over) {
  const Axis flat("flat");
  std::vector<expr::Expr> flattened_arguments;
  for (const expr::Expr& x : arguments) flattened_arguments.push_back(flattened(x, over, flat));
  const Tensor joint(apply(over, arguments)), single(apply(Axes(flat), flattened_arguments));
  const expr::Expr result = flattened(joint.expression(), over, flat);
  EXPECT_TRUE(close_to(Tensor(result), single, 98, 3 * 49));
}

TEST(phrases, along_several_axes_act_as_along_the_flattened_axis) {
  const Axis a("a"), b("b"), extra("extra");
  for_each_seed(40, [&](Generator& generator) {
    for (const notation::Phrase& phrase : notation::phrases()) {
      if (phrase.signature.axes.size() != 1) continue;
      SCOPED_TRACE(phrase.signature.name);
      const Shape sizes = generator.shape(a & b & extra);
      const auto apply = [&](const Axes& over, const std::vector<expr::Expr>& x) {
        return notation::apply_phrase(phrase, phrase.computed(), {over}, x);
      };
      try {
        expect_joint(apply, arguments_of(generator, phrase, a & b, sizes), a & b);
      } catch (const Error& error) {
        // What sorts or indexes has an order along one axis only, and says so.
        EXPECT_EQ(error.code().name, "wrong-arity") << error.what();
      }
    }
  });
}

TEST(reductions, over_several_axes_act_as_over_the_flattened_axis) {
  const Axis a("a"), b("b"), extra("extra");
  for_each_seed(40, [&](Generator& generator) {
    for (const Reduction& reduction : reductions) {
      SCOPED_TRACE(reduction.name);
      const bool truth = !accepts(reduction.combine->takes, float64);
      const Array x = generator.array(generator.shape(a & b & extra), truth ? 0 : -1.5,
                                      truth ? 1 : 1.5, truth ? boolean : float64);
      const auto apply = [&](const Axes& over, const std::vector<expr::Expr>& operands) {
        return expr::make(expr::Reduce{&reduction, over}, operands);
      };
      expect_joint(apply, {expr::make(expr::Leaf{x})}, a & b);
    }
  });
}

}  // namespace
}  // namespace axial
