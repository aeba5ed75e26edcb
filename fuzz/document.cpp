// Any bytes as a document: the first says which format, the rest is the text. Reading may fail with
// an Error; checking, converting and everything else may not fail at all.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "axial/base/error.hpp"
#include "axial/document/check.hpp"
#include "axial/document/contents.hpp"
#include "axial/document/format.hpp"

namespace {

std::optional<axial::document::Contents> contents_of(const std::string& file, std::string text) {
  try {
    return axial::document::read(file, std::move(text), "/nowhere");
  } catch (const axial::Error&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const char* const files[] = {"fuzz.tex", "fuzz.md", "fuzz.ipynb", "fuzz.nt"};
  if (size == 0) return 0;
  const auto contents =
      contents_of(files[data[0] % std::size(files)], std::string(data + 1, data + size));
  if (!contents) return 0;
  const axial::document::CheckOptions types_only{.verify = false, .trials = 1};
  const axial::document::Report report = axial::document::check(*contents, types_only);
  for (const axial::document::Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.span.begin > diagnostic.span.end) std::abort();
    if (diagnostic.span.end > contents->source.size()) std::abort();
  }
  axial::document::as_plain_text(*contents);
  axial::document::as_latex(*contents);
  return 0;
}
