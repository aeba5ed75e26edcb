// Trees into typed expressions: every name is given its meaning.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axial/expr/node.hpp"
#include "axial/notation/tree.hpp"

namespace axial::notation {

/// What the names in formulas stand for.
class Environment {
 public:
  Environment() = default;
  Environment(const Environment&) = default;
  Environment& operator=(const Environment&) = default;
  virtual ~Environment() = default;

  /// The tensor that a name with its labels stands for, or nothing.
  virtual std::optional<expr::Expr> tensor(const Tree& name) const = 0;
  /// The names that tensors have, to find the one that was meant.
  virtual std::vector<std::string> tensor_names() const = 0;
  /// The axes that a name of an axis stands for; itself unless it is formal.
  virtual Axes axes(std::string_view name) const { return Axis(name); }
  /// The size of an axis where no operand tells it.
  virtual std::optional<std::int64_t> size(Axis axis) const = 0;
  /// The whole number that a formula of sizes stands for, or nothing.
  virtual std::optional<std::int64_t> whole(const Tree& formula) const;
  /// A function of this environment applied to operands that are read `inside` it, or nothing if it
  /// has none of that name.
  virtual std::optional<expr::Expr> apply(const Tree&, const Environment&) const {
    return std::nullopt;
  }
  /// The largest value that is promised for a position, or nothing.
  virtual std::optional<std::int64_t> bound(const Tree&) const { return std::nullopt; }
  /// The element type of real numbers that nothing else determines.
  virtual ElementType reals() const { return float32; }
  /// The tensor of a name with another size along an axis whose size nothing says, or nothing.
  virtual std::optional<expr::Expr> adapted(const Tree&, Axis, std::int64_t) const {
    return std::nullopt;
  }
  /// Is told of every function that is applied to operands.
  virtual void observe(const Tree&, std::span<const expr::Expr>) const {}
  /// The number of the first position along an axis.
  virtual std::int64_t first_position() const { return 0; }
  /// What a differential, a derivative or a formula at a point is, its parts read `inside` this
  /// environment; nothing if it does not differentiate.
  virtual std::optional<expr::Expr> differentiated(const Tree&, const Environment&) const {
    return std::nullopt;
  }
};

/// Names in two tables. A formal axis may stand for several axes at once.
class Scope : public Environment {
 public:
  std::map<std::string, expr::Expr, std::less<>> tensors;
  std::map<std::string, Axes, std::less<>> formal_axes;

  std::optional<expr::Expr> tensor(const Tree& name) const override;
  std::vector<std::string> tensor_names() const override;
  Axes axes(std::string_view name) const override;
  std::optional<std::int64_t> size(Axis axis) const override;
};

/// An environment in which some names stand for something else.
class Bound : public Environment {
 public:
  Bound(const Environment& outer, std::map<std::string, expr::Expr, std::less<>> tensors)
      : outer_(&outer), tensors_(std::move(tensors)) {}

  std::optional<expr::Expr> tensor(const Tree& name) const override;
  std::vector<std::string> tensor_names() const override;
  Axes axes(std::string_view name) const override { return outer_->axes(name); }
  std::optional<std::int64_t> size(Axis axis) const override { return outer_->size(axis); }
  std::optional<std::int64_t> whole(const Tree& formula) const override;
  std::optional<expr::Expr> apply(const Tree& application,
                                  const Environment& inside) const override;
  std::optional<std::int64_t> bound(const Tree& position) const override;
  ElementType reals() const override { return outer_->reals(); }
  std::optional<expr::Expr> adapted(const Tree& name, Axis axis, std::int64_t size) const override {
    return outer_->adapted(name, axis, size);
  }
  void observe(const Tree& tree, std::span<const expr::Expr> operands) const override {
    outer_->observe(tree, operands);
  }
  std::int64_t first_position() const override { return outer_->first_position(); }
  std::optional<expr::Expr> differentiated(const Tree& tree,
                                           const Environment& inside) const override {
    return outer_->differentiated(tree, inside);
  }

 private:
  const Environment* outer_;
  std::map<std::string, expr::Expr, std::less<>> tensors_;
};

/// The expression that `tree` denotes. Fails with undeclared for unknown names, with foreign for
/// what has no meaning as a tensor, and with the typing errors of expressions, placed.
expr::Expr elaborate(const Tree& tree, const Environment& environment);

/// The tensor whose element at each position of `axes` is `tree` with the variables standing for
/// that position: [X_{ax(i)}]_{ax} for the variable i. Sizes as given.
expr::Expr comprehend(const Tree& tree, const std::vector<std::string>& variables,
                      const std::vector<SizedAxis>& axes, const Environment& environment);

/// The function called `name` on its axes and operands: a word, reduction, primitive, structural
/// operation or phrase. Fails with undeclared if there is none, with wrong-arity if it does not fit.
expr::Expr apply_function(std::string_view name, const std::vector<Axes>& axes,
                          expr::Operands operands);

/// True if `name` is a function of the vocabulary or the prelude.
bool is_function(std::string_view name);

}  // namespace axial::notation
