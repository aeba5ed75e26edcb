// The texts that a document is made of: the file itself and what it reads with \input. They lie one
// behind the other in one space of offsets, so that a Span says which file it is in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "axial/base/error.hpp"

namespace axial::tex {

/// Where an offset is, as people count: lines from 1, columns from 1 in characters.
struct Place {
  std::string file;
  std::int64_t line = 1;
  std::int64_t column = 1;
};

/// Texts by offset.
class Source {
 public:
  /// Adds a text and returns the offset of its first byte. `lines` says for each line of the text
  /// which line of the file it stands on; empty: the n-th on the n-th.
  std::size_t add(std::string file, std::string text, std::vector<std::int64_t> lines = {});

  /// The bytes of `span`, which lies in one text.
  std::string_view text(Span span) const;
  /// The place of an offset; past the end: the end.
  Place place(std::size_t offset) const;
  /// The span of the line with `offset`, without its end.
  Span line(std::size_t offset) const;
  /// How many bytes there are in all.
  std::size_t size() const;

 private:
  struct File {
    std::string name;
    std::string text;
    std::size_t begin;
    std::vector<std::size_t> line_starts;
    std::vector<std::int64_t> lines;
  };
  const File& file_at(std::size_t offset) const;

  /// A deque, so that views of the texts stay valid when a text is added.
  std::deque<File> files_;
};

}  // namespace axial::tex
