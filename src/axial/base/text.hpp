// Small helpers for text that people read.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace axial {

/// The candidate that differs from `wanted` by few letters, or nothing if none is near.
std::optional<std::string_view> nearest(std::string_view wanted,
                                        std::span<const std::string_view> candidates);

/// True if the bytes are well-formed UTF-8.
bool is_utf8(std::string_view text);

/// Text from outside, safe and short enough for a message: control characters and bytes that are
/// not UTF-8 are escaped, a long middle is left out.
std::string shown(std::string_view text);

/// How many character cells `text` takes on a terminal, counting each code point as one.
std::size_t display_width(std::string_view text);

}  // namespace axial
