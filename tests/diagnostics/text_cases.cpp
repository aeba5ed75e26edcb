// Wrong formulas in the plain-text notation, and wrong files.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "axial/axial.hpp"
#include "axial/files/files.hpp"
#include "axial/notation/elaborate.hpp"
#include "axial/notation/parse.hpp"
#include "axial/notation/phrases.hpp"
#include "diagnostics/case.hpp"

namespace axial::diagnostics {
namespace {

const Axis height{"height"}, width{"width"};

notation::Scope scope() {
  notation::Scope names;
  names.tensors.emplace("A", ones(height[3] * width[2]).expression());
  names.tensors.emplace("x", ones(height[3]).expression());
  names.tensors.emplace("y", ones(height[4]).expression());
  names.tensors.emplace("N", ones(height[3], int64).expression());
  return names;
}

Case formula(std::string title, std::string code, std::vector<std::string> mentions,
             std::string source) {
  const auto wrong = [source] {
    notation::elaborate(notation::parse_formula(source, notation::is_function), scope());
  };
  return {std::move(title), std::move(code), std::move(mentions), wrong, source};
}

Case statements(std::string title, std::string source) {
  const auto wrong = [source] { notation::parse_statements(source, notation::is_function); };
  return {std::move(title), "syntax", {}, wrong, source};
}

/// Reading a file with this name and these bytes, in a folder of its own that is left at once.
void read_bytes(const std::string& name, std::string_view bytes) {
  const auto old = std::filesystem::current_path();
  const auto folder =
      std::filesystem::temp_directory_path() / ("axial_diagnostics_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  std::ofstream(name, std::ios::binary) << bytes;
  const auto leave = [&] {
    std::filesystem::current_path(old);
    std::filesystem::remove_all(folder);
  };
  try {
    files::read(name);
  } catch (...) {
    leave();
    throw;
  }
  leave();
}

}  // namespace

std::vector<Case> notation_cases() {
  const std::string deep(300, '(');
  return {
      formula("a formula that is empty", "syntax", {}, ""),
      formula("a formula that ends too early", "syntax", {}, "A + "),
      formula("a parenthesis that is not closed", "syntax", {"`)`"}, "exp(A + x"),
      formula("a parenthesis too many", "syntax", {}, "A + x)"),
      formula("a stray character", "syntax", {"`$`"}, "A + $x"),
      formula("a stray control character", "syntax", {}, "A + \x07"),
      formula("a mistake behind letters of several bytes", "syntax", {"`$`"}, "x ⊙ x ⊙ $"),
      formula("a number that is too large", "syntax", {"1e400"}, "1e400 A"),
      formula("a bracket that is not closed", "syntax", {"`]`"}, "[A + A"),
      formula("an axis set that is not closed", "syntax", {"`}`"}, "sum_{height, width A"),
      formula("nesting that is too deep", "syntax", {"200"}, deep),
      statements("a mistake in the second line", "mean_ax : R[ax] -> R\nmean_ax X = + X"),
      statements("a signature without an arrow", "mean_ax : R[ax]"),
      statements("a signature over another set", "mean_ax : Q[ax] -> R"),
      statements("a definition without a right side", "f x"),
      statements("a local definition without a definition", "  E = 1"),
      formula("a name that is not declared", "undeclared", {"`B`"}, "A + B"),
      formula("a misspelt function", "undeclared", {"`sofmax_height`"}, "sofmax_height A"),
      formula("a function that takes no axis", "undeclared", {"`exp`"}, "exp_height A"),
      formula("a sum without an axis", "wrong-arity", {"`sum`"}, "sum A"),
      formula("a softmax without an axis", "wrong-arity", {"`softmax`"}, "softmax A"),
      formula("a function with an argument too many", "wrong-arity", {"`softmax`"},
              "softmax_height(A, x)"),
      formula("the size of an unknown axis", "unknown-axis", {"depth"}, "A / |depth|"),
      formula("a formula that sums over an absent axis", "unknown-axis",
              {"`sum`", "`depth`", "{height[3], width[2]}"}, "1 + sum_depth A"),
      formula("a formula that contracts over an absent axis", "contraction-axis",
              {"`width`", "{height}", "{height, width}"}, "x .width A"),
      formula("a formula with two sizes of one axis", "size-clash", {"`height`", "3", "4"},
              "A .height y"),
      formula("a formula with a mean of integers", "element-type", {"`mean`", "int64"},
              "x + mean_height N"),
  };
}

std::vector<Case> file_cases() {
  return {
      {"a file that is not there",
       "file-access",
       {"missing.npy"},
       [] { files::read("missing.npy"); }},
      {"a file of an unknown kind",
       "file-access",
       {"weights.txt"},
       [] { files::read("weights.txt"); }},
      {"an empty file", "bad-file", {"empty.npy"}, [] { read_bytes("empty.npy", ""); }},
      {"a file whose header is cut off",
       "bad-file",
       {"short.safetensors"},
       [] { read_bytes("short.safetensors", std::string_view("\xff\0\0\0\0\0\0\0{", 9)); }},
      {"a file that is no zip archive",
       "bad-file",
       {"plain.npz"},
       [] { read_bytes("plain.npz", "this is plain text, not a zip archive"); }},
  };
}

}  // namespace axial::diagnostics
