// Typed, immutable expressions. An expression denotes a tensor; its node says how that tensor arises
// from its operands. Every kind is defined on the axes that it names and is extended to all other
// axes of its operands by lifting (Definitions 5 and 6 of the paper), so no kind speaks of batch
// axes, broadcasting or order.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "axial/base/few.hpp"
#include "axial/tensor/array.hpp"
#include "axial/vocabulary/elementwise.hpp"
#include "axial/vocabulary/primitives.hpp"
#include "axial/vocabulary/reductions.hpp"

namespace axial::expr {

/// Shape and element type of an expression. A weak type belongs to plain numbers, which take the
/// element type of whatever they meet.
struct Type {
  Shape shape;
  ElementType element = float32;
  bool weak = false;
  friend bool operator==(const Type&, const Type&) = default;
};

struct Lambda;
using Function = std::shared_ptr<const Lambda>;

/// Values that are known only when the expression runs: data, not structure.
struct Leaf {
  Array value;
};
/// A variable, bound by a Lambda or left free.
struct Parameter {
  std::string name;
  Type type;
};
/// A number; if `size_of` is set it is |axis| and is shown so.
struct Literal {
  Number value;
  ElementType element = float32;
  bool weak = true;
  std::optional<Axis> size_of = {};
};
/// A scalar function applied elementwise.
struct Map {
  const Word* word;
};
/// A reduction over axes of its operand, jointly.
struct Reduce {
  const Reduction* word;
  Axes over;
};
/// Σ_over of the product of two or more operands. With two operands, each has all of `over`.
struct Contract {
  Axes over;
};
/// X_{a→a'}, for several axes at once.
struct Rename {
  std::vector<std::pair<Axis, Axis>> pairs;
};
/// X_{(a,b)→(c,d)}: the elements of `from`, the last varying fastest, laid out again as `to`.
struct Reshape {
  Axes from;
  Shape to;
};
/// Y_t = X_{axis(I_t)}: operands are X and I, whose elements are whole numbers of any type. I may
/// itself have an axis of that name.
struct Index {
  Axis axis;
};
/// Y_{axis(i), kernel(j)} = X_{axis(i·stride + j·dilation)}. If `exact`, no position may be left over.
struct Window {
  Axis axis;
  SizedAxis kernel;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  bool exact = false;
};
/// Y_{axis(n)} = Σ X_{axis(i), kernel(j)} over all i·stride + j·dilation = n: the transpose of a
/// window, which adds what windows have in common. `axis` is as long as it was before.
struct Fold {
  SizedAxis axis;
  Axis kernel;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
};
/// Y_{axis(n)} = Σ_over X ⊙ [I = n]: the transpose of an index. Operands are X and I, whose elements
/// are whole numbers of any type.
struct Scatter {
  Axes over;
  SizedAxis axis;
};
/// Y_{axis(i)} = X_{axis(begin + i·step)} for i < count.
struct Slice {
  Axis axis;
  std::int64_t begin;
  std::int64_t count;
  std::int64_t step = 1;
};
/// X with `before` and `after` positions of `value` added to the ends of `axis`.
struct Pad {
  Axis axis;
  std::int64_t before;
  std::int64_t after;
  Number value = 0;
};
/// X ⊕_axis Y ⊕ ...: the operands one behind the other.
struct Concat {
  Axis axis;
};
/// X repeated along axes that it need not have.
struct Broadcast {
  Shape along;
};
/// The identity I_{row,column}.
struct Delta {
  SizedAxis row;
  Axis column;
  ElementType element = float32;
};
/// X_{axis(i)} = i.
struct Iota {
  SizedAxis axis;
  ElementType element = int64;
};
/// The same numbers as another element type.
struct Cast {
  ElementType element;
};
/// A primitive on the axes `over`, in the order of its signature.
struct Along {
  const Primitive* word;
  Axes over;
  /// The axes of operand k, or of the result for k = arity.
  Axes axes_of(int k) const;
};
/// The states s¹ … sⁿ, along `axis`, of sᵗ = step(sᵗ⁻¹, x₁ᵗ, …). Operands: s⁰, the `inputs`
/// sequences, then what the step captures; from the last position to the first if `reverse`.
struct Scan {
  Axis axis;
  bool reverse;
  std::int64_t inputs;
  Function step;
};
/// A function applied to its arguments, lifted.
struct Call {
  Function function;
};

using Kind = std::variant<Leaf, Parameter, Literal, Map, Reduce, Contract, Rename, Reshape, Index,
                          Window, Fold, Scatter, Slice, Pad, Concat, Broadcast, Delta, Iota, Cast,
                          Along, Scan, Call>;

struct Node;
class Expr;
/// What a node is made from, or will be.
using Operands = Few<Expr, 3>;

/// A handle to an immutable node; copies are cheap and share it.
class Expr {
 public:
  const Kind& kind() const;
  /// The node as kind K, or null.
  template <class K>
  const K* as() const {
    return std::get_if<K>(&kind());
  }
  std::span<const Expr> operands() const;
  const Type& type() const;
  const Shape& shape() const { return type().shape; }
  ElementType element() const { return type().element; }
  /// True if a Parameter occurs in it.
  bool is_open() const;
  /// The value if it is data or was computed before.
  std::optional<Array> known_value() const;
  bool is_known() const;
  /// Lets the node remember its value, which is then not computed again.
  void remember(Array value) const;

  /// Distinguishes nodes; equal only for the same node.
  const Node* identity() const { return node_.get(); }

 private:
  friend struct Node;
  friend class Held;
  friend Expr make(Kind kind, Operands operands);
  friend Expr remake(const Expr& node, Operands operands);
  explicit Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

/// An expression whose value may be asked for, or nothing where it was moved away. When nobody is left
/// who holds it, the value is forgotten, and only how to compute it is kept.
class Held {
 public:
  explicit Held(Expr expression);
  Held(const Held& other) : Held(other.expression_) {}
  Held(Held&& other) noexcept = default;
  Held& operator=(Held other) noexcept {
    std::swap(expression_, other.expression_);
    return *this;
  }
  ~Held();
  const Expr& expression() const { return expression_; }

 private:
  bool is_alone() const { return expression_.node_.use_count() == 1; }

  Expr expression_;
};

/// A value that is known at times; safe to use from several threads.
class Memory {
 public:
  bool is_known() const { return is_known_.load(std::memory_order_acquire); }
  std::optional<Array> value() const;
  void remember(Array value);
  void forget();

 private:
  /// What is done with the value takes less time than waiting for a mutex would.
  class Turn;
  std::atomic<bool> is_known_ = false;
  mutable std::atomic_flag is_used_;
  std::optional<Array> value_;
};

struct Node {
  Kind kind;
  Operands operands;
  Type type;
  bool open;
  // A memory of the value, not part of what the node means. It lasts while somebody holds the node.
  mutable Memory memory;
  mutable std::atomic<std::int64_t> holders = 0;

  Node(Kind&& node_kind, Operands&& node_operands, Type&& node_type);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  /// Frees chains of any length without recursion.
  ~Node();
};

inline const Kind& Expr::kind() const { return node_->kind; }
inline std::span<const Expr> Expr::operands() const { return node_->operands; }
inline const Type& Expr::type() const { return node_->type; }
inline bool Expr::is_open() const { return node_->open; }
inline bool Expr::is_known() const { return node_->memory.is_known() || as<Leaf>() != nullptr; }

/// The expression of that kind on those operands. Numbers among the operands take the element type
/// of the others. Fails with an Error that names axis and shapes if the operands do not fit.
Expr make(Kind kind, Operands operands = {});

/// The same kind on other operands. Where these have the types of the old ones, so has the result.
Expr remake(const Expr& node, Operands operands);

/// The expression with a strong type: a weak one is given `element`. Fails with element-type if a
/// number cannot be held by it.
Expr strengthened(const Expr& expression, ElementType element);

}  // namespace axial::expr
