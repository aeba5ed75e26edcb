#include "axial/reference/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axial/base/error.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/reference/carrier.hpp"
#include "axial/tensor/convert.hpp"

namespace axial::reference {
namespace {

using expr::Type;
using Operands = std::span<const Array>;

template <class C>
C read(const Array& array, std::int64_t offset) {
  if constexpr (std::same_as<C, double>)
    return array.real(offset);
  else
    return array.whole(offset);
}

std::vector<Track> tracks(Operands operands, const Shape& walked) {
  std::vector<Track> result;
  for (const Array& operand : operands) result.push_back(track(operand.shape(), walked));
  return result;
}

/// The stride of `axis` on the way through `layout`.
std::int64_t stride_of(const Shape& layout, Axis axis) {
  return track(layout, restrict(layout, axis)).strides[0];
}

/// The stride that a track has along `axis` of the walked shape, to be adjusted.
std::int64_t& stride_along(Track& track, const Shape& walked, Axis axis) {
  const auto found = std::ranges::find(walked.written(), axis, &SizedAxis::axis);
  return track.strides[static_cast<std::size_t>(found - walked.written().begin())];
}

/// Lets neighbours along an axis be `step` times `stride` apart. An axis of one position has no
/// neighbours, and its step may be too large to be multiplied.
void scale(Track& track, const Shape& walked, Axis axis, std::int64_t stride, std::int64_t step) {
  stride_along(track, walked, axis) = walked.size(axis) > 1 ? stride * step : 0;
}

/// Numbers that have not met a tensor yet keep their full precision.
ElementType storage(const Type& type) { return type.weak ? float64 : type.element; }

Array define_node(const expr::Leaf& leaf, Operands, const Type&) { return leaf.value; }

Array define_node(const expr::Parameter&, Operands, const Type&) { bug("a variable has no value"); }

Array define_node(const expr::Literal& literal, Operands, const Type& type) {
  return scalar(literal.value, storage(type));
}

/// f(X, Y)_s = f(X_{s|S}, Y_{s|T}).
Array define_node(const expr::Map& map, Operands operands, const Type& type) {
  const Word& word = *map.word;
  const ElementType taken = operands.back().type();
  return build(storage(type), type.shape, [&]<class R>(R* out) {
    visit_element(taken, [&]<class T>() {
      using C = Carrier<T>;
      const auto& f = meaning<C>(word);
      walk(type.shape, tracks(operands, type.shape), [&](const std::int64_t* at) {
        C values[3] = {};
        for (std::size_t k = 0; k < operands.size(); ++k) values[k] = read<C>(operands[k], at[k]);
        *out++ = static_cast<R>(f(values[0], values[1], values[2]));
      });
    });
  });
}

/// Y_t = fold over all records s of the reduced axes of X_{s ∪ t}.
Array define_node(const expr::Reduce& reduce, Operands operands, const Type& type) {
  const Shape over = restrict(operands[0].shape(), reduce.over);
  const Shape walked = type.shape * over;
  return build(type.element, type.shape, [&]<class T>(T* out) {
    using C = Carrier<T>;
    const auto& combine = meaning<C>(*reduce.word->combine);
    const C start = std::same_as<C, double> ? static_cast<C>(reduce.word->real_start)
                                            : static_cast<C>(reduce.word->whole_start);
    std::vector<C> results(static_cast<std::size_t>(type.shape.volume()), start);
    walk(walked, {track(type.shape, walked), track(operands[0].shape(), walked)},
         [&](const std::int64_t* at) {
           C& result = results[static_cast<std::size_t>(at[0])];
           result = combine(result, read<C>(operands[0], at[1]));
         });
    std::ranges::transform(results, out, [](C value) { return static_cast<T>(value); });
  });
}

/// Z_t = Σ_s X_{s ∪ t} Y_{s ∪ t} … over all records s of the contracted axes.
Array define_node(const expr::Contract& contract, Operands operands, const Type& type) {
  Shape all;
  for (const Array& operand : operands) all = all | operand.shape();
  const Shape walked = type.shape* restrict(all, contract.over);
  auto ways = tracks(operands, walked);
  ways.push_back(track(type.shape, walked));
  return build(type.element, type.shape, [&]<class T>(T* out) {
    using C = Carrier<T>;
    const auto& multiply = meaning<C>(word("mul"));
    const auto& add = meaning<C>(word("add"));
    std::vector<C> sums(static_cast<std::size_t>(type.shape.volume()), C{0});
    walk(walked, ways, [&](const std::int64_t* at) {
      C product = 1;
      for (std::size_t k = 0; k < operands.size(); ++k) {
        product = multiply(product, read<C>(operands[k], at[k]));
      }
      C& sum = sums[static_cast<std::size_t>(at[operands.size()])];
      sum = add(sum, product);
    });
    std::ranges::transform(sums, out, [](C value) { return static_cast<T>(value); });
  });
}

Array define_node(const expr::Rename&, Operands operands, const Type& type) {
  return operands[0].reinterpreted(type.shape);
}

Array define_node(const expr::Reshape& reshape, Operands operands, const Type& type) {
  const Shape rest = operands[0].shape() - reshape.from;
  return laid_out(operands[0], rest.names() & reshape.from).reinterpreted(type.shape);
}

/// A real number as a position along an axis. Fails with bad-value if it is not a whole number.
std::int64_t whole_position(double value, Axis axis) {
  // Beyond 2^53 every double is whole, but no longer says which number is meant. NaN fails too.
  if (std::trunc(value) == value && std::abs(value) < 0x1p53)
    return static_cast<std::int64_t>(value);
  throw Error(code("bad-value"),
              fmt::format("{} is not a position along axis `{}`", value, axis.name()),
              "indices are whole numbers; replace others with where() first");
}

/// The position that an element of `indices` names; of integers all digits count.
std::int64_t position_at(const Array& indices, std::int64_t offset, SizedAxis axis) {
  if (is_real(indices.type())) return require_position(indices.real(offset), axis);
  const std::int64_t position = indices.whole(offset);
  require_in_range(axis.axis, position, axis.size);
  return position;
}

/// Y_t = X_{axis(I_t) ∪ t}.
Array define_node(const expr::Index& index, Operands operands, const Type& type) {
  const auto& [source, indices] = std::tie(operands[0], operands[1]);
  const std::int64_t size = source.shape().size(index.axis);
  const std::int64_t stride = stride_of(source.shape(), index.axis);
  // The indices may have an axis of the same name; the source is not walked along it.
  Track through = track(source.shape(), type.shape);
  if (type.shape.contains(index.axis)) stride_along(through, type.shape, index.axis) = 0;
  return build(type.element, type.shape, [&]<class T>(T* out) {
    const T* elements = source.elements<T>().data();
    walk(type.shape, {through, track(indices.shape(), type.shape)}, [&](const std::int64_t* at) {
      *out++ = elements[at[0] + position_at(indices, at[1], index.axis[size]) * stride];
    });
  });
}

/// Y_{axis(i), kernel(j)} = X_{axis(i·stride + j·dilation)}.
Array define_node(const expr::Window& window, Operands operands, const Type& type) {
  const std::int64_t stride = stride_of(operands[0].shape(), window.axis);
  Track through = track(operands[0].shape(), type.shape);
  scale(through, type.shape, window.axis, stride, window.stride);
  scale(through, type.shape, window.kernel.axis, stride, window.dilation);
  return gather(operands[0], type.shape, through);
}

/// An array of that type whose elements are sums: add(position, value) for every pair that
/// `each_pair` gives it.
template <class EachPair>
Array accumulated(const Type& type, EachPair&& each_pair) {
  return build(type.element, type.shape, [&]<class T>(T* out) {
    using C = Carrier<T>;
    const auto& plus = meaning<C>(word("add"));
    std::vector<C> sums(static_cast<std::size_t>(type.shape.volume()), C{0});
    each_pair([&](std::int64_t position, const Array& values, std::int64_t offset) {
      C& sum = sums[static_cast<std::size_t>(position)];
      sum = plus(sum, read<C>(values, offset));
    });
    std::ranges::transform(sums, out, [](C value) { return static_cast<T>(value); });
  });
}

/// Y_{axis(n)} = Σ X_{axis(i), kernel(j)} over all i·stride + j·dilation = n.
Array define_node(const expr::Fold& fold, Operands operands, const Type& type) {
  const Shape& walked = operands[0].shape();
  const std::int64_t stride = stride_of(type.shape, fold.axis.axis);
  Track into = track(type.shape, walked);
  scale(into, walked, fold.axis.axis, stride, fold.stride);
  scale(into, walked, fold.kernel, stride, fold.dilation);
  return accumulated(type, [&](const auto& add) {
    walk(walked, {into, track(walked, walked)},
         [&](const std::int64_t* at) { add(at[0], operands[0], at[1]); });
  });
}

/// Y_{axis(n)} = Σ_over X ⊙ [I = n].
Array define_node(const expr::Scatter& scatter, Operands operands, const Type& type) {
  const Shape walked = operands[0].shape() | operands[1].shape();
  const Axis axis = scatter.axis.axis;
  const std::int64_t stride = stride_of(type.shape, axis);
  // What is summed may have an axis of the same name; the result is not walked along it.
  Track into = track(type.shape, walked);
  if (walked.contains(axis)) stride_along(into, walked, axis) = 0;
  return accumulated(type, [&](const auto& add) {
    walk(walked, {into, track(operands[0].shape(), walked), track(operands[1].shape(), walked)},
         [&](const std::int64_t* at) {
           const std::int64_t position = position_at(operands[1], at[2], scatter.axis);
           add(at[0] + position * stride, operands[0], at[1]);
         });
  });
}

/// Y_{axis(i)} = X_{axis(begin + i·step)}.
Array define_node(const expr::Slice& slice, Operands operands, const Type& type) {
  const std::int64_t stride = stride_of(operands[0].shape(), slice.axis);
  Track through = track(operands[0].shape(), type.shape);
  scale(through, type.shape, slice.axis, stride, slice.step);
  through.start = stride * slice.begin;
  return gather(operands[0], type.shape, through);
}

/// Copies `source` into `out`, laid out as `layout`, from position `begin` of `axis` on; axes that
/// the source lacks are repeated.
template <class T>
void place(const Array& source, T* out, const Shape& layout, Axis axis, std::int64_t begin) {
  const Shape walked = (layout - axis) * axis[source.shape().size(axis)];
  Track into = track(layout, walked);
  into.start = begin * stride_of(layout, axis);
  const T* elements = source.elements<T>().data();
  walk(walked, {into, track(source.shape(), walked)},
       [&](const std::int64_t* at) { out[at[0]] = elements[at[1]]; });
}

Array define_node(const expr::Pad& pad, Operands operands, const Type& type) {
  return build(type.element, type.shape, [&]<class T>(T* out) {
    const T value = scalar(pad.value, type.element).elements<T>()[0];
    std::fill_n(out, type.shape.volume(), value);
    place(operands[0], out, type.shape, pad.axis, pad.before);
  });
}

Array define_node(const expr::Concat& concat, Operands operands, const Type& type) {
  return build(type.element, type.shape, [&]<class T>(T* out) {
    std::int64_t begin = 0;
    for (const Array& operand : operands) {
      place(operand, out, type.shape, concat.axis, begin);
      begin += operand.shape().size(concat.axis);
    }
  });
}

Array define_node(const expr::Broadcast&, Operands operands, const Type& type) {
  return gather(operands[0], type.shape, track(operands[0].shape(), type.shape));
}

/// I_{row(i), column(j)} = 1 if i = j, else 0.
Array define_node(const expr::Delta& delta, Operands, const Type& type) {
  return build(type.element, type.shape, [&]<class T>(T* out) {
    std::fill_n(out, type.shape.volume(), T{0});
    for (std::int64_t i = 0; i < delta.row.size; ++i) out[i * (delta.row.size + 1)] = T{1};
  });
}

Array define_node(const expr::Iota& iota, Operands, const Type& type) {
  return build(type.element, type.shape, [&]<class T>(T* out) {
    for (std::int64_t i = 0; i < iota.axis.size; ++i) out[i] = static_cast<T>(i);
  });
}

Array define_node(const expr::Cast&, Operands operands, const Type& type) {
  try {
    return build(type.element, operands[0].shape(), [&]<class To>(To* out) {
      visit_element(operands[0].type(), [&]<class From>() {
        std::ranges::transform(operands[0].elements<From>(), out, converted<To, From>);
      });
    });
  } catch (const Error& error) {
    throw error.within(fmt::format("in a tensor of shape {}", to_text(operands[0].shape())));
  }
}

/// The elements of one slice, from `offset` on, in the carrier of the computation.
template <class C>
std::vector<C> slice_of(const Array& array, std::int64_t offset, std::int64_t count) {
  std::vector<C> elements;
  for (std::int64_t i = 0; i < count; ++i) elements.push_back(read<C>(array, offset + i));
  return elements;
}

/// Runs a primitive on one slice; its errors are told which axes it works on.
template <class C>
void compute(const expr::Along& along, std::span<const std::int64_t> sizes,
             std::span<const std::span<const C>> slices, std::span<C> result) {
  try {
    if constexpr (std::same_as<C, double>)
      along.word->real(sizes, slices, result);
    else
      along.word->whole(sizes, slices, result);
  } catch (const Error& error) {
    throw error.within(fmt::format("`{}` over {}", along.word->name, to_text(along.over)));
  }
}

/// A primitive is applied to each slice along its own axes, which are made the innermost ones.
Array define_node(const expr::Along& along, Operands operands, const Type& type) {
  const Primitive& word = *along.word;
  const Shape own_result = restrict(type.shape, along.axes_of(word.arity()));
  const Shape extras = type.shape - own_result.names();
  std::vector<Array> ordered;
  std::vector<std::int64_t> counts, sizes;
  for (int k = 0; k < word.arity(); ++k) {
    const Array& operand = operands[static_cast<std::size_t>(k)];
    const Axes own = along.axes_of(k);
    ordered.push_back(laid_out(operand, (operand.shape().names() - own) & own));
    counts.push_back(restrict(operand.shape(), own).volume());
  }
  for (const Axis axis : along.over) sizes.push_back(operands[0].shape().size(axis));
  return build(type.element, extras * own_result, [&]<class R>(R* out) {
    visit_element(operands[0].type(), [&]<class T>() {
      using C = Carrier<T>;
      std::vector<C> result(static_cast<std::size_t>(own_result.volume()));
      walk(extras, tracks(ordered, extras), [&](const std::int64_t* at) {
        std::vector<std::vector<C>> slices;
        for (std::size_t k = 0; k < ordered.size(); ++k) {
          slices.push_back(slice_of<C>(ordered[k], at[k], counts[k]));
        }
        const std::vector<std::span<const C>> views(slices.begin(), slices.end());
        compute(along, sizes, std::span<const std::span<const C>>(views), std::span<C>(result));
        out =
            std::ranges::transform(result, out, [](C value) { return static_cast<R>(value); }).out;
      });
    });
  });
}

Array define_node(const expr::Scan& scan, Operands operands, const Type& type) {
  return define_scan(scan, operands, type);
}

Array define_node(const expr::Call& call, Operands operands, const Type&) {
  return apply_lifted(*call.function, operands);
}

}  // namespace

std::int64_t require_position(double value, SizedAxis axis) {
  const std::int64_t position = whole_position(value, axis.axis);
  require_in_range(axis.axis, position, axis.size);
  return position;
}

Array define(const expr::Kind& kind, std::span<const Array> operands, const Type& type) {
  return std::visit([&](const auto& node) { return define_node(node, operands, type); }, kind);
}

}  // namespace axial::reference
