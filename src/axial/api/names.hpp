// Names that the compiler knows: `axis<"seq">`, sets of them, and the algebra of those sets. A set is
// a type that does not depend on the order in which it was written.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "axial/tensor/shape.hpp"

namespace axial {

/// A string as a template argument.
template <std::size_t N>
struct FixedString {
  char text[N] = {};
  constexpr FixedString() = default;
  constexpr FixedString(const char (&literal)[N]) { std::copy_n(literal, N, text); }  // NOLINT
  constexpr std::string_view view() const { return {text, N - 1}; }
};

/// A set of names in alphabetical order.
template <FixedString... Names>
struct NameSet {
  static constexpr std::size_t count = sizeof...(Names);
};

/// The names are known only when the program runs.
struct AnyNames {};

namespace names {

template <FixedString Name, class Set>
struct Prepend;
template <FixedString Name, FixedString... Rest>
struct Prepend<Name, NameSet<Rest...>> {
  using type = NameSet<Name, Rest...>;
};

template <FixedString Name, class Set>
struct Insert;
template <FixedString Name>
struct Insert<Name, NameSet<>> {
  using type = NameSet<Name>;
};
template <FixedString Name, FixedString First, FixedString... Rest>
struct Insert<Name, NameSet<First, Rest...>> {
  static constexpr auto select() {
    if constexpr (Name.view() == First.view()) {
      return NameSet<First, Rest...>{};
    } else if constexpr (Name.view() < First.view()) {
      return NameSet<Name, First, Rest...>{};
    } else {
      return typename Prepend<First, typename Insert<Name, NameSet<Rest...>>::type>::type{};
    }
  }
  using type = decltype(select());
};

template <FixedString... Names>
constexpr auto set_of() {
  if constexpr (sizeof...(Names) == 0) {
    return NameSet<>{};
  } else {
    return []<FixedString First, FixedString... Rest>(std::type_identity<NameSet<First, Rest...>>) {
      return typename Insert<First, decltype(set_of<Rest...>())>::type{};
    }(std::type_identity<NameSet<Names...>>{});
  }
}

template <FixedString Name, FixedString... Names>
constexpr bool contains(NameSet<Names...>) {
  return ((Name.view() == Names.view()) || ...);
}

template <FixedString... Left, FixedString... Right>
constexpr auto unite(NameSet<Left...>, NameSet<Right...>) {
  return set_of<Left..., Right...>();
}
template <class Left, class Right>
constexpr AnyNames unite(Left, Right) {
  return {};
}

template <class Right>
constexpr NameSet<> subtract(NameSet<>, Right) {
  return {};
}
template <FixedString First, FixedString... Rest, FixedString... Right>
constexpr auto subtract(NameSet<First, Rest...>, NameSet<Right...> right) {
  using Others = decltype(subtract(NameSet<Rest...>{}, right));
  if constexpr (contains<First>(NameSet<Right...>{})) {
    return Others{};
  } else {
    return typename Prepend<First, Others>::type{};
  }
}
template <class Left, class Right>
  requires(std::same_as<Left, AnyNames> || std::same_as<Right, AnyNames>)
constexpr AnyNames subtract(Left, Right) {
  return {};
}

}  // namespace names

/// The set with these names, whatever their order.
template <FixedString... Names>
using SetOf = decltype(names::set_of<Names...>());
/// The names of both sets, or AnyNames if one is not known to the compiler.
template <class Left, class Right>
using Union = decltype(names::unite(Left{}, Right{}));
/// The names of Left that are not in Right, or AnyNames.
template <class Left, class Right>
using Difference = decltype(names::subtract(Left{}, Right{}));

template <FixedString Name>
struct axis;

/// Fails to compile, with axis and shape in the message, unless the shape has the axis.
template <class Axis, class Shape>
struct AxisMustBeInShape;
template <FixedString Name, FixedString... Names>
struct AxisMustBeInShape<axis<Name>, NameSet<Names...>> {
  static_assert(names::contains<Name>(NameSet<Names...>{}),
                "an operation names an axis that the tensor does not have; the message names "
                "AxisMustBeInShape<the axis, the shape>");
  static constexpr bool holds = true;
};

/// Fails to compile, with axis and shape in the message, if the shape already has the axis.
template <class Axis, class Shape>
struct AxisMustBeNew;
template <FixedString Name, FixedString... Names>
struct AxisMustBeNew<axis<Name>, NameSet<Names...>> {
  static_assert(!names::contains<Name>(NameSet<Names...>{}),
                "an operation would give the tensor a second axis of one name; the message names "
                "AxisMustBeNew<the axis, the rest of the shape>");
  static constexpr bool holds = true;
};

namespace names {

template <FixedString... Wanted, FixedString... Had>
constexpr bool require_in(NameSet<Wanted...>, NameSet<Had...>) {
  return (AxisMustBeInShape<axis<Wanted>, NameSet<Had...>>::holds && ...);
}
template <FixedString... Wanted, FixedString... Had>
constexpr bool require_new(NameSet<Wanted...>, NameSet<Had...>) {
  return (AxisMustBeNew<axis<Wanted>, NameSet<Had...>>::holds && ...);
}
// Names that the compiler does not know are checked when the program runs.
template <class Wanted, class Had>
constexpr bool require_in(Wanted, Had) {
  return true;
}
template <class Wanted, class Had>
constexpr bool require_new(Wanted, Had) {
  return true;
}

/// True if a name starts with a letter and its decorations stand in order: primes, stars, daggers.
constexpr bool is_canonical(std::string_view name) {
  std::size_t word = 0;
  while (word < name.size() && name[word] != '\'' && name[word] != '*' &&
         !name.substr(word).starts_with("†")) {
    ++word;
  }
  std::string_view rest = name.substr(word);
  for (const std::string_view mark : {"'", "*", "†"}) {
    while (rest.starts_with(mark)) rest.remove_prefix(mark.size());
  }
  return word > 0 && !(name[0] >= '0' && name[0] <= '9') && rest.empty();
}

/// `text` with a decoration, kept in canonical order: primes, stars, daggers.
template <FixedString Name, FixedString Mark, FixedString... After>
constexpr auto decorate() {
  constexpr std::string_view name = Name.view(), mark = Mark.view();
  constexpr std::size_t size = Name.view().size() + Mark.view().size();
  std::size_t split = name.size();
  bool moved = true;
  while (moved) {
    moved = false;
    for (const std::string_view later :
         std::array<std::string_view, sizeof...(After)>{After.view()...}) {
      if (name.substr(0, split).ends_with(later)) {
        split -= later.size();
        moved = true;
      }
    }
  }
  FixedString<size + 1> result;
  char* out = std::copy_n(name.data(), split, result.text);
  out = std::copy_n(mark.data(), mark.size(), out);
  std::copy_n(name.data() + split, name.size() - split, out);
  return result;
}

}  // namespace names

/// A sized axis, named index, slice or renaming whose names the compiler knows.
template <FixedString Name>
struct StaticSizedAxis : SizedAxis {};
template <FixedString Name>
struct StaticIndex : NamedIndex {};
template <FixedString Name>
struct StaticRange : NamedRange {};
template <FixedString Name, class Indices>
struct StaticIndexedBy : IndexedBy<Indices> {};
template <class From, class To>
struct StaticRenaming : Renaming {};
template <FixedString... Names>
struct StaticParts : AxisParts {};

/// A set of axes that the compiler knows; it remembers the written order like Axes.
template <FixedString... Names>
struct StaticAxes {
  static_assert(SetOf<Names...>::count == sizeof...(Names), "an axis is listed twice");
  operator Axes() const { return Axes{Axis(Names.view())...}; }  // NOLINT
};

/// An axis whose name the compiler knows: `constexpr axis<"seq"> seq;`
template <FixedString Name>
struct axis {  // NOLINT(readability-identifier-naming): spelled like a keyword of the notation
  static_assert(names::is_canonical(Name.view()),
                "an axis is called by letters and digits, then primes, stars and daggers in order");
  constexpr axis() = default;

  operator Axis() const {  // NOLINT(google-explicit-constructor)
    static const Axis interned(Name.view());
    return interned;
  }
  operator Axes() const { return Axes(Axis(*this)); }  // NOLINT(google-explicit-constructor)

  constexpr axis<names::decorate<Name, "'", "*", "†">()> prime() const { return {}; }
  constexpr axis<names::decorate<Name, "*", "†">()> star() const { return {}; }
  constexpr axis<names::decorate<Name, "†">()> dagger() const { return {}; }

  StaticSizedAxis<Name> operator[](std::int64_t size) const { return {Axis(*this)[size]}; }
  StaticIndex<Name> operator()(std::int64_t position) const { return {Axis(*this)(position)}; }
  StaticRange<Name> operator()(std::int64_t begin, std::int64_t end, std::int64_t step = 1) const {
    return {Axis(*this)(begin, end, step)};
  }
  template <class Indices>
    requires(!std::is_arithmetic_v<Indices>)
  StaticIndexedBy<Name, Indices> operator()(const Indices& indices) const {
    return {Axis(*this)(indices)};
  }
  template <std::floating_point T>
  StaticSizedAxis<Name> operator[](T size) const = delete;
  template <std::floating_point T>
  StaticIndex<Name> operator()(T position) const = delete;
};

template <FixedString Left, FixedString Right>
StaticAxes<Left, Right> operator&(axis<Left>, axis<Right>) {
  return {};
}
template <FixedString... Left, FixedString Right>
StaticAxes<Left..., Right> operator&(StaticAxes<Left...>, axis<Right>) {
  return {};
}
template <FixedString Left, FixedString Right>
StaticParts<Left, Right> operator&(StaticSizedAxis<Left> left, axis<Right> right) {
  return {static_cast<SizedAxis>(left) & AxisPart(Axis(right))};
}
template <FixedString Left, FixedString Right>
StaticParts<Left, Right> operator&(axis<Left> left, StaticSizedAxis<Right> right) {
  return {Axes(left) & static_cast<SizedAxis>(right)};
}
template <FixedString Left, FixedString Right>
StaticParts<Left, Right> operator&(StaticSizedAxis<Left> left, StaticSizedAxis<Right> right) {
  return {static_cast<SizedAxis>(left) & AxisPart(static_cast<SizedAxis>(right))};
}

template <FixedString... Left, FixedString Right>
StaticParts<Left..., Right> operator&(StaticAxes<Left...> left, StaticSizedAxis<Right> right) {
  return {Axes(left) & static_cast<SizedAxis>(right)};
}
template <FixedString... Left, FixedString Right>
StaticParts<Left..., Right> operator&(StaticParts<Left...> left, axis<Right> right) {
  return {static_cast<AxisParts>(left) & AxisPart(Axis(right))};
}
template <FixedString... Left, FixedString Right>
StaticParts<Left..., Right> operator&(StaticParts<Left...> left, StaticSizedAxis<Right> right) {
  return {static_cast<AxisParts>(left) & AxisPart(static_cast<SizedAxis>(right))};
}

template <FixedString From, FixedString To>
StaticRenaming<NameSet<From>, NameSet<To>> operator>>(axis<From> from, axis<To> to) {
  return {Axis(from) >> Axis(to)};
}
template <FixedString... From, FixedString To>
StaticRenaming<SetOf<From...>, NameSet<To>> operator>>(StaticAxes<From...> from, axis<To> to) {
  return {Axes(from) >> Axis(to)};
}
template <FixedString From, FixedString... To>
StaticRenaming<NameSet<From>, SetOf<To...>> operator>>(axis<From> from, StaticParts<To...> to) {
  return {Axis(from) >> static_cast<AxisParts>(to)};
}

/// The names that a type of the library carries, as far as the compiler knows them.
template <class T>
struct NamesOf {
  using type = AnyNames;
};
template <class T>
  requires std::is_arithmetic_v<T>
struct NamesOf<T> {
  using type = NameSet<>;
};
template <FixedString Name>
struct NamesOf<axis<Name>> {
  using type = NameSet<Name>;
};
template <FixedString... Names>
struct NamesOf<StaticAxes<Names...>> {
  using type = SetOf<Names...>;
};
template <FixedString Name>
struct NamesOf<StaticSizedAxis<Name>> {
  using type = NameSet<Name>;
};

template <class T>
using Names = typename NamesOf<std::remove_cvref_t<T>>::type;

}  // namespace axial
