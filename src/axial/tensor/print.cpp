// A tensor becomes a table in three steps: choose the positions to show, write their elements in
// one common format, set them in brackets.
#include "axial/tensor/print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <span>
#include <string_view>
#include <vector>

#include "axial/base/text.hpp"
#include "axial/tensor/numerals.hpp"

namespace axial {
namespace {

/// Stands in a list of positions for those that are left out.
constexpr std::int64_t gap = -1;

constexpr auto is_shown = [](std::int64_t position) { return position != gap; };

struct Brackets {
  std::string left, right;
};

/// The marks around rows, and the one for what is left out.
struct Glyphs {
  Brackets first, middle, last, only;
  std::string dots;
};

Glyphs glyphs_for(const PrintOptions& options) {
  const Brackets square{"[", "]"};
  if (!options.unicode) return {square, square, square, square, "..."};
  return {{"⎡", "⎤"}, {"⎢", "⎥"}, {"⎣", "⎦"}, square, "…"};
}

constexpr std::int64_t between_columns = 2;

/// What is shown of a tensor. A vector has one row, and a matrix one slice.
struct Table {
  std::vector<SizedAxis> slice_axes;
  std::string row_label, column_label;
  std::vector<std::int64_t> slices, rows, columns;
  /// The elements there, slice by slice and row by row; those of a column are equally wide.
  std::vector<std::string> cells;
};

std::string spaces(std::int64_t count) { return std::string(static_cast<std::size_t>(count), ' '); }

std::int64_t width_of(std::string_view text) {
  return static_cast<std::int64_t>(display_width(text));
}

/// The space that the label of the rows takes at the left.
std::int64_t indent(const Table& table) {
  return table.row_label.empty() ? 0 : width_of(table.row_label) + 1;
}

std::int64_t shown_in(const std::vector<std::int64_t>& positions) {
  return std::ranges::count_if(positions, is_shown);
}

/// How many of `size` positions are shown, if up to `limit` may be shown without a gap. A gap is
/// never made for a single position.
std::int64_t shown_count(std::int64_t size, std::int64_t limit, const PrintOptions& options) {
  const std::int64_t ends = 2 * std::max<std::int64_t>(options.edge, 1);
  return size <= std::max(limit, ends + 1) ? size : ends;
}

/// The first and last of `size` positions, `count` in all, with a gap for the others.
std::vector<std::int64_t> excerpt(std::int64_t size, std::int64_t count) {
  const std::int64_t head = count < size ? (count + 1) / 2 : size;
  const std::int64_t tail = count < size ? count / 2 : 0;
  std::vector<std::int64_t> positions;
  for (std::int64_t position = 0; position < head; ++position) positions.push_back(position);
  if (head < size) positions.push_back(gap);
  for (std::int64_t position = size - tail; position < size; ++position) {
    positions.push_back(position);
  }
  return positions;
}

/// The name of an axis, with its size if not all positions are shown.
std::string label(const SizedAxis& axis, const std::vector<std::int64_t>& positions) {
  if (std::ranges::all_of(positions, is_shown)) return std::string(axis.axis.name());
  return fmt::format("{}[{}]", axis.axis.name(), axis.size);
}

/// The record of the slice with this number, the last axis varying fastest.
std::vector<NamedIndex> slice_record(std::span<const SizedAxis> axes, std::int64_t number) {
  std::vector<NamedIndex> record;
  for (const SizedAxis& axis : axes | std::views::reverse) {
    record.push_back({axis.axis, number % axis.size});
    number /= axis.size;
  }
  std::ranges::reverse(record);
  return record;
}

/// Where the shown elements lie in the array's memory.
std::vector<std::int64_t> shown_offsets(const Array& array, const Table& table) {
  const std::vector<SizedAxis> axes = array.shape().sorted();
  std::vector<std::int64_t> strides = track(array.shape(), Shape(axes)).strides;
  if (strides.size() == 1) strides.insert(strides.begin(), 0);  // the only row of a vector
  const std::int64_t row_stride = strides[strides.size() - 2], column_stride = strides.back();
  std::vector<std::int64_t> offsets;
  for (const std::int64_t slice : table.slices | std::views::filter(is_shown)) {
    std::int64_t start = 0;
    const std::vector<NamedIndex> record = slice_record(table.slice_axes, slice);
    for (std::size_t i = 0; i < record.size(); ++i) start += record[i].position * strides[i];
    for (const std::int64_t row : table.rows | std::views::filter(is_shown)) {
      for (const std::int64_t column : table.columns | std::views::filter(is_shown)) {
        offsets.push_back(start + row * row_stride + column * column_stride);
      }
    }
  }
  return offsets;
}

/// The elements at these offsets as text.
std::vector<std::string> written(const Array& array, std::span<const std::int64_t> offsets,
                                 int digits) {
  if (is_real(array.type())) {
    std::vector<double> numbers;
    for (const std::int64_t offset : offsets) numbers.push_back(array.real(offset));
    return numerals(numbers, digits);
  }
  std::vector<std::string> texts;
  for (const std::int64_t offset : offsets) {
    const std::int64_t whole = array.whole(offset);
    texts.push_back(array.type() == boolean ? fmt::format("{}", whole != 0)
                                            : fmt::format("{}", whole));
  }
  return texts;
}

/// The cells set flush right, each as wide as the widest of its column.
std::vector<std::string> aligned(std::vector<std::string> cells, std::int64_t columns) {
  std::vector<std::size_t> widths(static_cast<std::size_t>(columns), 0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::size_t& width = widths[i % widths.size()];
    width = std::max(width, cells[i].size());
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].insert(0, widths[i % widths.size()] - cells[i].size(), ' ');
  }
  return cells;
}

/// How wide the line between the brackets is.
std::int64_t line_width(const Table& table, const Glyphs& glyphs) {
  const std::int64_t columns = shown_in(table.columns);
  std::int64_t width = -between_columns;
  for (const std::string& cell : table.cells | std::views::take(columns)) {
    width += std::ssize(cell) + between_columns;
  }
  const bool all_shown = columns == std::ssize(table.columns);
  return all_shown ? width : width + width_of(glyphs.dots) + between_columns;
}

/// How many columns are left when those in the middle go until the line fits in `room`.
std::int64_t fitting_count(const Table& table, std::int64_t room, const Glyphs& glyphs) {
  const auto cells = table.cells | std::views::take(shown_in(table.columns));
  std::vector<std::string> row(cells.begin(), cells.end());
  std::int64_t width = width_of(glyphs.dots);
  for (const std::string& cell : row) width += std::ssize(cell) + between_columns;
  while (row.size() > 2 && width > room) {
    const auto middle = row.begin() + std::ssize(row) / 2;
    width -= std::ssize(*middle) + between_columns;
    row.erase(middle);
  }
  return std::ssize(row);
}

/// The table with its columns and cells: as many columns as the width allows, but at least two.
Table filled(Table table, const Array& array, const SizedAxis& axis, const PrintOptions& options,
             const Glyphs& glyphs) {
  const std::int64_t room = options.width - indent(table) - 4;  // brackets and their spaces
  // Columns of one digit are the narrowest; with that many at most, the work is bounded.
  std::int64_t count = std::max<std::int64_t>(2, room / (1 + between_columns) + 1);
  count = std::min(count, shown_count(axis.size, options.threshold, options));
  while (true) {
    table.columns = excerpt(axis.size, count);
    table.cells = aligned(written(array, shown_offsets(array, table), options.digits), count);
    if (count <= 2 || line_width(table, glyphs) <= room) break;
    // Fewer numbers may get another format, so the width is measured again.
    count = std::min(count - 1, fitting_count(table, room, glyphs));
  }
  table.column_label = label(axis, table.columns);
  return table;
}

Table table_of(const Array& array, const PrintOptions& options, const Glyphs& glyphs) {
  std::vector<SizedAxis> axes = array.shape().sorted();
  const SizedAxis column_axis = axes.back();
  axes.pop_back();
  Table table;
  table.rows = {0};
  if (!axes.empty()) {
    const SizedAxis row_axis = axes.back();
    axes.pop_back();
    table.rows = excerpt(row_axis.size, shown_count(row_axis.size, options.threshold, options));
    table.row_label = label(row_axis, table.rows);
  }
  const std::int64_t slices = Shape(axes).volume();
  table.slices = excerpt(slices, shown_count(slices, 0, options));
  table.slice_axes = std::move(axes);
  return filled(std::move(table), array, column_axis, options, glyphs);
}

/// The line of the row that starts at cell `first`, or of a row that stands for those left out.
std::string line(const Table& table, std::int64_t row, std::int64_t first, const Glyphs& glyphs) {
  std::vector<std::string> items;
  for (const std::int64_t column : table.columns) {
    if (!is_shown(column)) {
      items.push_back(glyphs.dots);
      continue;
    }
    const std::string& cell = table.cells[static_cast<std::size_t>(first++)];
    const std::int64_t width = std::ssize(cell);
    // A colon, because common fonts of terminals have no vertical dots.
    items.push_back(is_shown(row) ? cell : spaces(width / 2) + ":" + spaces((width - 1) / 2));
  }
  return fmt::format("{}", fmt::join(items, spaces(between_columns)));
}

/// The lines of a slice, given its first cell: the label of the columns above them, the label of
/// the rows to the left of the middle one.
std::string slice_text(const Table& table, std::int64_t first, const Glyphs& glyphs) {
  const std::int64_t spare = line_width(table, glyphs) - width_of(table.column_label);
  std::string text = spaces(indent(table) + 2 + std::max<std::int64_t>(0, spare / 2));
  text += table.column_label;
  const std::size_t last = table.rows.size() - 1;
  for (std::size_t row = 0; row <= last; ++row) {
    const bool labelled = row == last / 2 && !table.row_label.empty();
    const Brackets& brackets = last == 0     ? glyphs.only
                               : row == 0    ? glyphs.first
                               : row == last ? glyphs.last
                                             : glyphs.middle;
    text += fmt::format("\n{}{} {} {}", labelled ? table.row_label + " " : spaces(indent(table)),
                        brackets.left, line(table, table.rows[row], first, glyphs), brackets.right);
    if (is_shown(table.rows[row])) first += shown_in(table.columns);
  }
  return text;
}

/// The text broken at spaces into lines of at most `width`, where that is possible.
std::string wrapped(std::string_view text, std::int64_t width) {
  constexpr std::int64_t margin = 2;
  std::string lines;
  std::int64_t used = 0;
  for (const auto part : text | std::views::split(' ')) {
    const std::string_view word(part.begin(), part.end());
    const bool fits = used + 1 + width_of(word) <= width;
    if (!lines.empty()) lines += fits ? " " : "\n" + spaces(margin);
    used = (lines.empty() ? 0 : fits ? used + 1 : margin) + width_of(word);
    lines += word;
  }
  return lines;
}

/// The shape and element type, which many-axis and empty tensors show first.
std::string heading(const Array& array) {
  return fmt::format("{} {}", to_text(array.shape()), to_text(array.type()));
}

/// The indices that all elements of a slice share: `batch(0), heads(1):`.
std::string slice_title(const Table& table, std::int64_t slice) {
  std::vector<std::string> indices;
  for (const NamedIndex& index : slice_record(table.slice_axes, slice)) {
    indices.push_back(fmt::format("{}({})", index.axis.name(), index.position));
  }
  return fmt::format("{}:", fmt::join(indices, ", "));
}

std::string slices_text(const Array& array, const Table& table, const PrintOptions& options,
                        const Glyphs& glyphs) {
  std::string text = wrapped(heading(array), options.width);
  std::int64_t first = 0;
  for (const std::int64_t slice : table.slices) {
    if (is_shown(slice)) {
      text += fmt::format("\n\n{}\n{}", wrapped(slice_title(table, slice), options.width),
                          slice_text(table, first, glyphs));
      first += shown_in(table.rows) * shown_in(table.columns);
    } else {
      const std::int64_t left_out = Shape(table.slice_axes).volume() - shown_in(table.slices);
      text += fmt::format("\n\n{} {} more slices", glyphs.dots, left_out);
    }
  }
  return text;
}

}  // namespace

std::string to_text(const Array& array, const PrintOptions& options) {
  if (array.volume() == 0) return wrapped(heading(array) + " (empty)", options.width);
  if (array.shape().order() == 0) {
    return written(array, std::vector<std::int64_t>{0}, options.digits)[0];
  }
  const Glyphs glyphs = glyphs_for(options);
  const Table table = table_of(array, options, glyphs);
  return table.slice_axes.empty() ? slice_text(table, 0, glyphs)
                                  : slices_text(array, table, options, glyphs);
}

}  // namespace axial
