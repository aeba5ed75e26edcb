#include "axial/base/text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace axial {
namespace {

/// The least number of letters to insert, remove or replace to turn `left` into `right`.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view wanted,
                                        std::span<const std::string_view> candidates) {
  std::optional<std::string_view> best;
  std::size_t best_distance = 1 + wanted.size() / 3;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(wanted, candidate);
    if (distance < best_distance || (distance == best_distance && !best)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

}  // namespace axial
