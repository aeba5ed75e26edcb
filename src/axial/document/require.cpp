#include "axial/document/require.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "axial/notation/print.hpp"

namespace axial::document {
namespace {

using expr::Expr;
using notation::Domain;
using notation::Form;
using notation::Tree;

/// The part of a formula that has an axis which the rest lacks.
const Tree* culprit(const Tree& tree, Axis axis, const Frame& frame, int depth = 0) {
  if (depth > 40) return &tree;
  const auto has_axis = [&](const Tree& part) {
    try {
      return notation::elaborate(part, frame).shape().contains(axis);
    } catch (const Error&) {
      return false;
    }
  };
  if (const auto name = labelled_name(tree);
      name && (tree.form == Form::name || tree.text == "pow")) {
    const auto meaning = frame.meaning(*name);
    const Symbol* definition = meaning ? frame.definition_of(*meaning->symbol) : nullptr;
    const bool is_local =
        meaning && frame.world().symbols().same_block(meaning->symbol->item, frame.item());
    if (definition != nullptr && is_local && definition->variables.empty()) {
      return culprit(*definition->body, axis, frame, depth + 1);
    }
    return &tree;
  }
  const bool is_sum = tree.form == Form::apply && (tree.text == "add" || tree.text == "sub" ||
                                                   tree.text == "mul" || tree.text == "neg");
  if (!is_sum && tree.form != Form::contract) return &tree;
  const Tree* found = nullptr;
  for (const Tree& child : tree.children) {
    if (!has_axis(child)) continue;
    if (found != nullptr) return &tree;
    found = &child;
  }
  return found == nullptr ? &tree : culprit(*found, axis, frame, depth + 1);
}

/// True if the sizes in the result of a signature are told by its parameters or by the document.
bool is_size_determined(const Tree& size, const Function& function, const Symbols& symbols) {
  std::set<SizeKey> known;
  for (const Domain& domain : function.signature->parameters) {
    for (const notation::AxisTerm& term : domain.axes) {
      known.insert(axis_key(term.name));
      for (const Tree& formula : term.size) known.merge(keys_in(formula, {}));
    }
  }
  for (const SizeEquation* equation : symbols.sizes(function.item)) {
    known.merge(keys_in(*equation->left, {}));
    known.merge(keys_in(*equation->right, {}));
  }
  for (const std::string& name : function.below) {
    known.insert(name);
    known.insert(axis_key(name));
  }
  return std::ranges::all_of(keys_in(size, {}),
                             [&](const SizeKey& key) { return known.contains(key); });
}

}  // namespace

void require_domain(const Expr& result, const Domain& domain, const Tree& body, const Frame& frame,
                    std::string_view what) {
  std::vector<Axis> names;
  for (const notation::AxisTerm& term : domain.axes) {
    for (const Axis axis : frame.axes(term.name)) names.push_back(axis);
  }
  const Axes expected(names);
  const Axes actual = result.shape().names();
  for (const Axis axis : actual) {
    if (expected.contains(axis)) continue;
    const Tree* from = culprit(body, axis, frame);
    const std::string part =
        from == &body ? "" : fmt::format(" from `{}`", notation::to_text(*from));
    throw Error(code("result-axes"),
                fmt::format("{} has the extra axis `{}`{}: it is declared with {} and has {}", what,
                            axis.name(), part, to_text(expected), to_text(actual)),
                fmt::format("sum over `{}`, or declare it", axis.name()), from->span);
  }
  for (const Axis axis : expected) {
    if (actual.contains(axis)) continue;
    throw Error(code("result-axes"),
                fmt::format("{} lacks the axis `{}`: it is declared with {} and has {}", what,
                            axis.name(), to_text(expected), to_text(actual)),
                "compute the axis, or declare the result without it", body.span);
  }
}

void require_sizes(const Expr& result, const Domain& domain, const Tree& body, const Frame& frame,
                   std::string_view what) {
  for (const notation::AxisTerm& term : domain.axes) {
    const Axes actual = frame.axes(term.name);
    if (term.size.empty() || actual.count() != 1) continue;
    const auto wanted = frame.whole(term.size[0]);
    const std::int64_t size = result.shape().size(actual[0]);
    if (!wanted || *wanted == size) continue;
    throw Error(code("size-clash"),
                fmt::format("{} has {} positions along `{}`, where {} = {} are declared", what,
                            size, term.name, notation::to_text(term.size[0]), *wanted),
                "make the sizes agree", body.span);
  }
}

Domain determined_part(const Domain& domain, const Function& function, const Symbols& symbols) {
  Domain result = domain;
  for (notation::AxisTerm& term : result.axes) {
    const bool determined =
        term.size.empty() || is_size_determined(term.size[0], function, symbols);
    if (!determined) term.size.clear();
  }
  return result;
}

void require_same_axes(const Expr& left, const Expr& right, Span place) {
  if (left.shape().order() == 0 || right.shape().order() == 0) return;
  if (left.shape().names() == right.shape().names()) return;
  throw Error(code("result-axes"),
              fmt::format("the sides have different axes: {} on the left and {} on the right",
                          to_text(left.shape().names()), to_text(right.shape().names())),
              "sum, rename or index until both sides have the same", place);
}

}  // namespace axial::document
