#include "axial/tensor/axis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "axial/base/error.hpp"
#include "axial/base/text.hpp"

namespace axial {
namespace {

constexpr std::string_view prime_mark = "'", star_mark = "*", dagger_mark = "†";
// Marks names that Axial makes up to keep axes apart; it is refused in names from outside.
constexpr std::string_view fresh_mark = "‡";

bool is_word_byte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= 0x80 || (value >= '0' && value <= '9') || (value >= 'a' && value <= 'z') ||
         (value >= 'A' && value <= 'Z');
}

/// Removes `mark` from the front of `text` and says whether it was there.
bool consume(std::string_view& text, std::string_view mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(mark.size());
  return true;
}

bool starts_decoration(std::string_view text) {
  return text.starts_with(dagger_mark) || text.starts_with("′") || text.starts_with(fresh_mark);
}

/// True if a code point beyond ASCII opens `text` that is no letter: spaces, punctuation, arrows,
/// operators, private characters, marks of byte order.
bool starts_sign(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned code = byte(0) < 0xE0 ? (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu)
                        : byte(0) < 0xF0
                            ? (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu)
                            : 0x10000u;
  const bool latin_letter = code == 0xAA || code == 0xB5 || code == 0xBA;
  // A byte below 0xC0 goes on with a code point that was looked at before.
  return byte(0) >= 0xC0 &&
         ((code < 0xC0 && !latin_letter) || code == 0xD7 || code == 0xF7 || code == 0x1680 ||
          (code >= 0x2000 && code < 0x2070) || (code >= 0x2190 && code < 0x2C00) ||
          (code >= 0x3000 && code < 0x3004) || (code >= 0xE000 && code < 0xF900) || code == 0xFEFF);
}

/// The length of the word (letters, digits, subscripts) that opens `text`.
std::size_t word_length(std::string_view text) {
  std::size_t length = 0;
  const auto continues = [&](std::size_t at) {
    const std::string_view rest = text.substr(at);
    return !rest.empty() && is_word_byte(rest[0]) && !starts_decoration(rest) && !starts_sign(rest);
  };
  while (continues(length) ||
         (length > 0 && length < text.size() && text[length] == '_' && continues(length + 1))) {
    ++length;
  }
  return length;
}

std::string repeated(std::string_view mark, std::int64_t times) {
  std::string text;
  for (std::int64_t i = 0; i < times; ++i) text += mark;
  return text;
}

std::string canonical(std::string_view name, std::int64_t freshness = 0) {
  const auto fail = [&] {
    throw Error(code("bad-name"), fmt::format("`{}` is not a name for an axis", shown(name)),
                "write letters and digits, then decorations: hidden_1, seq', ax*, ax†");
  };
  const std::size_t length = word_length(name);
  if (length == 0 || (name[0] >= '0' && name[0] <= '9') || !is_utf8(name)) fail();
  const std::string_view word = name.substr(0, length);
  std::string_view rest = name.substr(length);
  std::int64_t primes = 0, stars = 0, daggers = 0;
  while (!rest.empty()) {
    if (consume(rest, prime_mark) || consume(rest, "′")) {
      ++primes;
    } else if (consume(rest, star_mark)) {
      ++stars;
    } else if (consume(rest, dagger_mark)) {
      ++daggers;
    } else {
      fail();
    }
  }
  return std::string(word) + repeated(prime_mark, primes) + repeated(star_mark, stars) +
         repeated(dagger_mark, daggers) + repeated(fresh_mark, freshness);
}

void require_distinct(std::span<const Axis> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw Error(code("repeated-axis"), fmt::format("axis `{}` is listed twice", names[i].name()),
                  fmt::format("axes of one tensor have distinct names; rename one: {0} >> {0}'",
                              names[i].name()));
    }
  }
}

}  // namespace

Axis::Axis(std::string_view name) : name_(intern(canonical(name))) {}

const Axis::Name* Axis::intern(std::string text) {
  // Names are few, and the map never moves them.
  static std::unordered_map<std::string, Name> names;
  static std::shared_mutex mutex;
  {
    const std::shared_lock reading(mutex);
    if (const auto found = names.find(text); found != names.end()) return &found->second;
  }
  const std::unique_lock writing(mutex);
  const auto [place, is_new] = names.try_emplace(std::move(text));
  if (is_new) place->second.text = place->first;
  return &place->second;
}

Axis Axis::decorated(Mark mark) const {
  auto& known = name_->decorated[static_cast<std::size_t>(mark)];
  if (const Name* found = known.load(std::memory_order_acquire)) return Axis(found);
  constexpr std::array marks = {prime_mark, star_mark, dagger_mark};
  // Marks of freshness stay behind the decorations that everybody may write.
  std::string_view word = name();
  std::int64_t freshness = 0;
  for (; word.ends_with(fresh_mark); ++freshness) word.remove_suffix(fresh_mark.size());
  const std::string_view added = marks[static_cast<std::size_t>(mark)];
  const Name* found = intern(canonical(std::string(word) + std::string(added), freshness));
  known.store(found, std::memory_order_release);
  return Axis(found);
}

SizedAxis Axis::operator[](std::int64_t size) const {
  if (size < 0) {
    throw Error(code("bad-size"), fmt::format("axis `{}` cannot have size {}", name(), size),
                "sizes are 0 or more");
  }
  return {*this, size};
}

NamedIndex Axis::operator()(std::int64_t position) const { return {*this, position}; }

NamedRange Axis::operator()(std::int64_t begin, std::int64_t end, std::int64_t step) const {
  return {*this, begin, end, step};
}

Axes::Axes(std::initializer_list<Axis> names) : Axes(FewNames(names)) {}

Axes::Axes(FewNames names) : names_(std::move(names)) { require_distinct(names_); }

bool Axes::contains(Axis axis) const { return std::ranges::find(names_, axis) != names_.end(); }

bool operator==(const Axes& left, const Axes& right) {
  return left.count() == right.count() &&
         std::ranges::all_of(left, [&](Axis axis) { return right.contains(axis); });
}

Axes operator&(const Axes& left, const Axes& right) {
  FewNames names(left.begin(), left.end());
  std::ranges::copy(right, std::back_inserter(names));
  return Axes(std::move(names));
}

namespace {

Axes filtered(const Axes& axes, auto keep) {
  FewNames names;
  std::ranges::copy_if(axes, std::back_inserter(names), keep);
  return Axes(std::move(names));
}

}  // namespace

Axes operator-(const Axes& left, const Axes& right) {
  return filtered(left, [&](Axis axis) { return !right.contains(axis); });
}

Axes common(const Axes& left, const Axes& right) {
  return filtered(left, [&](Axis axis) { return right.contains(axis); });
}

AxisParts operator&(SizedAxis left, AxisPart right) { return {{left, right}}; }
AxisParts operator&(const Axes& left, SizedAxis right) {
  AxisParts all{{left.begin(), left.end()}};
  all.parts.emplace_back(right);
  return all;
}
AxisParts operator&(AxisParts left, AxisPart right) {
  left.parts.push_back(right);
  return left;
}

Renaming operator>>(Axis from, Axis to) { return {{from}, {to}}; }
Renaming operator>>(Axis from, SizedAxis to) { return {{from}, {to}}; }
Renaming operator>>(const Axes& from, Axis to) { return {{from.begin(), from.end()}, {to}}; }
Renaming operator>>(Axis from, const Axes& to) { return {{from}, {to.begin(), to.end()}}; }
Renaming operator>>(Axis from, AxisParts to) { return {{from}, std::move(to.parts)}; }

std::string to_text(const Axes& axes) {
  std::vector<std::string_view> names;
  for (const Axis axis : axes) names.push_back(axis.name());
  std::ranges::sort(names);
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

bool is_fresh(Axis axis) { return axis.name().find(fresh_mark) != std::string_view::npos; }

Axis fresh(Axis axis, const Axes& taken) {
  do {
    axis = Axis(Axis::intern(std::string(axis.name()) + std::string(fresh_mark)));
  } while (taken.contains(axis));
  return axis;
}

}  // namespace axial
