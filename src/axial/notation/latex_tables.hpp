// What the commands of LaTeX stand for in the notation.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>

#include "axial/notation/letters.hpp"

namespace axial::notation::latex {

struct Sign {
  std::string_view command;
  std::string_view symbol;
};

/// Commands that stand for one symbol of the notation.
inline constexpr auto signs = std::to_array<Sign>({
    {"odot", "⊙"},
    {"cdot", "⊙"},
    {"circ", "⊙"},
    {"ast", "⊙"},
    {"times", "×"},
    {"rightarrow", "→"},
    {"to", "→"},
    {"longrightarrow", "→"},
    {"mapsto", "→"},
    {"in", "∈"},
    {"colon", ":"},
    {"leq", "≤"},
    {"le", "≤"},
    {"geq", "≥"},
    {"ge", "≥"},
    {"neq", "≠"},
    {"ne", "≠"},
    {"lt", "<"},
    {"gt", ">"},
    {"land", "∧"},
    {"wedge", "∧"},
    {"lor", "∨"},
    {"lnot", "¬"},
    {"neg", "¬"},
    {"infty", "∞"},
    {"partial", "∂"},
    {"ldots", "…"},
    {"cdots", "…"},
    {"dots", "…"},
    {"vdots", "…"},
    {"dotsc", "…"},
    {"dotsb", "…"},
    {"mid", "|"},
    {"vert", "|"},
    {"lvert", "|"},
    {"rvert", "|"},
    {"Vert", "‖"},
    {"lVert", "‖"},
    {"rVert", "‖"},
    {"|", "‖"},
    {"{", "{"},
    {"}", "}"},
    {"lbrace", "{"},
    {"rbrace", "}"},
    {"lbrack", "["},
    {"rbrack", "]"},
    {"dagger", "†"},
    {"top", "⊤"},
    {"intercal", "⊤"},
    {"star", "⊙"},
    {"cup", "∪"},
    {"cap", "∩"},
    {"setminus", "∖"},
    {"subseteq", "⊆"},
    {"subset", "⊆"},
    {"supseteq", "⊇"},
    {"emptyset", "∅"},
    {"varnothing", "∅"},
    {"approx", "≈"},
    {"equiv", "≡"},
    {"propto", "∝"},
    {"sim", "~"},
    {"iff", "⇔"},
    {"Leftrightarrow", "⇔"},
    {"implies", "⇒"},
    {"Rightarrow", "⇒"},
    {"triangleq", "="},
    {"coloneqq", ":="},
    {"coloneq", ":="},
    {"defeq", ":="},
    {"doteq", "="},
    {"oplus", "⊕"},
    {"div", "/"},
    {"langle", "\\langle"},
    {"rangle", "\\rangle"},
});

/// Commands that print the word that they are called and are no functions of the vocabulary.
inline constexpr auto word_commands = std::to_array<std::string_view>({"lim", "arg", "sup", "inf"});

/// Functions whose usual spelling differs from ours.
inline constexpr auto other_spellings = std::to_array<Sign>({
    {"ln", "log"},
    {"arcsin", "asin"},
    {"arccos", "acos"},
    {"arctan", "atan"},
    {"ReLU", "relu"},
    {"sgn", "sign"},
    {"inv", "inverse"},
});

/// Fonts, by what they say about a name.
inline constexpr auto axis_fonts =
    std::to_array<std::string_view>({"name", "mathsf", "textsf", "mathtt", "texttt", "textsc"});
inline constexpr auto word_fonts = std::to_array<std::string_view>(
    {"text", "mathrm", "operatorname", "operatorname*", "textrm", "mbox", "textnormal", "textup",
     "mathop", "hbox", "textit", "textbf", "emph"});
inline constexpr auto letter_fonts = std::to_array<std::string_view>(
    {"mathit",    "mathbf",     "boldsymbol", "bm",    "mathfrak", "mathbfit", "symbf",
     "pmb",       "mathnormal", "hat",        "tilde", "bar",      "vec",      "widehat",
     "widetilde", "overline",   "underline",  "dot",   "ddot",     "check",    "breve"});
inline constexpr auto accents = std::to_array<Sign>({{"hat", "\u0302"},
                                                     {"tilde", "\u0303"},
                                                     {"bar", "\u0304"},
                                                     {"vec", "\u20D7"},
                                                     {"widehat", "\u0302"},
                                                     {"widetilde", "\u0303"},
                                                     {"overline", "\u0304"},
                                                     {"underline", "\u0332"},
                                                     {"dot", "\u0307"},
                                                     {"ddot", "\u0308"},
                                                     {"check", "\u030C"},
                                                     {"breve", "\u0306"}});
inline constexpr auto matrices = std::to_array<std::string_view>(
    {"bmatrix", "pmatrix", "matrix", "vmatrix", "Bmatrix", "smallmatrix", "bmatrix*", "pmatrix*"});

template <class List>
bool contains(const List& list, std::string_view wanted) {
  return std::ranges::find(list, wanted) != std::end(list);
}

template <class List>
std::optional<std::string_view> symbol_of(const List& list, std::string_view command) {
  const auto found = std::ranges::find(list, command, &Sign::command);
  if (found == std::end(list)) return std::nullopt;
  return found->symbol;
}

inline std::optional<std::string_view> greek(std::string_view command) {
  const auto found = std::ranges::find(letters, command, &Letter::command);
  if (found == std::end(letters)) return std::nullopt;
  return found->letter;
}

}  // namespace axial::notation::latex
