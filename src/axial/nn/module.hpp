// Modules: functions with parameters that have names. A layer derives from Module, declares its
// parameters and the modules that it is made of, and says in operator() what it computes.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "axial/api/files.hpp"
#include "axial/api/operations.hpp"
#include "axial/nn/initializer.hpp"

namespace axial {

/// A tensor that training changes, or a running statistic. It is used like a tensor. Copies are
/// handles to the same value, so that two modules can share it.
class Parameter {
 public:
  const Shape& shape() const { return held_->shape; }
  std::int64_t size(Axis axis) const { return held_->shape.size(axis); }
  ElementType type() const { return value().type(); }

  /// The current value. Fails with needs-value before the module was initialised or restored.
  const Tensor& value() const;
  operator const Tensor&() const { return value(); }  // NOLINT(google-explicit-constructor)
  template <class... Parts>
  Tensor operator[](const Parts&... parts) const {
    return value()[parts...];
  }

  /// Gives it another value. Fails with size-clash, naming both shapes, unless it has the same shape.
  void assign(Tensor value) const;

 private:
  friend class Module;
  struct Held {
    std::string name;
    Shape shape;
    Initializer initializer;
    bool is_trained;
    std::optional<ElementType> type;  // that of the module unless set
    std::optional<Tensor> value;
  };
  explicit Parameter(Held held) : held_(std::make_shared<Held>(std::move(held))) {}

  std::shared_ptr<Held> held_;
};

template <>
inline constexpr bool is_tensor<Parameter> = true;

/// The base of all layers and models. Copies are handles to the same parameters, buffers and mode.
class Module {
 public:
  Module();

  /// Draws all parameters. The numbers of a parameter depend on the seed and on its full name alone, so
  /// that others may come and go. Without this or `restore` a module has no values.
  void initialize(std::uint64_t seed, ElementType type = float32);

  /// What training changes, by full names such as `encoder.layer1.W`.
  Tensors parameters() const;
  /// What is kept in files: parameters and buffers.
  Tensors state() const;
  /// How many numbers training changes.
  std::int64_t parameter_count() const;

  /// Takes over the values of a state. Fails with bad-value, naming the tensor, if one is missing or
  /// unknown, and with size-clash if one has another shape; then nothing has changed.
  void restore(const Tensors& state);
  /// Takes over the values of some parameters and buffers; fails like `restore` but for those missing.
  void update(const Tensors& values);

  /// Dropout and running statistics know two modes; a new module is in training.
  void train(bool on = true);
  void evaluate() { train(false); }
  bool is_training() const;

 protected:
  /// Declares a tensor that training changes. Fails with bad-value or redeclared.
  Parameter parameter(std::string name, const Shape& shape, Initializer initializer);
  /// Declares a tensor that belongs to the state and that training does not change by gradients.
  Parameter buffer(std::string name, const Shape& shape, Initializer initializer,
                   std::optional<ElementType> type = {});
  /// Declares a part, whose names go below `name`. Fails with bad-value or redeclared.
  template <std::derived_from<Module> Part>
  Part child(std::string name, Part part) {
    adopt(std::move(name), part);
    return part;
  }

  /// Declares parts called name1, name2, … that `make()` gives.
  template <std::invocable Make>
  auto children(const std::string& name, std::int64_t count, const Make& make) {
    std::vector<decltype(make())> parts;
    for (std::int64_t k = 1; k <= count; ++k) {
      parts.push_back(child(name + std::to_string(k), make()));
    }
    return parts;
  }

 private:
  struct Held;

  void require_new(const std::string& name) const;
  void adopt(std::string name, const Module& part);
  Parameter declare(Parameter parameter);
  /// Every parameter and buffer with its full name, in the order of declaration, shared ones once.
  std::vector<std::pair<std::string, Parameter>> all() const;

  std::shared_ptr<Held> held_;
};

/// The module as a table for people: name, shape and count of each parameter.
std::string summary(const Module& module);

}  // namespace axial
