// Cases that record.py wrote down: what went into an operation of NumPy and what came out.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "axial/axial.hpp"

namespace axial::recorded {

/// How far a result may be from the recorded one; recording/case.py says what the facts mean.
struct Accuracy {
  double roundings = 0;
  double scale = 0;
  double terms = 0;
  double magnitude = 0;

  /// The largest error of a result `expected` whose elements are of this type.
  double allowed(double expected, ElementType type) const;
  friend bool operator==(const Accuracy&, const Accuracy&) = default;
};

struct Case {
  std::string operation;
  std::string title;
  /// The axes on which the operation works, in order.
  std::vector<Axis> over;
  nlohmann::json parameters;
  /// Tensors and plain numbers.
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  Accuracy accuracy;

  Axis axis() const { return over.at(0); }
  Axes axes() const { return Axes(over); }
  Axis axis(const char* parameter) const { return Axis(text(parameter)); }
  std::string text(const char* parameter) const { return parameters.at(parameter); }
  std::int64_t whole(const char* parameter) const { return parameters.at(parameter); }
};

/// The folder with the records.
std::string folder();

/// All cases of a record, `words` for words.json, in `where`.
std::vector<Case> cases(std::string_view record, const std::string& where = folder());

/// The cases of one operation.
std::vector<Case> cases_of(std::string_view record, std::string_view operation);

/// The names of all records in `where`, in alphabetical order.
std::vector<std::string> records(const std::string& where = folder());

/// The element type called `name`.
ElementType element_type(std::string_view name);

/// A number of JSON; NaN and infinities are text there.
Number number(const nlohmann::json& value);

/// A shape written as `a[2] b[3]`.
Shape shape(std::string_view text);

}  // namespace axial::recorded
