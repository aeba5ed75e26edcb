// Small helpers for text that people read.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace axial {

/// The candidate that differs from `wanted` by few letters, or nothing if none is near.
std::optional<std::string_view> nearest(std::string_view wanted,
                                        std::span<const std::string_view> candidates);

/// How many character cells `text` takes on a terminal, counting each code point as one.
std::size_t display_width(std::string_view text);

}  // namespace axial
