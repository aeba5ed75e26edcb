// Any bytes as a formula in both forms and as statements. They are read or met with an Error, and
// what was read is printed as a text that reads as the same tree.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "axial/base/error.hpp"
#include "axial/notation/elaborate.hpp"
#include "axial/notation/latex.hpp"
#include "axial/notation/parse.hpp"
#include "axial/notation/print.hpp"
#include "axial/tex/document.hpp"

namespace {

using axial::Error;
using namespace axial::notation;

Tree from_latex_text(const std::string& text) {
  Tokens tokens =
      from_latex(axial::tex::read_formula(text), [](std::string_view) { return false; });
  while (!tokens.empty() && tokens.back().kind == TokenKind::gap) tokens.pop_back();
  tokens.push_back({TokenKind::end, "", {text.size(), text.size()}});
  return parse_formula(std::move(tokens), is_function);
}

/// What `read` gives, or nothing if it fails with an Error.
template <class Read>
auto attempt(const Read& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Ends the program unless the plain text of a tree reads as that tree again.
void require_round_trip(const Tree& tree) {
  const std::string text = to_text(tree);
  to_latex(tree);
  const auto again = attempt([&] { return parse_formula(text, is_function); });
  if (again && *again == tree) return;
  std::fprintf(stderr, "this does not read as what it was printed from: %s\n", text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(data + 1, data + size);  // the first byte is the format of a document
  if (const auto tree = attempt([&] { return parse_formula(text, is_function); })) {
    require_round_trip(*tree);
    attempt([&] { return elaborate(*tree, Scope{}); });
  }
  attempt([&] { return parse_statements(text, is_function); });
  if (const auto tree = attempt([&] { return from_latex_text(text); })) {
    to_text(*tree);
    to_latex(*tree);
  }
  return 0;
}
