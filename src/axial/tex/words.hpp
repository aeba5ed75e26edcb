// The environments and commands that are known by name.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace axial::tex {

/// True if `name` is one of `list`.
inline bool is_one_of(std::string_view name, std::span<const std::string_view> list) {
  return std::ranges::find(list, name) != list.end();
}

/// `name` without a * at its end.
std::string_view unstarred(std::string_view name);

/// align, equation and the like, starred or not: what is inside is mathematics.
bool is_math_environment(std::string_view name);
/// aligned, split and the like: rows of a display when they are all there is in its row.
bool is_inner_display(std::string_view name);
/// Environments without mathematics for us: figures, tables, pictures.
bool is_passed_over(std::string_view name);
/// Environments that cannot stand in a formula: to meet one tells that the formula is not closed.
bool is_textual_environment(std::string_view name);
/// \text and the like, whose argument is prose.
bool is_text_command(std::string_view name);
/// \section and the like, \item: no formula goes on behind them.
bool is_structural(std::string_view name);
/// \newcommand and all others that define something.
bool is_definition(std::string_view name);
/// \name, \ndot and the like, which a document may define but which we know better.
bool is_protected(std::string_view name);

}  // namespace axial::tex
