#include "axial/tex/notes.hpp"

namespace axial::tex {
namespace {

constexpr std::size_t most_problems = 1000;

}  // namespace

void Notes::problem(Error error) {
  ++problems_;
  if (!quiet_ && problems_ <= most_problems) waiting_.emplace_back(Problem{std::move(error)});
}

void Notes::bad_byte(Span span) {
  if (bad_byte_) return;
  bad_byte_ = true;
  problem(Error(code("syntax"), "there is a byte here that is not UTF-8",
                "save the document as UTF-8", span));
}

}  // namespace axial::tex
