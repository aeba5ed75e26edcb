// The public tensors: `Tensor`, whose axes are known when the program runs, and `Named`, whose axes
// the compiler knows. Both are lazy values: operations build expressions, and an expression is run
// when a value is needed.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "axial/api/names.hpp"
#include "axial/expr/node.hpp"
#include "axial/tensor/convert.hpp"

namespace axial {

class Tensor;

/// One part of a subscript: an index, a slice, indices given by a tensor, or a renaming.
struct TensorIndex {
  Axis axis;
  std::shared_ptr<const Tensor> indices;
};
using Subscript = std::variant<NamedIndex, NamedRange, TensorIndex, Renaming>;

/// A named tensor. Copying is cheap, and no operation changes it.
class Tensor {
 public:
  /// The number zero.
  Tensor() : Tensor(0) {}
  /// A number, which takes the element type of the tensors that it meets.
  template <class T>
    requires std::is_arithmetic_v<T>
  Tensor(T number) : Tensor(from_number(number)) {}  // NOLINT(google-explicit-constructor)
  /// A tensor that holds these values.
  explicit Tensor(Array values);
  explicit Tensor(expr::Expr expression);

  Shape shape() const { return expression().shape(); }
  ElementType type() const { return expression().element(); }
  /// The size of an axis. Fails with unknown-axis.
  std::int64_t size(Axis axis) const { return expression().shape().size(axis); }

  /// The value of a scalar. Fails with unexpected-axis if there are axes.
  double item() const;
  /// All elements, the last axis of `order` varying fastest. Fails with unknown-axis unless `order`
  /// names every axis, and with bad-value if an element does not fit in T.
  template <class T = double>
  std::vector<T> values(const Axes& order) const;

  /// A_{height(0)}, A_{height→height'}, A_{(height,width)→layer}, slices, and several at once.
  template <class... Parts>
  Tensor operator[](const Parts&... parts) const {
    return select({part(parts)...});
  }

  /// True if a scalar is not zero.
  explicit operator bool() const { return item() != 0; }

  /// The elements, computed now if they are not known.
  Array array() const;
  /// How the tensor is computed.
  const expr::Expr& expression() const { return held_.expression(); }

 private:
  static Tensor from_number(Number number);
  static Subscript part(NamedIndex index) { return index; }
  static Subscript part(NamedRange range) { return range; }
  static Subscript part(const Renaming& renaming) { return renaming; }
  template <class Indices>
  static Subscript part(const IndexedBy<Indices>& by) {
    return TensorIndex{by.axis, std::make_shared<const Tensor>(by.indices)};
  }
  Tensor select(const std::vector<Subscript>& parts) const;
  /// The elements as they were computed; a plain number keeps its full precision.
  Array computed() const;

  expr::Held held_;
};

template <>
inline constexpr bool is_tensor<Tensor> = true;

template <class T>
std::vector<T> Tensor::values(const Axes& order) const {
  const Array ordered = laid_out(computed(), order);
  std::vector<T> values;
  visit_element(ordered.type(), [&]<class E>() {
    for (const E element : ordered.elements<E>()) values.push_back(converted<T>(element));
  });
  return values;
}

/// Computes several tensors at once and keeps their values; shared parts are computed once.
void evaluate_together(std::span<const Tensor> tensors);

/// A tensor whose axes are the set `Set`, as the compiler knows; write it `Named<"seq", "key">`.
template <class Set>
class NamedTensor;

template <FixedString... Axes>
class NamedTensor<NameSet<Axes...>> {
 public:
  using Set = NameSet<Axes...>;

  /// A tensor with empty axes, or the number zero.
  NamedTensor() : NamedTensor(empty()) {}
  template <class T>
    requires(std::is_arithmetic_v<T> && sizeof...(Axes) == 0)
  NamedTensor(T number) : tensor_(number) {}  // NOLINT(google-explicit-constructor)
  /// Fails with unknown-axis or unexpected-axis if the tensor has other axes.
  explicit NamedTensor(Tensor tensor);

  operator const Tensor&() const { return tensor_; }  // NOLINT(google-explicit-constructor)

  Shape shape() const { return tensor_.shape(); }
  ElementType type() const { return tensor_.type(); }
  template <FixedString Name>
  std::int64_t size(axis<Name> name) const {
    static_assert(AxisMustBeInShape<axis<Name>, Set>::holds);
    return tensor_.size(name);
  }
  std::int64_t size(Axis axis) const { return tensor_.size(axis); }
  double item() const {
    static_assert(sizeof...(Axes) == 0, "item() needs a scalar: index or reduce the axes first");
    return tensor_.item();
  }
  template <class T = double>
  std::vector<T> values(const axial::Axes& order) const {
    return tensor_.values<T>(order);
  }
  Array array() const { return tensor_.array(); }

  template <class... Parts>
  auto operator[](const Parts&... parts) const;

 private:
  static Tensor empty();
  Tensor tensor_;
};

/// A tensor with the axes listed, in any order: a set, not a tuple.
template <FixedString... Axes>
  requires(SetOf<Axes...>::count == sizeof...(Axes) && (names::is_canonical(Axes.view()) && ...))
using Named = NamedTensor<SetOf<Axes...>>;

template <class Set>
inline constexpr bool is_tensor<NamedTensor<Set>> = true;

template <class Set>
struct NamesOf<NamedTensor<Set>> {
  using type = Set;
};

/// The public tensor type with the names of `Set`.
template <class Set>
struct TensorWith {
  using type = NamedTensor<Set>;
};
template <>
struct TensorWith<AnyNames> {
  using type = Tensor;
};

/// The tensor as the type that promises the names of `Set`.
template <class Set>
auto promise(Tensor tensor) {
  return typename TensorWith<Set>::type(std::move(tensor));
}

/// The names of all operands together.
template <class... Operand>
struct UnionOf {
  using type = NameSet<>;
};
template <class First, class... Rest>
struct UnionOf<First, Rest...> {
  using type = Union<Names<First>, typename UnionOf<Rest...>::type>;
};

/// Fails with unknown-axis or unexpected-axis unless the tensor's axes are exactly `names`.
void require_names(const Tensor& tensor, const Axes& names, std::string_view activity);

template <FixedString... Axes>
Tensor NamedTensor<NameSet<Axes...>>::empty() {
  if constexpr (sizeof...(Axes) == 0) {
    return {};
  } else {
    return Tensor(build<float>(Shape{Axis(Axes.view())[0]...}, [](float*) {}));
  }
}

template <FixedString... Axes>
NamedTensor<NameSet<Axes...>>::NamedTensor(Tensor tensor) : tensor_(std::move(tensor)) {
  require_names(tensor_, axial::Axes{Axis(Axes.view())...}, "Named");
}

namespace names {

/// What one part of a subscript takes from a set of names, what it adds as new names, and what the
/// indices bring along, which the set may already have.
template <class Part>
struct Subscripted {
  using removed = AnyNames;
  using added = AnyNames;
  using joined = AnyNames;
};
template <FixedString Name>
struct Subscripted<StaticIndex<Name>> {
  using removed = NameSet<Name>;
  using added = NameSet<>;
  using joined = NameSet<>;
};
template <FixedString Name>
struct Subscripted<StaticRange<Name>> {
  using removed = NameSet<Name>;
  using added = NameSet<Name>;
  using joined = NameSet<>;
};
template <FixedString Name, class Indices>
struct Subscripted<StaticIndexedBy<Name, Indices>> {
  using removed = NameSet<Name>;
  using added = NameSet<>;
  using joined = Names<Indices>;
};
template <class From, class To>
struct Subscripted<StaticRenaming<From, To>> {
  using removed = From;
  using added = To;
  using joined = NameSet<>;
};

template <class... Sets>
struct UnionOfSets {
  using type = NameSet<>;
};
template <class First, class... Rest>
struct UnionOfSets<First, Rest...> {
  using type = Union<First, typename UnionOfSets<Rest...>::type>;
};

/// Fails to compile if two of the sets have a name in common.
template <class... Sets>
constexpr bool require_distinct(AnyNames) {
  return true;
}
template <class... Sets, FixedString... All>
constexpr bool require_distinct(NameSet<All...>) {
  static_assert((std::size_t{0} + ... + Sets::count) == sizeof...(All),
                "a subscript gives two axes the same name");
  return true;
}

}  // namespace names

template <FixedString... Axes>
template <class... Parts>
auto NamedTensor<NameSet<Axes...>>::operator[](const Parts&... parts) const {
  using Removed = typename names::UnionOfSets<typename names::Subscripted<Parts>::removed...>::type;
  using Added = typename names::UnionOfSets<typename names::Subscripted<Parts>::added...>::type;
  using Joined = typename names::UnionOfSets<typename names::Subscripted<Parts>::joined...>::type;
  using Rest = Difference<Set, Removed>;
  static_assert(names::require_in(Removed{}, Set{}) && names::require_new(Added{}, Rest{}) &&
                names::require_distinct<typename names::Subscripted<Parts>::added...>(Added{}));
  return promise<Union<Union<Rest, Added>, Joined>>(tensor_[parts...]);
}

/// The elements as people read them.
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);
template <class Set>
std::ostream& operator<<(std::ostream& out, const NamedTensor<Set>& tensor) {
  return out << static_cast<const Tensor&>(tensor);
}

}  // namespace axial
