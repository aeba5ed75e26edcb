// The rules of simplification as they work on one node, and what they remember between nodes. Used
// by simplify.cpp; users call `simplified`.
#pragma once

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "axial/calculus/product.hpp"
#include "axial/calculus/simplify.hpp"

namespace axial::calculus {

/// A call that may be recognised, and the product that defines it.
struct Definition {
  Expr call;
  Product body;
};

inline Axes axes_of(const Factor& factor) { return factor.base.shape().names(); }

class Simplifier {
 public:
  explicit Simplifier(const SimplifyOptions& options);
  /// One pass from the leaves to the roots.
  std::vector<Expr> pass(std::span<const Expr> roots);
  bool same(const Expr& left, const Expr& right) { return prints_.same(left, right); }

 private:
  /// Lets a call be recognised under other names of its axes, too.
  void add_renamed(const Expr& call, const Product& body, const Renames& pairs);
  static bool is_sum_node(const expr::Node& node);
  /// For each node its user, or null if it has several.
  static std::unordered_map<const expr::Node*, const expr::Node*> only_users(
      std::span<const Expr> roots);
  /// A node whose operands are simplified, simplified.
  Expr simplify_node(const Expr& node);
  /// -(A - B) as B - A: the sign of a product goes into a factor that is a sum with a term to turn,
  /// also inside a contraction.
  void turn_sign(Product& product);
  /// The negative of a sum, or of a contraction with one, if it has a term to turn.
  Tangent turned_sum(const Expr& expression);
  /// where(c, X, 0) as [c] ⊙ X, or nothing for other nodes.
  static Tangent as_truth(const Expr& node);
  /// f(A ⊙ B) as A ⊙ f(B) for a window, an index, a slice or a padding f along an axis that A lacks,
  /// or nothing for other nodes.
  Tangent drawn_from_windows(const Expr& node);
  /// The sum in its shortest form. A ⊙ (B + C) and (A + 1)_{ax→ax'} are drawn apart if that makes it
  /// shorter: something cancels then.
  Expr simplify_sum(const Expr& sum);
  /// The terms that a term is when it is drawn apart, or the term alone.
  Terms drawn_apart(const Product& term);
  /// The node itself if it is what the product would become, so that nothing changes for nothing.
  Expr rebuilt(Product product, const Expr& node);
  /// What was made of a node, or the node if that is as short.
  Expr shorter(const Expr& made, const Expr& node);
  Expr simplify_rename(const expr::Rename& rename, const Expr& node);
  /// Like terms added up.
  Terms united(const Terms& terms);
  /// The factors that all terms have, which are taken from them.
  Product drawn_out(Terms& terms);
  /// The sum with what all its terms have in common drawn out.
  Expr collected(Terms terms, const expr::Type& type);
  /// Σ_ax A ⊙ B - Σ_ax A ⊙ C as Σ_ax A ⊙ (B - C), or nothing if the terms are of another form.
  Tangent inside_contraction(const Terms& terms);
  /// Σ_over of the product of a node's operands.
  Expr contracted(const Axes& over, const Expr& node);
  void remember_sizes(const Shape& shape);
  /// True if an identity is a factor of the expression, or of a term of it.
  bool has_identity(const Expr& root);
  /// Σ_over of a product.
  Expr contraction_of(Axes over, Product product, const expr::Type& type);
  /// True if the elements along the axes add up to one, as those of a softmax do.
  bool sums_to_one(const Axes& over, const Factor& factor);
  /// True if a term without the axes makes it worthwhile to draw a sum apart: α ⊙_ax (X + 1) is
  /// α ⊙_ax X + 1 if α sums to one.
  bool sheds(const Axes& over, const Product& rest, const Product& term);
  /// True if the terms of a sum cancel when they are summed: deviations from a mean do.
  bool vanishes(const Axes& over, const Factor& factor);
  /// Σ_over of factors all of which have some axis of it.
  Expr summed_product(const Axes& over, const std::vector<Factor>& factors, ElementType element);
  /// A ⊙_ax I_{ax,ax'} = A_{ax→ax'}, for one identity; false if there is none.
  bool eliminate_identity(Axes& over, Product& product);
  Expr simplified_rename(const Expr& expression, const Renames& pairs);
  /// Draws a sum apart in which an identity can be eliminated: A ⊙_ax (I_{ax,ax'} - B).
  Tangent distributed(const Axes& over, const Product& product, const expr::Type& type);
  /// A node that is a definition as a whole.
  Expr recognised(const Expr& node);
  /// Puts calls in place of what defines them. Part of a definition may stand inside a contraction
  /// and the rest before it: (Σ_ax exp X ⊙ A) / Σ_ax exp X = softmax_ax X ⊙_ax A.
  void recognise(Product& product);
  /// Puts σ in place of what defines it, until there is nothing left to do.
  void recognise_sigmoids(Product& product);
  /// exp U / (1 + exp U) = σ(U), 1 / (1 + exp U) = σ(-U); false if there is none.
  bool recognise_logistic(Product& product);
  /// σ(U) ⊙ σ(-U) and σ(-U) ⊙ (1 - σ(-U)) as σ(U) ⊙ (1 - σ(U)), exp U ⊙ σ(-U) as σ(U); false if there is none.
  bool unite_logistic(Product& product);
  /// -U.
  Expr turned(const Expr& expression);
  /// True if the factor is there with at least this exponent.
  static bool holds(const Product& product, const Factor& wanted);
  /// A definition of one factor, such as √(Σ_ax X²), which may also divide.
  bool recognise_power(const Definition& definition, Product& product);
  static void divide(Product& product, const Factor& factor);
  bool recognise_among(const Definition& definition, Product& product);
  bool recognise_inside(const Definition& definition, Product& product, std::size_t k);

  SimplifyOptions options_;
  Fingerprints prints_;
  std::vector<Definition> definitions_;
  /// Whether there is an identity among the factors and terms of nodes, which are kept alive.
  std::unordered_map<const expr::Node*, std::pair<Expr, bool>> identity_inside_;
  /// Sizes of axes that are summed although nothing varies along them.
  std::unordered_map<Axis, std::int64_t> sizes_;
};

}  // namespace axial::calculus
