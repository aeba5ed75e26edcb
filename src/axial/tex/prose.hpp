// Words between formulas, and the sequence of segments that they are part of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "axial/tex/document.hpp"
#include "axial/tex/notes.hpp"
#include "axial/tex/token.hpp"

namespace axial::tex {

/// Collects words; spaces between them are made single.
class Words {
 public:
  void add(std::string_view text, Span span);
  void space();
  void paragraph();
  /// The words so far, unless there are only spaces; starts anew.
  std::optional<Prose> take();

 private:
  enum class Gap { none, space, paragraph };
  std::string text_;
  Span span_;
  Gap gap_ = Gap::none;
  bool is_empty_ = true;
};

/// The segments of a document in order: what was noted while something was read comes before it.
class Segments {
 public:
  explicit Segments(Notes& notes) : notes_(&notes) {}

  /// What the next words are added to.
  Words& words() { return words_; }
  void add(Segment segment);
  void add(std::vector<Segment> segments);
  /// Puts waiting notes behind the words so far.
  void settle();
  std::vector<Segment> take();

 private:
  void end_prose();

  Notes* notes_;
  Words words_;
  std::vector<Segment> segments_;
};

/// Adds what a token is in prose: a character, the word of a command like \LaTeX, or nothing.
void add_word(Words& words, const Token& token);

/// The tokens as words on one line, formulas included; for titles.
std::string plain(const Tokens& tokens);

}  // namespace axial::tex
