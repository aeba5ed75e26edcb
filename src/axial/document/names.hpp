// Names with labels: W^{l,Q}, n_{l-1}, X^1.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "axial/notation/tree.hpp"

namespace axial::document {

/// A name taken apart: what is above it first, then what is below.
struct LabelledName {
  std::string base;
  std::vector<notation::Tree> labels;
};

/// The name and labels of a name, of a power that may be a label, or of an applied function;
/// nothing for other formulas.
std::optional<LabelledName> labelled_name(const notation::Tree& tree);

/// What label variables stand for: l ↦ 1.
using Labels = std::map<std::string, std::string, std::less<>>;

/// The text of a label with variables replaced and sums computed: l-1 ↦ 0.
std::string label_text(const notation::Tree& label, const Labels& labels);

/// True if `text` fits the label `pattern`, in which the names for which `is_variable` holds stand
/// for anything; what they stand for is added to `found`.
bool fits(const notation::Tree& pattern, const std::string& text,
          const std::function<bool(const std::string&)>& is_variable, Labels& found);

/// The name with its labels as one text: W^1,Q.
std::string key_of(const LabelledName& name, const Labels& labels);

/// Calls `visit` for a tree and everything in it: operands, labels, positions, sizes of axes.
void for_each_part(const notation::Tree& tree,
                   const std::function<void(const notation::Tree&)>& visit);

/// Every axis that occurs in a tree.
std::vector<std::string> axes_in(const notation::Tree& tree);

}  // namespace axial::document
