// Lifting is slicing (Definitions 5 and 6 of the paper), for every function of the library and for
// functions of the user, also where an extra axis has the name of an axis that the function uses
// inside.
#include "support/lifting.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axial/axial.hpp"
#include "support/cases.hpp"
#include "support/tolerance.hpp"

namespace axial {
namespace {

using support::close_to;
using support::for_each_seed;
using support::Generator;
using support::lifts;

constexpr int seeds = 20;

void expect_lifting(const std::vector<support::Case>& cases) {
  for (const support::Case& each : cases) {
    SCOPED_TRACE(each.name);
    EXPECT_TRUE(lifts(each.apply, each.arguments, each.own, each.terms));
  }
}

TEST(lifting, slices_every_word) {
  for_each_seed(seeds, [](Generator& generator) { expect_lifting(word_cases(generator)); });
}

TEST(lifting, slices_every_reduction) {
  for_each_seed(seeds, [](Generator& generator) { expect_lifting(reduction_cases(generator)); });
}

TEST(lifting, slices_every_primitive) {
  for_each_seed(seeds, [](Generator& generator) { expect_lifting(primitive_cases(generator)); });
}

TEST(lifting, slices_every_phrase) {
  for_each_seed(seeds, [](Generator& generator) { expect_lifting(phrase_cases(generator)); });
}

TEST(lifting, slices_every_structural_operation) {
  for_each_seed(seeds, [](Generator& generator) { expect_lifting(structure_cases(generator)); });
}

const Axis key("key"), val("val"), seq("seq"), layer("layer"), heads("heads"), batch("batch");

Function attention() {
  return function("Attention", {key, seq & key, seq & val}, val,
                  [](const Tensor& Q, const Tensor& K, const Tensor& V) {
                    return softmax(seq, Q * key * K / std::sqrt(K.size(key))) * seq * V;
                  });
}

/// f lifted to arguments that have the axes of `own` and some of `extra`.
void expect_function_lifts(Generator& generator, const Function& f, const std::vector<Axes>& own,
                           const std::vector<Axes>& extra) {
  Axes inside, outside;
  for (const Axes& axes : own) inside = inside & (axes - inside);
  for (const Axes& axes : extra) outside = outside & (axes - outside);
  // An axis of one name may have one size inside the function and another outside. There are few
  // enough records outside to look at each slice.
  const Shape inner = generator.shape(inside);
  Shape outer = generator.shape(outside);
  while (outer.volume() > 40) outer = generator.shape(outside);
  std::vector<Tensor> arguments;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const Axes further = generator.subset(extra[k], 0.7);
    arguments.push_back(generator.tensor(restrict(inner, own[k])* restrict(outer, further)));
  }
  const auto apply = [&](const std::vector<Tensor>& x) { return f.apply(x); };
  EXPECT_TRUE(lifts(apply, arguments, own, 200));
}

TEST(lifting, slices_attention_also_over_axes_that_it_uses_inside) {
  for_each_seed(50, [](Generator& generator) {
    expect_function_lifts(generator, attention(), {key, seq & key, seq & val},
                          {seq & heads & batch, heads & batch, key & heads});
  });
}

TEST(lifting, gives_attention_one_result_per_query_if_queries_lie_along_seq) {
  Generator generator(1);
  const Tensor Q = generator.tensor(seq[5] * key[3]), K = generator.tensor(seq[2] * key[3]);
  const Tensor V = generator.tensor(seq[2] * val[4]);
  const Tensor result = attention()(Q, K, V);
  EXPECT_EQ(result.shape(), seq[5] * val[4]);
  for (int t = 0; t < 5; ++t) {
    EXPECT_TRUE(close_to(result[seq(t)], attention()(Q[seq(t)], K, V), 10));
  }
}

TEST(lifting, of_attention_over_an_axis_of_its_result_is_an_error) {
  Generator generator(1);
  const Tensor Q = generator.tensor(val[4] * key[3]), K = generator.tensor(seq[2] * key[3]);
  const Tensor V = generator.tensor(seq[2] * val[4]);
  try {
    attention()(Q, K, V);
    ADD_FAILURE() << "an axis of the result was accepted as an extra axis";
  } catch (const Error& error) {
    EXPECT_EQ(error.code().name, "lifting-clash");
    EXPECT_NE(std::string(error.what()).find("val"), std::string::npos);
  }
}

Function full_connection(const Tensor& W, const Tensor& b) {
  return function("FullConn", {layer}, layer, [=](const Tensor& x) {
    return sigmoid(W * layer * x + b)[layer.prime() >> layer];
  });
}

TEST(lifting, slices_a_full_connection_also_over_the_axis_that_it_computes_in) {
  for_each_seed(50, [](Generator& generator) {
    const Shape weights = generator.shape(layer & layer.prime());
    const Tensor W = generator.tensor(weights);
    const Tensor b = generator.tensor(restrict(weights, layer.prime()));
    const Shape extra = generator.shape(layer.prime() & batch);
    const Tensor x = generator.tensor(restrict(weights, layer) * extra);
    const Function f = full_connection(W, b);
    EXPECT_TRUE(lifts([&](const std::vector<Tensor>& t) { return f.apply(t); }, {x}, {layer}, 50));
  });
}

TEST(lifting, of_a_function_that_ignores_an_argument_repeats_its_result) {
  for_each_seed(20, [](Generator& generator) {
    const Function first =
        function({layer, layer}, layer, [](const Tensor& x, const Tensor&) { return 2 * x; });
    expect_function_lifts(generator, first, {layer, layer}, {batch, batch & heads});
  });
}

TEST(lifting, of_a_constant_function_repeats_it) {
  Generator generator(1);
  const Tensor constant = generator.tensor(heads[3]);
  const Function f = function({layer}, heads, [&](const Tensor&) { return 1 * constant; });
  const Tensor result = f(generator.tensor(layer[2] * batch[5]));
  EXPECT_EQ(result.shape(), heads[3] * batch[5]);
  for (int k = 0; k < 5; ++k) EXPECT_TRUE(close_to(result[batch(k)], constant));
}

TEST(lifting, slices_functions_that_call_functions) {
  const Function energy =
      function({layer}, Axes{}, [](const Tensor& x) { return sum(layer, x * x); });
  const Function nested = function({seq & layer, seq}, seq, [&](const Tensor& X, const Tensor& y) {
    return softmax(seq, energy(X) + y);
  });
  for_each_seed(50, [&](Generator& generator) {
    expect_function_lifts(generator, nested, {seq & layer, seq}, {batch & heads, layer & batch});
  });
}

TEST(lifting, slices_functions_with_recurrences_inside) {
  const Function last = function({layer, seq & layer}, layer, [](const Tensor& h, const Tensor& X) {
    const Tensor states = scan(seq, h, X, [](const Tensor& state, const Tensor& x) {
      return tanh(state * sum(layer, x) + softmax(layer, x));
    });
    return states[seq(states.size(seq) - 1)];
  });
  for_each_seed(50, [&](Generator& generator) {
    expect_function_lifts(generator, last, {layer, seq & layer}, {seq & batch, batch & heads});
  });
}

TEST(lifting, slices_functions_with_captured_tensors_that_have_the_names_of_extra_axes) {
  for_each_seed(50, [](Generator& generator) {
    const Tensor captured = generator.tensor(generator.shape(batch & layer.prime()));
    const Function f = function({layer}, layer, [&](const Tensor& x) {
      return sum(batch & layer.prime(), sigmoid(x * captured));
    });
    expect_function_lifts(generator, f, {layer}, {batch & layer.prime()});
  });
}

TEST(lifting, slices_functions_that_index_by_an_argument) {
  const Function pick = function({layer & seq, Axes{}}, seq, [](const Tensor& X, const Tensor& i) {
    return index(layer, X, i);
  });
  for_each_seed(50, [&](Generator& generator) {
    const Shape sizes = generator.shape(layer & seq & batch);
    const Tensor X = generator.tensor(sizes);
    const double last = static_cast<double>(sizes.size(layer)) - 1;
    // The indices have an extra axis with the name of the axis that is indexed.
    const Shape extra = generator.shape(Axes(layer))* restrict(sizes, batch);
    const Tensor i = generator.tensor(extra, 0, last, int64);
    EXPECT_TRUE(lifts([&](const std::vector<Tensor>& t) { return pick.apply(t); }, {X, i},
                      {layer & seq, {}}));
  });
}

}  // namespace
}  // namespace axial
