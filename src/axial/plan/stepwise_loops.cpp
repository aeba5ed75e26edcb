#include "axial/plan/stepwise_loops.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "axial/base/error.hpp"
#include "axial/reference/carrier.hpp"

namespace axial::plan {
namespace {

using reference::Carrier;
using reference::meaning;

/// Calls visit(offsets) for all positions of the first `loops` loops, the last of them fastest.
template <class Visit>
void pass_outer(const Walk& walk, std::size_t loops, const Visit& visit) {
  if (walk.volume == 0) return;
  Offsets at{};
  std::array<std::int64_t, max_loops> positions{};
  while (true) {
    visit(at);
    std::size_t loop = loops;
    while (loop > 0 && ++positions[loop - 1] == walk.sizes[loop - 1]) {
      --loop;
      positions[loop] = 0;
      for (std::size_t s = 0; s < stream_count; ++s)
        at[s] -= walk.strides[loop][s] * (walk.sizes[loop] - 1);
    }
    if (loop == 0) return;
    for (std::size_t s = 0; s < stream_count; ++s) at[s] += walk.strides[loop - 1][s];
  }
}

/// Calls visit(offsets, strides, count) for each run of the innermost loop.
template <class Visit>
void pass(const Walk& walk, const Visit& visit) {
  if (walk.sizes.empty()) {
    if (walk.volume > 0) visit(Offsets{}, Offsets{}, 1);
    return;
  }
  pass_outer(walk, walk.sizes.size() - 1,
             [&](const Offsets& at) { visit(at, walk.strides.back(), walk.sizes.back()); });
}

/// Applies f to `arity` elements at a time.
template <class T, class R, int arity, class Function>
void map_by(const Function& f, const Work& work, const Streams& streams) {
  using C = Carrier<T>;
  auto* out = reinterpret_cast<R*>(streams[0]);
  const auto* a = reinterpret_cast<const T*>(streams[1]);
  const auto* b = reinterpret_cast<const T*>(streams[2]);
  const auto* c = reinterpret_cast<const T*>(streams[3]);
  pass(work.walk, [&](const Offsets& at, const Offsets& by, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
      const auto read = [&](const T* from, std::size_t s) {
        return static_cast<C>(from[at[s] + k * by[s]]);
      };
      R& to = out[at[0] + k * by[0]];
      if constexpr (arity == 1) to = static_cast<R>(f(read(a, 1)));
      if constexpr (arity == 2) to = static_cast<R>(f(read(a, 1), read(b, 2)));
      if constexpr (arity == 3) to = static_cast<R>(f(read(a, 1), read(b, 2), read(c, 3)));
    }
  });
}

template <class T, class R, int arity>
void map(const Work& work, const Streams& streams) {
  map_by<T, R, arity>(meaning<Carrier<T>>(*work.word), work, streams);
}

/// The same for a word that is known while this is compiled, so that its meaning becomes part of the loop
/// and one case is left.
template <class T, std::size_t number>
void map_word(const Work& work, const Streams& streams) {
  const auto meant = [](auto... x) { return elementwise_words[number].real(x...); };
  switch (elementwise_words[number].real.arity()) {
    case 1: return map_by<T, T, 1>(meant, work, streams);
    case 2: return map_by<T, T, 2>(meant, work, streams);
    case 3: return map_by<T, T, 3>(meant, work, streams);
    default: bug("this word has no meaning for real numbers");
  }
}
template <std::floating_point T>
constexpr auto maps_of_words = []<std::size_t... number>(std::index_sequence<number...>) {
  return std::array{&map_word<T, number>...};
}(std::make_index_sequence<elementwise_words.size()>());

/// Memory for carriers of results, kept for the next step.
template <class C>
std::vector<C>& totals(std::int64_t count, C start) {
  thread_local std::vector<C> memory;
  memory.assign(static_cast<std::size_t>(count), start);
  return memory;
}

template <class T>
void reduce(const Work& work, const Streams& streams) {
  using C = Carrier<T>;
  const Meaning<C>& combine = meaning<C>(*work.word);
  const auto* a = reinterpret_cast<const T*>(streams[1]);
  std::vector<C>& sums =
      totals<C>(work.results, std::same_as<C, double> ? static_cast<C>(work.real_start)
                                                      : static_cast<C>(work.whole_start));
  pass(work.walk, [&](const Offsets& at, const Offsets& by, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
      C& sum = sums[static_cast<std::size_t>(at[0] + k * by[0])];
      sum = combine(sum, static_cast<C>(a[at[1] + k * by[1]]));
    }
  });
  std::ranges::transform(sums, reinterpret_cast<T*>(streams[0]),
                         [](C value) { return static_cast<T>(value); });
}

/// A sum's next value. For real numbers the processor has the two words that it takes; to call them would
/// take longer than they do.
template <class C>
C with_product(C sum, C left, C right) {
  if constexpr (std::same_as<C, double>) {
    return sum + left * right;
  } else {
    static const Meaning<C>& multiply = meaning<C>(word("mul"));
    static const Meaning<C>& add = meaning<C>(word("add"));
    return add(sum, multiply(left, right));
  }
}

/// `count` sums that lie side by side, of one row and as many columns: none waits for another. Real
/// numbers are taken four at once, each as if alone: compilers convert fewer one by one.
template <class T, int count>
void add_beside(const T* row, std::int64_t row_stride, const T* columns, std::int64_t stride,
                std::int64_t terms, Carrier<T>* sums) {
  using C = Carrier<T>;
  using Real = std::conditional_t<std::floating_point<T>, T, double>;
  typedef Real Narrow __attribute__((vector_size(4 * sizeof(Real))));
  typedef double Wide __attribute__((vector_size(4 * sizeof(double))));
  typedef double Two __attribute__((vector_size(2 * sizeof(double))));
  constexpr int fours = std::floating_point<T> ? count / 4 : 0;
  Two twos[2 * fours + 1];  // every machine has registers of two, which sums must stay in
  C totals[count];
  std::memcpy(twos, sums, fours * sizeof(Wide));
  std::copy_n(sums, count, totals);
  for (std::int64_t k = 0; k < terms; ++k, row += row_stride, columns += stride) {
    const C factor = static_cast<C>(*row);
    // Unrolled, the totals stay in registers.
    if constexpr (fours > 0) {
#pragma GCC unroll 2
      for (int j = 0; j < fours; ++j) {
        Narrow four;
        std::memcpy(&four, columns + 4 * j, sizeof(four));
        const Wide wide = __builtin_convertvector(four, Wide);
        twos[2 * j] += factor * Two{wide[0], wide[1]};
        twos[2 * j + 1] += factor * Two{wide[2], wide[3]};
      }
    }
#pragma GCC unroll 8
    for (int j = 4 * fours; j < count; ++j)
      totals[j] = with_product(totals[j], factor, static_cast<C>(columns[j]));
  }
  std::copy_n(totals, count, sums);
  std::memcpy(sums, twos, fours * sizeof(Wide));
}

/// For each count of sums up to a few how they are added.
template <class T>
constexpr auto add_beside_of = []<int... k>(std::integer_sequence<int, k...>) {
  return std::array{&add_beside<T, k + 1>...};
}(std::make_integer_sequence<int, 8>());

template <class T>
void contract(const Work& work, const Streams& streams) {
  using C = Carrier<T>;
  const auto* a = reinterpret_cast<const T*>(streams[1]);
  const auto* b = reinterpret_cast<const T*>(streams[2]);
  std::vector<C>& sums = totals<C>(work.results, C{0});
  const Walk& walk = work.walk;
  const std::size_t loops = walk.sizes.size();
  const auto moves = [&](std::size_t loop, const Offsets& strides) {
    return loop < loops &&
           std::equal(strides.begin(), strides.begin() + 3, walk.strides[loop].begin());
  };
  const bool left_is_row = moves(loops - 2, {1, 0, 1});
  if (loops >= 2 && walk.strides[loops - 1][0] == 0 &&
      (left_is_row || moves(loops - 2, {1, 1, 0}))) {
    const std::size_t row = left_is_row ? 1 : 2, column = 3 - row;
    const T* rows = left_is_row ? a : b;
    const T* columns = left_is_row ? b : a;
    const Offsets& along = walk.strides[loops - 1];
    pass_outer(walk, loops - 2, [&](const Offsets& at) {
      constexpr auto most = static_cast<std::int64_t>(add_beside_of<T>.size());
      for (std::int64_t j = 0; j < walk.sizes[loops - 2]; j += most) {
        const std::int64_t count = std::min(most, walk.sizes[loops - 2] - j);
        add_beside_of<T>[static_cast<std::size_t>(count - 1)](
            rows + at[row], along[row], columns + at[column] + j, along[column],
            walk.sizes[loops - 1], sums.data() + at[0] + j);
      }
    });
  } else {
    pass(walk, [&](const Offsets& at, const Offsets& by, std::int64_t count) {
      const T* left = a + at[1];
      const T* right = b + at[2];
      C* sum = sums.data() + at[0];
      if (by[0] == 0) {
        add_beside<T, 1>(left, by[1], right, by[2], count, sum);
        return;
      }
      for (std::int64_t k = 0; k < count; ++k, left += by[1], right += by[2], sum += by[0])
        *sum = with_product(*sum, static_cast<C>(*left), static_cast<C>(*right));
    });
  }
  std::ranges::transform(sums, reinterpret_cast<T*>(streams[0]),
                         [](C value) { return static_cast<T>(value); });
}

template <class T>
void copy(const Work& work, const Streams& streams) {
  auto* out = reinterpret_cast<T*>(streams[0]);
  const auto* a = reinterpret_cast<const T*>(streams[1]);
  pass(work.walk, [&](const Offsets& at, const Offsets& by, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) out[at[0] + k * by[0]] = a[at[1] + k * by[1]];
  });
}

template <class T, class R>
CarryOut map_of(const Word& word) {
  if constexpr (std::floating_point<T> && std::same_as<T, R>) {
    // By name, since a program may have a table of its own.
    const auto place = std::ranges::find(elementwise_words, word.name, &Word::name);
    return maps_of_words<T>[static_cast<std::size_t>(place - elementwise_words.begin())];
  } else {
    const int arity = word.arity();
    return arity == 1 ? map<T, R, 1> : arity == 2 ? map<T, R, 2> : map<T, R, 3>;
  }
}

}  // namespace

void add_loop(Walk& walk, std::int64_t size, const Offsets& strides) {
  walk.volume *= size;
  if (size == 1) return;
  const auto continues = [&] {
    for (std::size_t k = 0; k < stream_count; ++k) {
      if (walk.strides.back()[k] != strides[k] * size) return false;
    }
    return true;
  };
  if (!walk.sizes.empty() && continues()) {
    walk.sizes.back() *= size;
    walk.strides.back() = strides;
  } else {
    walk.sizes.push_back(size);
    walk.strides.push_back(strides);
  }
}

CarryOut map_loop(const Word& word, ElementType operands, ElementType result) {
  CarryOut found = nullptr;
  visit_element(operands, [&]<class T>() {
    if (result == element_type_of<T>())
      found = map_of<T, T>(word);
    else if (result == boolean)
      found = map_of<T, bool>(word);
  });
  return found;
}

CarryOut reduce_loop(ElementType element) {
  return visit_element(element, []<class T>() -> CarryOut { return reduce<T>; });
}

CarryOut contract_loop(ElementType element) {
  return visit_element(element, []<class T>() -> CarryOut { return contract<T>; });
}

CarryOut copy_loop(ElementType element) {
  return visit_element(element, []<class T>() -> CarryOut { return copy<T>; });
}

}  // namespace axial::plan
