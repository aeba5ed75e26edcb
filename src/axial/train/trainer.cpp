#include "axial/train/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axial/api/calculus.hpp"
#include "axial/api/create.hpp"
#include "axial/base/error.hpp"
#include "axial/nn/finite.hpp"
#include "axial/tensor/random.hpp"
#include "axial/train/blame.hpp"
#include "axial/train/initial.hpp"

namespace axial::train {
namespace {

using expr::Expr;

/// The loss, the norm of all gradients, then the gradient by each parameter.
NamedProgram gradient_program(const Objective& objective) {
  std::vector<Tensor> parameters;
  for (const NamedExpr& parameter : objective.parameters) parameters.emplace_back(parameter.value);
  const std::vector<Tensor> slopes = gradients(Tensor(objective.loss), parameters);
  Tensors by_name;
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    by_name.emplace(objective.parameters[k].name, slopes[k]);
  }
  std::vector<Expr> results = {objective.loss, global_norm(by_name).expression()};
  for (const Tensor& slope : slopes) results.push_back(slope.expression());
  return {results, all_inputs(objective)};
}

const std::vector<std::int64_t>& require_batch(const std::vector<std::int64_t>& learned,
                                               std::int64_t batch) {
  if (batch >= 1 && batch <= std::ssize(learned)) return learned;
  throw Error(
      code("bad-value"),
      fmt::format("a batch of {} examples cannot be made of {} examples", batch, learned.size()),
      fmt::format("choose --batch between 1 and {}", learned.size()));
}

}  // namespace

Trainer::Trainer(const document::Contents& contents, Examples examples,
                 std::vector<std::int64_t> learned, Goal goal, Plan plan)
    : contents_(&contents),
      examples_(std::move(examples)),
      learned_(require_batch(learned, plan.batch)),
      goal_(std::move(goal)),
      plan_(std::move(plan)),
      objective_(objective(contents, examples_, plan_.batch, goal_)),
      gradients_(gradient_program(objective_)),
      optimizer_(plan_.optimizer, Schedule(Specification(plan_.schedule), all_steps())),
      parameters_(initial_values(objective_, plan_.seed, goal_.element)) {}

/// The examples of the next batch. Each epoch has an order of its own, which follows from the seed, so
/// that nothing but the number of steps must be kept to go on.
std::vector<std::int64_t> Trainer::next_positions() {
  const std::int64_t epoch = steps() / steps_per_epoch();
  if (ordered_epoch_ != epoch) {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;
    RandomStream random(plan_.seed ^ (golden * static_cast<std::uint64_t>(epoch + 1)));
    const Array shuffled = random.permutation(examples_.axis[std::ssize(learned_)]);
    order_.clear();
    for (const std::int64_t place : shuffled.elements<std::int64_t>()) {
      order_.push_back(learned_[static_cast<std::size_t>(place)]);
    }
    ordered_epoch_ = epoch;
  }
  const auto begin = order_.begin() + (steps() % steps_per_epoch()) * plan_.batch;
  return {begin, begin + plan_.batch};
}

std::map<std::string, Array> Trainer::values_for(const Objective& objective,
                                                 const Examples& examples,
                                                 std::span<const std::int64_t> positions) const {
  std::map<std::string, Array> values;
  for (const NamedExpr& input : objective.inputs) {
    const auto column = std::ranges::find(examples.columns, input.name, &Column::name);
    if (column == examples.columns.end()) {
      throw Error(code("needs-value"), fmt::format("the data do not give `{}`", input.name),
                  "data to validate with need the same tensors as data to learn from");
    }
    const auto shift = objective.shifts.find(input.name);
    values.emplace(input.name, examples.batch(*column, positions,
                                              shift == objective.shifts.end() ? 0 : shift->second,
                                              goal_.element));
  }
  for (const auto& [name, value] : parameters_) values.emplace(name, value.array());
  return values;
}

double Trainer::step() {
  const auto values = values_for(objective_, examples_, next_positions());
  const expr::Results results = gradients_(values);
  const double loss = results[0].real(0), norm = results[1].real(0);
  const auto refuse = [&](const std::string& what) {
    throw Error(code("bad-value"), what,
                "lower the learning rate or limit the gradients: --optimizer adam:lr=1e-4,clip=1");
  };
  if (!std::isfinite(loss)) {
    refuse(fmt::format("the loss is {} at step {}: {}", shown_number(loss), steps() + 1,
                       first_not_finite(objective_, values)));
  }
  Tensors gradients;
  for (std::size_t k = 0; k < objective_.parameters.size(); ++k) {
    const std::string& name = objective_.parameters[k].name;
    const Tensor& gradient = gradients[name] = Tensor(results[k + 2]);
    if (std::isfinite(norm)) continue;
    if (const auto found = axial::first_not_finite(gradient)) {
      refuse(fmt::format("the gradient by `{}` holds {} at step {}, although the loss is finite",
                         name, shown_number(found->value), steps() + 1));
    }
  }
  parameters_ = optimizer_.step(parameters_, gradients);
  losses_.push_back(loss);
  return loss;
}

Measured Trainer::measure(const Examples& examples, const std::vector<std::int64_t>& positions) {
  std::vector<double> sums(goal_.metrics.size() + 1);
  const auto count = std::ssize(positions);
  // Whole batches, then one of what is left.
  const auto add = [&](std::int64_t begin, std::int64_t end, std::int64_t size) {
    if (begin >= end) return;
    const Objective one =
        size == plan_.batch ? objective_ : objective(*contents_, examples_, size, goal_);
    std::vector<Expr> results = {one.loss};
    results.insert(results.end(), one.metrics.begin(), one.metrics.end());
    const NamedProgram program(results, all_inputs(one));
    for (std::int64_t at = begin; at < end; at += size) {
      const std::span part(positions.data() + at, static_cast<std::size_t>(size));
      const expr::Results values = program(values_for(one, examples, part));
      for (std::size_t k = 0; k < sums.size(); ++k) {
        sums[k] += values[k].real(0) * static_cast<double>(size);
      }
    }
  };
  const std::int64_t whole = count / plan_.batch * plan_.batch;
  add(0, whole, plan_.batch);
  add(whole, count, count - whole);
  for (double& sum : sums) sum /= static_cast<double>(count);
  return {sums[0], {sums.begin() + 1, sums.end()}};
}

void Trainer::set_parameters(const Tensors& values) {
  for (auto& [name, current] : parameters_) {
    const auto found = values.find(name);
    if (found == values.end()) {
      throw Error(code("needs-value"), fmt::format("the file has no value for `{}`", name),
                  "load a file that was saved for the same document and loss");
    }
    if (found->second.shape() != current.shape()) {
      throw Error(code("size-clash"),
                  fmt::format("`{}` has shape {} in the file and {} here", name,
                              to_text(found->second.shape()), to_text(current.shape())),
                  "give the same sizes as when it was saved");
    }
    current = detached(found->second);
  }
}

}  // namespace axial::train
