#include "axial/nn/optimizer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_set>
#include <vector>

#include "axial/api/calculus.hpp"
#include "axial/api/create.hpp"
#include "axial/api/operations.hpp"
#include "axial/base/error.hpp"
#include "axial/expr/traverse.hpp"
#include "axial/nn/finite.hpp"
#include "axial/nn/module.hpp"

namespace axial {
namespace {

/// The numbers of one step, as scalars that are inputs of the program and not part of it, so that all
/// steps have one structure. A number has a name, since equal numbers may differ in the next step.
class Numbers {
 public:
  explicit Numbers(ElementType type) : type_(type) {}

  Tensor operator()(std::string_view name, double value) {
    const auto found = known_.find(name);
    if (found != known_.end()) return found->second;
    return known_.emplace(name, tensor(Shape{}, {value}, type_)).first->second;
  }

 private:
  ElementType type_;
  std::map<std::string, Tensor, std::less<>> known_;
};

/// What a rule is given for one parameter: θ, its gradient, and the slots that it changes.
struct Situation {
  const Specification& rule;
  double rate;
  double step;  // counted from 1
  Numbers& number;
  const Tensor& gradient;
  std::vector<Tensor>& slots;
};

/// θ after the step.
using Update = Tensor (*)(Tensor theta, const Situation& now);

/// g + λθ, the gradient of the loss and of λ|θ|²/2.
Tensor decayed_gradient(const Tensor& theta, const Situation& now) {
  const double decay = now.rule["weight_decay"];
  return decay == 0 ? now.gradient : now.gradient + now.number("weight_decay", decay) * theta;
}

/// m ← μm + g; θ ← θ − ηm, or θ − η(g + μm) as Nesterov looks ahead.
Tensor sgd(Tensor theta, const Situation& now) {
  Tensor direction = decayed_gradient(theta, now);
  if (!now.slots.empty()) {
    const Tensor mu = now.number("momentum", now.rule["momentum"]), g = direction;
    Tensor& m = now.slots[0];
    m = mu * m + g;
    direction = now.rule["nesterov"] == 0 ? m : g + mu * m;
  }
  return theta - now.number("rate", now.rate) * direction;
}

/// m ← β₁m + (1 − β₁)g; v ← β₂v + (1 − β₂)g²; θ ← θ − η m̂ / (√v̂ + ε), where m̂ = m / (1 − β₁ᵗ).
Tensor moved_by_moments(const Tensor& theta, const Tensor& g, const Situation& now) {
  const double beta1 = now.rule["beta1"], beta2 = now.rule["beta2"];
  Tensor &m = now.slots[0], &v = now.slots[1];
  m = now.number("beta1", beta1) * m + now.number("1 - beta1", 1 - beta1) * g;
  v = now.number("beta2", beta2) * v + now.number("1 - beta2", 1 - beta2) * (g * g);
  const double bias1 = 1 - std::pow(beta1, now.step), bias2 = 1 - std::pow(beta2, now.step);
  const Tensor root = sqrt(v / now.number("bias2", bias2));
  return theta - now.number("rate / bias1", now.rate / bias1) *
                     (m / (root + now.number("epsilon", now.rule["epsilon"])));
}

Tensor adam(Tensor theta, const Situation& now) {
  return moved_by_moments(theta, decayed_gradient(theta, now), now);
}

/// As adam, but the decay of the weights is no part of the moments.
Tensor adamw(Tensor theta, const Situation& now) {
  const double kept = 1 - now.rate * now.rule["weight_decay"];
  return moved_by_moments(theta * now.number("kept", kept), now.gradient, now);
}

constexpr Setting beta1{"beta1", 0.9, 0, 1}, beta2{"beta2", 0.999, 0, 1}, epsilon{"epsilon", 1e-8};
constexpr Setting clip{"clip"};
constexpr Setting sgd_settings[] = {
    {"lr", 0.01}, {"momentum"}, {"nesterov"}, {"weight_decay"}, clip};
constexpr Setting adam_settings[] = {{"lr", 0.001}, beta1, beta2, epsilon, {"weight_decay"}, clip};
constexpr Setting adamw_settings[] = {{"lr", 0.001},          beta1, beta2, epsilon,
                                      {"weight_decay", 0.01}, clip};

/// A rule: its settings, how it changes a parameter, and what it remembers of each.
struct Rule {
  SpecifiedKind kind;
  Update update;
  std::span<const std::string_view> slots;
};

constexpr std::string_view momentum[] = {"m"}, moments[] = {"m", "v"};
constexpr Rule rules[] = {
    {{"sgd", sgd_settings}, sgd, momentum},
    {{"adam", adam_settings}, adam, moments},
    {{"adamw", adamw_settings}, adamw, moments},
};

std::vector<SpecifiedKind> kinds() {
  std::vector<SpecifiedKind> all;
  for (const Rule& rule : rules) all.push_back(rule.kind);
  return all;
}

const Rule& row_of(const Specification& rule) {
  return *std::ranges::find(rules, rule.name(), [](const Rule& row) { return row.kind.name; });
}

/// Without momentum there is nothing to remember.
std::span<const std::string_view> slots_of(const Specification& rule) {
  const bool is_plain = rule.settings().contains("momentum") && rule["momentum"] == 0;
  return is_plain ? std::span<const std::string_view>{} : row_of(rule).slots;
}

/// Fails unless there is a gradient for each parameter, of its shape, and no other.
void require_matching(const Tensors& parameters, const Tensors& gradients) {
  for (const auto& [name, parameter] : parameters) {
    const auto gradient = gradients.find(name);
    if (gradient == gradients.end()) {
      throw Error(code("bad-value"), fmt::format("the parameter `{}` has no gradient", name),
                  "give the gradients under the names of the parameters");
    }
    if (gradient->second.shape() != parameter.shape()) {
      throw Error(code("size-clash"),
                  fmt::format("the parameter `{}` has shape {}, but its gradient has shape {}",
                              name, to_text(parameter.shape()), to_text(gradient->second.shape())),
                  "take it by that parameter: gradient(loss, parameter)");
    }
  }
  for (const auto& [name, gradient] : gradients) {
    if (parameters.contains(name)) continue;
    throw Error(code("bad-value"), fmt::format("there is a gradient `{}` and no parameter", name),
                "give the gradients under the names of the parameters");
  }
}

/// What the slot of a parameter holds; zeros before the first step.
Tensor slot_value(const Tensors& slots, const std::string& name, const Tensor& parameter) {
  const auto slot = slots.find(name);
  if (slot == slots.end()) return detached(zeros(parameter.shape(), parameter.type()));
  if (slot->second.shape() != parameter.shape()) {
    throw Error(code("size-clash"),
                fmt::format("the state `{}` of the optimizer has shape {}, but the parameter has "
                            "shape {}",
                            name, to_text(slot->second.shape()), to_text(parameter.shape())),
                "restore the state that was saved with these parameters");
  }
  return slot->second;
}

/// The factor that brings a norm down to a limit.
Tensor shrinking_factor(const Tensors& tensors, double limit) {
  const Tensor most = tensor(Shape{}, {limit}, float64);
  return most / max(global_norm(tensors), most);
}

/// Computes all tensors in one program.
void compute(std::initializer_list<std::reference_wrapper<const Tensors>> groups,
             std::span<const Tensor> along) {
  std::vector<Tensor> all(along.begin(), along.end());
  for (const Tensors& group : groups) {
    for (const auto& [name, value] : group) all.push_back(value);
  }
  evaluate_together(all);
}

/// Fails with not-differentiable if no parameter occurs in the loss. Its gradients would be zero, and
/// the training would stand still without a word.
void require_dependent(const Tensor& loss, const Tensors& parameters) {
  std::unordered_set<const expr::Node*> wanted;
  for (const auto& [name, parameter] : parameters) wanted.insert(parameter.expression().identity());
  const auto occurs = [&](const expr::Expr& node) { return wanted.contains(node.identity()); };
  if (std::ranges::any_of(expr::post_order({&loss.expression(), 1}), occurs)) return;
  throw Error(code("not-differentiable"),
              "the loss does not depend on the parameters that the model has now",
              "compute it anew before each step: every step gives the parameters new values");
}

/// The gradients of a loss under the names of the parameters.
Tensors gradients_by_name(const Tensor& loss, const Tensors& parameters) {
  require_dependent(loss, parameters);
  std::vector<Tensor> variables;
  for (const auto& [name, parameter] : parameters) variables.push_back(parameter);
  const std::vector<Tensor> found = gradients(loss, variables);
  Tensors named;
  for (auto slope = found.begin(); const auto& [name, parameter] : parameters) {
    named.emplace(name, *slope++);
  }
  return named;
}

void detach(Tensors& tensors) {
  for (auto& [name, value] : tensors) value = detached(value);
}

}  // namespace

Optimizer::Optimizer(const Specification& rule, Schedule schedule)
    : rule_(completed(rule, "optimizer", kinds())), schedule_(std::move(schedule)) {}

Optimizer::Next Optimizer::next(const Tensors& parameters, const Tensors& gradients) const {
  require_matching(parameters, gradients);
  const double limit = rule_["clip"];
  const Tensors followed = limit > 0 ? clipped(gradients, limit) : gradients;
  const std::span<const std::string_view> slots = slots_of(rule_);
  std::map<ElementType, Numbers> numbers;
  Next next;
  for (const auto& [name, parameter] : parameters) {
    const ElementType type = parameter.type();
    std::vector<Tensor> changing;
    for (const std::string_view slot : slots) {
      changing.push_back(slot_value(slots_, fmt::format("{}/{}", slot, name), parameter));
    }
    const Situation now{.rule = rule_,
                        .rate = learning_rate(),
                        .step = static_cast<double>(steps_ + 1),
                        .number = numbers.try_emplace(type, type).first->second,
                        .gradient = followed.at(name),
                        .slots = changing};
    next.values[name] = row_of(rule_).update(parameter, now);
    for (std::size_t k = 0; k < slots.size(); ++k) {
      next.slots[fmt::format("{}/{}", slots[k], name)] = changing[k];
    }
  }
  return next;
}

void Optimizer::accept(Next& next) {
  detach(next.values);
  detach(next.slots);
  slots_ = std::move(next.slots);
  ++steps_;
}

Tensors Optimizer::step(const Tensors& parameters, const Tensors& gradients,
                        std::span<const Tensor> along) {
  Next moved = next(parameters, gradients);
  compute({moved.values, moved.slots}, along);
  accept(moved);
  return moved.values;
}

double Optimizer::minimize(const Tensor& loss, Module& model, std::span<const Tensor> along) {
  const Tensors parameters = model.parameters(), slopes = gradients_by_name(loss, parameters);
  Tensors running = model.state();
  for (const auto& [name, parameter] : parameters) running.erase(name);
  Next moved = next(parameters, slopes);
  const Tensors outcome{{"loss", loss}, {"norm", global_norm(slopes)}};
  compute({outcome, moved.values, moved.slots, running}, along);
  if (!std::isfinite(loss.item())) require_finite(loss, "the loss", parameters, parameters);
  if (!std::isfinite(outcome.at("norm").item())) {
    for (const auto& [name, slope] : slopes) {
      require_finite(slope, fmt::format("the gradient of `{}`", name), parameters, parameters);
    }
  }
  accept(moved);
  detach(running);
  model.update(moved.values);
  model.update(running);
  return loss.item();
}

Tensors Optimizer::state() const {
  Tensors state{{rule_.name() + ".step", tensor(Shape{}, {steps_}, int64)}};
  for (const auto& [name, value] : slots_) state[fmt::format("{}.{}", rule_.name(), name)] = value;
  return state;
}

void Optimizer::restore(const Tensors& state) {
  const std::string prefix = rule_.name() + ".", counter = prefix + "step";
  const auto count = state.find(counter);
  if (count == state.end()) {
    throw Error(code("bad-value"), fmt::format("the state has no tensor `{}`", counter),
                fmt::format("it must be the state of an optimizer `{}`", rule_.name()));
  }
  const std::span<const std::string_view> known = slots_of(rule_);
  Tensors slots;
  for (const auto& [name, value] : state) {
    if (!name.starts_with(prefix) || name == counter) continue;
    const std::string slot = name.substr(prefix.size());
    if (std::ranges::find(known, slot.substr(0, slot.find('/'))) == known.end()) {
      throw Error(code("bad-value"),
                  fmt::format("the optimizer `{}` does not remember `{}`", to_text(rule_), name),
                  "restore the state of an optimizer with the same settings");
    }
    slots[slot] = detached(value);
  }
  steps_ = static_cast<std::int64_t>(count->second.item());
  slots_ = std::move(slots);
}

Tensor global_norm(const Tensors& tensors) {
  Tensor squares = tensor(Shape{}, {0}, float64);
  for (const auto& [name, value] : tensors) {
    squares = squares + to(float64, sum(value.shape().names(), value * value));
  }
  return sqrt(squares);
}

Tensors clipped(const Tensors& tensors, double limit) {
  const Tensor factor = shrinking_factor(tensors, limit);
  Tensors scaled;
  for (const auto& [name, value] : tensors) scaled[name] = value * to(value.type(), factor);
  return scaled;
}

}  // namespace axial
