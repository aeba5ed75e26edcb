// Trees and statements as plain text and as LaTeX. What is printed reads back as the same tree;
// parentheses stand only where binding needs them.
#pragma once

#include <string>
#include <vector>

#include "axial/notation/tree.hpp"

namespace axial::notation {

/// softmax_seq(Q .key K) .seq V
std::string to_text(const Tree& tree);
std::string to_text(const Domain& domain);
std::string to_text(const Statement& statement);

/// \nfun{\name{seq}}{softmax}(Q \ndot{\name{key}} K) \ndot{\name{seq}} V, with the macros of
/// namedtensor.sty.
std::string to_latex(const Tree& tree);
std::string to_latex(const Domain& domain);
std::string to_latex(const Statement& statement);

/// The names of the axes that occur, without decorations, sorted and each once: what a document
/// would say \ndef for.
std::vector<std::string> axis_names(const Statement& statement);
std::vector<std::string> axis_names(const Tree& tree);

}  // namespace axial::notation
