#include "axial/notation/formula_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "axial/expr/lambda.hpp"
#include "axial/notation/compose.hpp"

namespace axial::notation {
namespace {

using expr::Expr;

bool is_application(const Tree& tree, std::string_view word) {
  return tree.form == Form::apply && tree.text == word;
}

/// The reductions that do not see how often an element stands there.
bool ignores_repetition(const Reduction& word) {
  constexpr auto names = std::to_array<std::string_view>({"max", "min", "any", "all"});
  return std::ranges::find(names, word.name) != names.end();
}

/// The sizes pairwise, so that a reshape is nothing but a renaming.
bool only_renames(const Shape& from, const Shape& to) {
  return std::ranges::equal(from.written(), to.written(), {}, &SizedAxis::size, &SizedAxis::size);
}

class NodeWriter {
 public:
  NodeWriter(const Expr& node, std::vector<Part> operands, const Manner& manner)
      : node_(node), operands_(std::move(operands)), manner_(manner) {}

  Tree operator()(const expr::Leaf&);
  Tree operator()(const expr::Parameter&);
  Tree operator()(const expr::Literal&);
  Tree operator()(const expr::Map&);
  Tree operator()(const expr::Reduce&);
  Tree operator()(const expr::Contract&);
  Tree operator()(const expr::Rename&);
  Tree operator()(const expr::Reshape&);
  Tree operator()(const expr::Index&);
  Tree operator()(const expr::Window&);
  Tree operator()(const expr::Fold&);
  Tree operator()(const expr::Scatter&);
  Tree operator()(const expr::Slice&);
  Tree operator()(const expr::Pad&);
  Tree operator()(const expr::Concat&);
  Tree operator()(const expr::Broadcast&) { return only(); }
  Tree operator()(const expr::Delta&);
  Tree operator()(const expr::Iota&);
  Tree operator()(const expr::Cast&);
  Tree operator()(const expr::Along&);
  Tree operator()(const expr::Scan&);
  Tree operator()(const expr::Call&);

 private:
  /// The tree of the only operand.
  Tree only() { return std::move(operands_[0].tree); }
  std::vector<Tree> trees(std::size_t begin, std::size_t end);
  std::vector<Tree> trees() { return trees(0, operands_.size()); }
  /// True if each of the axes is there when some operand in the range is read.
  bool have(const Axes& axes, std::size_t begin, std::size_t end) const;
  /// Those of the axes that are there when the operands are read.
  Axes present(const Axes& axes) const;
  Tree contracted(const Axes& over);
  Tree scaled(const Axes& by, Tree tree) const;
  Tree rearranged(Tree of, const Axes& from, const Shape& to) const;
  Tree selected(Axis axis, Tree position);
  Tree position(std::int64_t from_zero) const {
    return number_tree(from_zero + manner_.first_position);
  }
  std::vector<AxisTerm> terms(const Axes& axes) const;
  std::vector<AxisTerm> sized_terms(const Shape& shape) const;

  const Expr& node_;
  std::vector<Part> operands_;
  const Manner& manner_;
};

std::vector<Tree> NodeWriter::trees(std::size_t begin, std::size_t end) {
  std::vector<Tree> all;
  for (std::size_t k = begin; k < end; ++k) all.push_back(std::move(operands_[k].tree));
  return all;
}

bool NodeWriter::have(const Axes& axes, std::size_t begin, std::size_t end) const {
  return std::ranges::all_of(axes, [&](Axis axis) {
    return std::any_of(operands_.begin() + static_cast<std::ptrdiff_t>(begin),
                       operands_.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const Part& part) { return part.axes.contains(axis); });
  });
}

Axes NodeWriter::present(const Axes& axes) const {
  Axes found;
  for (const Axis axis : axes) {
    if (have(axis, 0, operands_.size())) found = found & axis;
  }
  return found;
}

Tree NodeWriter::operator()(const expr::Leaf&) {
  throw Error(
      code("needs-value"),
      fmt::format("a tensor of shape {} has no name to be written by", to_text(node_.shape())),
      "give a name to every tensor that the formula is computed from");
}

Tree NodeWriter::operator()(const expr::Parameter& parameter) {
  throw Error(code("needs-value"),
              fmt::format("the variable `{}` has no name in the formula", parameter.name),
              "give a name to every variable that the formula depends on");
}

Tree NodeWriter::operator()(const expr::Literal& literal) {
  if (literal.value.real() == std::numbers::pi) return {Form::name, {}, "π", {}, {}};
  if (!literal.size_of) return number_tree(literal.value);
  return {Form::size, {}, manner_.name(*literal.size_of), {}, {}};
}

/// Operators are applied by the names of their words. X + -Y is X - Y.
Tree NodeWriter::operator()(const expr::Map& map) {
  const bool is_sum = map.word->name == "add" || map.word->name == "sub";
  if (is_sum && is_application(operands_[1].tree, "neg")) {
    Tree negated = std::move(operands_[1].tree.children[0]);
    return applied(map.word->name == "add" ? "sub" : "add", list(only(), std::move(negated)));
  }
  return applied(map.word->name, trees());
}

Tree NodeWriter::operator()(const expr::Reduce& reduce) {
  const bool sums = reduce.word->name == "sum";
  const bool may_lack = sums || ignores_repetition(*reduce.word);
  const Axes over = may_lack ? present(reduce.over) : reduce.over;
  Tree tree = only();
  if (!over.empty()) tree = applied(reduce.word->name, list(std::move(tree)), manner_.names(over));
  return sums ? scaled(reduce.over - over, std::move(tree)) : tree;
}

/// |a| ⊙ |b| ⊙ X: the sum of X over axes that it does not have.
Tree NodeWriter::scaled(const Axes& by, Tree tree) const {
  std::vector<Tree> factors;
  for (const Axis axis : by) factors.push_back({Form::size, {}, manner_.name(axis), {}, {}});
  factors.push_back(std::move(tree));
  return product(std::move(factors));
}

Tree NodeWriter::operator()(const expr::Contract& contract) {
  const Axes over = present(contract.over);
  return scaled(contract.over - over, contracted(over));
}

/// X .ax (Y ⊙ Z), split where both sides have the axes; else sum_ax X ⊙ Y ⊙ Z.
Tree NodeWriter::contracted(const Axes& over) {
  const std::size_t count = operands_.size();
  if (over.empty()) return product(trees());
  for (std::size_t k = 1; k < count; ++k) {
    if (!have(over, 0, k) || !have(over, k, count)) continue;
    return {Form::contract,
            {},
            {},
            manner_.names(over),
            list(product(trees(0, k)), product(trees(k, count)))};
  }
  return applied("sum", list(product(trees())), manner_.names(over));
}

/// X^* if every axis is starred, X^† likewise, else X_{a→b}.
Tree NodeWriter::operator()(const expr::Rename& rename) {
  const auto renames_all = [&](Axis (Axis::*mark)() const) {
    return std::ranges::all_of(operands_[0].axes, [&](Axis axis) {
      const auto pair = std::ranges::find(rename.pairs, axis, &std::pair<Axis, Axis>::first);
      return !is_fresh(axis) && pair != rename.pairs.end() && pair->second == (axis.*mark)();
    });
  };
  Tree tree{Form::rename, {}, {}, {}, {}};
  for (const auto& [from, to] : rename.pairs) {
    if (operands_[0].axes.contains(from)) tree.arrows.push_back({terms(from), terms(to)});
  }
  if (tree.arrows.empty()) return only();
  if (renames_all(&Axis::star)) return {Form::mark, {}, "*", {}, list(only())};
  if (renames_all(&Axis::dagger)) return {Form::mark, {}, "†", {}, list(only())};
  tree.children.push_back(only());
  return tree;
}

std::vector<AxisTerm> NodeWriter::terms(const Axes& axes) const {
  std::vector<AxisTerm> all;
  for (const Axis axis : axes) all.push_back({manner_.name(axis), {}});
  return all;
}

/// a[2], b: the last size follows from the others unless there are no elements.
std::vector<AxisTerm> NodeWriter::sized_terms(const Shape& shape) const {
  std::vector<AxisTerm> all = terms(shape.names());
  const std::size_t open = shape.volume() == 0 ? 0 : 1;
  for (std::size_t k = 0; k + open < all.size(); ++k) {
    all[k].size.push_back(number_tree(shape.written()[k].size));
  }
  return all;
}

Tree NodeWriter::operator()(const expr::Reshape& reshape) {
  const Shape from = restrict(node_.operands()[0].shape(), reshape.from);
  if (from.order() == reshape.to.order() && only_renames(from, reshape.to)) {
    const Axes to = reshape.to.names();
    Tree tree{Form::rename, {}, {}, {}, list(only())};
    for (std::int64_t k = 0; k < to.count(); ++k) {
      tree.arrows.push_back({terms(reshape.from[k]), terms(to[k])});
    }
    return tree;
  }
  return rearranged(only(), reshape.from, reshape.to);
}

/// A flattening, a split, or one behind the other.
Tree NodeWriter::rearranged(Tree of, const Axes& from, const Shape& to) const {
  const auto arranged = [](Tree base, Arrow arrow) {
    Tree tree{Form::rename, {}, {}, {}, list(std::move(base))};
    tree.arrows.push_back(std::move(arrow));
    return tree;
  };
  if (from.empty()) return of;
  if (to.order() == 0) {
    // Each axis has a single position.
    Tree tree{Form::index, {}, {}, manner_.names(from), list(std::move(of))};
    for (std::int64_t k = 0; k < from.count(); ++k) tree.children.push_back(position(0));
    return tree;
  }
  if (from.count() == 1) return arranged(std::move(of), {terms(from), sized_terms(to)});
  const Axis whole = to.written()[0].axis;
  Tree flat = arranged(std::move(of), {terms(from), terms(whole)});
  return to.order() == 1 ? flat : arranged(std::move(flat), {terms(whole), sized_terms(to)});
}

/// X_{ax(i)} for a number, index_ax(X, I) for a tensor.
Tree NodeWriter::operator()(const expr::Index& index) {
  const std::int64_t first = manner_.first_position;
  const Expr& place = node_.operands()[1];
  Tree& positions = operands_[1].tree;
  if (const auto* literal = place.as<expr::Literal>();
      literal != nullptr && !literal->size_of && positions.form != Form::name) {
    return selected(index.axis, position(literal->value.whole()));
  }
  // Elaboration counts from zero by taking the first position away.
  const bool counts = is_application(positions, "sub") &&
                      positions.children[1].form == Form::number &&
                      positions.children[1].number.real() == static_cast<double>(first);
  if (counts) {
    positions = Tree(std::move(positions.children[0]));
  } else if (first != 0) {
    positions = applied("add", list(std::move(positions), number_tree(first)));
  }
  return applied("index", trees(), manner_.names(index.axis));
}

/// X_{a(i), b(j)}: positions are taken one after the other.
Tree NodeWriter::selected(Axis axis, Tree position) {
  Tree tree = only();
  if (tree.form != Form::index) tree = {Form::index, {}, {}, {}, list(std::move(tree))};
  tree.axes.push_back(manner_.name(axis));
  tree.children.push_back(std::move(position));
  return tree;
}

Tree NodeWriter::operator()(const expr::Slice& slice) {
  const std::int64_t last = slice.begin + (slice.count - 1) * slice.step;
  if (slice.count > 0 && (slice.step == 1 || slice.count == 1)) {
    return selected(slice.axis,
                    {Form::slice, {}, {}, {}, list(position(slice.begin), position(last))});
  }
  return applied("slice",
                 list(only(), position(slice.begin), position(last), number_tree(slice.step)),
                 manner_.names(slice.axis));
}

/// unroll and pool; the size of the window is that of its axis.
Tree NodeWriter::operator()(const expr::Window& window) {
  const AxisNames axes{manner_.name(window.axis), manner_.name(window.kernel.axis)};
  const bool is_dense = window.dilation == 1 || window.kernel.size == 1;
  const std::int64_t size = node_.operands()[0].shape().size(window.axis);
  if (is_dense && window.stride == 1) return applied("unroll", list(only()), axes);
  if (is_dense && window.stride == window.kernel.size && size % window.stride == 0) {
    return applied("pool", list(only()), axes);
  }
  return applied("window", list(only(), number_tree(window.stride), number_tree(window.dilation)),
                 axes);
}

Tree NodeWriter::operator()(const expr::Fold& fold) {
  return applied("fold", list(only()), {manner_.name(fold.axis.axis), manner_.name(fold.kernel)});
}

Tree NodeWriter::operator()(const expr::Scatter& scatter) {
  return applied("scatter", trees(), manner_.names(scatter.axis.axis));
}

Tree NodeWriter::operator()(const expr::Pad& pad) {
  std::vector<Tree> all = list(only(), number_tree(pad.before), number_tree(pad.after));
  if (pad.value.real() != 0) all.push_back(number_tree(pad.value));
  return applied("pad", std::move(all), manner_.names(pad.axis));
}

Tree NodeWriter::operator()(const expr::Concat& concat) {
  Tree all = only();
  for (std::size_t k = 1; k < operands_.size(); ++k) {
    all = {Form::concat,
           {},
           {},
           manner_.names(concat.axis),
           list(std::move(all), std::move(operands_[k].tree))};
  }
  return all;
}

Tree NodeWriter::operator()(const expr::Delta& delta) {
  return {Form::identity, {}, {}, {manner_.name(delta.row.axis), manner_.name(delta.column)}, {}};
}

Tree NodeWriter::operator()(const expr::Iota& iota) {
  return applied("positions", {}, manner_.names(iota.axis.axis));
}

/// Truth values as numbers are [X = Y] where that has the right type, else cases; numbers as truth
/// values are X ≠ 0.
Tree NodeWriter::operator()(const expr::Cast& cast) {
  const Expr& operand = node_.operands()[0];
  if ((operand.element() == boolean) == (cast.element == boolean)) return only();
  if (cast.element == boolean) return applied("unequal", list(only(), number_tree(0)));
  const auto* map = operand.as<expr::Map>();
  const bool is_comparison = map != nullptr && map->word->gives == Gives::truth &&
                             is_application(operands_[0].tree, map->word->name);
  if (is_comparison) {
    const ElementType compared = operand.operands()[0].element();
    if (compared == cast.element || (is_real(compared) && is_real(cast.element))) {
      return {Form::truth, {}, {}, {}, list(only())};
    }
  }
  // Unlike where(P, 1, 0), cases take the element type of their surroundings.
  return {Form::cases, {}, {}, {}, list(number_tree(1), only(), number_tree(0))};
}

Tree NodeWriter::operator()(const expr::Along& along) {
  return applied(along.word->name, trees(), manner_.names(along.over));
}

Tree NodeWriter::operator()(const expr::Scan& scan) {
  return applied("scan", trees(), manner_.names(scan.axis));
}

Tree NodeWriter::operator()(const expr::Call& call) {
  const std::string& name = call.function->name;
  const auto& parameters = call.function->parameters;
  // What the body took from outside is passed behind the arguments, and is not written.
  const auto captured = std::ranges::find_if(parameters, [](const Expr& parameter) {
    return parameter.as<expr::Parameter>()->name == "captured";
  });
  const auto arguments = static_cast<std::size_t>(captured - parameters.begin());
  return applied(name.empty() ? "function" : name, trees(0, arguments),
                 manner_.names(call.function->axes));
}

}  // namespace

std::string Manner::name(Axis axis) const {
  const auto found = shown.find(axis);
  return std::string((found == shown.end() ? axis : found->second).name());
}

std::vector<std::string> Manner::names(const Axes& axes) const {
  std::vector<std::string> all;
  for (const Axis axis : axes) all.push_back(name(axis));
  return all;
}

Tree written(const Expr& node, std::vector<Part> operands, const Manner& manner) {
  return std::visit(NodeWriter(node, std::move(operands), manner), node.kind());
}

}  // namespace axial::notation
