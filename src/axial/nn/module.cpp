#include "axial/nn/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "axial/base/error.hpp"
#include "axial/base/text.hpp"

namespace axial {

struct Module::Held {
  bool is_training = true;
  std::vector<Parameter> parameters;
  std::vector<std::pair<std::string, Module>> parts;
};

const Tensor& Parameter::value() const {
  if (held_->value) return *held_->value;
  throw Error(
      code("needs-value"),
      fmt::format("the parameter `{}` of shape {} has no value yet", held_->name, to_text(shape())),
      "call initialize(seed) of the whole model, or restore a state");
}

namespace {

/// The axes that one shape has and the other has not, or not with the same size.
Axes differing(const Shape& left, const Shape& right) {
  std::vector<Axis> names;
  for (const Axis axis : (left.names() & (right.names() - left.names()))) {
    if (left.find(axis) != right.find(axis)) names.push_back(axis);
  }
  return Axes(std::move(names));
}

void require_shape(const std::string& name, const Shape& shape, const Tensor& value) {
  if (value.shape() == shape) return;
  throw Error(code("size-clash"),
              fmt::format("the parameter `{}` has shape {}, but it is given a tensor of shape {}: "
                          "they differ in {}",
                          name, to_text(shape), to_text(value.shape()),
                          to_text(differing(shape, value.shape()))),
              "the axes must have the same names and sizes");
}

}  // namespace

void Parameter::assign(Tensor value) const {
  require_shape(held_->name, shape(), value);
  held_->value = std::move(value);
}

Module::Module() : held_(std::make_shared<Held>()) {}

Parameter Module::parameter(std::string name, const Shape& shape, Initializer initializer) {
  return declare(Parameter({std::move(name), shape, std::move(initializer), true, {}, {}}));
}

Parameter Module::buffer(std::string name, const Shape& shape, Initializer initializer,
                         std::optional<ElementType> type) {
  return declare(Parameter({std::move(name), shape, std::move(initializer), false, type, {}}));
}

void Module::require_new(const std::string& name) const {
  if (name.empty() || name.find_first_of("./") != std::string::npos) {
    throw Error(code("bad-value"),
                fmt::format("`{}` cannot be the name of a part of a module", shown(name)),
                "a name is not empty and has neither `.` nor `/`");
  }
  const auto is_parameter = [&](const Parameter& other) { return other.held_->name == name; };
  const auto is_part = [&](const auto& other) { return other.first == name; };
  if (std::ranges::any_of(held_->parameters, is_parameter) ||
      std::ranges::any_of(held_->parts, is_part)) {
    throw Error(code("redeclared"), fmt::format("the module has two parts called `{}`", name),
                "give one of them another name");
  }
}

Parameter Module::declare(Parameter parameter) {
  require_new(parameter.held_->name);
  held_->parameters.push_back(parameter);
  return parameter;
}

void Module::adopt(std::string name, const Module& part) {
  require_new(name);
  held_->parts.emplace_back(std::move(name), part);
}

std::vector<std::pair<std::string, Parameter>> Module::all() const {
  std::vector<std::pair<std::string, Parameter>> found;
  std::set<const Parameter::Held*> seen;
  const auto visit = [&](const auto& self, const Module& module,
                         const std::string& prefix) -> void {
    for (const Parameter& parameter : module.held_->parameters) {
      if (!seen.insert(parameter.held_.get()).second) continue;
      found.emplace_back(prefix + parameter.held_->name, parameter);
    }
    for (const auto& [name, part] : module.held_->parts) self(self, part, prefix + name + ".");
  };
  visit(visit, *this, "");
  return found;
}

void Module::initialize(std::uint64_t seed, ElementType type) {
  for (const auto& [name, parameter] : all()) {
    Random random(seed_of(seed, name));
    const Parameter::Held& held = *parameter.held_;
    parameter.assign(held.initializer(held.shape, random, held.type.value_or(type)));
  }
}

Tensors Module::parameters() const {
  Tensors values;
  for (const auto& [name, parameter] : all()) {
    if (parameter.held_->is_trained) values.emplace(name, parameter);
  }
  return values;
}

Tensors Module::state() const {
  Tensors values;
  for (const auto& [name, parameter] : all()) values.emplace(name, parameter);
  return values;
}

std::int64_t Module::parameter_count() const {
  std::int64_t count = 0;
  for (const auto& [name, parameter] : all()) {
    if (parameter.held_->is_trained) count += parameter.shape().volume();
  }
  return count;
}

void Module::update(const Tensors& values) {
  std::map<std::string, Parameter, std::less<>> known;
  std::vector<std::string_view> names;
  const auto declared = all();
  for (const auto& [name, parameter] : declared) {
    known.emplace(name, parameter);
    names.push_back(name);
  }
  for (const auto& [name, value] : values) {
    const auto parameter = known.find(name);
    if (parameter == known.end()) {
      const auto near = nearest(name, names);
      throw Error(code("bad-value"), fmt::format("the module has no parameter `{}`", shown(name)),
                  near ? fmt::format("did you mean `{}`?", *near)
                       : "the state must come from a module of the same parts");
    }
    require_shape(name, parameter->second.shape(), value);
  }
  for (const auto& [name, value] : values) known.at(name).assign(value);
}

void Module::restore(const Tensors& state) {
  for (const auto& [name, parameter] : all()) {
    if (state.contains(name)) continue;
    throw Error(code("bad-value"),
                fmt::format("the state has no tensor for the parameter `{}` of shape {}", name,
                            to_text(parameter.shape())),
                "the state must come from a module of the same parts");
  }
  update(state);
}

void Module::train(bool on) {
  held_->is_training = on;
  for (auto& [name, part] : held_->parts) part.train(on);
}

bool Module::is_training() const { return held_->is_training; }

std::string summary(const Module& module) {
  const Tensors parameters = module.parameters();
  std::size_t width = 0;
  for (const auto& [name, value] : parameters) width = std::max(width, display_width(name));
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += fmt::format("{:{}}  {:>10}  {}\n", name, width, value.shape().volume(),
                        to_text(value.shape()));
  }
  return text + fmt::format("{:{}}  {:>10}\n", "all", width, module.parameter_count());
}

}  // namespace axial
