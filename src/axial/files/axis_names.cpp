#include "axial/files/axis_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "axial/files/report.hpp"

namespace axial::files {
namespace {

using nlohmann::json;

// Of one JSON text, so that a small file cannot take much memory; a tensor has about ten.
constexpr std::int64_t max_values = 4'000'000;

/// Follows a parser over JSON without keeping anything but the keys that are open.
class PlainJson : public nlohmann::json_sax<json> {
 public:
  explicit PlainJson(std::int64_t depth) : depth_(depth) {}

  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(number_integer_t) override { return count(); }
  bool number_unsigned(number_unsigned_t) override { return count(); }
  bool number_float(number_float_t, const string_t&) override { return count(); }
  bool string(string_t&) override { return count(); }
  bool binary(binary_t&) override { return count(); }
  bool start_object(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (keys_.back().insert(name).second) return true;
    reject(fmt::format("the key {} stands twice in its JSON text", shown(name)));
  }

  bool parse_error(std::size_t position, const std::string&, const json::exception&) override {
    reject(fmt::format("its JSON text breaks off or is malformed at byte {}", position));
  }

 private:
  bool open() {
    if (std::ssize(keys_) >= depth_) {
      reject(fmt::format("its JSON text is nested more than {} deep", depth_));
    }
    keys_.emplace_back();
    return count();
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  bool count() {
    if (++values_ > max_values) {
      reject(fmt::format("its JSON text has more than {} values, the limit", max_values));
    }
    return true;
  }

  std::int64_t depth_;
  std::int64_t values_ = 0;
  std::vector<std::set<std::string>> keys_;
};

Axes parse_axes(const json& list) {
  if (!list.is_array() || std::ssize(list) > max_axes) {
    reject(fmt::format("the names of its axes are not a list of at most {} texts", max_axes));
  }
  std::vector<Axis> axes;
  for (const json& name : list) {
    if (!name.is_string()) reject("the name of an axis is not a text");
    axes.emplace_back(name.get_ref<const std::string&>());
  }
  return Axes(std::move(axes));
}

}  // namespace

AxisNames names_of(const Tensors& tensors) {
  AxisNames names;
  for (const auto& [name, tensor] : tensors) names.emplace(name, tensor.order);
  return names;
}

std::string to_json(const AxisNames& names) {
  json object = json::object();
  for (const auto& [tensor, axes] : names) {
    json& list = object[tensor] = json::array();
    for (const Axis axis : axes) list.push_back(axis.name());
  }
  try {
    return object.dump();
  } catch (const json::exception&) {
    fail_utf8();
  }
}

AxisNames parse_axis_names(std::string_view text) {
  require_plain_json(text, 2);
  const json object = json::parse(text);
  if (!object.is_object()) reject("the names of axes are not a JSON object");
  AxisNames names;
  for (const auto& [tensor, list] : object.items()) {
    within(place_of(tensor), [&] {
      try {
        names.emplace(tensor, parse_axes(list));
      } catch (const Error& error) {  // a bad or repeated name, here the fault of the file
        reject(error.message(), error.hint());
      }
    });
  }
  return names;
}

void name_axes(Stored& stored, const AxisNames& names, const std::string& tensor) {
  const auto found = names.find(tensor);
  if (found == names.end()) return;
  if (found->second.count() != std::ssize(stored.sizes)) {
    reject(fmt::format("the tensor has {} axes, but the file names {}: {}", stored.sizes.size(),
                       found->second.count(), to_text(found->second)),
           "the program that last wrote the file changed the tensor and kept the old names");
  }
  stored.axes = found->second;
}

void require_plain_json(std::string_view text, std::int64_t depth) {
  PlainJson follower(depth);
  json::sax_parse(text, &follower);
}

}  // namespace axial::files
