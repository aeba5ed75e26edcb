// Wrong documents. Each is as small as the mistake allows; the places are offsets in its text.
#include "axial/document/check.hpp"
#include "axial/document/contents.hpp"
#include "axial/document/report.hpp"
#include "axial/notation/elaborate.hpp"
#include "axial/notation/parse.hpp"
#include "diagnostics/case.hpp"

namespace axial::diagnostics {
namespace {

/// Throws the first diagnostic with that code, or the first at all; nothing if there is none.
void throw_first(const document::Report& report, std::string_view code) {
  const document::Diagnostic* first = nullptr;
  for (const document::Diagnostic& diagnostic : report.diagnostics) {
    if (first == nullptr) first = &diagnostic;
    if (diagnostic.code->name == code) {
      first = &diagnostic;
      break;
    }
  }
  if (first != nullptr) throw Error(*first->code, first->message, first->hint, first->span);
}

/// A display of `rows` behind the definitions of the axes and commands that the cases use.
std::string display(const std::string& rows) {
  return R"(\ndef{\seq}{seq}\ndef{\key}{key}\ndef{\val}{val}\ndef{\layer}{layer}\ndef{\vocab}{vocab}
\newcommand{\nmatrix}[3]{#1\begin{array}[b]{@{}c@{}}#2\\\begin{bmatrix}#3\end{bmatrix}\end{array}}
\begin{align*}
)" + rows +
         "\n\\end{align*}\n";
}

Case document(std::string title, std::string code, std::vector<std::string> mentions,
              std::string source) {
  const auto wrong = [source, code] {
    throw_first(document::check(document::read("formula.tex", source, ".")), code);
  };
  return {std::move(title), code, std::move(mentions), wrong, source};
}

Case rows(std::string title, std::string code, std::vector<std::string> mentions,
          const std::string& source) {
  return document(std::move(title), std::move(code), std::move(mentions), display(source));
}

Case plain_text(std::string title, std::string code, std::vector<std::string> mentions,
                std::string source) {
  const auto wrong = [source, code] {
    throw_first(document::check(document::read("formula.nt", source, ".")), code);
  };
  return {std::move(title), code, std::move(mentions), wrong, source};
}

Case foreign(std::string title, std::vector<std::string> mentions, std::string source) {
  const auto wrong = [source] {
    notation::elaborate(notation::parse_formula(source, notation::is_function), notation::Scope{});
  };
  return {std::move(title), "foreign", std::move(mentions), wrong, source};
}

}  // namespace

std::vector<Case> document_axis_cases() {
  return {
      rows("a document that sums over an absent axis", "unknown-axis", {"`sum`", "`key`", "{seq"},
           R"(  x &\in \mathbb{R}^{\seq} \\
  s &= \nsum{\key} x)"),
      rows("a document with two sizes of one axis", "size-clash", {"`layer`", "64", "32"},
           R"(  x &\in \mathbb{R}^{\layer[64]} & y &\in \mathbb{R}^{\layer[32]} \\
  z &= x + y)"),
      rows("a definition with an axis more than declared", "result-axes",
           {"`y`", "`seq`", "{val}", "{seq, val}"},
           R"(  V &\in \mathbb{R}^{\seq \times \val} & y &\in \mathbb{R}^{\val} \\
  y &= 2 V)"),
      rows("a definition with an axis less than declared", "result-axes", {"`y`", "`val`", "{}"},
           R"(  V &\in \mathbb{R}^{\seq \times \val} & y &\in \mathbb{R}^{\val} \\
  y &= \nsum{\seq,\val} V)"),
      rows(
          "a function with an axis more than its signature", "result-axes",
          {"`Average`", "`seq`", "{val}", "{seq, val}"},
          R"(  \text{Average} \colon \mathbb{R}^{\seq} \times \mathbb{R}^{\seq \times \val} &\rightarrow \mathbb{R}^{\val} \\
  \text{Average}(A, V) &= A \odot V)"),
      rows("a document that contracts over an axis that the left side lacks", "contraction-axis",
           {"`key`", "left", "{seq}", "{key, seq}"},
           R"(  q &\in \mathbb{R}^{\seq} & K &\in \mathbb{R}^{\seq \times \key} \\
  s &= q \ndot{\key} K)"),
      rows("a document that contracts over an axis that the right side lacks", "contraction-axis",
           {"`key`", "right", "{seq}", "{key, seq}"},
           R"(  q &\in \mathbb{R}^{\seq} & K &\in \mathbb{R}^{\seq \times \key} \\
  s &= K \ndot{\key} q)"),
      rows("a document that contracts over an axis that neither side has", "contraction-axis",
           {"`val`", "{key}", "{key, seq}"},
           R"(  q &\in \mathbb{R}^{\key} & K &\in \mathbb{R}^{\seq \times \key} \\
  s &= q \ndot{\val} K)"),
      rows("a document that renames onto an axis", "rename-clash", {"`seq`", "`key`"},
           R"(  K &\in \mathbb{R}^{\seq \times \key} \\
  L &= K_{\seq\rightarrow\key})"),
      rows("a document that lifts over an axis of the result", "lifting-clash", {"`f`", "`val`"},
           R"(  f \colon \mathbb{R}^{\seq} &\rightarrow \mathbb{R}^{\val} \\
  f(x) &= W \ndot{\seq} x & W &\in \mathbb{R}^{\seq \times \val} \\
  y &= f(V) & V &\in \mathbb{R}^{\seq \times \val})"),
      rows("an index that may be too large", "index-bound", {"`vocab`", "7", "5"},
           R"(  E &\in \mathbb{R}^{\vocab[5] \times \layer} & i &\in [7] \\
  x &= E_{\vocab(i)})"),
      rows("an index that is too large in a document", "index-out-of-range", {"seq(4)", "3"},
           R"(  x &\in \mathbb{R}^{\seq[3]} \\
  y &= x_{\seq(4)})"),
      rows("a function of a document with too few arguments", "wrong-arity", {"`f`", "1", "2"},
           R"(  f \colon \mathbb{R}^{\seq} \times \mathbb{R}^{\seq} &\rightarrow \mathbb{R} \\
  f(x, y) &= x \ndot{\seq} y \\
  a &= f(v) & v &\in \mathbb{R}^{\seq})"),
      rows("a sum of tensors without a common axis", "no-shared-axis", {"{seq}", "{key}"},
           R"(  x &\in \mathbb{R}^{\seq} & y &\in \mathbb{R}^{\key} \\
  z &= x + y)"),
  };
}

std::vector<Case> document_cases() {
  return {
      rows("a bracket of a document that is not closed", "unbalanced", {"`(`"},
           R"(  x &\in \mathbb{R}^{\seq} \\
  y &= \exp(x + 1)"),
      rows("a bracket of a document too many", "unbalanced", {"`)`"},
           R"(  x &\in \mathbb{R}^{\seq} \\
  y &= \exp(x + 1)))"),
      plain_text("a bracket of a plain text that is not closed", "unbalanced", {"`(`"},
                 "x ∈ R[seq]\ny = exp(x + 1"),
      rows("an equation that is false", "not-equal", {"left", "right"},
           R"(  x, y &\in \mathbb{R}^{\seq} \\
  \nsum{\seq} (x \odot y) &= (\nsum{\seq} x) (\nsum{\seq} y))"),
      rows("an equation of tensors that is false", "not-equal", {"seq(", "left", "right"},
           R"(  x &\in \mathbb{R}^{\seq[2]} \\
  \nfun{\seq}{softmax} (2 x) &= 2\, \nfun{\seq}{softmax} x)"),
      rows("a matrix with a wrong number", "not-equal", {"seq(2)", "15", "14"},
           R"(  A &= \nmatrix{\seq}{\key}{3 & 1 & 4 \\ 1 & 5 & 9} \\
  \nsum{\key} A &= \nmatrix{}{\seq}{8 & 14})"),
      rows("a step that cites the quotient rule for a product", "wrong-rule",
           {"quotient rule", "product rule"},
           R"(  X, Y &\in \mathbb{R}^{\seq} \\
  \partial (X \odot Y) &\stackrel{\text{quotient rule}}{=} X \odot \partial Y + Y \odot \partial X)"),
      rows("a name that is declared twice", "redeclared", {"`x`", "R[seq]", "R[key]"},
           R"(  x &\in \mathbb{R}^{\seq} \\
  x &\in \mathbb{R}^{\key} \\
  y &= 2 x)"),
      rows("a misspelt tensor of a document", "undeclared", {"`scorse`"},
           R"(  \text{scores} &\in \mathbb{R}^{\seq} \\
  y &= 2\, \text{scorse})"),
      rows("a declaration that nobody uses", "unused", {"`u`"},
           R"(  x &\in \mathbb{R}^{\seq} & u &\in \mathbb{R}^{\seq} \\
  z &= 2 x)"),
      document("a macro without end", "macro-limit", {"`\\a`"},
               "\\def\\a{\\a\\a}\n\\[ x = \\a \\]\n"),
      foreign("a differential", {}, "∂x"),
      foreign("numbers in a row without an axis", {}, "[1, 2, 3]"),
  };
}

}  // namespace axial::diagnostics
