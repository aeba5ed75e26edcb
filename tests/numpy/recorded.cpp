#include "numpy/recorded.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace axial::recorded {
namespace {

using nlohmann::json;

Tensor tensor_of(const json& recorded) {
  if (!recorded.is_object()) {
    return recorded.is_number_integer() ? Tensor(recorded.get<std::int64_t>())
                                        : Tensor(number(recorded).real());
  }
  std::vector<Number> values;
  for (const json& value : recorded.at("values")) values.push_back(number(value));
  return tensor(shape(recorded.at("shape").get<std::string>()), values,
                element_type(recorded.at("type").get<std::string>()));
}

std::vector<Tensor> tensors_of(const json& recorded) {
  std::vector<Tensor> tensors;
  for (const json& tensor : recorded) tensors.push_back(tensor_of(tensor));
  return tensors;
}

Accuracy accuracy_of(const json& facts) {
  return {.roundings = facts.value("roundings", 0.0),
          .scale = facts.value("scale", 0.0),
          .terms = facts.value("terms", 0.0),
          .magnitude = facts.value("magnitude", 0.0)};
}

Case case_of(const json& recorded) {
  Case result{.operation = recorded.at("operation"),
              .title = recorded.at("case"),
              .over = {},
              .parameters = recorded.value("parameters", json::object()),
              .inputs = tensors_of(recorded.at("inputs")),
              .outputs = tensors_of(recorded.at("outputs")),
              .accuracy = accuracy_of(recorded.value("accuracy", json::object()))};
  for (const std::string name : recorded.value("over", json::array())) {
    result.over.emplace_back(name);
  }
  return result;
}

}  // namespace

double Accuracy::allowed(double expected, ElementType type) const {
  using Single = std::numeric_limits<float>;
  using Double = std::numeric_limits<double>;
  const double epsilon = type == float32 ? Single::epsilon() : Double::epsilon();
  const double smallest = type == float32 ? Single::min() : Double::min();
  const double rounded = std::max({std::abs(expected), scale, smallest});
  return epsilon * roundings * rounded + Double::epsilon() * terms * magnitude;
}

std::string folder() { return std::string(AXIAL_SOURCE_DIR) + "/tests/numpy/recorded"; }

std::vector<Case> cases(std::string_view record, const std::string& where) {
  const std::filesystem::path path = std::filesystem::path(where) / (std::string(record) + ".json");
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::vector<Case> result;
  for (const json& recorded : json::parse(file)) result.push_back(case_of(recorded));
  return result;
}

std::vector<Case> cases_of(std::string_view record, std::string_view operation) {
  std::vector<Case> result = cases(record);
  std::erase_if(result, [&](const Case& one) { return one.operation != operation; });
  return result;
}

std::vector<std::string> records(const std::string& where) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(where)) {
    names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

ElementType element_type(std::string_view name) {
  const auto found = std::ranges::find(element_facts, name, &ElementFacts::name);
  if (found == element_facts.end())
    throw std::runtime_error("no element type " + std::string(name));
  return found->type;
}

Number number(const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::string text = value;
  return text == "inf" ? infinite : text == "-inf" ? -infinite : std::nan("");
}

Shape shape(std::string_view text) {
  std::vector<SizedAxis> axes;
  while (!text.empty()) {
    const std::size_t bracket = text.find('['), end = text.find(']');
    std::int64_t size = 0;
    std::from_chars(text.data() + bracket + 1, text.data() + end, size);
    axes.push_back(Axis(text.substr(0, bracket))[size]);
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return Shape(axes);
}

}  // namespace axial::recorded
