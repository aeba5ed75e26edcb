// The types that elements of a tensor can have, and plain numbers that take the type they meet.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <utility>

#include "axial/base/error.hpp"

namespace axial {

enum class ElementType : std::uint8_t { float32, float64, int32, int64, boolean };

inline constexpr ElementType float32 = ElementType::float32;
inline constexpr ElementType float64 = ElementType::float64;
inline constexpr ElementType int32 = ElementType::int32;
inline constexpr ElementType int64 = ElementType::int64;
inline constexpr ElementType boolean = ElementType::boolean;

/// The name and size of an element type.
struct ElementFacts {
  ElementType type;
  std::string_view name;
  std::int64_t bytes;
};

inline constexpr auto element_facts = std::to_array<ElementFacts>({
    {float32, "float32", 4},
    {float64, "float64", 8},
    {int32, "int32", 4},
    {int64, "int64", 8},
    {boolean, "bool", 1},
});

constexpr const ElementFacts& facts(ElementType type) {
  return element_facts[static_cast<std::size_t>(type)];
}

constexpr std::string_view to_text(ElementType type) { return facts(type).name; }
constexpr bool is_real(ElementType type) { return type == float32 || type == float64; }
constexpr bool is_integer(ElementType type) { return type == int32 || type == int64; }

/// Calls `visit.template operator()<T>()` with the C++ type of the elements.
template <class Visit>
constexpr decltype(auto) visit_element(ElementType type, Visit&& visit) {
  switch (type) {
    case float32: return visit.template operator()<float>();
    case float64: return visit.template operator()<double>();
    case int32: return visit.template operator()<std::int32_t>();
    case int64: return visit.template operator()<std::int64_t>();
    case boolean: return visit.template operator()<bool>();
  }
  bug("unknown element type");
}

/// A C++ type that elements of a tensor are stored as.
template <class T>
concept Element =
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, bool>;

/// The element type that C++ calls T; other integers by their width.
template <class T>
  requires std::is_arithmetic_v<T>
constexpr ElementType element_type_of() {
  if constexpr (std::same_as<T, bool>) return boolean;
  if constexpr (std::same_as<T, float>) return float32;
  if constexpr (std::floating_point<T>) return float64;
  return sizeof(T) < 8 && !(sizeof(T) == 4 && std::unsigned_integral<T>) ? int32 : int64;
}

/// A number written in a program, kept exactly: real or whole.
class Number {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr Number(T value)  // NOLINT(google-explicit-constructor): a number is a number
      : is_whole_(is_kept_whole(value)),
        real_(static_cast<double>(value)),
        whole_(is_whole_ ? static_cast<std::int64_t>(value) : 0) {}

  constexpr double real() const { return real_; }
  constexpr bool is_whole() const { return is_whole_; }
  /// True if a tensor of this element type can hold the number without changing its kind.
  bool fits(ElementType type) const;
  /// The number as a whole one. Only for numbers that fit an integer or boolean type.
  std::int64_t whole() const;

  friend bool operator==(const Number&, const Number&) = default;

 private:
  /// True for integers, but for those beyond 2^63, which are kept as reals.
  template <class T>
  static constexpr bool is_kept_whole(T value) {
    if constexpr (std::same_as<T, bool>)
      return true;
    else if constexpr (std::integral<T>)
      return std::in_range<std::int64_t>(value);
    else
      return false;
  }

  bool is_whole_;
  double real_;
  std::int64_t whole_;
};

/// The number as people write it: `3`, `0.5`, `-inf`.
std::string to_text(const Number& number);

}  // namespace axial
