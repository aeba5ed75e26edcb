// Documents trained: from data to parameters, and on from where a training was stopped.
#include "axial/train/trainer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "axial/api/create.hpp"
#include "axial/api/operations.hpp"
#include "axial/base/error.hpp"
#include "axial/nn/checkpoint.hpp"
#include "axial/train/curve.hpp"
#include "axial/train/initial.hpp"

namespace axial::train {
namespace {

using testing::HasSubstr;

const Axis batch("batch"), inp("inp");

/// t = 2 x₁ - x₂ + 0.5, a line that can be found.
const std::string line = "x ∈ R[inp]\nt ∈ R\nw ∈ R[inp]\nb ∈ R\nL = (w .inp x + b - t)^2\n";

/// A folder with data that lasts as long as the test.
class Workshop {
 public:
  Workshop()
      : folder_(std::filesystem::temp_directory_path() / fmt::format("axial-train-{}", getpid())) {
    std::filesystem::create_directories(folder_);
    Tensor x = Random(7).normal(batch[40] * inp[2]);
    save(path("line.npz"), {{"x", x}, {"t", 2 * x[inp(0)] - x[inp(1)] + 0.5}});
  }
  ~Workshop() { std::filesystem::remove_all(folder_); }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

struct Case {
  std::string document = line;
  DataRequest data = {};
  Goal goal = {.loss = "L"};
  Plan plan = {.batch = 8, .epochs = 30, .optimizer = "adam:lr=0.05"};
};

/// A trainer with everything that it refers to.
struct Bench {
  explicit Bench(const Case& with)
      : contents(document::read("d.nt", with.document, {})), symbols(contents) {
    const Examples examples = read_examples(with.data, symbols);
    trainer.emplace(contents, examples, split(examples, 0, 1).learned, with.goal, with.plan);
  }
  document::Contents contents;
  document::Symbols symbols;
  std::optional<Trainer> trainer;
};

std::string complaint(const Case& with, int steps = 0) {
  try {
    Bench bench(with);
    for (int k = 0; k < steps; ++k) bench.trainer->step();
  } catch (const Error& error) {
    return fmt::format("{}: {}", error.code().name, error.what());
  }
  return "no error";
}

TEST(train, finds_a_line_from_a_document_for_one_example) {
  const Workshop shop;
  Bench bench({.data = {.files = {shop.path("line.npz")}}});
  Trainer& trainer = *bench.trainer;
  while (!trainer.is_finished()) trainer.step();
  EXPECT_EQ(trainer.steps(), 150);
  EXPECT_LT(trainer.losses().back(), 1e-3);
  EXPECT_NEAR(trainer.parameters().at("w")[inp(0)].item(), 2, 0.05);
  EXPECT_NEAR(trainer.parameters().at("b").item(), 0.5, 0.05);
}

TEST(train, measures_all_examples_also_those_of_a_smaller_batch) {
  const Workshop shop;
  Case with{.data = {.files = {shop.path("line.npz")}}};
  with.goal.metrics = {"w .inp x + b - t"};
  with.plan.batch = 7;
  Bench bench(with);
  const Examples examples = read_examples(with.data, bench.symbols);
  const Split all = split(examples, 0, 1);
  const Measured whole = bench.trainer->measure(examples, all.learned);
  double loss = 0, metric = 0;
  for (const std::int64_t one : all.learned) {
    const Measured measured = bench.trainer->measure(examples, {one});
    loss += measured.loss / 40;
    metric += measured.metrics[0] / 40;
  }
  EXPECT_NEAR(whole.loss, loss, 1e-5 * std::abs(loss));
  EXPECT_NEAR(whole.metrics[0], metric, 1e-5);
}

TEST(train, goes_on_with_the_same_numbers_after_it_was_stopped) {
  const Workshop shop;
  const Case with{.data = {.files = {shop.path("line.npz")}}};
  Bench whole(with), first(with), second(with);
  for (int k = 0; k < 13; ++k) whole.trainer->step();
  for (int k = 0; k < 7; ++k) first.trainer->step();
  first.trainer->note({5, {0.25, {}}});
  first.trainer->save(shop.path("w.safetensors"));
  second.trainer->restore(shop.path("w.safetensors"));
  for (int k = 0; k < 6; ++k) second.trainer->step();
  EXPECT_EQ(second.trainer->losses(), whole.trainer->losses());
  EXPECT_EQ(second.trainer->validations().at(0).measured.loss, 0.25);
  for (const auto& [name, value] : whole.trainer->parameters())
    EXPECT_TRUE(identical(second.trainer->parameters().at(name), value)) << name;
}

TEST(train, refuses_to_go_on_from_another_training) {
  const Workshop shop;
  const Case with{.data = {.files = {shop.path("line.npz")}}};
  Bench(with).trainer->save(shop.path("w.safetensors"));
  const auto told = [&](auto&& change, const std::string& file) {
    Case changed = with;
    change(changed);
    Bench other(changed);
    try {
      other.trainer->restore(shop.path(file));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(told([](Case& other) { other.plan.batch = 4; }, "w.safetensors"),
              HasSubstr("batch `8`, and this one has `4`"));
  EXPECT_THAT(told([](Case& other) { other.goal.metrics = {"t"}; }, "w.safetensors"),
              HasSubstr("metrics ``, and this one has `t`"));
  save(shop.path("other.safetensors"), {{"w", ones(inp[2])}});
  EXPECT_THAT(told([](Case&) {}, "other.safetensors"), HasSubstr("not a file that training saved"));
}

TEST(train, keeps_a_checkpoint_whose_model_has_the_names_of_the_document) {
  const Workshop shop;
  const Bench bench(
      {.data = {.files = {shop.path("line.npz")}}, .goal = {.loss = "L", .sizes = {{"inp", 2}}}});
  bench.trainer->save(shop.path("w.safetensors"));
  const Checkpoint saved = read_checkpoint(shop.path("w.safetensors"));
  EXPECT_THAT(saved.model, testing::ElementsAre(testing::Key("b"), testing::Key("w")));
  EXPECT_EQ(saved.facts.at(sizes_fact), "inp=2");
  EXPECT_EQ(name_in_model("model.w"), "w");
  EXPECT_EQ(name_in_model("w"), "w");
  EXPECT_EQ(name_in_model("optimizer.adam.m/w"), std::nullopt);
}

TEST(train, names_the_first_tensor_that_is_not_finite) {
  const Workshop shop;
  const Case with{
      .document = "x ∈ R[inp]\nt ∈ R\nw ∈ R[inp]\nb ∈ R\ny = log(w .inp x + b)\nL = y - t\n",
      .data = {.files = {shop.path("line.npz")}}};
  const std::string told = complaint(with, 1);
  EXPECT_THAT(told, HasSubstr("the loss is NaN at step 1"));
  EXPECT_THAT(told,
              HasSubstr("the first tensor with such an element is `y` {batch[8]}, which comes "
                        "from NaN at {batch("));
  EXPECT_THAT(told, HasSubstr("of `log A`, where A = -"));
}

TEST(train, does_not_blame_infinities_that_follow_from_the_data_alone) {
  const Workshop shop;
  const Case with{.document =
                      "x ∈ R[inp]\nt ∈ R\nw ∈ R[inp]\nb ∈ R\nM = log(0 ⊙ t)\n"
                      "E = exp(M + b)\ny = log(w .inp x + b)\nL = y + E - t\n",
                  .data = {.files = {shop.path("line.npz")}}};
  EXPECT_THAT(complaint(with, 1), HasSubstr("such an element is `y`"));
}

TEST(train, keeps_its_parameters_if_a_gradient_is_not_finite) {
  const Workshop shop;
  Bench bench({.document = "x ∈ R[inp]\nt ∈ R\nw ∈ R[inp]\nb ∈ R\n"
                           "L = (w .inp x - t)^2 + sqrt(b ⊙ b)\n",
               .data = {.files = {shop.path("line.npz")}}});
  bench.trainer->set_parameters({{"w", ones(inp[2])}, {"b", zeros(Shape{})}});
  EXPECT_THAT([&] { bench.trainer->step(); },
              testing::ThrowsMessage<Error>(HasSubstr("the gradient by `b` holds NaN at step 1")));
  EXPECT_EQ(bench.trainer->parameters().at("b").item(), 0);
}

TEST(train, names_the_parameter_that_a_step_led_too_far) {
  const Workshop shop;
  const Case with{.data = {.files = {shop.path("line.npz")}},
                  .plan = {.batch = 8, .epochs = 30, .optimizer = "sgd:lr=1e39"}};
  EXPECT_THAT(complaint(with, 4), HasSubstr("the parameter `"));
}

TEST(train, explains_wrong_uses) {
  const Workshop shop;
  const std::string file = shop.path("line.npz");
  const auto told = [&](auto&& change) {
    Case with{.data = {.files = {file}}};
    change(with);
    return complaint(with);
  };
  EXPECT_THAT(told([](Case& with) { with.goal.loss = "Loss"; }), HasSubstr("undeclared"));
  EXPECT_THAT(told([](Case& with) { with.plan.batch = 41; }),
              HasSubstr("a batch of 41 examples cannot be made of 40"));
  EXPECT_THAT(told([](Case& with) { with.plan.optimizer = "adum"; }), HasSubstr("adum"));
  EXPECT_THAT(told([](Case& with) { with.data.files = {}; }), HasSubstr("there is no data"));
  EXPECT_THAT(told([](Case& with) { with.document = "p ∈ R\nL = p\n"; }),
              HasSubstr("the document declares none of the tensors"));
  EXPECT_THAT(told([](Case& with) {
                with.document += "U ∈ R[out, inp]\nM = sum_out (U .inp x)\n";
                with.goal.loss = "M";
              }),
              HasSubstr("the size of out"));
  EXPECT_THAT(told([](Case& with) { with.document = "x ∈ R[inp]\nL = sum_inp x\n"; }),
              HasSubstr("nothing to learn"));
  EXPECT_THAT(told([](Case& with) { with.data.axes["t"] = {"batch", "inp"}; }),
              HasSubstr("wrong-arity"));
}

TEST(train, explains_wrong_data) {
  const Workshop shop;
  const auto told = [&](const Tensors& tensors) {
    save(shop.path("bad.npz"), tensors);
    return complaint({.data = {.files = {shop.path("bad.npz")}}});
  };
  const Tensor x = Random(1).normal(batch[4] * inp[2]);
  EXPECT_THAT(told({{"x", x}, {"t", zeros(batch[3])}}),
              HasSubstr("there are 3 examples of `t` and 4 of `x`"));
  EXPECT_THAT(told({{"x", x / 0}}),
              HasSubstr("example 0 of `x` holds a number that is not finite"));
  EXPECT_THAT(told({{"x", zeros(batch[0] * inp[2])}}), HasSubstr("the data has no example"));
  EXPECT_THAT(told({{"x", zeros(inp[2])}}), HasSubstr("no axis of `x` counts the examples"));
}

TEST(train, reads_pieces_of_a_text_and_the_byte_after_each) {
  const Workshop shop;
  std::ofstream(shop.path("t.txt")) << "abcabcabca";
  const auto contents =
      document::read("d.tex", "\\begin{align*} w, v &\\in [n]^{\\name{seq}} \\end{align*}", {});
  const document::Symbols symbols(contents);
  const Examples examples =
      read_examples({.texts = {"w,v=" + shop.path("t.txt")}, .sizes = {{"seq", 3}}}, symbols);
  ASSERT_EQ(examples.count, 3);
  const std::vector<std::int64_t> second = {1};
  const Axes order{batch, Axis("seq")};
  EXPECT_EQ(Tensor(examples.batch(examples.columns[0], second, 0, float32)).values(order),
            (std::vector<double>{'a', 'b', 'c'}));
  EXPECT_EQ(Tensor(examples.batch(examples.columns[1], second, 0, float32)).values(order),
            (std::vector<double>{'b', 'c', 'a'}));
}

TEST(train, starts_from_values_that_suit_their_use) {
  const Workshop shop;
  Case with{
      .document = "x ∈ R[inp]\nt ∈ R\nw ∈ R[inp]\nb ∈ R\ng ∈ R\nL = (g ⊙ (w .inp x) + b - t)^2\n",
      .data = {.files = {shop.path("line.npz")}}};
  const Bench bench(with);
  EXPECT_EQ(bench.trainer->parameters().at("b").item(), 0);
  EXPECT_EQ(bench.trainer->parameters().at("g").item(), 1);
  EXPECT_NE(bench.trainer->parameters().at("w")[inp(0)].item(), 0);
}

TEST(curve, has_round_ticks) {
  EXPECT_EQ(ticks(0, 10), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(ticks(0.13, 0.95).size(), 4U);
}

TEST(curve, is_smoothed_by_means) {
  const auto points = smoothed({1, 3, 5, 7}, 2);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].y, 2);
  EXPECT_EQ(points[1].x, 4);
}

TEST(curve, is_drawn_with_labels_and_without_points_that_are_not_finite) {
  const std::string svg = to_svg(
      {"a < b",
       "step",
       "loss",
       {{"", {{0, 1}}, Style::background}, {"one", {{0, 1}, {1, NAN}, {2, 3}}, Style::marked}}});
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, HasSubstr(">step</text>"));
  EXPECT_THAT(svg, HasSubstr(">one</text>"));
  EXPECT_THAT(svg, testing::Not(HasSubstr("></text>"))) << "what lies behind has no label";
  EXPECT_THAT(svg, testing::Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace axial::train
