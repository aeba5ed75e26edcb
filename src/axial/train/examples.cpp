#include "axial/train/examples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <ranges>

#include "axial/base/error.hpp"
#include "axial/document/names.hpp"
#include "axial/files/contents.hpp"
#include "axial/files/files.hpp"
#include "axial/files/inflate.hpp"
#include "axial/tensor/random.hpp"

namespace axial::train {
namespace {

using document::Symbol;
using document::Symbols;
using files::Stored;

constexpr std::string_view usual_axis = "batch";

/// The last elements of a name that may be spelled NAME=FILE.
std::pair<std::string, std::string> named_file(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {"", text};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// What tensors of a file are called in the document.
std::map<std::string, Stored> stores_of(const std::string& text, const Symbols& symbols) {
  const auto [name, path] = named_file(text);
  files::Stores stores = files::read(path);
  std::map<std::string, Stored> used;
  if (!name.empty()) {
    const auto same = stores.find(name);
    if (same == stores.end() && stores.size() != 1) {
      throw Error(code("undeclared"), fmt::format("{} has no tensor `{}`", path, name),
                  fmt::format("it has {}", fmt::join(std::views::keys(stores), ", ")));
    }
    used.emplace(name, same == stores.end() ? stores.begin()->second : same->second);
    return used;
  }
  for (const auto& [stored_name, stored] : stores) {
    if (declaration_of(stored_name, symbols) != nullptr) used.emplace(stored_name, stored);
  }
  if (used.empty()) {
    throw Error(code("undeclared"),
                fmt::format("the document declares none of the tensors in {}", path),
                fmt::format("it has {}; say which one a file gives: --data X={}",
                            fmt::join(std::views::keys(stores), ", "), path));
  }
  return used;
}

std::vector<std::string> declared_axes(const Symbol* symbol) {
  std::vector<std::string> names;
  if (symbol == nullptr || symbol->domain == nullptr) return names;
  for (const notation::AxisTerm& term : symbol->domain->axes) names.push_back(term.name);
  return names;
}

/// The names of the axes of a file: as the user says, as the file says, or as declared, with an axis
/// of examples before them.
std::vector<std::string> axes_of(const std::string& name, const Stored& stored,
                                 const DataRequest& request, const Symbol* symbol) {
  const auto said = request.axes.find(name);
  std::vector<std::string> names;
  if (said != request.axes.end()) {
    names = said->second;
  } else if (stored.axes) {
    for (const Axis axis : *stored.axes) names.emplace_back(axis.name());
  } else {
    names = declared_axes(symbol);
    if (names.size() + 1 == stored.sizes.size()) names.emplace(names.begin(), usual_axis);
  }
  if (names.size() == stored.sizes.size()) return names;
  throw Error(
      code("wrong-arity"),
      fmt::format("{} has {} axes ({}), and `{}` has the names {}", stored.source,
                  stored.sizes.size(), fmt::join(stored.sizes, " × "), name,
                  names.empty() ? "of none" : fmt::format("{}", fmt::join(names, ", "))),
      fmt::format("name them in the order of the file: --axes {}={},...", name, usual_axis));
}

/// The axis that counts examples: the one that is not declared, or `batch`.
std::string example_axis(const std::string& name, const std::vector<std::string>& names,
                         const Symbol* symbol) {
  const std::vector<std::string> declared = declared_axes(symbol);
  std::vector<std::string> extra;
  for (const std::string& axis : names) {
    if (std::ranges::find(declared, axis) == declared.end()) extra.push_back(axis);
  }
  if (extra.size() == 1) return extra[0];
  if (std::ranges::find(names, usual_axis) != names.end()) return std::string(usual_axis);
  throw Error(
      code("unknown-axis"),
      fmt::format("no axis of `{}` counts the examples: the data has {}, and declared are {}", name,
                  fmt::join(names, ", "), fmt::join(declared, ", ")),
      fmt::format("name the axes in the order of the file: --axes {}={},...", name, usual_axis));
}

/// A tensor of a file as a column: laid out with the examples one behind the other.
Column column_of(const std::string& name, const Stored& stored,
                 const std::vector<std::string>& names, const std::string& example) {
  std::vector<Axis> order, inner;
  for (const std::string& axis : names) {
    order.emplace_back(axis);
    if (axis != example) inner.emplace_back(axis);
  }
  const Array array = files::named(stored, Axes(order));
  inner.insert(inner.begin(), Axis(example));
  const Array rows = laid_out(array, Axes(inner));
  Column column{.name = name, .axes = {}, .read = {}};
  std::int64_t volume = 1;
  for (const SizedAxis& axis : rows.shape().written().subspan(1)) {
    column.axes.push_back(axis);
    volume *= axis.size;
  }
  visit_element(rows.type(), [&]<class T>() {
    const auto elements = rows.elements<T>();
    column.low = elements.empty() ? 0 : static_cast<double>(elements[0]);
    column.high = column.low;
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const double value = static_cast<double>(elements[k]);
      if (!std::isfinite(value)) {
        throw Error(code("bad-value"),
                    fmt::format("{}: example {} of `{}` holds a number that is not finite",
                                stored.source, static_cast<std::int64_t>(k) / volume, name),
                    "leave such examples out");
      }
      column.low = std::min(column.low, value);
      column.high = std::max(column.high, value);
      column.is_whole = column.is_whole && value == std::floor(value);
    }
    column.read = [rows, volume](std::int64_t at, double* to) {
      const auto row = rows.elements<T>().subspan(static_cast<std::size_t>(at * volume),
                                                  static_cast<std::size_t>(volume));
      std::ranges::transform(row, to, [](T value) { return static_cast<double>(value); });
    };
  });
  return column;
}

/// `I,J=book.txt` in three parts; J may be left out, and is empty then. Fails with syntax.
std::array<std::string, 3> named_text(const std::string& text) {
  const auto [names, path] = named_file(text);
  const std::size_t comma = names.find(',');
  if (names.empty() || comma == 0 || comma + 1 == names.size()) {
    throw Error(
        code("syntax"), fmt::format("--text `{}` does not say which tensor it gives", text),
        fmt::format("write --text I,J={}: I the bytes, J the bytes that follow them", path));
  }
  return {names.substr(0, comma), comma == std::string::npos ? "" : names.substr(comma + 1), path};
}

/// The columns of a text: its bytes, and for each the one that follows.
void add_text(const std::string& text, const DataRequest& request, const Symbols& symbols,
              Examples& examples) {
  const auto [first, following, path] = named_text(text);
  const std::vector<std::string> axes = declared_axes(declaration_of(first, symbols));
  if (axes.size() != 1) {
    throw Error(
        code("wrong-arity"),
        fmt::format("`{}` is declared with {} axes, and a text has one", first, axes.size()),
        "declare it as positions along one axis: I ∈ [n]^{seq}");
  }
  const auto said = request.sizes.find(axes[0]);
  if (said == request.sizes.end()) {
    throw Error(code("bad-size"), fmt::format("the length of pieces of text is not known"),
                fmt::format("give the size of `{0}`: --size {0}=128", axes[0]));
  }
  const std::int64_t length = said->second;
  const files::Bytes bytes = files::gunzipped(files::contents(path), std::int64_t{1} << 34);
  const std::int64_t count = (bytes.size - 1) / length;
  if (count < 1) {
    throw Error(code("bad-value"),
                fmt::format("{} has {} bytes, and a piece has {} and the one after it", path,
                            bytes.size, length),
                fmt::format("choose a smaller --size {}", axes[0]));
  }
  examples.is_sequence = true;
  const auto add = [&](const std::string& name, std::int64_t ahead) {
    examples.columns.push_back({.name = name,
                                .axes = {Axis(axes[0])[length]},
                                .low = 0,
                                .high = 255,
                                .is_whole = true,
                                .read = [bytes, length, ahead](std::int64_t at, double* to) {
                                  for (std::int64_t k = 0; k < length; ++k) {
                                    to[k] = std::to_integer<int>(
                                        bytes.start.get()[at * length + k + ahead]);
                                  }
                                }});
  };
  add(first, 0);
  if (!following.empty()) add(following, 1);
  examples.count = count;
  examples.axis = Axis(usual_axis);
}

/// Adds a column whose examples have to be as many as those of the others.
void add_column(Column column, const std::string& axis, std::int64_t count, Examples& examples) {
  if (examples.columns.empty()) {
    examples.axis = Axis(axis);
    examples.count = count;
  } else if (examples.axis != Axis(axis)) {
    throw Error(code("unknown-axis"),
                fmt::format("`{}` counts its examples along `{}`, and `{}` along `{}`",
                            examples.columns[0].name, examples.axis.name(), column.name, axis),
                fmt::format("name the axes: --axes {}={},...", column.name, examples.axis.name()));
  } else if (examples.count != count) {
    throw Error(code("size-clash"),
                fmt::format("there are {} examples of `{}` and {} of `{}`", examples.count,
                            examples.columns[0].name, count, column.name),
                "give files that belong together");
  }
  if (std::ranges::find(examples.columns, column.name, &Column::name) != examples.columns.end()) {
    throw Error(code("redeclared"), fmt::format("two files give `{}`", column.name),
                "leave one of them out");
  }
  examples.columns.push_back(std::move(column));
}

}  // namespace

const Symbol* declaration_of(const std::string& name, const Symbols& symbols) {
  const auto found = std::ranges::find_if(symbols.all(), [&](const Symbol& symbol) {
    return symbol.domain != nullptr && document::key_of(symbol.name, {}) == name;
  });
  return found == symbols.all().end() ? nullptr : &*found;
}

void require_well_formed(const DataRequest& request) {
  if (request.files.empty() && request.texts.empty()) {
    throw Error(code("needs-value"), "there is no data to train on",
                "give a file: --data mnist.npz, --data X=images.npy or --text I,J=book.txt");
  }
  for (const std::string& text : request.texts) named_text(text);
  for (const auto& [name, axes] : request.axes) {
    Axes{std::vector<Axis>(axes.begin(), axes.end())};
  }
}

Examples read_examples(const DataRequest& request, const Symbols& symbols) {
  require_well_formed(request);
  Examples examples{.axis = Axis(usual_axis), .columns = {}};
  for (const std::string& text : request.texts) add_text(text, request, symbols, examples);
  for (const std::string& file : request.files) {
    for (const auto& [name, stored] : stores_of(file, symbols)) {
      const Symbol* symbol = declaration_of(name, symbols);
      const std::vector<std::string> names = axes_of(name, stored, request, symbol);
      const std::string example = example_axis(name, names, symbol);
      const auto place = std::ranges::find(names, example) - names.begin();
      add_column(column_of(name, stored, names, example), example,
                 stored.sizes[static_cast<std::size_t>(place)], examples);
    }
  }
  if (examples.count == 0) {
    throw Error(code("bad-value"),
                fmt::format("the data has no example: `{}` is empty along `{}`",
                            examples.columns[0].name, examples.axis.name()),
                "give a file with examples");
  }
  return examples;
}

Array Examples::batch(const Column& column, std::span<const std::int64_t> positions, double shift,
                      ElementType type) const {
  std::vector<SizedAxis> axes = {axis[std::ssize(positions)]};
  axes.insert(axes.end(), column.axes.begin(), column.axes.end());
  const std::int64_t volume = Shape(column.axes).volume();
  std::vector<double> row(static_cast<std::size_t>(volume));
  return build(type, Shape(axes), [&]<class T>(T* out) {
    for (const std::int64_t position : positions) {
      column.read(position, row.data());
      out = std::ranges::transform(row, out, [&](double value) {
              return static_cast<T>(value + shift);
            }).out;
    }
  });
}

Split split(const Examples& examples, double held_out, std::uint64_t seed) {
  const auto count =
      static_cast<std::int64_t>(std::llround(held_out * static_cast<double>(examples.count)));
  if (held_out < 0 || held_out >= 1 || count >= examples.count || (held_out > 0 && count == 0)) {
    throw Error(
        code("bad-value"),
        fmt::format("--hold-out {} of {} examples leaves a part empty", held_out, examples.count),
        "hold out a fraction such as 0.1");
  }
  std::vector<std::int64_t> order(static_cast<std::size_t>(examples.count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  if (count > 0 && !examples.is_sequence) {
    const Array shuffled = RandomStream(seed).permutation(examples.axis[examples.count]);
    std::ranges::copy(shuffled.elements<std::int64_t>(), order.begin());
  }
  const auto boundary = order.end() - count;
  Split parts{{order.begin(), boundary}, {boundary, order.end()}};
  std::ranges::sort(parts.learned);
  std::ranges::sort(parts.held_out);
  return parts;
}

}  // namespace axial::train
