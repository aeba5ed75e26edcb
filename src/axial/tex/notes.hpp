// What is found on the way and has no place in the tokens: problems and the comments that are meant
// for us.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "axial/tex/document.hpp"

namespace axial::tex {

/// The notes that wait to become segments.
class Notes {
 public:
  /// Notes a mistake. A document that is no TeX at all would drown us in them, so there is a limit.
  void problem(Error error);
  /// Notes a comment `% axial: text`.
  void directive(Directive directive) { waiting_.emplace_back(std::move(directive)); }
  /// Notes a byte that is not UTF-8; the first one of a document only.
  void bad_byte(Span span);

  /// While quiet, problems are forgotten: files of others are read for their definitions only.
  void be_quiet(bool quiet) { quiet_ = quiet; }

  /// How many problems there were, forgotten ones included.
  std::size_t problems() const { return problems_; }
  bool empty() const { return waiting_.empty(); }
  /// The notes since the last call.
  std::vector<Segment> take() { return std::exchange(waiting_, {}); }

 private:
  std::vector<Segment> waiting_;
  std::size_t problems_ = 0;
  bool quiet_ = false;
  bool bad_byte_ = false;
};

}  // namespace axial::tex
