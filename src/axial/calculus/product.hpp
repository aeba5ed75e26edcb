// Expressions seen as products and sums: a coefficient times powers of factors, and terms with
// coefficients. Simplification takes expressions apart into these and puts them together again.
#pragma once

#include <vector>

#include "axial/calculus/arithmetic.hpp"
#include "axial/calculus/fingerprint.hpp"

namespace axial::calculus {

/// base^exponent. The base is not itself a product.
struct Factor {
  Expr base;
  Fingerprint print;
  double exponent = 1;
};

/// coefficient · Π factors.
struct Product {
  double coefficient = 1;
  std::vector<Factor> factors = {};

  /// Multiplies by base^exponent; equal bases become one, and an exponent of 0 vanishes.
  void multiply(const Factor& factor);
};

/// Σ coefficient · term.
using Terms = std::vector<Product>;

/// A sum inside a sum is taken apart with it up to this size. What is larger is most likely shared:
/// to open it again and again would take more and more time.
constexpr double max_opened = 2000;

/// True for words that make sums: +, -.
bool is_sum(const Expr& expression);
/// True for what a product is made of: ⊙, /, negation, powers with a number, square roots.
bool is_product(const Expr& expression);

/// The expression as a product. Repetition along further axes is left out.
Product product_of(const Expr& expression, Fingerprints& prints);
/// The expression as a sum of products.
Terms terms_of(const Expr& expression, Fingerprints& prints);

/// The product as an expression, repeated along the axes of `shape` that it lacks.
Expr expression_of(const Product& product, const expr::Type& type);
/// base^exponent.
Expr expression_of(const Factor& factor);
/// The sum as an expression.
Expr expression_of(const Terms& terms, const expr::Type& type);

}  // namespace axial::calculus
