#include "axial/tex/words.hpp"

#include <array>

namespace axial::tex {
namespace {

using Word = std::string_view;

constexpr auto math_environments =
    std::to_array<Word>({"equation", "align", "alignat", "xalignat", "flalign", "eqnarray",
                         "gather", "multline", "displaymath", "math", "dmath", "IEEEeqnarray"});
constexpr auto inner_displays =
    std::to_array<Word>({"split", "aligned", "alignedat", "gathered", "multlined"});
constexpr auto passed_over = std::to_array<Word>(
    {"figure", "table", "wrapfigure", "wraptable", "subfigure", "tikzpicture", "tikzcd",
     "thebibliography", "tabular", "tabularx", "tabulary", "longtable", "picture", "filecontents"});
constexpr auto textual =
    std::to_array<Word>({"itemize", "enumerate", "description", "definition", "theorem", "lemma",
                         "proposition", "corollary", "proof", "remark", "example", "figure",
                         "table", "abstract", "quote", "subequations", "center", "document"});
constexpr auto text_commands = std::to_array<Word>(
    {"text", "mbox", "hbox", "textrm", "textit", "textbf", "textsf", "texttt", "textsc", "textup",
     "textnormal", "emph", "intertext", "shortintertext", "fbox", "makebox"});
constexpr auto structural =
    std::to_array<Word>({"part", "chapter", "section", "subsection", "subsubsection", "paragraph",
                         "subparagraph", "item", "maketitle", "bibliography", "appendix"});
constexpr auto definitions = std::to_array<Word>({"newcommand",
                                                  "renewcommand",
                                                  "providecommand",
                                                  "DeclareRobustCommand",
                                                  "def",
                                                  "gdef",
                                                  "edef",
                                                  "xdef",
                                                  "let",
                                                  "ndef",
                                                  "DeclareMathOperator",
                                                  "newcommandx",
                                                  "renewcommandx",
                                                  "DeclarePairedDelimiter",
                                                  "NewDocumentCommand",
                                                  "RenewDocumentCommand",
                                                  "ProvideDocumentCommand",
                                                  "DeclareDocumentCommand",
                                                  "newenvironment",
                                                  "renewenvironment",
                                                  "global",
                                                  "long",
                                                  "protected",
                                                  "input",
                                                  "include",
                                                  "subfile",
                                                  "iffalse"});
constexpr auto protected_names =
    std::to_array<Word>({"name", "nbin", "ndot", "ncat", "nsum", "nfun", "ndef", "begin", "end",
                         "newcommand", "renewcommand", "def", "par", "\\"});

}  // namespace

std::string_view unstarred(std::string_view name) {
  return name.ends_with('*') ? name.substr(0, name.size() - 1) : name;
}

bool is_math_environment(std::string_view name) {
  return is_one_of(unstarred(name), math_environments);
}
bool is_inner_display(std::string_view name) { return is_one_of(name, inner_displays); }
bool is_passed_over(std::string_view name) { return is_one_of(unstarred(name), passed_over); }
bool is_textual_environment(std::string_view name) { return is_one_of(unstarred(name), textual); }
bool is_text_command(std::string_view name) { return is_one_of(name, text_commands); }
bool is_structural(std::string_view name) { return is_one_of(name, structural); }
bool is_definition(std::string_view name) { return is_one_of(name, definitions); }
bool is_protected(std::string_view name) { return is_one_of(name, protected_names); }

}  // namespace axial::tex
