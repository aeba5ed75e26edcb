// The public operations. Each works for Tensor and for Named: the names of the result are computed
// by the compiler where it knows those of the operands, and checked at run time where it does not.
#pragma once

#include <initializer_list>
#include <vector>

#include "axial/api/identity.hpp"
#include "axial/api/plain.hpp"

namespace axial {

/// A word applied elementwise.
template <class... X>
  requires Operands<X...>
auto apply(const Word& word, const X&... operands) {
  return promise<typename UnionOf<X...>::type>(plain::apply(word, together(operands...)));
}

/// The operand's axes without `over`, after checking that it has them.
template <class Over, class X>
auto without(Tensor result) {
  static_assert(names::require_in(Names<Over>{}, Names<X>{}));
  return promise<Difference<Names<X>, Names<Over>>>(std::move(result));
}
/// The operand's axes, after checking that `over` is among them.
template <class Over, class X>
auto keeping(Tensor result) {
  static_assert(names::require_in(Names<Over>{}, Names<X>{}));
  return promise<Names<X>>(std::move(result));
}

/// A reduction over axes, jointly.
template <AxesLike S, TensorLike X>
auto reduce(const Reduction& reduction, const S& over, const X& x) {
  return without<S, X>(plain::reduce(reduction, over, x));
}

// Contraction, X ⊙_ax Y, spelled `X *ax* Y` and `dot(ax, X, Y)`.

/// `X *ax`, waiting for the other operand.
template <class X, class Over>
struct HalfContraction {
  X left;
  Axes over;
};

template <TensorLike X, AxesLike S>
HalfContraction<X, S> operator*(const X& left, const S& over) {
  static_assert(names::require_in(Names<S>{}, Names<X>{}));
  return {left, over};
}

template <class X, class S, TensorLike Y>
auto operator*(const HalfContraction<X, S>& half, const Y& right) {
  static_assert(names::require_in(Names<S>{}, Names<Y>{}));
  return promise<Difference<Union<Names<X>, Names<Y>>, Names<S>>>(
      plain::contract(half.over, together(half.left, right)));
}

/// Σ_over of the product. With two factors both must have the axes; with more, at least one.
template <AxesLike S, TensorLike X, TensorLike... Rest>
auto dot(const S& over, const X& first, const Rest&... rest) {
  using All = typename UnionOf<X, Rest...>::type;
  static_assert(names::require_in(Names<S>{}, All{}));
  if constexpr (sizeof...(Rest) == 1) {
    static_assert(names::require_in(Names<S>{}, Names<X>{}) &&
                  (names::require_in(Names<S>{}, Names<Rest>{}) && ...));
  }
  return promise<Difference<All, Names<S>>>(plain::contract(over, together(first, rest...)));
}

// Indexing, windows, and other ways to recombine elements.

/// X_{axis(I)}: one element along `axis` for each element of I, lifted over all other axes.
template <AxesLike S, TensorLike X, class I>
  requires(TensorLike<I> || std::integral<I>)
auto index(const S& axis, const X& source, const I& indices) {
  static_assert(names::require_in(Names<S>{}, Names<X>{}));
  return promise<Union<Difference<Names<X>, Names<S>>, Names<I>>>(
      plain::index(axis, source, indices));
}

/// Y_{axis(i), kernel(j)} = X_{axis(i·stride + j·dilation)}: overlapping windows along an axis.
template <AxesLike S, class Kernel, TensorLike X>
  requires std::convertible_to<Kernel, SizedAxis>
auto unroll(const S& axis, const Kernel& kernel, const X& x, const WindowOptions& options = {}) {
  static_assert(names::require_in(Names<S>{}, Names<X>{}) &&
                names::require_new(Names<Kernel>{}, Names<X>{}));
  return promise<Union<Names<X>, Names<Kernel>>>(plain::unroll(axis, kernel, x, options));
}

/// Windows that follow one another without overlap; a remainder is an error.
template <AxesLike S, class Kernel, TensorLike X>
  requires std::convertible_to<Kernel, SizedAxis>
auto pool(const S& axis, const Kernel& kernel, const X& x) {
  static_assert(names::require_in(Names<S>{}, Names<X>{}) &&
                names::require_new(Names<Kernel>{}, Names<X>{}));
  return promise<Union<Names<X>, Names<Kernel>>>(plain::pool(axis, kernel, x));
}

/// X ⊕_axis Y: the tensors one behind the other.
template <AxesLike S, TensorLike X, TensorLike... Rest>
auto concat(const S& axis, const X& first, const Rest&... rest) {
  static_assert(names::require_in(Names<S>{}, Names<X>{}) &&
                (names::require_in(Names<S>{}, Names<Rest>{}) && ...));
  return promise<typename UnionOf<X, Rest...>::type>(
      plain::concat(axis, {Tensor(first), Tensor(rest)...}));
}
inline Tensor concat(Axis axis, const std::vector<Tensor>& parts) {
  return plain::concat(axis, parts);
}

/// The tensors side by side along a new axis.
template <AxesLike S, TensorLike X, TensorLike... Rest>
auto stack(const S& axis, const X& first, const Rest&... rest) {
  using All = typename UnionOf<X, Rest...>::type;
  static_assert(names::require_new(Names<S>{}, All{}));
  return promise<Union<All, Names<S>>>(plain::stack(axis, {Tensor(first), Tensor(rest)...}));
}
inline Tensor stack(Axis axis, const std::vector<Tensor>& parts) {
  return plain::stack(axis, parts);
}

/// X with `before` and `after` positions of `value` added to the ends of an axis.
template <AxesLike S, TensorLike X>
auto pad(const S& axis, std::int64_t before, std::int64_t after, const X& x, Number value = 0) {
  return keeping<S, X>(plain::pad(axis, before, after, x, value));
}

/// X with the positions of an axis in reverse order.
template <AxesLike S, TensorLike X>
auto reverse(const S& axis, const X& x) {
  return keeping<S, X>(plain::reverse(axis, x));
}

/// The largest elements along an axis, largest first, along `best[k]`.
template <AxesLike S, class Best, TensorLike X>
  requires std::convertible_to<Best, SizedAxis>
auto top_k(const S& axis, const Best& best, const X& x) {
  static_assert(names::require_in(Names<S>{}, Names<X>{}) &&
                names::require_new(Names<Best>{}, Difference<Names<X>, Names<S>>{}));
  return promise<Union<Difference<Names<X>, Names<S>>, Names<Best>>>(plain::top_k(axis, best, x));
}
/// Where those elements are.
template <AxesLike S, class Best, TensorLike X>
  requires std::convertible_to<Best, SizedAxis>
auto top_k_indices(const S& axis, const Best& best, const X& x) {
  static_assert(names::require_in(Names<S>{}, Names<X>{}) &&
                names::require_new(Names<Best>{}, Difference<Names<X>, Names<S>>{}));
  return promise<Union<Difference<Names<X>, Names<S>>, Names<Best>>>(
      plain::top_k_indices(axis, best, x));
}

/// The same numbers as another element type. Fails with bad-value for NaN, infinity or overflow.
template <TensorLike X>
auto to(ElementType type, const X& x) {
  return promise<Names<X>>(plain::to(type, x));
}

/// X repeated along axes that it need not have.
template <TensorLike X>
Tensor broadcast(const X& x, const Shape& along) {
  return plain::broadcast(x, along);
}

// Primitives.

/// The positions of the elements in ascending order; equal elements keep their order.
template <AxesLike S, TensorLike X>
auto order(const S& axis, const X& x) {
  return keeping<S, X>(plain::primitive("order", axis, {x}));
}
/// The sums of all elements up to each position, that position included.
template <AxesLike S, TensorLike X>
auto cumsum(const S& axis, const X& x) {
  return keeping<S, X>(plain::primitive("cumsum", axis, {x}));
}
/// The sums of all elements from each position on, that position included.
template <AxesLike S, TensorLike X>
auto cumsum_to_end(const S& axis, const X& x) {
  return keeping<S, X>(plain::primitive("cumsum_to_end", axis, {x}));
}
/// The first position of the largest element, as int64.
template <AxesLike S, TensorLike X>
auto index_of_max(const S& axis, const X& x) {
  return without<S, X>(plain::primitive("index_of_max", axis, {x}));
}
/// The first position of the smallest element, as int64.
template <AxesLike S, TensorLike X>
auto index_of_min(const S& axis, const X& x) {
  return without<S, X>(plain::primitive("index_of_min", axis, {x}));
}
/// The determinant of the matrices along a pair of axes.
template <AxesLike S, TensorLike X>
auto det(const S& pair, const X& x) {
  return without<S, X>(plain::primitive("det", pair, {x}));
}
/// B with A ⊙_b B_{a→a'} = I_{a,a'} for the pair a & b. Fails with singular.
template <AxesLike S, TensorLike X>
auto inverse(const S& pair, const X& x) {
  return keeping<S, X>(plain::primitive("inverse", pair, {x}));
}
/// x over b with A ⊙_b x = y, for y over a. Fails with singular.
template <AxesLike A, AxesLike B, TensorLike X, TensorLike Y>
auto solve(const A& a, const B& b, const X& matrix, const Y& y) {
  static_assert(names::require_in(Names<A>{}, Names<X>{}) &&
                names::require_in(Names<B>{}, Names<X>{}) &&
                names::require_in(Names<A>{}, Names<Y>{}));
  using Extra = Difference<Union<Names<X>, Names<Y>>, Names<A>>;
  return promise<Extra>(plain::primitive("solve", Axes(a) & Axes(b), {Tensor(matrix), Tensor(y)}));
}

// Phrases of the prelude.

/// The mean over axes, jointly.
template <AxesLike S, TensorLike X>
auto mean(const S& over, const X& x) {
  return without<S, X>(plain::phrase("mean", {over}, {x}));
}
/// The mean of the squared distances from the mean.
template <AxesLike S, TensorLike X>
auto var(const S& over, const X& x) {
  return without<S, X>(plain::phrase("var", {over}, {x}));
}
/// The root of the sum of squares.
template <AxesLike S, TensorLike X>
auto norm(const S& over, const X& x) {
  return without<S, X>(plain::phrase("norm", {over}, {x}));
}
/// The p-th root of the sum of p-th powers of absolute values.
template <AxesLike S, TensorLike X, class P>
  requires Operands<X, P>
auto norm_p(const S& over, const X& x, const P& p) {
  static_assert(names::require_in(Names<S>{}, Names<X>{}));
  return promise<Union<Difference<Names<X>, Names<S>>, Names<P>>>(
      plain::phrase("norm_p", {over}, {Tensor(x), Tensor(p)}));
}
/// exp X / Σ exp X, without overflow.
template <AxesLike S, TensorLike X>
auto softmax(const S& over, const X& x) {
  return keeping<S, X>(plain::phrase("softmax", {over}, {x}));
}
/// The logarithm of the softmax.
template <AxesLike S, TensorLike X>
auto log_softmax(const S& over, const X& x) {
  return keeping<S, X>(plain::phrase("log_softmax", {over}, {x}));
}
/// One at the largest element, zero elsewhere; ties share it equally.
template <AxesLike S, TensorLike X>
auto argmax(const S& over, const X& x) {
  return keeping<S, X>(plain::phrase("argmax", {over}, {x}));
}
/// One at the smallest element, zero elsewhere; ties share it equally.
template <AxesLike S, TensorLike X>
auto argmin(const S& over, const X& x) {
  return keeping<S, X>(plain::phrase("argmin", {over}, {x}));
}
/// (X − mean) / √(var + epsilon).
template <AxesLike S, TensorLike X, class E = double>
  requires Operands<X, E>
auto standardize(const S& over, const X& x, const E& epsilon = 1e-5) {
  static_assert(names::require_in(Names<S>{}, Names<X>{}));
  return promise<Union<Names<X>, Names<E>>>(
      plain::phrase("standardize", {over}, {Tensor(x), Tensor(epsilon)}));
}
/// The elements along an axis in ascending order.
template <AxesLike S, TensorLike X>
auto sort(const S& axis, const X& x) {
  return keeping<S, X>(plain::phrase("sort", {axis}, {x}));
}
/// −Σ p log softmax x: the cost of predicting the distribution p from the scores x.
template <AxesLike S, TensorLike X, TensorLike P>
auto cross_entropy(const S& over, const X& scores, const P& target) {
  static_assert(names::require_in(Names<S>{}, Names<X>{}) &&
                names::require_in(Names<S>{}, Names<P>{}));
  return promise<Difference<Union<Names<X>, Names<P>>, Names<S>>>(
      plain::phrase("cross_entropy", {over}, {Tensor(scores), Tensor(target)}));
}
/// log(1 + exp x), without overflow.
template <TensorLike X>
auto softplus(const X& x) {
  return promise<Names<X>>(plain::phrase("softplus", {}, {x}));
}
/// x ⊙ sigmoid x.
template <TensorLike X>
auto silu(const X& x) {
  return promise<Names<X>>(plain::phrase("silu", {}, {x}));
}
/// x times the probability that a standard normal variable is below x.
template <TensorLike X>
auto gelu(const X& x) {
  return promise<Names<X>>(plain::phrase("gelu", {}, {x}));
}

}  // namespace axial
