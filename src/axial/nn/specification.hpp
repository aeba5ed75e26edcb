// Specifications such as `adam:lr=1e-3,beta1=0.9`: the name of a kind and numbers for its settings.
#pragma once

#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace axial {

/// A setting of some kind, what it is where nothing is said, and between which numbers it must lie.
struct Setting {
  std::string_view name;
  double value = 0;
  double least = 0;
  /// The setting lies below this number.
  double below = std::numeric_limits<double>::infinity();
};

/// Something that can be specified by its name and its settings.
struct SpecifiedKind {
  std::string_view name;
  std::span<const Setting> settings;
};

/// A name and settings, as they were written or, once `completed`, all of them.
class Specification {
 public:
  /// Reads `name` or `name:setting=number,flag`; a flag is 1. Fails with bad-value.
  Specification(std::string_view text);  // NOLINT(google-explicit-constructor)
  Specification(const char* text) : Specification(std::string_view(text)) {}         // NOLINT
  Specification(const std::string& text) : Specification(std::string_view(text)) {}  // NOLINT
  Specification(std::string name, std::map<std::string, double, std::less<>> settings)
      : name_(std::move(name)), settings_(std::move(settings)) {}

  const std::string& name() const { return name_; }
  const std::map<std::string, double, std::less<>>& settings() const { return settings_; }
  /// The number of a setting. It must be there.
  double operator[](std::string_view setting) const { return settings_.find(setting)->second; }

 private:
  std::string name_;
  std::map<std::string, double, std::less<>> settings_;
};

/// The specification with a number for every setting of its kind. Fails with bad-value, listing what
/// is known, if the kind or a setting is unknown or a number is out of range; `subject` says what is
/// specified.
Specification completed(const Specification& specification, std::string_view subject,
                        std::span<const SpecifiedKind> kinds);

/// The specification as it is written: `adam:beta1=0.9,lr=0.001`.
std::string to_text(const Specification& specification);

}  // namespace axial
