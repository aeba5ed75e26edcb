// Expressions with a bound on their elements, so that random ones neither overflow nor leave the
// domain of a function.
#pragma once

#include <vector>

#include "axial/expr/node.hpp"

namespace axial::support {

/// An expression of float64 and a number that no element exceeds in absolute value.
struct Bounded {
  expr::Expr expression;
  double bound;

  const Shape& shape() const { return expression.shape(); }
};

/// A float64 tensor with its largest element as the bound.
Bounded leaf(const Array& value);
/// A number.
Bounded number(double value);

/// x / √(1 + x²): smooth, below 1, and not so flat that large elements would look alike.
Bounded squashed(const Bounded& x);
/// x itself if its bound keeps it in the domain, else squashed into it.
Bounded within(const Bounded& x, const Interval& domain);
/// x, squashed if its bound is large.
Bounded tamed(const Bounded& x);

/// A word that takes reals or truth values, on operands that are first moved into its domain, as a
/// float64 expression. Truth values are made by comparing with zero.
Bounded mapped(const Word& word, const std::vector<Bounded>& operands);
/// A reduction of reals or truth values, as a float64 expression.
Bounded reduced(const Reduction& reduction, const Axes& over, const Bounded& x);
/// Σ_over of the product.
Bounded contracted(const Axes& over, const std::vector<Bounded>& factors);

/// True if the word is continuously differentiable on its domain, as its partials tell: there are
/// some, and no piecewise constant word occurs in them.
bool is_smooth(const Word& word);

}  // namespace axial::support
