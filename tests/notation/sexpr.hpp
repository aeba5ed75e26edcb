// Trees as text with every parenthesis written, to state how formulas bind.
#pragma once

#include <string>
#include <string_view>

#include "axial/notation/elaborate.hpp"
#include "axial/notation/parse.hpp"
#include "axial/notation/phrases.hpp"

namespace axial::notation {

/// (add a (exp b)), with axes under a function as sum_{a, b}.
inline std::string as_lisp(const Tree& tree) {
  if (tree.form == Form::number || tree.form == Form::name) return tree.text;
  if (tree.form == Form::size) return "|" + tree.text + "|";
  std::string head = tree.form == Form::truth      ? "truth"
                     : tree.form == Form::contract ? "dot"
                                                   : tree.text;
  for (std::size_t k = 0; k < tree.axes.size(); ++k) head += (k == 0 ? "_" : ",") + tree.axes[k];
  for (const Tree& child : tree.children) head += " " + as_lisp(child);
  return "(" + head + ")";
}

inline std::string lisp(std::string_view source) {
  return as_lisp(parse_formula(source, is_function));
}

}  // namespace axial::notation
