#include "axial/document/examination.hpp"

#include <fmt/format.h>

#include <array>

#include "axial/base/text.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::document {
namespace {

/// Errors that are mistakes in what was written; others say that a formula is beyond us.
constexpr auto mistakes = std::to_array<std::string_view>(
    {"unknown-axis", "unexpected-axis", "size-clash", "rename-clash", "lifting-clash",
     "index-out-of-range", "window-size", "wrong-count", "wrong-arity", "contraction-axis",
     "index-bound", "result-axes", "not-equal", "repeated-axis", "unbalanced"});

bool is_mistake(const Error& error) {
  return std::ranges::find(mistakes, error.code().name) != mistakes.end();
}

/// True if the error is about a name of several letters that is near to another.
bool names_word(const Error& error) {
  const std::size_t open = error.message().find('`');
  const std::size_t close = error.message().find('`', open + 1);
  if (open == std::string::npos || close == std::string::npos) return false;
  return error.hint().starts_with("did you mean") &&
         display_width(error.message().substr(open + 1, close - open - 1)) > 2;
}

/// A message that speaks of expressions in C++, in the notation of documents.
std::string in_notation(std::string text) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  };
  for (const Word& word : elementwise_words) {
    if (!word.symbol.empty() && word.arity() == 2) {
      replace(fmt::format("`{}`", word.name), fmt::format("`{}`", word.symbol));
    }
  }
  const std::size_t arrow = text.find(" >> ");
  const std::size_t open = text.rfind('[', arrow);
  const std::size_t close = text.find(']', arrow);
  if (arrow != std::string::npos && open != std::string::npos && close != std::string::npos) {
    text = fmt::format("{}X_{{{}→{}}}{}", text.substr(0, open),
                       text.substr(open + 1, arrow - open - 1),
                       text.substr(arrow + 4, close - arrow - 4), text.substr(close + 1));
  }
  return text;
}

Diagnostic as_diagnostic(const Error& error, Span place) {
  return {Severity::error,
          &error.code(),
          error.span().value_or(place),
          error.message(),
          in_notation(error.hint()),
          {}};
}

bool contains(Span outer, Span inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

/// A mistake that depends on sizes is told with the sizes of the trial.
std::string with_sizes(const Error& error, const Sizes& sizes) {
  const bool about_sizes =
      error.code().name == "size-clash" || error.code().name == "window-size" ||
      error.code().name == "index-bound" || error.code().name == "index-out-of-range";
  const std::string drawn = drawn_sizes(sizes);
  if (!about_sizes || drawn.empty()) return error.message();
  return fmt::format("{} (for instance with {})", error.message(), drawn);
}

std::string describe(const Error& error) {
  if (error.code().name == "syntax") return "it is not in the notation: " + error.message();
  return error.message();
}

}  // namespace

bool is_unlucky(const Error& error) { return error.code().name == "window-size"; }

std::string drawn_sizes(const Sizes& sizes) {
  std::string text;
  for (const auto& [key, size] : sizes.drawn()) {
    std::string name = key;
    std::ranges::replace(name, '^', '_');
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, size);
  }
  return text;
}

void Examination::skip(std::string reason) {
  result_.status = Status::skipped;
  result_.verified = false;
  result_.reason = std::move(reason);
}

void Examination::fail(const Error& error, World* world) {
  const Span span = error.span().value_or(place_);
  if (error.code().name == "undeclared" && contains(place_, span) && names_word(error)) {
    result_.status = Status::error;
    result_.mistake = as_diagnostic(error, place_);
    return;
  }
  const bool only_drawn = is_unlucky(error) && world != nullptr && !world->sizes().are_given();
  if (!is_mistake(error) || only_drawn) return skip(describe(error));
  if (!contains(block_span(), span) && !contains(place_, span)) {
    return skip(fmt::format("it depends on something that has an error: {}", error.message()));
  }
  if (!confident_) {
    return skip(fmt::format("its symbols are declared in other sections and do not fit here: {}",
                            error.message()));
  }
  const bool elsewhere = !contains(place_, span) && error.code().name != "result-axes";
  if (elsewhere) {
    return skip(fmt::format("it depends on something that has an error: {}", error.message()));
  }
  result_.status = Status::error;
  result_.verified = false;
  result_.mistake = as_diagnostic(error, place_);
  if (world != nullptr) result_.mistake->message = in_notation(with_sizes(error, world->sizes()));
  if (!contains(place_, span)) {
    result_.mistake->related.push_back({place_, "needed for this definition"});
  }
}

Span Examination::block_span() const {
  Span span = place_;
  for (const Item& item : symbols_.contents().items) {
    if (item.block != symbols_.item(item_).block) continue;
    span.begin = std::min(span.begin, item.span.begin);
    span.end = std::max(span.end, item.span.end);
  }
  return span;
}

}  // namespace axial::document
