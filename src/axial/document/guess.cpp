#include "axial/document/guess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "axial/document/call.hpp"
#include "axial/document/compare.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::document {
namespace {

using expr::Expr;
using notation::Domain;
using notation::Form;
using notation::Tree;

/// Positions in an equation that are named and not declared: it holds for each of them.
struct FreeIndex {
  std::string variable;
  std::string axis;
  const Tree* base;
};

void collect_free_indices(const Tree& tree, const Frame& frame, std::set<std::string> bound,
                          std::vector<FreeIndex>& found) {
  if (tree.form == Form::fold || tree.form == Form::limit) {
    for (const Tree& variable : tree.sub) bound.insert(variable.text);
  }
  if (tree.form == Form::index) {
    for (std::size_t k = 0; k < tree.axes.size(); ++k) {
      const Tree& position = tree.children[k + 1];
      const bool is_name = position.form == Form::name && position.sub.empty();
      if (!is_name || bound.contains(position.text)) continue;
      const bool known = std::ranges::any_of(
          found, [&](const FreeIndex& index) { return index.variable == position.text; });
      if (!known && !frame.tensor(position)) {
        found.push_back({position.text, tree.axes[k], &tree.children[0]});
      }
    }
  }
  for (const Tree& child : tree.children) collect_free_indices(child, frame, bound, found);
}

/// Sizes that axes have in the tensors that a formula mentions.
std::map<std::string, std::int64_t> sizes_beside(const Tree& body, const Frame& frame) {
  std::map<std::string, std::int64_t> sizes;
  for_each_part(body, [&](const Tree& part) {
    if (part.form != Form::name && part.text != "pow") return;
    const auto name = labelled_name(part);
    if (!name) return;
    const auto meaning = frame.meaning(*name);
    const Domain* domain = meaning ? frame.domain_of(*meaning->symbol) : nullptr;
    if (domain == nullptr) return;
    try {
      const Shape shape = frame.shape_of(*domain);
      for (const SizedAxis& axis : shape.written()) {
        sizes.emplace(std::string(axis.axis.name()), axis.size);
      }
    } catch (const Error&) {
      // A shape that is not known tells nothing.
    }
  });
  return sizes;
}

}  // namespace

notation::Bound with_free_indices(const std::vector<const Tree*>& sides, const Frame& frame) {
  std::vector<FreeIndex> free;
  for (const Tree* side : sides) collect_free_indices(*side, frame, {}, free);
  std::map<std::string, Expr, std::less<>> tensors;
  for (const FreeIndex& index : free) {
    const Axis axis = frame.axes(index.axis)[0];
    std::optional<std::int64_t> size;
    try {
      size = notation::elaborate(*index.base, frame).shape().find(axis);
    } catch (const Error&) {
      // What is indexed may depend on other positions; the axis then has its usual size.
    }
    if (!size) size = frame.size(axis);
    const Axis hidden = fresh(Axis(fmt::format("each{}", tensors.size())), {});
    const Expr iota = expr::make(expr::Iota{hidden[size.value_or(1)], float64});
    tensors.emplace(index.variable,
                    expr::make(expr::Map{find_word("add")},
                               {iota, expr::make(expr::Literal{.value = std::int64_t{1}})}));
  }
  return {frame, std::move(tensors)};
}

void enter_function(Frame& frame, const Symbols& symbols, std::size_t item) {
  const Function* function = symbols.function_of(item);
  if (function != nullptr) frame.enter(*function, {});
}

std::vector<std::vector<std::string>> shape_guesses(const std::vector<std::string>& axes) {
  std::vector<std::vector<std::string>> guesses{axes};
  if (!axes.empty()) guesses.push_back({});
  if (axes.size() > 1) {
    for (const std::string& axis : axes) guesses.push_back({axis});
    for (std::size_t k = 0; k < axes.size(); ++k) {
      std::vector<std::string> rest = axes;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
      if (rest.size() > 1) guesses.push_back(rest);
    }
  }
  return guesses;
}

Shape guessed_shape(const std::vector<std::string>& names, const Frame& frame,
                    const std::map<std::string, std::int64_t>& beside) {
  std::vector<SizedAxis> sized;
  for (const std::string& name : names) {
    for (const Axis axis : frame.axes(name)) {
      const auto near = beside.find(std::string(axis.name()));
      const auto size = near != beside.end() ? std::optional(near->second) : frame.size(axis);
      if (size &&
          std::ranges::none_of(sized, [&](const SizedAxis& one) { return one.axis == axis; })) {
        sized.push_back({axis, *size});
      }
    }
  }
  return Shape(sized);
}

Frame entered(World& world, const Symbols& symbols, const Function& function, std::size_t item) {
  std::vector<std::string> unknown;
  for (std::size_t k = 0; k < function.parameters.size(); ++k) {
    if (parameter_domain(symbols, function, k) == nullptr)
      unknown.push_back(function.parameters[k]);
  }
  if (unknown.empty()) {
    Frame frame(world, item);
    frame.enter(function, {});
    return frame;
  }
  std::vector<std::string> axes = axes_of_definition(symbols, function);
  std::optional<Error> last;
  for (const std::vector<std::string>& guess : shape_guesses(axes)) {
    Frame frame(world, item);
    try {
      std::map<std::string, Shape> shapes;
      const auto beside = sizes_beside(*function.body, frame);
      for (const std::string& name : unknown)
        shapes.emplace(name, guessed_shape(guess, frame, beside));
      frame.enter(function, shapes);
      frame.body_of(function);
      return frame;
    } catch (const Error& error) {
      if (!last || is_unlucky(error)) last = error;
    }
  }
  if (is_unlucky(*last)) throw *last;
  throw Error(code("foreign"),
              fmt::format("the shape of `{}` is not declared: {}", unknown[0], last->message()), {},
              last->span());
}

std::vector<std::string> undeclared_in(const std::vector<const Tree*>& sides, const Frame& frame) {
  std::set<std::string> found;
  std::function<void(const Tree&, std::set<std::string>)> visit = [&](const Tree& tree,
                                                                      std::set<std::string> bound) {
    if (tree.form == Form::fold || tree.form == Form::limit) {
      for (const Tree& variable : tree.sub) bound.insert(variable.text);
    }
    if (tree.form == Form::evaluated) bound.insert(tree.children[1].text);
    if (tree.form == Form::index) {
      for (std::size_t k = 1; k < tree.children.size(); ++k) {
        if (tree.children[k].form == Form::name) bound.insert(tree.children[k].text);
      }
    }
    if (const auto label = labelled_name(tree); tree.text == "pow" && label) {
      try {
        Tree name = tree.children[0];
        name.super = {tree.children[1]};
        if (frame.tensor(name)) return;
      } catch (const Error&) {
        return;
      }
    }
    if (tree.form == Form::name && !bound.contains(tree.text)) {
      try {
        if (!frame.tensor(tree)) found.insert(tree.text);
      } catch (const Error&) {
        // It is declared, though its value is out of reach.
      }
    }
    for (const Tree& child : tree.children) visit(child, bound);
  };
  std::vector<FreeIndex> free;
  for (const Tree* side : sides) collect_free_indices(*side, frame, {}, free);
  std::set<std::string> positions;
  for (const FreeIndex& index : free) positions.insert(index.variable);
  for (const Tree* side : sides) visit(*side, positions);
  return {found.begin(), found.end()};
}

std::vector<const Tree*> with_definitions(std::vector<const Tree*> trees, const Frame& frame) {
  constexpr std::size_t most = 50;
  for (std::size_t k = 0; k < trees.size() && trees.size() < most; ++k) {
    const Tree& tree = *trees[k];
    const auto add = [&](const Tree* body) {
      if (std::ranges::find(trees, body) == trees.end()) trees.push_back(body);
    };
    for_each_part(tree, [&](const Tree& part) {
      if (part.form == Form::apply) {
        if (const Tree* meaning = frame.world().symbols().implied(part)) add(meaning);
      }
      if (part.form != Form::name) return;
      const auto meaning = frame.meaning(*labelled_name(part));
      const Symbol* definition = meaning ? frame.definition_of(*meaning->symbol) : nullptr;
      if (definition != nullptr && definition->variables.empty()) add(definition->body);
    });
  }
  return trees;
}

namespace {

/// The axes that are declared for the tensors in formulas.
std::set<std::string> declared_axes(const std::vector<const Tree*>& trees, const Frame& frame) {
  std::set<std::string> axes;
  for (const Tree* tree : trees) {
    for_each_part(*tree, [&](const Tree& part) {
      if (part.form != Form::name) return;
      const auto meaning = frame.meaning(*labelled_name(part));
      const Domain* domain = meaning ? frame.domain_of(*meaning->symbol) : nullptr;
      if (domain == nullptr) return;
      for (const notation::AxisTerm& term : domain->axes) axes.insert(term.name);
    });
  }
  return axes;
}

/// The axes that formulas mention, or else those of the tensors in them. In formulas with
/// differentials, ax* is how ax is called in a derivative, which no symbol has from the start.
std::vector<std::string> guessed_axes(const std::vector<const Tree*>& trees, const Frame& frame) {
  std::set<std::string> mentioned;
  bool differentiates = false;
  for (const Tree* tree : trees) {
    for (std::string& axis : axes_in(*tree)) mentioned.insert(std::move(axis));
    for_each_part(*tree, [&](const Tree& part) {
      differentiates =
          differentiates || part.form == Form::differential || part.form == Form::derivative;
    });
  }
  if (mentioned.empty()) mentioned = declared_axes(trees, frame);
  std::vector<std::string> axes;
  for (const std::string& axis : mentioned) {
    const std::size_t end = std::min(axis.find('*'), axis.find("†"));
    const bool is_derived = end != std::string::npos && mentioned.contains(axis.substr(0, end));
    if (!differentiates || !is_derived) axes.push_back(axis);
  }
  return axes;
}

/// A frame in which unknown names have the shapes of one choice among `guesses`.
Frame assuming(World& world, const Symbols& symbols, std::size_t item,
               const std::vector<std::string>& unknown,
               std::span<const std::vector<std::string>> guesses, std::size_t choice) {
  Frame frame(world, item);
  frame.see_only_near();
  enter_function(frame, symbols, item);
  for (const std::string& name : unknown) {
    const Shape shape = guessed_shape(guesses[choice % guesses.size()], frame, {});
    choice /= guesses.size();
    const Symbol symbol{LabelledName{name, {}}, item};
    world.assume(name, world.open_value(symbol, "unknown " + name, shape, {}));
  }
  return frame;
}

/// True if neighbouring sides are equal in the frames that `enter` makes. Fails with the errors of
/// reading them there.
bool holds_in(const std::function<Frame(World&)>& enter, Examination& examination, const Draw& draw,
              const Symbols& symbols, const std::vector<const Tree*>& sides) {
  for (std::size_t k = 0; k + 1 < sides.size(); ++k) {
    const auto pair = [&](World& world) {
      const Frame frame = enter(world);
      const auto inside = with_free_indices({sides[k], sides[k + 1]}, frame);
      return std::pair{notation::elaborate(*sides[k], inside),
                       notation::elaborate(*sides[k + 1], inside)};
    };
    World world(symbols, draw);
    const auto [left, right] = pair(world);
    if (left.shape().names() != right.shape().names()) return false;
    if (compare(symbols, draw, pair).agreement != Agreement::equal) return false;
    examination.result().shape = left.shape();
  }
  return true;
}

}  // namespace

bool holds_for_guesses(Examination& examination, const Draw& draw, const Symbols& symbols,
                       std::size_t item, const std::vector<const Tree*>& sides) {
  World first(symbols, draw);
  const Frame near = assuming(first, symbols, item, {}, {}, 0);
  const std::vector<const Tree*> trees = with_definitions(sides, near);
  const std::vector<std::string> unknown = undeclared_in(trees, near);
  if (unknown.empty() || unknown.size() > 3) return false;
  auto guesses = shape_guesses(guessed_axes(trees, near));
  guesses.resize(std::min<std::size_t>(guesses.size(), 8));
  std::size_t combinations = 1;
  for (std::size_t k = 0; k < unknown.size(); ++k) combinations *= guesses.size();
  for (std::size_t k = 0; k < combinations; ++k) {
    // What fitted in the trial before most likely fits again.
    const std::size_t choice = (examination.guess() + k) % combinations;
    const auto enter = [&](World& world) {
      return assuming(world, symbols, item, unknown, guesses, choice);
    };
    try {
      if (!holds_in(enter, examination, draw, symbols, sides)) continue;
      examination.guess() = choice;
      return true;
    } catch (const Error&) {
      // This choice does not fit.
    }
  }
  examination.result().shape.reset();
  return false;
}

}  // namespace axial::document
