// Patterns of models on the engine: what they become, and that they agree with the reference.
#include <cmath>

#include "axial/plan/passes.hpp"
#include "plan/compared.hpp"

namespace axial::plan {
namespace {

Axis batch{"batch"}, seq{"seq"}, key{"key"}, height{"height"}, width{"width"}, channel{"channel"},
    out{"out"}, row{"row"}, column{"column"};

TEST(plan, of_a_deep_product_shares_the_terms_and_gives_the_same_bits_on_any_number_of_threads) {
  Random random(3);
  const Tensor X = random.normal(batch[9] * seq[300] * row[7]),
               Y = random.normal(seq[300] * batch[9] * column[5]);
  const Tensor product = X * (batch & seq) * Y;
  const auto plan = compared(product, 2700);
  if (!Engine::is_available()) GTEST_SKIP();
  ASSERT_EQ(count<RunProduct>(*plan), 1);
  for (const PlanStep& step : plan->steps) {
    const auto* run = std::get_if<RunProduct>(&step.action);
    if (run != nullptr) {
      EXPECT_EQ(run->product.batch(), 9);
    }
  }
  const expr::Linearized linearized = expr::linearize({&product.expression(), 1});
  const Array one = Engine(1, {}, {.shared = 0}).run(linearized.program, linearized.data)[0];
  for (const int threads : {2, 3}) {
    const Array more =
        Engine(threads, {}, {.shared = 0}).run(linearized.program, linearized.data)[0];
    EXPECT_TRUE(std::ranges::equal(one.elements<float>(), more.elements<float>()));
  }
}

TEST(plan, of_a_deep_product_that_no_few_parts_divide_is_one_product) {
  Random random(5);
  const Tensor X = random.normal(batch[2003] * row[7]), Y = random.normal(batch[2003] * column[5]);
  const auto plan = compared(X * batch * Y, 2003);
  if (!Engine::is_available()) GTEST_SKIP();
  const Tensor longer = random.normal(batch[4006] * row[7]);
  const auto uncut = compared(longer * batch * random.normal(batch[4006] * column[5]), 4006);
  for (const auto& each : {plan, uncut}) {
    ASSERT_EQ(each->steps.size(), 1);
    EXPECT_EQ(std::get<RunProduct>(each->steps[0].action).product.batch(), 1);
  }
}

TEST(plan, of_a_product_that_others_read_lays_their_columns_side_by_side) {
  Random random(4);
  const Tensor X = random.normal(batch[128] * channel[64]),
               W = random.normal(row[64] * channel[64]);
  const Tensor Y = X * channel * W;
  Tensor sum = 0;
  for (int k = 0; k < 3; ++k) sum = sum + random.normal(column[256] * row[64]) * row * Y;
  const auto plan = compared(sum, 200);
  if (!Engine::is_available()) GTEST_SKIP();
  ASSERT_EQ(count<RunProduct>(*plan), 4);
  // What Y meets lies along the terms, so Y should not, though that makes Y itself a little dearer.
  for (const std::size_t step : {1, 2, 3}) {
    const auto* reader = std::get_if<RunProduct>(&plan->steps[step].action);
    ASSERT_NE(reader, nullptr);
    EXPECT_EQ(reader->product.b_columns[1], reader->product.b_columns[0] + 1);
  }
}

TEST(plan, of_a_recurrence_runs_the_plan_of_its_step) {
  Random random(8);
  const Tensor X = random.normal(batch[5] * seq[9] * channel[6]),
               W = random.normal(row[7] * channel[6]), V = random.normal(row[7] * column[7]),
               start = zeros(row[7]);
  const auto states = [&](bool reverse) {
    return scan(seq, start, X,
                [&](Tensor state, Tensor x) {
                  return tanh(V * column * state[row >> column] + W * channel * x);
                },
                {.reverse = reverse});
  };
  for (const bool reverse : {false, true}) {
    const auto plan = compared(states(reverse), 1000);
    if (!Engine::is_available()) GTEST_SKIP();
    EXPECT_EQ(count<RunScan>(*plan), 1);
    EXPECT_EQ(count<Define>(*plan), 0);
    compared(gradient(sum(batch & seq & row, states(reverse)), V), 10000);
  }
}

TEST(plan, of_a_recurrence_over_plain_numbers_agrees) {
  Random random(9);
  const Tensor X = random.normal(seq[20] * row[16]);
  compared(scan(seq, zeros(row[16]), where(X > 0, 1.0, -1.0),
                [](Tensor state, Tensor x) { return state + x; }),
           100);
}

TEST(plan, of_a_convolution_builds_no_windows) {
  Random random(3);
  const Tensor X = random.normal(batch[2] * channel[5] * height[12] * width[11]),
               W = random.normal(channel[5] * row[3] * column[3] * out[7]);
  const Tensor Y =
      unroll(width, column[3], unroll(height, row[3], X)) * (channel & row & column) * W;
  const auto plan = compared(Y, 200);
  if (!Engine::is_available()) GTEST_SKIP();
  EXPECT_EQ(plan->steps.size(), 1);
  EXPECT_EQ(count<RunProduct>(*plan), 1);
  EXPECT_EQ(plan->arena_bytes, 0);
  compared(gradient(sum(batch & height & width & out, Y * Y), X), 1000);
  compared(gradient(sum(batch & height & width & out, Y * Y), W), 5000);
}

/// W ⊙ windows of X along both axes.
Tensor convolved(const Tensor& X, const Tensor& W, const WindowOptions& options) {
  const Axis down{"down"}, right{"right"};
  return W * (channel & down & right) *
         unroll(height, down[W.size(down)], unroll(width, right[W.size(right)], X, options),
                options);
}

TEST(plan, of_convolutions_of_many_channels_multiplies_at_points_in_any_order_of_axes) {
  const Axis down{"down"}, right{"right"};
  Random random(6);
  const Tensor W = random.normal(out[18] * channel[17] * down[3] * right[3]);
  const Shape small = batch[2] * height[13], wide = Shape(width[16]);
  for (const Shape& order :
       {small * wide * channel[17], small * channel[17] * wide, channel[17] * wide * small}) {
    for (const std::int64_t padding : {0, 1}) {
      const auto plan = compared(convolved(random.normal(order), W, {.padding = padding}), 9 * 17);
      if (!Engine::is_available()) GTEST_SKIP();
      EXPECT_EQ(count<RunWindows>(*plan), 1);
    }
  }
  const Tensor X = random.normal(small * wide * channel[17]), Y = convolved(X, W, {});
  const Tensor loss = sum(batch & height & width & out, Y * Y);
  EXPECT_GE(count<RunWindows>(*compared(gradient(loss, X), 20000)), 2);
  compared(gradient(loss, W), 20000);
}

TEST(plan, of_other_convolutions_multiplies_all_terms) {
  const Axis down{"down"}, right{"right"};
  Random random(7);
  const auto terms = [&](std::int64_t channels, std::int64_t side, const WindowOptions& options) {
    const Tensor X = random.normal(batch[2] * height[19] * width[20] * channel[channels]);
    const Tensor W = random.normal(out[16] * channel[channels] * down[side] * right[side]);
    const auto plan = compared(convolved(X, W, options), side * side * channels);
    return count<RunProduct>(*plan);
  };
  if (!Engine::is_available()) GTEST_SKIP();
  EXPECT_EQ(terms(3, 3, {}), 1) << "few channels";
  EXPECT_EQ(terms(16, 5, {}), 1) << "other windows";
  EXPECT_EQ(terms(16, 3, {.stride = 2}), 1) << "other steps";
  EXPECT_EQ(terms(16, 3, {.dilation = 2}), 1) << "windows with gaps";
}

TEST(plan, of_pads_along_several_axes_copies_once) {
  const Tensor X = Random(2).normal(batch[3] * height[7] * width[9]);
  const Tensor padded = pad(height, 1, 2, pad(width, 3, 0, pad(height, 0, 4, X, 5), -1), 2);
  const auto plan = compared(padded, 1);
  if (!Engine::is_available()) GTEST_SKIP();
  constexpr std::size_t ends = 4;
  EXPECT_EQ(plan->steps.size(), ends + 1);
  // One that somebody else reads is not inside another.
  const Tensor inner = pad(width, 1, 1, X);
  compared(sum(width, inner) + sum(height & width, pad(height, 1, 1, inner, 3)), 100);
}

TEST(plan, of_gradients_of_chosen_rows_adds_them_up) {
  Random random(5);
  const Tensor table = random.normal(key[11] * channel[6]),
               rows = random.integers(batch[3] * seq[20], 0, 11),
               weights = random.normal(seq[20] * batch[3] * channel[6]);
  const Tensor loss = sum(batch & seq & channel, index(key, table, rows) * weights);
  const auto plan = compared(gradient(loss, table), 100);
  const Tensor tables = random.normal(channel[6] * key[11] * batch[3]);
  compared(gradient(sum(batch & seq & channel, index(key, tables, rows) * weights), tables), 100);
  // The positions lie along an axis of the same name and size.
  const Tensor shuffled = random.integers(key[11], 0, 11);
  compared(gradient(sum(key & channel, pow(index(key, table, shuffled), 2)), table), 100);
  if (!Engine::is_available()) GTEST_SKIP();
  EXPECT_EQ(count<RunScatter>(*plan), 1);
  EXPECT_EQ(count<Define>(*plan), 0);
}

TEST(plan, of_chosen_sums_lets_no_two_threads_add_to_one_place) {
  const Tensor values = Random(3).normal(row[3] * column[4096]), position(1);
  const auto summed =
      expr::make(expr::Scatter{column, out[2]}, {values.expression(), position.expression()});
  const auto plan = compared(Tensor(summed), 4096);
  if (!Engine::is_available()) GTEST_SKIP();
  for (const PlanStep& step : plan->steps) {
    if (const auto* run = std::get_if<RunScatter>(&step.action)) {
      EXPECT_EQ(run->scatter.c_slice, (std::vector<std::int64_t>{0, 1, 2}));
    }
  }
  EXPECT_EQ(count<RunScatter>(*plan), 1);
}

TEST(plan, of_gradients_of_chosen_elements_is_a_loop) {
  Random random(6);
  const Tensor X = random.normal(batch[30] * key[11]), chosen = random.integers(batch[30], 0, 11);
  const Tensor loss = sum(batch, logsumexp(key, X) - index(key, X, chosen));
  const auto plan = compared(gradient(loss, X), 100);
  if (!Engine::is_available()) GTEST_SKIP();
  EXPECT_EQ(count<RunScatter>(*plan) + count<Define>(*plan), 0);
}

TEST(plan, of_many_small_images_has_them_side_by_side) {
  Random random(7);
  const Tensor X = random.normal(batch[16] * height[9] * width[8] * channel[2]),
               W = random.normal(channel[2] * row[3] * column[3] * out[6]);
  const Tensor padded = pad(height, 1, 1, pad(width, 2, 0, X));
  const Tensor Y =
      unroll(width, column[3], unroll(height, row[3], padded)) * (channel & row & column) * W;
  const auto plan = compared(Y, 200);
  compared(gradient(sum(batch & height & width & out, Y * Y), X), 2000);
  compared(gradient(sum(batch & height & width & out, Y * Y), W), 20000);
  if (!Engine::is_available()) GTEST_SKIP();
  for (const PlanStep& step : plan->steps) {
    const auto* run = std::get_if<RunProduct>(&step.action);
    if (run != nullptr) {
      EXPECT_FALSE(run->product.packs_columns);
    }
  }
}

TEST(plan, divides_rows_by_very_small_and_very_large_numbers) {
  Random random(8);
  const auto divided = [&](ElementType element, std::initializer_list<double> scales) {
    const Tensor X = random.uniform(batch[20] * key[37], 0, 1, element);
    for (const double scale : scales) {
      const Tensor Y = X * scale;
      compared(Y / max(key, Y), 200);
      compared(Y / sum(key, Y), 200);
    }
  };
  divided(float64, {1e-300, 1e-320, 1e290, 1e306});
  divided(float32, {1e-30, 1e-41, 1e30, 1e36});
}

TEST(plan, of_standardize_and_softmax_is_one_nest_each) {
  Random random(4);
  const Tensor X = random.normal(batch[20] * key[37]);
  for (const Tensor& Y : {standardize(key, X, 1e-5), softmax(key, X), softmax(batch, X),
                          log_softmax(key, X), mean(key, X) + var(key, X)}) {
    const auto plan = compared(Y, 200);
    if (Engine::is_available()) {
      EXPECT_EQ(plan->steps.size(), 1);
    }
  }
}

TEST(plan, shares_memory_among_values_that_are_not_needed_together) {
  if (!Engine::is_available()) GTEST_SKIP();
  Random random(5);
  Tensor X = random.normal(row[32] * column[32]);
  const Tensor W = random.normal(column[32] * row.prime()[32]);
  for (int layer = 0; layer < 10; ++layer) X = (X * column * W)[row.prime() >> column];
  const auto plan = compared(X, 100000);
  // Two buffers take turns, though there are nine values between.
  EXPECT_LE(plan->arena_bytes, 3 * 32 * 32 * 4);
}

TEST(engine, explains_its_steps) {
  if (!Engine::is_available()) GTEST_SKIP();
  Random random(6);
  const Tensor X = random.normal(row[40] * column[30]), W = random.normal(column[30] * out[20]);
  const std::string text = explain(softmax(out, X * column * W));
  EXPECT_NE(text.find("product"), std::string::npos) << text;
  EXPECT_NE(text.find("× 30"), std::string::npos) << text;
  EXPECT_NE(text.find("max constant sub exp sum div"), std::string::npos) << text;
  EXPECT_NE(text.find("of limit"), std::string::npos) << text;
}

TEST(engine, explains_its_passes_and_can_leave_one_out) {
  if (!Engine::is_available()) GTEST_SKIP();
  Random random(6);
  const Tensor X = random.normal(row[40] * column[30]), W = random.normal(column[30] * out[20]);
  const Tensor twice = exp(X * column * W) + exp(X * column * W);
  for (const Pass& pass : passes) {
    EXPECT_NE(explain(twice).find(pass.name), std::string::npos) << pass.name;
    EXPECT_EQ(explain(twice, {.without = {std::string(pass.name)}}).find(pass.name),
              std::string::npos)
        << pass.name;
  }
  const std::string program = explain(twice, {.after = "share"});
  EXPECT_EQ(program.find("contract"), program.rfind("contract")) << program;
  const std::string json = explain(twice, {.json = true});
  EXPECT_NE(json.find("\"peak\": "), std::string::npos) << json;
}

TEST(engine, gives_the_same_bits_on_any_number_of_threads) {
  if (!Engine::is_available()) GTEST_SKIP();
  Random random(7);
  const Tensor X = random.normal(row[70] * column[90]), W = random.normal(column[90] * out[110]);
  const expr::Expr plain = expr::without_calls(
      sum(row, softmax(out, X * column * W) * sigmoid(X * column * W)).expression());
  const expr::Linearized linearized = expr::linearize({&plain, 1});
  Engine team(1, {});
  const Array alone = team.run(linearized.program, linearized.data)[0];
  for (const int threads : {2, 3, 4}) {
    team.set_threads(threads);
    for (int turn = 0; turn < 5; ++turn) {
      const Array together = team.run(linearized.program, linearized.data)[0];
      EXPECT_TRUE(support::same(Tensor(together), Tensor(alone))) << threads;
    }
  }
}

TEST(engine, names_the_axis_of_a_position_that_is_out_of_range) {
  if (!Engine::is_available()) GTEST_SKIP();
  Random random(8);
  const Tensor X = random.normal(row[40] * column[30]);
  const Tensor I = tensor(out[3], {0.0, 39.0, 40.0});
  const expr::Linearized linearized = [&] {
    const expr::Expr plain = expr::without_calls(index(row, X, I).expression());
    return expr::linearize({&plain, 1});
  }();
  try {
    engine().run(linearized.program, linearized.data);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("`row`"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("40"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace axial::plan
