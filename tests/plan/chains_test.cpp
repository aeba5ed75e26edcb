// Products and what follows them, some rows at a time.
#include <cmath>
#include <functional>

#include "plan/compared.hpp"

namespace axial::plan {
namespace {

Axis batch{"batch"}, seq{"seq"}, key{"key"}, val{"val"}, out{"out"}, row{"row"}, column{"column"};

Function attention() {
  return function({key, seq & key, seq & val}, val, [](Tensor Q, Tensor K, Tensor V) {
    return softmax(seq, Q * key * K / std::sqrt(static_cast<double>(K.size(key)))) * seq * V;
  });
}

TEST(plan, of_attention_is_one_chain_and_keeps_no_scores) {
  Random random(1);
  const Tensor Q = random.normal(batch[3] * seq[50] * key[16]),
               K = random.normal(batch[3] * seq[50] * key[16]),
               V = random.normal(batch[3] * seq[50] * val[20]);
  const auto plan = compared(attention()(Q, K, V), 200);
  if (!Engine::is_available()) GTEST_SKIP();
  EXPECT_EQ(plan->steps.size(), 1);
  EXPECT_EQ(count<RunChain>(*plan), 1);
  // The totals by which rows are divided in the end, in whole lines of the cache.
  EXPECT_EQ(plan->arena_bytes, 640);
}

TEST(plan, of_attention_keeps_scores_near_that_would_not_fit_as_a_whole) {
  if (!Engine::is_available()) GTEST_SKIP();
  Random random(1);
  const Tensor Q = random.normal(row[4096] * key[16]), K = random.normal(seq[2048] * key[16]),
               V = random.normal(seq[2048] * val[16]);
  const expr::Expr plain = expr::without_calls((softmax(seq, Q * key * K) * seq * V).expression());
  const expr::Linearized linearized = expr::linearize({&plain, 1});
  const auto plan =
      engine().plan_for(linearized.program, layouts_of(expr::pointers_to(linearized.data)));
  const auto& chain = std::get<RunChain>(plan->steps.at(0).action);
  ASSERT_EQ(chain.links.size(), 2);
  const kernels::Nest& nest = chain.links[0].nest->nest;
  EXPECT_TRUE(std::ranges::none_of(nest.streams, &kernels::Stream::bypasses));
  EXPECT_TRUE(std::ranges::none_of(nest.streams, &kernels::Stream::is_far));
}

TEST(plan, of_attention_agrees_whoever_else_reads_its_totals) {
  Random random(12);
  const Tensor Q = random.normal(batch[3] * row[50] * key[16]),
               K = random.normal(batch[3] * seq[40] * key[16]),
               V = random.normal(batch[3] * seq[40] * val[20]);
  const Tensor scores = Q * key * K;
  const Tensor powers = exp(scores - max(seq, scores)), totals = sum(seq, powers);
  const Tensor result = (powers * seq * V) / totals;
  compared(result, 200);
  compared(result + sqrt(totals), 200);
  compared(result * sum(row, totals), 200);
  compared(tanh(result * sum(val, V * totals) + random.normal(val[20])), 200);
  compared(standardize(val, result), 1000);
  compared((powers * seq * (V + sum(row, totals))) / totals, 4000);
}

/// Several results, planned together and compared.
void compared_together(const std::vector<Tensor>& tensors, std::int64_t terms) {
  std::vector<expr::Expr> plain;
  for (const Tensor& tensor : tensors) plain.push_back(expr::without_calls(tensor.expression()));
  const expr::Linearized linearized = expr::linearize(plain);
  const expr::Results expected = reference::run(linearized.program, linearized.data);
  const expr::Results actual = engine().run(linearized.program, linearized.data);
  for (std::size_t k = 0; k < tensors.size(); ++k)
    EXPECT_TRUE(support::close_to(Tensor(actual[k]), Tensor(expected[k]), terms)) << "number " << k;
}

TEST(plan, of_attention_keeps_scores_that_are_needed_after_their_powers) {
  if (!Engine::is_available()) GTEST_SKIP();
  Random random(13);
  const Tensor Q = random.normal(row[400] * key[16]), K = random.normal(seq[400] * key[16]),
               V = random.normal(seq[400] * val[16]);
  const Tensor scores = Q * key * K, shares = softmax(seq, scores);
  const Tensor mean = sum(seq, shares * scores);
  compared((shares * seq * V) + sum(seq, shares * pow(scores - mean, 2)), 4000);
  compared_together({shares * seq * V, log_softmax(seq, scores)}, 1000);
  compared_together({shares * seq * V, sum(seq, scores)}, 1000);
}

TEST(plan, of_gradients_of_attention_agrees) {
  Random random(2);
  const Tensor Q = random.normal(batch[2] * seq[17] * key[8]),
               K = random.normal(batch[2] * seq[17] * key[8]),
               V = random.normal(batch[2] * seq[17] * val[9]);
  const Tensor loss = sum(batch & seq & val, pow(attention()(Q, K, V), 2));
  compared(gradient(loss, Q), 1000);
  compared(gradient(loss, K), 1000);
  compared(gradient(loss, V), 1000);
}

/// Other numbers of threads cut the rows elsewhere, and give the same bits.
void expect_same_bits(const Tensor& tensor) {
  const expr::Expr plain = expr::without_calls(tensor.expression());
  const expr::Linearized linearized = expr::linearize({&plain, 1});
  const Array one = Engine(1, {}, {.shared = 0}).run(linearized.program, linearized.data)[0];
  for (const int threads : {2, 3, 5}) {
    const Array more =
        Engine(threads, {}, {.shared = 0}).run(linearized.program, linearized.data)[0];
    EXPECT_TRUE(std::ranges::equal(one.elements<float>(), more.elements<float>()))
        << threads << " threads";
  }
}

TEST(plan, of_attention_with_many_terms_gives_the_same_bits_on_any_number_of_threads) {
  if (!Engine::is_available()) GTEST_SKIP();
  Random random(9);
  const Tensor Q = random.normal(row[768] * key[16]), K = random.normal(seq[768] * key[16]),
               V = random.normal(seq[768] * val[256]);
  expect_same_bits(softmax(seq, Q * key * K) * seq * V);
}

/// What follows a large product of 600 rows and 220 columns, and how many steps that takes.
std::size_t steps_after_product(const std::function<Tensor(const Tensor&)>& follow) {
  Random random(5);
  const Tensor A = random.normal(row[600] * key[5]), B = random.normal(key[5] * column[220]);
  const Tensor result = follow(A * key * B);
  const auto plan = compared(result, 1000);
  if (!Engine::is_available()) return 1;
  expect_same_bits(result);
  return plan->steps.size();
}

TEST(plan, of_what_follows_a_large_product_runs_with_its_rows) {
  Random random(6);
  const Tensor along_rows = random.normal(row[600]), along_columns = random.normal(column[220]);
  const Tensor other = random.normal(row[600] * column[220]);
  using Follow = std::function<Tensor(const Tensor&)>;
  const Follow follows[] = {
      [&](const Tensor& x) { return tanh(x); },
      [&](const Tensor& x) { return relu(x + along_columns); },
      [&](const Tensor& x) { return x * along_rows + other; },
      [&](const Tensor& x) { return standardize(column, x + along_rows * along_columns); },
      [&](const Tensor& x) { return softmax(column, x) * along_columns; },
  };
  for (const Follow& follow : follows) {
    EXPECT_EQ(steps_after_product(follow), 1) << "number " << &follow - follows;
  }
}

TEST(plan, of_a_large_matrix_and_itself_turned_keeps_no_copy) {
  if (!Engine::is_available()) GTEST_SKIP();
  Random random(10);
  const auto swapped = [](const Tensor& x) { return x[row >> val][column >> row][val >> column]; };
  for (const ElementType element : {float32, float64}) {
    const Tensor A = random.uniform(row[401] * column[401], 0, 1, element),
                 B = random.uniform(batch[3] * row[230] * column[230], 0, 1, element);
    for (const Tensor& x : {A, B}) {
      const auto plan = compared(x + swapped(x), 1000);
      EXPECT_EQ(plan->steps.size(), 1);
      EXPECT_EQ(count<RunChain>(*plan), 1);
      EXPECT_EQ(plan->arena_bytes, 0);
      if (element == float32) expect_same_bits(x + swapped(x));
      compared(softmax(column, x * swapped(x)), 1000);
    }
  }
}

TEST(plan, of_what_reads_a_product_in_another_way_agrees) {
  if (!Engine::is_available()) GTEST_SKIP();
  const Tensor other = Random(6).normal(column[220] * row[600]);
  steps_after_product([&](const Tensor& x) { return standardize(row, x); });
  steps_after_product([&](const Tensor& x) { return x + other; });
  EXPECT_GT(steps_after_product([&](const Tensor& x) { return softmax(row & column, x); }), 1U);
  // One row or one column alone has the strides of all.
  steps_after_product([&](const Tensor& x) { return tanh(x[row(0)]); });
  steps_after_product([&](const Tensor& x) { return x[row(5)]; });
  steps_after_product([&](const Tensor& x) { return tanh(x[column(0)]); });
  steps_after_product([&](const Tensor& x) { return tanh(x[row(0, 300)]); });
}

TEST(plan, of_what_follows_a_product_may_have_columns_of_several_axes_and_a_batch) {
  Random random(7);
  const Tensor A = random.normal(batch[4] * row[120] * key[5]),
               B = random.normal(batch[4] * key[5] * val[6] * column[50]);
  const Tensor scale = random.normal(column[50]), shift = random.normal(batch[4] * val[6]);
  for (const Tensor& result : {tanh(A * key * B), (A * key * B) * scale + shift,
                               relu((A * key * B) + random.normal(row[120]))}) {
    const auto plan = compared(result, 1000);
    if (!Engine::is_available()) GTEST_SKIP();
    EXPECT_EQ(plan->steps.size(), 1);
  }
}

TEST(plan, of_what_follows_a_product_may_have_rows_of_several_axes) {
  // One that is added lacks the first of them, so loops pass the second and the columns as one.
  Random random(9);
  const Tensor A = random.normal(batch[8] * seq[100] * key[5]),
               B = random.normal(key[5] * val[220]);
  const Tensor all = random.normal(batch[8] * seq[100] * val[220]);
  const auto plan = compared((A * key * B) + all + random.normal(seq[100] * val[220]), 1000);
  if (!Engine::is_available()) GTEST_SKIP();
  EXPECT_EQ(plan->steps.size(), 1);
}

TEST(plan, of_what_follows_a_very_large_product_writes_past_the_cache_only_what_lies_well) {
  Random random(10);
  const Tensor A = random.normal(row[45000] * key[4]), B = random.normal(key[4] * val[101]);
  const auto plan = compared((A * key * B) + random.normal(row[45000] * val[101]), 100);
  if (!Engine::is_available()) GTEST_SKIP();
  EXPECT_EQ(plan->steps.size(), 1);
}

TEST(plan, of_a_row_after_two_products_joins_one_of_them) {
  Random random(11);
  const Tensor Q = random.normal(row[400] * key[4]), K = random.normal(seq[400] * key[4]),
               R = random.normal(row[400] * out[4]), S = random.normal(seq[400] * out[4]),
               V = random.normal(seq[400] * val[4]);
  compared(softmax(seq, Q * key * K + R * out * S) * seq * V, 1000);
}

}  // namespace
}  // namespace axial::plan
