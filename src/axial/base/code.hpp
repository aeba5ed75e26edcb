// Every diagnostic has a code that users' scripts may rely on; this is the only list of them.
#pragma once

#include <array>
#include <string_view>

namespace axial {

/// A diagnostic's stable name and what it means in one sentence.
struct Code {
  std::string_view name;
  std::string_view summary;
};

inline constexpr auto all_codes = std::to_array<Code>({
    {"bad-name", "an axis name is not letters and digits followed by decorations"},
    {"repeated-axis", "a set of axes or a shape lists one name twice"},
    {"bad-size", "a size or count is negative or otherwise impossible"},
    {"too-large", "a tensor has more elements than can be addressed or allocated"},
    {"unknown-axis", "an operation names an axis that its operand does not have"},
    {"unexpected-axis", "a tensor has an axis that the place it is used in does not allow"},
    {"size-clash", "one axis name has two sizes in one operation"},
    {"rename-clash", "a rename or reshape makes a name that the tensor already has"},
    {"lifting-clash", "an extra axis of an argument is also an axis of the function's result"},
    {"index-out-of-range", "an index is not below the size of its axis"},
    {"window-size", "a window does not fit the axis, or leaves a remainder"},
    {"wrong-count", "the number of values differs from the number of elements of the shape"},
    {"wrong-arity", "a function is given the wrong number of arguments or axes"},
    {"element-type", "the element types of the operands do not fit the operation"},
    {"bad-value", "a value cannot be represented or is outside the function's domain"},
    {"empty-axis", "a reduction that has no neutral element meets an empty axis"},
    {"singular", "a matrix has no inverse"},
    {"not-differentiable", "a derivative is asked for where there is none"},
    {"needs-value", "a value is asked for where only shapes are known"},
    {"bad-file", "a file is not what its format promises"},
    {"file-access", "a file cannot be opened, read or written"},
    {"syntax", "a text does not follow the grammar of the notation"},
    {"macro-limit", "macros expand too deep or too far"},
    {"undeclared", "a name has no declaration in scope"},
    {"foreign", "a formula uses notation that does not say which axes it means"},
    {"contraction-axis", "a contraction names an axis that one of its sides lacks"},
    {"index-bound", "an index may be larger than the axis that it is used on"},
    {"result-axes", "a definition has other axes than its declared result"},
    {"unbalanced", "brackets do not match"},
    {"not-equal", "two sides of an equation differ for some values"},
    {"wrong-rule", "a step cites a rule, and another rule gives it"},
    {"redeclared", "one scope declares a name twice"},
    {"no-shared-axis", "the operands of a sum have no axis in common"},
    {"unused", "a declared name is never used"},
});

/// The record of the code called `name`; a misspelt name does not compile.
consteval const Code& code(std::string_view name) {
  for (const Code& candidate : all_codes) {
    if (candidate.name == name) return candidate;
  }
  throw "no diagnostic has this code";
}

}  // namespace axial
