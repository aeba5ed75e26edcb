#include "axial/expr/structure.hpp"

#include <bit>
#include <tuple>
#include <unordered_set>

#include "axial/expr/lambda.hpp"
#include "axial/expr/numbering.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::expr {
namespace {

// What a node says besides its operands, one row for each kind.
auto fields(const Leaf&) { return std::tuple(); }
auto fields(const Parameter& node) { return std::tie(node.type); }
auto fields(const Literal& node) {
  return std::tie(node.value, node.element, node.weak, node.size_of);
}
auto fields(const Map& node) { return std::tie(node.word); }
auto fields(const Reduce& node) { return std::tie(node.word, node.over); }
auto fields(const Contract& node) { return std::tie(node.over); }
auto fields(const Rename& node) { return std::tie(node.pairs); }
auto fields(const Reshape& node) { return std::tie(node.from, node.to); }
auto fields(const Index& node) { return std::tie(node.axis); }
auto fields(const Window& node) {
  return std::tie(node.axis, node.kernel, node.stride, node.dilation, node.exact);
}
auto fields(const Fold& node) {
  return std::tie(node.axis, node.kernel, node.stride, node.dilation);
}
auto fields(const Scatter& node) { return std::tie(node.over, node.axis); }
auto fields(const Slice& node) { return std::tie(node.axis, node.begin, node.count, node.step); }
auto fields(const Pad& node) { return std::tie(node.axis, node.before, node.after, node.value); }
auto fields(const Concat& node) { return std::tie(node.axis); }
auto fields(const Broadcast& node) { return std::tie(node.along); }
auto fields(const Delta& node) { return std::tie(node.row, node.column, node.element); }
auto fields(const Iota& node) { return std::tie(node.axis, node.element); }
auto fields(const Cast& node) { return std::tie(node.element); }
auto fields(const Along& node) { return std::tie(node.word, node.over); }
auto fields(const Scan& node) { return std::tie(node.axis, node.reverse, node.inputs, node.step); }
auto fields(const Call& node) { return std::tie(node.function); }

template <class T>
  requires std::integral<T> || std::is_enum_v<T>
void add_field(StructureHash& hash, T value) {
  hash.add(static_cast<std::uint64_t>(value));
}
/// Names and words live as long as the process, so where they are says what they are.
template <class T>
void add_field(StructureHash& hash, const T* word) {
  hash.add(std::bit_cast<std::uint64_t>(word));
}
void add_field(StructureHash& hash, Axis axis) { hash.add(std::hash<Axis>{}(axis)); }
void add_field(StructureHash& hash, const SizedAxis& axis) {
  add_field(hash, axis.axis);
  add_field(hash, axis.size);
}
void add_field(StructureHash& hash, const Axes& axes) { hash.add(axes); }
void add_field(StructureHash& hash, const Shape& shape) { hash.add(shape); }
void add_field(StructureHash& hash, const Type& type) { hash.add(type); }
void add_field(StructureHash& hash, const Number& number) {
  add_field(hash, number.is_whole());
  hash.add(number.is_whole() ? static_cast<std::uint64_t>(number.whole())
                             : std::bit_cast<std::uint64_t>(number.real()));
}
void add_field(StructureHash& hash, const std::optional<Axis>& axis) {
  axis ? add_field(hash, *axis) : hash.add(0);
}
void add_field(StructureHash& hash, const std::vector<std::pair<Axis, Axis>>& pairs) {
  add_field(hash, pairs.size());
  for (const auto& [from, to] : pairs) {
    add_field(hash, from);
    add_field(hash, to);
  }
}
void add_field(StructureHash& hash, const Function& function) {
  hash.add(function->structure.high);
  hash.add(function->structure.low);
}

/// A type but for its shape.
std::uint64_t number_of(const Type& type) {
  return static_cast<std::uint64_t>(type.element) << 1 | static_cast<std::uint64_t>(type.weak);
}

/// Takes the nodes in as one would write them down: what a node is, then its operands, and of a node
/// that was met before only its number. `ends(node)` says that a node is a leaf, of which only its type
/// counts.
template <class Ends>
StructureHash walked(std::span<const Expr> roots, Ends&& ends) {
  // What a node is is said in one number with how many operands it has. No kind has these numbers.
  constexpr std::uint64_t leaf = std::variant_size_v<Kind>, again = leaf + 1, step = leaf + 2;
  using Rest = std::span<const Expr>;
  StructureHash hash;
  Numbering numbers;
  std::int64_t next = 0;
  thread_local std::vector<Rest> kept;
  std::vector<Rest>& path = kept;  // for the next walk as well
  path.assign(1, roots);
  while (!path.empty()) {
    if (path.back().empty()) {
      path.pop_back();
      continue;
    }
    const Expr& node = path.back().front();
    path.back() = path.back().subspan(1);
    if (!numbers.add(node.identity(), next)) {
      hash.add(again + step * static_cast<std::uint64_t>(numbers.find(node.identity())));
      continue;
    }
    ++next;
    if (ends(node)) {
      hash.add(leaf + step * number_of(node.type()));
      hash.add(node.shape());
    } else {
      hash.add(node.kind().index() + step * node.operands().size());
      hash.add_fields(node.kind());
      path.push_back(node.operands());
    }
  }
  return hash;
}

/// The nodes that depend on variables, which count themselves.
std::unordered_set<const Node*> dependents(std::span<const Expr> roots,
                                           std::span<const Expr> variables) {
  std::unordered_set<const Node*> found;
  for (const Expr& variable : variables) found.insert(variable.identity());
  const auto is_inside = [&](const Expr& node) { return !found.contains(node.identity()); };
  for (const Expr& node : post_order(roots, is_inside)) {
    for (const Expr& operand : node.operands()) {
      if (found.contains(operand.identity())) found.insert(node.identity());
    }
  }
  return found;
}

}  // namespace

void StructureHash::add(const Axes& axes) {
  add_field(*this, axes.count());
  for (const Axis axis : axes) add_field(*this, axis);
}

void StructureHash::add(const Shape& shape) { add(shape.hash()); }

void StructureHash::add(const Type& type) {
  add(type.shape);
  add(number_of(type));
}

void StructureHash::add_fields(const Kind& kind) {
  std::visit(
      [&](const auto& node) {
        std::apply([&](const auto&... each) { (add_field(*this, each), ...); }, fields(node));
      },
      kind);
}

KnownStructure structure_above_values(std::span<const Expr> roots) {
  KnownStructure result;
  result.hash = walked(roots, [&](const Expr& node) {
    if (const auto* leaf = node.as<Leaf>()) {
      result.values.push_back(&leaf->value);
    } else if (std::optional<Array> value = node.known_value()) {
      result.values.push_back(&result.held.emplace_front(*std::move(value)));
    } else {
      return false;
    }
    result.leaves.push_back(&node);
    return true;
  });
  // Values of leaves lie as their types are written, others as it was best for those who read them.
  if (!result.held.empty()) {
    for (const Array* value : result.values) result.hash.add(value->shape());
  }
  return result;
}

Structure structure_above_variables(std::span<const Expr> roots, std::span<const Expr> variables) {
  Numbering inside;
  for (const Expr& variable : variables) inside.add(variable.identity(), 0);
  std::optional<std::unordered_set<const Node*>> dependent;
  const auto depends = [&](const Expr& node) {
    if (!dependent) dependent = dependents(roots, variables);
    return dependent->contains(node.identity());
  };
  std::vector<Expr> all(roots.begin(), roots.end());
  all.insert(all.end(), variables.begin(), variables.end());
  Structure result;
  result.hash = walked(all, [&](const Expr& node) {
    const bool is_variable = inside.find(node.identity()) >= 0;
    const bool is_leaf = node.as<Leaf>() != nullptr || node.as<Parameter>() != nullptr;
    const bool is_end = is_variable || is_leaf || (node.is_known() && !depends(node));
    if (is_end) result.leaves.push_back(node);
    return is_end;
  });
  return result;
}

StructureHash structure_of_body(std::span<const Expr> parameters, const Expr& body) {
  std::vector<Expr> roots(parameters.begin(), parameters.end());
  roots.push_back(body);
  return walked(roots, [](const Expr& node) { return node.as<Parameter>() != nullptr; });
}

std::vector<Expr> with_leaves(std::span<const Expr> roots, std::span<const Expr> leaves,
                              std::span<const Expr> replacements) {
  Substitution substitution;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    substitution.emplace(leaves[k].identity(), replacements[k]);
  }
  return substitute(roots, substitution);
}

}  // namespace axial::expr
