#include "axial/nn/optimizer.hpp"

#include <gmock/gmock.h>

#include <set>

#include "axial/axial.hpp"
#include "axial/base/error.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/program.hpp"
#include "nn/identical.hpp"

namespace axial {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;

const Axis a{"a"}, b{"b"};

/// A valley whose floor is at W = 1, b = 2.
Tensor valley(const Tensors& at) {
  const Tensor& W = at.at("W");
  return sum(W.shape().names(), pow(W - 1, 2)) + 3 * sum(a, pow(at.at("b") - 2, 2));
}

Tensors slopes(const Tensors& at) {
  const std::vector<Tensor> found = gradients(valley(at), {at.at("W"), at.at("b")});
  return {{"W", found[0]}, {"b", found[1]}};
}

Tensors start() {
  Random random(1);
  return {{"W", random.normal(a[2] * b[3])}, {"b", random.normal(a[2])}};
}

Tensors after(Optimizer& optimizer, Tensors parameters, int steps) {
  for (int k = 0; k < steps; ++k) parameters = optimizer.step(parameters, slopes(parameters));
  return parameters;
}

TEST(optimizer, goes_downhill_by_every_rule) {
  for (const char* rule : {"sgd:lr=0.1", "sgd:lr=0.05,momentum=0.5", "adam:lr=0.1",
                           "sgd:lr=0.05,momentum=0.5,nesterov", "adamw:lr=0.1,weight_decay=1e-4"}) {
    Optimizer optimizer(rule);
    EXPECT_LT(valley(after(optimizer, start(), 150)).item(), 1e-3) << rule;
  }
}

TEST(optimizer, goes_on_exactly_from_its_state) {
  for (const char* rule : {"sgd:lr=0.05,momentum=0.5", "adam:lr=0.1,clip=1", "adamw:lr=0.1"}) {
    Optimizer one(rule, "cosine:warmup=2,steps=9"), other(rule, "cosine:warmup=2,steps=9");
    const Tensors middle = after(one, start(), 4);
    other.restore(one.state());
    EXPECT_EQ(other.steps(), 4);
    EXPECT_TRUE(identical(after(one, middle, 4), after(other, middle, 4))) << rule;
  }
}

TEST(optimizer, names_its_state_after_rule_and_parameter) {
  Optimizer adam("adam"), plain("sgd");
  after(adam, start(), 1);
  after(plain, start(), 1);
  EXPECT_THAT(adam.state(), ElementsAre(Key("adam.m/W"), Key("adam.m/b"), Key("adam.step"),
                                        Key("adam.v/W"), Key("adam.v/b")));
  EXPECT_THAT(plain.state(), ElementsAre(Key("sgd.step")));
}

TEST(optimizer, has_one_structure_for_all_steps) {
  for (const char* rule : {"sgd:momentum=0.9", "adam:clip=1", "adamw"}) {
    Optimizer optimizer(rule, "cosine:warmup=2,steps=10");
    Tensors at = start();
    std::set<std::string> structures;
    for (int step = 0; step < 4; ++step) {
      const auto [values, slots] = optimizer.next(at, slopes(at));
      std::vector<expr::Expr> all;
      for (const Tensors& group : {values, slots}) {
        for (const auto& [name, value] : group) all.push_back(value.expression());
      }
      structures.insert(to_text(expr::linearize(expr::without_calls(all)).program));
      at = optimizer.step(at, slopes(at));
    }
    EXPECT_EQ(structures.size(), 1) << rule;
  }
}

TEST(optimizer, computes_what_comes_along) {
  Optimizer optimizer("adam");
  const Tensors parameters = start();
  const Tensor loss = valley(parameters);
  optimizer.step(parameters, slopes(parameters), {&loss, 1});
  EXPECT_TRUE(loss.expression().is_known());
}

TEST(optimizer, keeps_the_element_type_of_each_parameter) {
  Optimizer optimizer("adam:clip=1");
  const Tensors mixed{{"W", ones(a[2])}, {"b", ones(a[2], float64)}};
  const Tensors moved = optimizer.step(mixed, mixed);
  EXPECT_EQ(moved.at("W").type(), float32);
  EXPECT_EQ(moved.at("b").type(), float64);
}

TEST(clipped, scales_down_what_is_too_long_and_nothing_else) {
  const Tensors gradients{{"x", tensor(a[2], {3, 0})}, {"y", tensor(Shape{}, {4})}};
  EXPECT_DOUBLE_EQ(global_norm(gradients).item(), 5);
  EXPECT_FLOAT_EQ(static_cast<float>(global_norm(clipped(gradients, 2)).item()), 2);
  EXPECT_TRUE(identical(clipped(gradients, 6), gradients));
}

TEST(schedule, follows_its_formula) {
  const Schedule cosine("cosine:warmup=4,steps=14,final=0.1");
  EXPECT_DOUBLE_EQ(cosine.factor(0), 0.25);
  EXPECT_DOUBLE_EQ(cosine.factor(3), 1);
  EXPECT_DOUBLE_EQ(cosine.factor(4), 1);
  EXPECT_DOUBLE_EQ(cosine.factor(9), 0.55);
  EXPECT_DOUBLE_EQ(cosine.factor(14), 0.1);
  EXPECT_DOUBLE_EQ(cosine.factor(99), 0.1);
  EXPECT_DOUBLE_EQ(Schedule("linear", 10).factor(5), 0.5);
  EXPECT_DOUBLE_EQ(Schedule("step:every=3,factor=0.5").factor(7), 0.25);
  EXPECT_DOUBLE_EQ(Schedule().factor(1'000'000), 1);
}

TEST(specification, reads_what_it_writes) {
  const Optimizer optimizer("adam:lr=3e-4");
  const std::string text = to_text(optimizer.rule());
  EXPECT_EQ(text, "adam:beta1=0.9,beta2=0.999,clip=0,epsilon=1e-08,lr=0.0003,weight_decay=0");
  EXPECT_EQ(to_text(Optimizer(text).rule()), text);
}

}  // namespace
}  // namespace axial
