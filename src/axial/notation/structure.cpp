#include "axial/notation/structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace axial::notation {
namespace {

using expr::Expr;

// How far a variable goes that tends to infinity: far enough that softmax shows no difference.
constexpr double far_away = 1e8;

Expr number(Number value) { return expr::make(expr::Literal{.value = value}); }

Expr map(std::string_view word, std::vector<Expr> operands) {
  return expr::make(expr::Map{find_word(word)}, std::move(operands));
}

/// An axis that no formula names, one for each variable.
Axis hidden_axis(const std::string& variable) {
  std::string name = "over";
  for (const char byte : variable) {
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'))
      name += byte;
    else
      name += std::to_string(static_cast<unsigned char>(byte));
  }
  return fresh(Axis(name), {});
}

/// The positions of an axis as numbers, counted as the environment does.
Expr positions(SizedAxis axis, const Environment& environment) {
  // Up to 2^24, float32 holds every whole number.
  const bool is_exact = axis.size < (std::int64_t{1} << 24);
  const Expr iota = expr::make(expr::Iota{axis, is_exact ? environment.reals() : float64});
  return map("add", {iota, number(environment.first_position())});
}

std::int64_t require_whole(const Tree& tree, const Environment& environment) {
  if (const auto value = environment.whole(tree)) return *value;
  throw Error(code("foreign"), "the ends of this range are not known numbers", {}, tree.span);
}

void require_in_range(Axis axis, std::int64_t position, std::int64_t size, std::int64_t first) {
  if (position >= first && position < first + size) return;
  throw Error(code("index-out-of-range"),
              fmt::format("the position {}({}) is not in the axis, which has size {}", axis.name(),
                          position, size),
              fmt::format("positions go from {} to {}", first, first + size - 1));
}

Expr sliced(const Expr& base, Axis axis, const Tree& range, const Environment& environment) {
  const std::int64_t first = environment.first_position();
  const std::int64_t size = base.shape().size(axis);
  const std::int64_t from = require_whole(range.children[0], environment);
  const std::int64_t to = require_whole(range.children[1], environment);
  require_in_range(axis, from, size, first);
  require_in_range(axis, to, size, first);
  if (to < from) {
    throw Error(code("index-out-of-range"),
                fmt::format("the range {}({}:{}) runs backwards", axis.name(), from, to),
                "write the smaller position first");
  }
  return expr::make(expr::Slice{axis, from - first, std::max<std::int64_t>(to - from + 1, 0)},
                    {base});
}

Expr selected(const Expr& base, Axis axis, const Tree& position, const Environment& environment) {
  require_axis(base.shape(), axis, "indexing");
  const std::int64_t size = base.shape().size(axis);
  if (position.form == Form::slice) return sliced(base, axis, position, environment);
  if (const auto fixed = environment.whole(position)) {
    require_in_range(axis, *fixed, size, environment.first_position());
  }
  require_bound(position, axis, base.shape(), environment);
  const Expr place = elaborate(position, environment);
  return expr::make(expr::Index{axis},
                    {base, map("sub", {place, number(environment.first_position())})});
}

/// The first axis that `variable` is a position of, with the tensor that it selects from.
struct Use {
  std::string axis;
  const Tree* base;
};
std::optional<Use> use_as_position(const std::string& variable, const Tree& tree) {
  if (tree.form == Form::index) {
    for (std::size_t k = 0; k < tree.axes.size(); ++k) {
      const Tree& position = tree.children[k + 1];
      if (position.form == Form::name && position.text == variable) {
        return Use{tree.axes[k], &tree.children[0]};
      }
    }
  }
  for (const Tree& child : tree.children) {
    if (const auto found = use_as_position(variable, child)) return found;
  }
  return std::nullopt;
}

/// How many values a variable takes: as its range says, else the size of the axis that it is used on.
std::int64_t extent(const Tree& fold, const Environment& environment) {
  const auto use = use_as_position(fold.sub[0].text, fold.children[0]);
  if (!fold.super.empty()) {
    const Tree& range = fold.super[0];
    const Tree& end = range.form == Form::array ? range.children[0] : range;
    // The name of a set of positions says no more than the axis does.
    const bool is_set = range.form == Form::name && use;
    if (const auto size = is_set ? std::nullopt : environment.whole(end)) return *size;
    if (!is_set) {
      throw Error(code("foreign"),
                  fmt::format("the range of `{}` is not a known number", fold.sub[0].text));
    }
  }
  if (!use) {
    throw Error(code("foreign"), fmt::format("the range of `{}` is not known", fold.sub[0].text));
  }
  const Axis axis = single_axis(fold.text, environment.axes(use->axis));
  try {
    return elaborate(*use->base, environment).shape().size(axis);
  } catch (const Error&) {
    // The tensor may depend on variables that are bound further inside.
    if (const auto size = environment.size(axis)) return *size;
    throw;
  }
}

std::vector<SizedAxis> sized(const std::vector<AxisTerm>& terms, const Environment& environment) {
  std::vector<SizedAxis> all;
  auto open = std::ranges::count_if(terms, [](const AxisTerm& term) { return term.size.empty(); });
  for (const AxisTerm& term : terms) {
    const Axis axis = single_axis("→", environment.axes(term.name));
    // The last part of which nothing is said takes what the others leave.
    const bool is_last = term.size.empty() && --open == 0;
    const std::int64_t size = is_last             ? -1
                              : term.size.empty() ? environment.size(axis).value_or(-1)
                                                  : require_whole(term.size[0], environment);
    all.push_back({axis, size});
  }
  return all;
}

Axes named(const std::vector<AxisTerm>& terms, const Environment& environment) {
  Axes all;
  for (const AxisTerm& term : terms) all = all & environment.axes(term.name);
  return all;
}

/// The shape after a split, where at most one part leaves its size to the others.
Shape split_shape(const Expr& base, Axis from, std::vector<SizedAxis> parts) {
  std::int64_t known = 1;
  for (const SizedAxis& part : parts) known *= std::max<std::int64_t>(part.size, 1);
  for (SizedAxis& part : parts) {
    if (part.size < 0) part.size = base.shape().size(from) / std::max<std::int64_t>(known, 1);
  }
  return Shape(parts);
}

Expr repeated(const Expr& part, const Shape& along, const Environment& environment) {
  return expr::make(expr::Broadcast{along}, {expr::strengthened(part, environment.reals())});
}

Expr stacked(const std::vector<Expr>& parts, Axis axis, const Environment& environment) {
  std::vector<Expr> layers;
  for (const Expr& part : parts) layers.push_back(repeated(part, axis[1], environment));
  return expr::make(expr::Concat{axis}, std::move(layers));
}

Expr array_along(const Tree& tree, std::span<const std::string> axes,
                 const Environment& environment) {
  if (tree.form != Form::array) {
    if (!axes.empty()) throw Error(code("syntax"), "the rows of an array differ in length");
    return elaborate(tree, environment);
  }
  if (axes.empty()) {
    throw Error(code("foreign"), "the axes of this array have no names",
                "name them below: [1, 2]_{ax}", tree.span);
  }
  std::vector<Expr> parts;
  for (const Tree& child : tree.children) {
    if (child.children.size() != tree.children[0].children.size() &&
        (child.form == Form::array || tree.children[0].form == Form::array)) {
      throw Error(code("wrong-count"), "the rows of this array differ in length",
                  "give each row the same number of entries", tree.span);
    }
    parts.push_back(array_along(child, axes.subspan(1), environment));
  }
  return stacked(parts, single_axis("array", environment.axes(axes[0])), environment);
}

}  // namespace

void require_bound(const Tree& position, Axis axis, const Shape& shape,
                   const Environment& environment) {
  const auto size = shape.find(axis);
  const auto bound = environment.bound(position);
  if (!size || !bound || *bound <= *size) return;
  throw Error(code("index-bound"),
              fmt::format("an index that may be as large as {} is used on axis `{}` of size {}",
                          *bound, axis.name(), *size),
              "the bound of the index and the size of the axis should be the same", position.span);
}

Expr comprehend(const Tree& tree, const std::vector<std::string>& variables,
                const std::vector<SizedAxis>& axes, const Environment& environment) {
  std::map<std::string, Expr, std::less<>> tensors;
  std::vector<std::pair<Axis, Axis>> back;
  Axes taken;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const Axis hidden = fresh(axes[k].axis, taken);
    taken = taken & hidden;
    tensors.emplace(variables[k], positions(hidden[axes[k].size], environment));
    back.emplace_back(hidden, axes[k].axis);
  }
  Expr body = elaborate(tree, Bound(environment, std::move(tensors)));
  std::vector<SizedAxis> missing;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (!body.shape().contains(back[k].first)) missing.push_back({back[k].first, axes[k].size});
  }
  if (!missing.empty()) body = repeated(body, Shape(missing), environment);
  return expr::make(expr::Rename{back}, {body});
}

Expr elaborate_index(const Tree& tree, const Environment& environment) {
  Expr result = elaborate(tree.children[0], environment);
  for (std::size_t k = 0; k < tree.axes.size(); ++k) {
    const Axis axis = single_axis("index", environment.axes(tree.axes[k]));
    result = selected(result, axis, tree.children[k + 1], environment);
  }
  return result;
}

Expr elaborate_rename(const Tree& tree, const Environment& environment) {
  Expr result = elaborate(tree.children[0], environment);
  std::vector<std::pair<Axis, Axis>> pairs;
  for (const Arrow& arrow : tree.arrows) {
    const Axes from = named(arrow.from, environment);
    const Axes to = named(arrow.to, environment);
    if (from.count() == to.count()) {
      for (std::int64_t k = 0; k < from.count(); ++k) pairs.emplace_back(from[k], to[k]);
    } else if (to.count() == 1) {
      std::int64_t volume = 1;
      for (const Axis axis : from) {
        require_axis(result.shape(), axis, "reshaping");
        volume *= result.shape().size(axis);
      }
      result = expr::make(expr::Reshape{from, Shape(to[0][volume])}, {result});
    } else if (from.count() == 1) {
      require_axis(result.shape(), from[0], "reshaping");
      result = expr::make(
          expr::Reshape{from, split_shape(result, from[0], sized(arrow.to, environment))},
          {result});
    } else {
      throw Error(code("syntax"), "a renaming needs as many names on the right as on the left");
    }
  }
  return pairs.empty() ? result : expr::make(expr::Rename{pairs}, {result});
}

Expr elaborate_mark(const Tree& tree, const Environment& environment) {
  if (tree.text.contains("⊤")) {
    throw Error(code("foreign"), "a transpose has no meaning here: axes have no order",
                "rename axes instead: X_{a→b}");
  }
  const Expr base = elaborate(tree.children[0], environment);
  std::vector<std::pair<Axis, Axis>> pairs;
  for (const Axis axis : base.shape().names()) {
    pairs.emplace_back(axis, Axis(std::string(axis.name()) + tree.text));
  }
  return pairs.empty() ? base : expr::make(expr::Rename{pairs}, {base});
}

Expr elaborate_identity(const Tree& tree, const Environment& environment) {
  const Axes rows = environment.axes(tree.axes[0]);
  const Axes columns = environment.axes(tree.axes[1]);
  if (rows.count() != columns.count()) {
    throw Error(code("wrong-arity"), "an identity pairs as many axes as it has");
  }
  std::optional<Expr> product;
  for (std::int64_t k = 0; k < rows.count(); ++k) {
    const auto size =
        environment.size(rows[k]) ? environment.size(rows[k]) : environment.size(columns[k]);
    if (!size) {
      throw Error(code("unknown-axis"),
                  fmt::format("the size of the identity is not known: no tensor in scope has the "
                              "axis `{}`",
                              rows[k].name()),
                  "give some tensor in scope the axis");
    }
    const Expr delta = expr::make(expr::Delta{rows[k][*size], columns[k], environment.reals()});
    product = product ? map("mul", {*product, delta}) : delta;
  }
  return product ? *product : number(1);
}

Expr elaborate_array(const Tree& tree, const Environment& environment) {
  return array_along(tree, tree.axes, environment);
}

/// From the last case to the first: each stands before all that come later.
Expr elaborate_cases(const Tree& tree, const Environment& environment) {
  const std::size_t count = tree.children.size();
  const bool has_default = count % 2 == 1;
  const auto strong = [&](const Expr& value) {
    return expr::strengthened(value, environment.reals());
  };
  Expr result = strong(has_default ? elaborate(tree.children[count - 1], environment)
                                   : number(std::numeric_limits<double>::quiet_NaN()));
  for (std::size_t k = count / 2; k-- > 0;) {
    const Expr value = strong(elaborate(tree.children[2 * k], environment));
    const Expr condition = elaborate(tree.children[2 * k + 1], environment);
    result = map("where", {condition, value, result});
  }
  return result;
}

Expr elaborate_parity(const Tree& tree, const Environment& environment) {
  const Expr value = elaborate(tree.children[0], environment);
  return map("equal", {map("mod", {value, number(2)}), number(tree.text == "odd" ? 1 : 0)});
}

Expr elaborate_fold(const Tree& tree, const Environment& environment) {
  const Reduction* reduction = find_reduction(tree.text);
  if (reduction == nullptr) {
    throw Error(code("foreign"), fmt::format("`{}` over an index has no meaning here", tree.text));
  }
  const std::int64_t size = extent(tree, environment);
  const Axis hidden = hidden_axis(tree.sub[0].text);
  const Expr body =
      elaborate(tree.children[0],
                Bound(environment, {{tree.sub[0].text, positions(hidden[size], environment)}}));
  const bool depends = body.shape().contains(hidden);
  const Expr terms = depends ? body : repeated(body, Shape(hidden[size]), environment);
  return expr::make(expr::Reduce{reduction, hidden}, {terms});
}

Expr elaborate_limit(const Tree& tree, const Environment& environment) {
  const Tree& target = tree.super[0];
  const bool negative = target.form == Form::apply && target.text == "neg";
  const Tree& size = negative ? target.children[0] : target;
  if (size.form != Form::infinity) {
    throw Error(code("foreign"), "limits other than to infinity are not evaluated");
  }
  const Expr value = number(negative ? -far_away : far_away);
  return elaborate(tree.children[0], Bound(environment, {{tree.sub[0].text, value}}));
}

Expr elaborate_window(const Tree& tree, const std::vector<Axes>& axes, std::vector<Expr> operands,
                      const Environment& environment) {
  if (axes.size() != 2 || operands.size() != 1) {
    throw Error(
        code("wrong-arity"),
        fmt::format("`{}` takes an axis, an axis for the window and one operand", tree.text),
        fmt::format("write {}_{{seq, kernel}} X", tree.text));
  }
  const Axis axis = single_axis(tree.text, axes[0]);
  const Axis kernel = single_axis(tree.text, axes[1]);
  const auto size = environment.size(kernel);
  if (!size) {
    throw Error(
        code("unknown-axis"),
        fmt::format("the size |{}| is not known: no tensor in scope has the axis", kernel.name()),
        "say the size of the window");
  }
  const bool pools = tree.text == "pool";
  return expr::make(expr::Window{axis, kernel[*size], pools ? *size : 1, 1, pools},
                    std::move(operands));
}

}  // namespace axial::notation
