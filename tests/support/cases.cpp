#include "support/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "axial/api/identity.hpp"
#include "axial/api/operations.hpp"
#include "axial/notation/phrases.hpp"

namespace axial::support {
namespace {

// `ax` is what the prelude calls its formal axes; here it is just another name.
const Axis a("a"), b("b"), c("c"), ax("ax"), fresh_name("z");

/// One size for each name, so that arguments fit together whatever axes they have. There are few
/// enough records to look at each slice.
Shape universe(Generator& generator) {
  Shape all = generator.shape(a & b & c & ax);
  while (all.volume() > 120) all = generator.shape(a & b & c & ax);
  return all;
}

Shape some(Generator& generator, const Shape& all, double probability = 0.5) {
  return restrict(all, generator.subset(all.names(), probability));
}

Shape with_some(Generator& generator, const Shape& own, const Shape& all) {
  const Shape mixed = own * some(generator, all - own.names());
  return restrict(mixed, generator.subset(mixed.names(), 1));
}

std::string title(std::string_view name, ElementType type) {
  return fmt::format("{} of {}", name, to_text(type));
}

bool has_meaning(const Word& word, ElementType type) {
  return accepts(word.takes, type) && (is_real(type) ? bool(word.real) : bool(word.whole));
}

/// A matrix over `row` and `column` with a large diagonal, and further axes.
Tensor regular_matrix(Generator& generator, const Shape& shape, Axis row, Axis column,
                      ElementType type) {
  const std::int64_t size = shape.size(row);
  const Tensor random = generator.tensor(shape, -1, 1, type);
  return random + static_cast<double>(size + 1) * identity(row[size], column, type);
}

Axes own_axes(const Primitive& primitive, int k, const Axes& over) {
  std::vector<Axis> own;
  for (const char letter : primitive.letters(k)) own.push_back(over[letter - 'a']);
  return Axes(std::move(own));
}

Case primitive_case(Generator& generator, const Primitive& primitive, ElementType type) {
  Shape all = universe(generator);
  Axes over = a;
  if (primitive.axes() == 2) {
    over = a & b;
    all = (all - b) * b[all.size(a)];
  }
  Case result{title(primitive.name, type), {}, {}, {}, 30};
  result.apply = [name = primitive.name, over](const std::vector<Tensor>& x) {
    return plain::primitive(name, over, x);
  };
  for (int k = 0; k < primitive.arity(); ++k) {
    const Axes own = own_axes(primitive, k, over);
    // No argument may bring an axis of the result as an extra one.
    const Shape shape = with_some(generator, restrict(all, own), all - (over - own));
    result.own.push_back(own);
    result.arguments.push_back(own.count() == 2 ? regular_matrix(generator, shape, a, b, type)
                                                : generator.tensor(shape, -5, 5, type));
  }
  return result;
}

Case phrase_case(Generator& generator, const notation::Phrase& phrase) {
  const Shape all = universe(generator);
  const notation::Signature& signature = phrase.signature;
  std::vector<Axes> over;
  for (std::size_t k = 0; k < signature.axes.size(); ++k) {
    over.emplace_back(all.names()[static_cast<std::int64_t>(k)]);
  }
  Case result{signature.name, {}, {}, {}, 30};
  result.apply = [name = signature.name, over](const std::vector<Tensor>& x) {
    return plain::phrase(name, over, x);
  };
  for (const notation::Domain& domain : signature.parameters) {
    Axes own;
    for (const notation::AxisTerm& term : domain.axes) {
      const auto formal = std::ranges::find(signature.axes, term.name) - signature.axes.begin();
      own = own & over[static_cast<std::size_t>(formal)];
    }
    // Numbers beside vectors are exponents and small constants, which must be positive.
    const bool positive = own.empty() && !over.empty();
    Axes all_over;
    for (const Axes& each : over) all_over = all_over & each;
    const Shape shape = with_some(generator, restrict(all, own), all - (all_over - own));
    result.own.push_back(own);
    result.arguments.push_back(generator.tensor(shape, positive ? 0.5 : -3, 3));
  }
  return result;
}

}  // namespace

std::vector<Case> word_cases(Generator& generator) {
  std::vector<Case> cases;
  for (const Word& word : elementwise_words) {
    for (const ElementFacts& element : element_facts) {
      if (!has_meaning(word, element.type)) continue;
      const Shape all = universe(generator);
      Case one{title(word.name, element.type), {}, {}, {}};
      one.apply = [&word](const std::vector<Tensor>& x) { return plain::apply(word, x); };
      for (int k = 0; k < word.arity(); ++k) {
        const ElementType type = word.conditional && k == 0 ? boolean : element.type;
        const auto [low, high] = type == boolean ? Interval{0, 1} : word.domain;
        one.arguments.push_back(generator.tensor(some(generator, all), low, high, type));
        one.own.emplace_back();
      }
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

std::vector<Case> reduction_cases(Generator& generator) {
  std::vector<Case> cases;
  for (const Reduction& reduction : reductions) {
    for (const ElementFacts& element : element_facts) {
      if (!has_meaning(*reduction.combine, element.type)) continue;
      const Shape all = universe(generator);
      const Axes over = generator.chance(0.5) ? Axes(a) : b & ax;
      const Shape shape = with_some(generator, restrict(all, over), all);
      const bool truth = element.type == boolean;
      cases.push_back({title(reduction.name, element.type),
                       [&reduction, over](const std::vector<Tensor>& x) {
                         return plain::reduce(reduction, over, x[0]);
                       },
                       {generator.tensor(shape, truth ? 0 : -2, truth ? 1 : 2, element.type)},
                       {over},
                       restrict(all, over).volume()});
    }
  }
  return cases;
}

std::vector<Case> primitive_cases(Generator& generator) {
  std::vector<Case> cases;
  for (const Primitive& primitive : primitives()) {
    for (const ElementFacts& element : element_facts) {
      if (!accepts(primitive.takes, element.type)) continue;
      cases.push_back(primitive_case(generator, primitive, element.type));
    }
  }
  return cases;
}

std::vector<Case> phrase_cases(Generator& generator) {
  std::vector<Case> cases;
  for (const notation::Phrase& phrase : notation::phrases()) {
    cases.push_back(phrase_case(generator, phrase));
  }
  return cases;
}

std::vector<Case> structure_cases(Generator& generator) {
  const Shape all = universe(generator);
  const std::int64_t n = all.size(a);
  const auto x = [&](const Axes& own) {
    return generator.tensor(with_some(generator, restrict(all, own), all));
  };
  const Shape rest = all - a;
  const auto other_size = [&] {
    const Shape own = a[generator.pick(law_sizes)];
    return generator.tensor(with_some(generator, own, rest));
  };
  const Tensor positions =
      generator.tensor(some(generator, rest), 0, static_cast<double>(n) - 1, int64);
  const Tensor sequence = generator.tensor(a[4] * some(generator, rest - b));
  const Tensor state = generator.tensor(restrict(all, b) * some(generator, rest - b));
  using Arguments = const std::vector<Tensor>&;
  return {
      {"rename", [](Arguments t) { return t[0][a >> fresh_name]; }, {x(a)}, {a}},
      {"swap", [](Arguments t) { return t[0][a >> b, b >> a]; }, {x(a & b)}, {a & b}},
      {"flatten", [](Arguments t) { return t[0][(a & b) >> fresh_name]; }, {x(a & b)}, {a & b}},
      {"split", [n](Arguments t) { return t[0][a >> (fresh_name[n] & a)]; }, {x(a)}, {a}},
      {"index", [](Arguments t) { return index(a, t[0], t[1]); }, {x(a), positions}, {a, {}}},
      {"partial index", [n](Arguments t) { return t[0][a(n - 1)]; }, {x(a)}, {a}},
      {"slice", [n](Arguments t) { return t[0][a(0, n, 2)]; }, {x(a)}, {a}},
      {"reverse", [](Arguments t) { return reverse(a, t[0]); }, {x(a)}, {a}},
      {"pad", [](Arguments t) { return pad(a, 2, 1, t[0], 0.5); }, {x(a)}, {a}},
      {"concat", [](Arguments t) { return concat(a, t[0], t[1]); }, {x(a), other_size()}, {a, a}},
      {"stack", [](Arguments t) { return stack(fresh_name, t[0], t[1]); }, {x({}), x(a)}, {{}, {}}},
      {"unroll",
       [](Arguments t) { return unroll(a, fresh_name[2], t[0], {.padding = 1}); },
       {x(a)},
       {a}},
      {"pool", [n](Arguments t) { return pool(a, fresh_name[n], t[0]); }, {x(a)}, {a}},
      {"top_k", [](Arguments t) { return top_k(a, fresh_name[1], t[0]); }, {x(a)}, {a}},
      {"top_k_indices",
       [](Arguments t) { return top_k_indices(a, fresh_name[1], t[0]); },
       {x(a)},
       {a}},
      {"broadcast", [](Arguments t) { return broadcast(t[0], fresh_name[2]); }, {x({})}, {{}}},
      {"cast", [](Arguments t) { return to(int32, t[0]); }, {x({})}, {{}}},
      {"contraction",
       [](Arguments t) { return dot(a & b, t[0], t[1]); },
       {x(a & b), x(a & b)},
       {a & b, a & b},
       49},
      {"product of three",
       [](Arguments t) { return dot(a, t[0], t[1], t[2]); },
       {x(a), x(a), x(a)},
       {a, a, a},
       49},
      {"scan",
       [](Arguments t) {
         return scan(a, t[0], t[1], [](const Tensor& s, const Tensor& next) {
           return tanh(s + sum(b, s) * next);
         });
       },
       {state, sequence},
       {b, a},
       100},
  };
}

std::vector<Case> all_cases(Generator& generator) {
  std::vector<Case> cases;
  for (const auto& list :
       {word_cases(generator), reduction_cases(generator), primitive_cases(generator),
        phrase_cases(generator), structure_cases(generator)}) {
    cases.insert(cases.end(), list.begin(), list.end());
  }
  return cases;
}

}  // namespace axial::support
