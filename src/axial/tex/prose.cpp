#include "axial/tex/prose.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace axial::tex {
namespace {

struct Meaning {
  std::string_view command;
  std::string_view text;
};

constexpr auto meanings = std::to_array<Meaning>({
    {"%", "%"},          {"&", "&"},          {"$", "$"},  {"#", "#"},
    {"_", "_"},          {"{", "{"},          {"}", "}"},  {"textbackslash", "\\"},
    {"LaTeX", "LaTeX"},  {"TeX", "TeX"},      {"S", "§"},  {"ldots", "..."},
    {"dots", "..."},     {"ss", "ß"},         {"ae", "æ"}, {"o", "ø"},
    {"textendash", "–"}, {"textemdash", "—"}, {"aa", "å"}, {"l", "ł"},
});

constexpr auto gaps =
    std::to_array<std::string_view>({" ", ",", ";", ":", "/", "\\", "quad", "qquad", "newline",
                                     "enspace", "thinspace", "hfill", "linebreak", "space"});

}  // namespace

void Words::add(std::string_view text, Span span) {
  if (gap_ != Gap::none) text_ += gap_ == Gap::space ? " " : "\n\n";
  gap_ = Gap::none;
  text_ += text;
  span_ = is_empty_ ? span : Span{std::min(span_.begin, span.begin), std::max(span_.end, span.end)};
  is_empty_ = false;
}

void Words::space() { gap_ = std::max(gap_, Gap::space); }

void Words::paragraph() { gap_ = Gap::paragraph; }

std::optional<Prose> Words::take() {
  Words all = std::exchange(*this, {});
  if (all.is_empty_) return {};
  if (all.gap_ != Gap::none) all.text_ += all.gap_ == Gap::space ? " " : "\n\n";
  return Prose{std::move(all.text_), all.span_};
}

void Segments::end_prose() {
  if (std::optional<Prose> prose = words_.take()) segments_.emplace_back(std::move(*prose));
}

void Segments::settle() {
  if (notes_->empty()) return;
  end_prose();
  std::ranges::move(notes_->take(), std::back_inserter(segments_));
}

void Segments::add(Segment segment) {
  end_prose();
  settle();
  segments_.push_back(std::move(segment));
}

void Segments::add(std::vector<Segment> segments) {
  for (Segment& segment : segments) add(std::move(segment));
}

std::vector<Segment> Segments::take() {
  end_prose();
  settle();
  return std::exchange(segments_, {});
}

void add_word(Words& words, const Token& token) {
  switch (token.kind) {
    case TokenKind::space: return words.space();
    case TokenKind::character:
    case TokenKind::super:
    case TokenKind::sub: return words.add(token.text, token.span);
    case TokenKind::command: break;
    default: return;
  }
  if (token.text == "par") return words.paragraph();
  if (std::ranges::find(gaps, token.text) != gaps.end()) return words.space();
  const auto* const meaning = std::ranges::find(meanings, token.text, &Meaning::command);
  if (meaning != meanings.end()) words.add(meaning->text, token.span);
}

std::string plain(const Tokens& tokens) {
  Words words;
  for (const Token& token : tokens) add_word(words, token);
  const std::optional<Prose> prose = words.take();
  if (!prose) return {};
  std::string text = prose->text;
  std::ranges::replace(text, '\n', ' ');
  const std::size_t first = text.find_first_not_of(' ');
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace axial::tex
