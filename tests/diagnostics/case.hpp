// The table of wrong uses. Each says which code it deserves and which words its message owes the
// user; golden.txt holds the full texts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace axial::diagnostics {

/// One wrong use.
struct Case {
  /// What is wrong, as a heading in golden.txt; unique.
  std::string title;
  std::string code;
  /// What the message must name: the axis, the shapes, the sizes.
  std::vector<std::string> mentions;
  std::function<void()> wrong;
  /// The text with the mistake, for errors that have a place in one.
  std::optional<std::string> source = {};
};

// The table, by subject.
std::vector<Case> name_cases();
std::vector<Case> axis_cases();
std::vector<Case> size_cases();
std::vector<Case> subscript_cases();
std::vector<Case> reshape_cases();
std::vector<Case> value_cases();
std::vector<Case> element_cases();
std::vector<Case> function_cases();
std::vector<Case> scan_cases();
std::vector<Case> calculus_cases();
std::vector<Case> matrix_cases();
std::vector<Case> notation_cases();
std::vector<Case> document_axis_cases();
std::vector<Case> document_cases();
std::vector<Case> file_cases();
std::vector<Case> module_cases();
std::vector<Case> training_cases();

/// All of them, in this order.
std::vector<Case> all_cases();

}  // namespace axial::diagnostics
