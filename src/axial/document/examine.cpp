#include "axial/document/examine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "axial/base/text.hpp"
#include "axial/document/call.hpp"
#include "axial/document/compare.hpp"
#include "axial/notation/phrases.hpp"
#include "axial/notation/print.hpp"
#include "axial/vocabulary/elementwise.hpp"
#include "axial/vocabulary/primitives.hpp"
#include "axial/vocabulary/reductions.hpp"

namespace axial::document {
namespace {

using expr::Expr;
using notation::Domain;
using notation::Equation;
using notation::Form;
using notation::Tree;

/// Errors that are mistakes in what was written; others say that a formula is beyond us.
constexpr auto mistakes = std::to_array<std::string_view>(
    {"unknown-axis", "unexpected-axis", "size-clash", "rename-clash", "lifting-clash",
     "index-out-of-range", "window-size", "wrong-count", "wrong-arity", "contraction-axis",
     "index-bound", "result-axes", "not-equal", "repeated-axis", "unbalanced"});

bool is_mistake(const Error& error) {
  return std::ranges::find(mistakes, error.code().name) != mistakes.end();
}

/// True if the error is about a name of several letters that is near to another.
bool names_word(const Error& error) {
  const std::size_t open = error.message().find('`');
  const std::size_t close = error.message().find('`', open + 1);
  if (open == std::string::npos || close == std::string::npos) return false;
  return error.hint().starts_with("did you mean") &&
         display_width(error.message().substr(open + 1, close - open - 1)) > 2;
}

/// Sizes that were drawn do not fit what is done with them; others may.
bool is_unlucky(const Error& error) { return error.code().name == "window-size"; }

/// A message that speaks of expressions in C++, in the notation of documents.
std::string in_notation(std::string text) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  };
  for (const Word& word : elementwise_words) {
    if (!word.symbol.empty() && word.arity() == 2) {
      replace(fmt::format("`{}`", word.name), fmt::format("`{}`", word.symbol));
    }
  }
  const std::size_t arrow = text.find(" >> ");
  const std::size_t open = text.rfind('[', arrow);
  const std::size_t close = text.find(']', arrow);
  if (arrow != std::string::npos && open != std::string::npos && close != std::string::npos) {
    text = fmt::format("{}X_{{{}→{}}}{}", text.substr(0, open),
                       text.substr(open + 1, arrow - open - 1),
                       text.substr(arrow + 4, close - arrow - 4), text.substr(close + 1));
  }
  return text;
}

Diagnostic as_diagnostic(const Error& error, Span place) {
  return {Severity::error,
          &error.code(),
          error.span().value_or(place),
          error.message(),
          in_notation(error.hint()),
          {}};
}

bool contains(Span outer, Span inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

std::string drawn_sizes(const Sizes& sizes) {
  std::string text;
  for (const auto& [key, size] : sizes.drawn()) {
    std::string name = key;
    std::ranges::replace(name, '^', '_');
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, size);
  }
  return text;
}

/// A mistake that depends on sizes is told with the sizes of the trial.
std::string with_sizes(const Error& error, const Sizes& sizes) {
  const bool about_sizes =
      error.code().name == "size-clash" || error.code().name == "window-size" ||
      error.code().name == "index-bound" || error.code().name == "index-out-of-range";
  const std::string drawn = drawn_sizes(sizes);
  if (!about_sizes || drawn.empty()) return error.message();
  return fmt::format("{} (for instance with {})", error.message(), drawn);
}

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

/// The frame with free positions standing for all positions at once.
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

/// Enters the function that an item belongs to, if its parameters have declared shapes.
void enter_function(Frame& frame, const Symbols& symbols, std::size_t item) {
  const Function* function = symbols.function_of(item);
  if (function != nullptr) frame.enter(*function, {});
}

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

/// Fails with result-axes or size-clash unless a result is what was declared.
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

/// Fails with size-clash where the sizes of a result are known to differ from the declared ones.
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

Domain determined_part(const Domain& domain, const Function& function, const Symbols& symbols) {
  Domain result = domain;
  for (notation::AxisTerm& term : result.axes) {
    const bool determined =
        term.size.empty() || is_size_determined(term.size[0], function, symbols);
    if (!determined) term.size.clear();
  }
  return result;
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

class Examination {
 public:
  Examination(const Symbols& symbols, std::size_t item, const CheckOptions& options)
      : symbols_(symbols), item_(item), options_(options), place_(symbols.item(item).span) {}

  /// Runs `body` in several trials: first for types alone, then with numbers.
  template <class Body>
  Examined run(Body&& body) {
    World* last = nullptr;
    std::optional<World> world;
    try {
      for (const bool numbers : {false, true}) {
        if (numbers && (!options_.verify || result_.status != Status::checked)) break;
        for (int trial = 0; trial < std::max(1, options_.trials); ++trial) {
          attempt(trial, world, last, [&](const Draw& draw) { body(*world, draw, numbers); });
          if (trial == 0 && !numbers) result_.remarks = world->remarks();
          if (result_.status != Status::checked) break;
        }
      }
    } catch (const Error& error) {
      fail(error, last);
    } catch (const std::bad_alloc&) {
      skip("it needs too much memory");
    }
    return std::move(result_);
  }

  /// Draws again, and larger, while the sizes do not fit each other.
  template <class Body>
  void attempt(int trial, std::optional<World>& world, World*& last, Body&& body) {
    constexpr int most = 100;
    bool primes_agree = false;
    for (int retry = 0;; ++retry) {
      Draw draw{.seed = options_.seed + static_cast<std::uint64_t>(1000 * trial + retry)};
      draw.spread.largest = usual_largest + (retry + 9) / 10;
      draw.spread.primes_agree = primes_agree;
      world.emplace(symbols_, draw);
      last = &*world;
      try {
        return body(draw);
      } catch (const Error& error) {
        // Where |ax'| is not said, it may be |ax|.
        const bool clashes = error.code().name == "size-clash" && !primes_agree;
        primes_agree = primes_agree || clashes;
        if (clashes && retry < most) continue;
        if (!is_unlucky(error) || world->sizes().are_given() || retry >= most) throw;
      }
    }
  }

  void skip(std::string reason) {
    result_.status = Status::skipped;
    result_.verified = false;
    result_.reason = std::move(reason);
  }

  void fail(const Error& error, World* world) {
    const Span span = error.span().value_or(place_);
    if (error.code().name == "undeclared" && contains(place_, span) && names_word(error)) {
      result_.status = Status::error;
      result_.mistake = as_diagnostic(error, place_);
      return;
    }
    const bool only_drawn = is_unlucky(error) && world != nullptr && !world->sizes().are_given();
    if (!is_mistake(error) || only_drawn) return skip(describe(error));
    if (!contains(block_span(), span) && !contains(place_, span)) {
      return skip(fmt::format("it depends on something that has an error: {}", error.message()));
    }
    if (!confident_) {
      return skip(fmt::format("its symbols are declared in other sections and do not fit here: {}",
                              error.message()));
    }
    const bool elsewhere = !contains(place_, span) && error.code().name != "result-axes";
    if (elsewhere) {
      return skip(fmt::format("it depends on something that has an error: {}", error.message()));
    }
    result_.status = Status::error;
    result_.verified = false;
    result_.mistake = as_diagnostic(error, place_);
    if (world != nullptr) result_.mistake->message = in_notation(with_sizes(error, world->sizes()));
    if (!contains(place_, span)) {
      result_.mistake->related.push_back({place_, "needed for this definition"});
    }
  }

  Examined& result() { return result_; }
  bool is_confident() const { return confident_; }
  void note_confidence(const Frame& frame) { confident_ = confident_ && frame.is_confident(); }

 private:
  static std::string describe(const Error& error) {
    if (error.code().name == "syntax") return "it is not in the notation: " + error.message();
    return error.message();
  }

  /// The span of everything in the same block.
  Span block_span() const {
    Span span = place_;
    for (const Item& item : symbols_.contents().items) {
      if (item.block != symbols_.item(item_).block) continue;
      span.begin = std::min(span.begin, item.span.begin);
      span.end = std::max(span.end, item.span.end);
    }
    return span;
  }

  const Symbols& symbols_;
  std::size_t item_;
  const CheckOptions& options_;
  Span place_;
  Examined result_;
  bool confident_ = true;
};

/// Shapes to try for things that have none declared, the likeliest first.
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
  return Shape(std::move(sized));
}

/// A frame inside a function whose parameters may have to be guessed; nothing fits: the last error.
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

/// Names in a formula that nothing declares.
std::vector<std::string> undeclared_in(const std::vector<const Tree*>& sides, const Frame& frame) {
  std::set<std::string> found;
  std::function<void(const Tree&, std::set<std::string>)> visit = [&](const Tree& tree,
                                                                      std::set<std::string> bound) {
    if (tree.form == Form::fold || tree.form == Form::limit) {
      for (const Tree& variable : tree.sub) bound.insert(variable.text);
    }
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

std::string message_of(const Difference& difference) {
  const std::string place = difference.place.empty() ? "" : fmt::format(" at {}", difference.place);
  return fmt::format("the sides differ{}: the left is {:.6g} and the right is {:.6g}", place,
                     difference.left, difference.right);
}

/// What a reader needs to recompute a difference: sizes, and small values.
std::string circumstances(World& world) {
  std::string text = drawn_sizes(world.sizes());
  for (const auto& [key, full] : world.open_names()) {
    const auto found = world.known().find(full);
    if (found == world.known().end()) continue;
    const auto* leaf = found->second.as<expr::Leaf>();
    if (leaf == nullptr || leaf->value.volume() > 3) continue;
    std::string values;
    for (std::int64_t k = 0; k < leaf->value.volume(); ++k) {
      values += fmt::format("{}{:.4g}", k == 0 ? "" : ", ", leaf->value.real(k));
    }
    const std::string name = key.substr(key.rfind(' ') + 1);
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name,
                        leaf->value.volume() == 1 ? values : "[" + values + "]");
  }
  return text.empty() ? "" : "for instance with " + text;
}

/// Compares two sides by numbers; fails with not-equal if they differ.
bool verify(const Symbols& symbols, Draw draw, const Sides& sides, Span place) {
  Comparison comparison = compare(symbols, draw, sides);
  if (comparison.agreement == Agreement::undefined) {
    draw.positive = true;
    comparison = compare(symbols, draw, sides);
  }
  if (comparison.agreement == Agreement::different) {
    World world(symbols, draw);
    sides(world);
    throw Error(code("not-equal"), message_of(*comparison.difference), circumstances(world), place);
  }
  return comparison.agreement == Agreement::equal;
}

/// Fails with result-axes unless two sides have the same axes; a number equals a tensor of it.
void require_same_axes(const Expr& left, const Expr& right, Span place) {
  if (left.shape().order() == 0 || right.shape().order() == 0) return;
  if (left.shape().names() == right.shape().names()) return;
  throw Error(code("result-axes"),
              fmt::format("the sides have different axes: {} on the left and {} on the right",
                          to_text(left.shape().names()), to_text(right.shape().names())),
              "sum, rename or index until both sides have the same", place);
}

/// Prose that makes an equation a condition instead of a claim.
bool is_condition(const Item& item) {
  const std::string text =
      item.lead.size() > 80 ? item.lead.substr(item.lead.size() - 80) : item.lead;
  constexpr auto words = std::to_array<std::string_view>(
      {"assume", "suppose", "such that", "subject to", "satisf", "require", "constrain", "impos",
       "normalized so", "assumption", "provided that"});
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

}  // namespace

bool vocabulary_has(const Function& function) {
  const std::string& name = function.name.base;
  if (!function.name.labels.empty() || function.before_semicolon) return false;
  const std::size_t operands = function.parameters.size();
  if (const auto* phrase = notation::find_phrase(name)) {
    return phrase->signature.parameters.size() == operands &&
           phrase->signature.axes.size() == function.below.size();
  }
  if (find_reduction(name) != nullptr && function.below.size() == 1) return operands == 1;
  if (const Word* word = find_word(name)) {
    return function.below.empty() && static_cast<std::size_t>(word->arity()) == operands;
  }
  return false;
}

void recognise_vocabulary(Symbols& symbols, std::uint64_t seed) {
  for (const Function& function : symbols.functions()) {
    if (!vocabulary_has(function)) continue;
    Tree call{Form::apply, {}, function.name.base, function.below, {}};
    for (const std::string& name : function.parameters) {
      call.children.push_back({Form::name, {}, name, {}, {}});
    }
    try {
      const auto sides = [&](World& world) {
        const Frame frame = entered(world, symbols, function, function.item);
        const Expr body = frame.body_of(function);
        std::vector<Axes> axes;
        std::vector<Expr> operands;
        for (const std::string& name : function.below) axes.push_back(frame.axes(name));
        for (const Tree& child : call.children) operands.push_back(*frame.tensor(child));
        return std::pair{body, notation::apply_function(call.text, axes, std::move(operands))};
      };
      const Comparison comparison = compare(symbols, Draw{.seed = seed}, sides);
      if (comparison.agreement == Agreement::equal) symbols.note_in_vocabulary(function);
    } catch (const Error&) {
      // It is then the document's own function.
    }
  }
}

namespace {

/// f(X) = body: the body must have the declared result.
void examine_function(Examination& examination, World& world, const Draw& draw,
                      const Symbols& symbols, std::size_t item, const Equation& equation,
                      bool numbers) {
  const Function& function = *symbols.function_of(item);
  const Frame frame = entered(world, symbols, function, item);
  Expr body = [&] {
    try {
      return frame.body_of(function);
    } catch (const Error&) {
      examination.note_confidence(frame);
      throw;
    }
  }();
  examination.note_confidence(frame);
  examination.result().shape = body.shape();
  if (function.signature != nullptr) {
    const Domain& declared = function.signature->result;
    const std::string what = fmt::format("the result of `{}`", function.name.base);
    require_domain(body, declared, *function.body, frame, what);
    require_sizes(body, determined_part(declared, function, symbols), *function.body, frame, what);
  }
  if (!numbers) return;
  value_of(body);
  examination.result().verified = true;
  for (std::size_t k = 1; k + 1 < equation.sides.size(); ++k) {
    const auto sides = [&](World& other) {
      const Frame inside = entered(other, symbols, function, item);
      return std::pair{notation::elaborate(equation.sides[k], inside),
                       notation::elaborate(equation.sides[k + 1], inside)};
    };
    verify(symbols, draw, sides, equation.relations[k].span);
  }
}

const Symbol* symbol_of(const Symbols& symbols, std::size_t item) {
  for (const Symbol* symbol : symbols.in_block_of(item)) {
    if (symbol->item == item && symbol->body != nullptr) return symbol;
  }
  return nullptr;
}

/// Verifies that neighbouring sides from `first` on are equal.
void verify_chain(Examination& examination, const Draw& draw, const Symbols& symbols,
                  std::size_t item, const std::vector<const Tree*>& sides,
                  const std::vector<const notation::Relation*>& relations, std::size_t first,
                  bool numbers) {
  for (std::size_t k = first; k + 1 < sides.size(); ++k) {
    const std::string& relation = relations[k]->text;
    if (relation != "=" && relation != ":=" && relation != "≡") continue;
    const auto pair = [&](World& world) {
      Frame frame(world, item);
      enter_function(frame, symbols, item);
      try {
        const auto inside = with_free_indices({sides[k], sides[k + 1]}, frame);
        std::pair result{notation::elaborate(*sides[k], inside),
                         notation::elaborate(*sides[k + 1], inside)};
        examination.note_confidence(frame);
        return result;
      } catch (const Error&) {
        examination.note_confidence(frame);
        throw;
      }
    };
    World world(symbols, draw);
    const auto [left, right] = pair(world);
    require_same_axes(left, right, relations[k]->span);
    examination.result().shape = left.shape().order() > 0 ? left.shape() : right.shape();
    if (numbers) examination.result().verified = verify(symbols, draw, pair, relations[k]->span);
  }
}

/// The declared start of a recurrence, h^0, whose steps have the same axes.
const Symbol* start_of_recurrence(const Symbols& symbols, const Symbol& step) {
  if (step.name.labels.size() != 1 || step.name.labels[0].form != Form::name) return nullptr;
  if (!symbols.is_label_variable(step.name.labels[0].text)) return nullptr;
  bool recurs = false;
  for_each_part(*step.body, [&](const Tree& part) {
    const auto name = labelled_name(part);
    recurs = recurs || (name && name->base == step.name.base && name->labels.size() == 1 &&
                        name->labels[0].form == Form::apply);
  });
  if (!recurs) return nullptr;
  for (const Symbol* other : symbols.candidates(step.name.base, step.name.base + "^0", step.item)) {
    const bool is_start = other->domain != nullptr && other->name.labels.size() == 1 &&
                          other->name.labels[0].form == Form::number;
    if (is_start && symbols.encloses(other->item, step.item)) return other;
  }
  return nullptr;
}

/// A range or bound of positions beside an equation: it then does not hold for all of them.
bool is_restricted(const Symbols& symbols, std::size_t item,
                   const std::vector<std::string>& variables) {
  const auto is_variable = [&](const Tree& tree) {
    return tree.form == Form::name && std::ranges::find(variables, tree.text) != variables.end();
  };
  const std::size_t end = std::min(item + 4, symbols.contents().items.size());
  for (std::size_t k = item + 1; k < end && symbols.same_block(k, item); ++k) {
    if (!symbols.item(k).statement) continue;
    if (const auto* range = std::get_if<notation::Range>(&*symbols.item(k).statement)) {
      if (is_variable(range->name)) return true;
    } else if (const auto* bound = std::get_if<Equation>(&*symbols.item(k).statement)) {
      const bool compares = !bound->relations.empty() && bound->relations[0].text != "=" &&
                            bound->relations[0].text != ":=";
      if (compares && std::ranges::any_of(bound->sides, is_variable)) return true;
    }
  }
  return false;
}

/// X = body, with a declared domain or not.
void examine_definition(Examination& examination, World& world, const Draw& draw,
                        const Symbols& symbols, std::size_t item, const Equation& equation,
                        bool numbers) {
  const Symbol* symbol = symbol_of(symbols, item);
  Frame frame(world, item);
  enter_function(frame, symbols, item);
  const std::string name = notation::to_text(equation.sides[0]);
  if (is_restricted(symbols, item, symbol->variables)) {
    return examination.skip("it holds for some positions only");
  }
  Tree head = equation.sides[0];
  if (head.form == Form::index) head = Tree(head.children[0]);
  const auto meaning = [&] {
    try {
      auto value = frame.tensor(head);
      examination.note_confidence(frame);
      return value;
    } catch (const Error&) {
      examination.note_confidence(frame);
      throw;
    }
  }();
  if (!meaning) throw Error(code("foreign"), fmt::format("`{}` is not understood", name));
  examination.result().shape = meaning->shape();
  const Domain* domain = frame.domain_of(*symbol);
  if (const Symbol* start = start_of_recurrence(symbols, *symbol);
      domain == nullptr && start != nullptr) {
    require_domain(*meaning, *start->domain, equation.sides[1], frame, fmt::format("`{}`", name));
  }
  if (domain != nullptr && symbol->variables.empty()) {
    const std::string what = fmt::format("`{}`", name);
    require_domain(*meaning, *domain, equation.sides[1], frame, what);
    require_sizes(*meaning, *domain, equation.sides[1], frame, what);
  }
  if (numbers) {
    value_of(*meaning);
    examination.result().verified = true;
  }
  std::vector<const Tree*> sides;
  std::vector<const notation::Relation*> relations;
  for (const Tree& side : equation.sides) sides.push_back(&side);
  for (const notation::Relation& relation : equation.relations) relations.push_back(&relation);
  if (sides.size() > 2) {
    verify_chain(examination, draw, symbols, item, sides, relations, 1, numbers);
  }
}

/// Tries shapes for symbols that nothing declares; true if the equation holds for one choice.
bool holds_for_guesses(Examination& examination, const Draw& draw, const Symbols& symbols,
                       std::size_t item, const std::vector<const Tree*>& sides,
                       const std::vector<std::string>& unknown) {
  std::set<std::string> mentioned;
  for (const Tree* side : sides) {
    for (std::string& axis : axes_in(*side)) mentioned.insert(std::move(axis));
  }
  const std::vector<std::string> axes(mentioned.begin(), mentioned.end());
  const auto guesses = shape_guesses(axes);
  const std::size_t count = std::min<std::size_t>(guesses.size(), 8);
  std::size_t combinations = 1;
  for (std::size_t k = 0; k < unknown.size(); ++k) combinations *= count;
  for (std::size_t choice = 0; choice < combinations; ++choice) {
    const auto bound = [&](World& world) {
      Frame frame(world, item);
      frame.see_only_near();
      enter_function(frame, symbols, item);
      std::size_t rest = choice;
      for (const std::string& name : unknown) {
        const Shape shape = guessed_shape(guesses[rest % count], frame, {});
        rest /= count;
        const Symbol symbol{LabelledName{name, {}}, item};
        frame.bind(name, world.open_value(symbol, "unknown " + name, shape, {}));
      }
      return frame;
    };
    try {
      bool verified = true;
      for (std::size_t k = 0; k + 1 < sides.size(); ++k) {
        const auto pair = [&](World& world) {
          const Frame frame = bound(world);
          const auto inside = with_free_indices({sides[k], sides[k + 1]}, frame);
          return std::pair{notation::elaborate(*sides[k], inside),
                           notation::elaborate(*sides[k + 1], inside)};
        };
        World world(symbols, draw);
        const auto [left, right] = pair(world);
        if (left.shape().names() != right.shape().names()) verified = false;
        verified = verified && compare(symbols, draw, pair).agreement == Agreement::equal;
        examination.result().shape = left.shape();
      }
      if (verified) return true;
    } catch (const Error&) {
      // This choice does not fit.
    }
  }
  examination.result().shape.reset();
  return false;
}

/// The left side of a continued equation is the last side of the one before.
std::optional<const Tree*> side_before(const Symbols& symbols, std::size_t item) {
  const auto before = symbols.item(item).continues;
  if (!before || !symbols.item(*before).statement) return std::nullopt;
  const auto* equation = std::get_if<Equation>(&*symbols.item(*before).statement);
  if (equation == nullptr || equation->sides.empty()) return std::nullopt;
  return &equation->sides.back();
}

/// Fails with undeclared if a name is most likely one that is declared, misspelt.
void require_no_misspelling(const std::vector<const Tree*>& sides,
                            const std::vector<std::string>& unknown, const Frame& frame) {
  for (const Tree* side : sides) {
    for_each_part(*side, [&](const Tree& part) {
      if (part.form != Form::name || std::ranges::find(unknown, part.text) == unknown.end()) return;
      if (const auto meant = frame.likely_meant(part.text)) {
        throw Error(code("undeclared"), fmt::format("`{}` is not declared", part.text),
                    fmt::format("did you mean `{}`?", *meant), part.span);
      }
    });
  }
}

/// True if a name in the formulas is declared and not defined.
bool mentions_open(const std::vector<const Tree*>& sides, const Frame& frame) {
  bool found = false;
  for (const Tree* side : sides) {
    for_each_part(*side, [&](const Tree& part) {
      const auto name = labelled_name(part);
      if (!name || (part.form == Form::apply && part.text != "pow")) return;
      const auto meaning = frame.meaning(*name);
      found = found || (meaning && frame.definition_of(*meaning->symbol) == nullptr);
    });
  }
  return found;
}

/// Why formulas are not computed with yet, if they are not.
std::optional<std::string> beyond_us(const std::vector<const Tree*>& sides) {
  std::optional<std::string> reason;
  for (const Tree* side : sides) {
    for_each_part(*side, [&](const Tree& part) {
      if (part.form == Form::differential) reason = "differentials are not verified yet";
      if (part.form == Form::derivative) reason = "derivatives are not verified yet";
    });
  }
  return reason;
}

/// An equation between formulas.
void examine_claim(Examination& examination, World& world, const Draw& draw, const Symbols& symbols,
                   std::size_t item, const Equation& equation, bool numbers) {
  std::vector<const Tree*> sides;
  std::vector<const notation::Relation*> relations;
  if (equation.continued) {
    const auto before = side_before(symbols, item);
    if (!before) return examination.skip("what it continues was not read");
    sides.push_back(*before);
  }
  for (const Tree& side : equation.sides) sides.push_back(&side);
  for (const notation::Relation& relation : equation.relations) {
    relations.push_back(&relation);
    if (relation.text != "=" && relation.text != ":=" && relation.text != "≡") {
      return examination.skip(fmt::format("the relation {} is not verified", relation.text));
    }
  }
  if (const auto reason = beyond_us(sides)) return examination.skip(*reason);
  Frame frame(world, item);
  enter_function(frame, symbols, item);
  const std::vector<std::string> unknown = undeclared_in(sides, frame);
  const auto holds_anyway = [&] {
    Frame near(world, item);
    near.see_only_near();
    enter_function(near, symbols, item);
    const std::vector<std::string> open = undeclared_in(sides, near);
    return !open.empty() && open.size() <= 3 &&
           holds_for_guesses(examination, draw, symbols, item, sides, open);
  };
  if (!unknown.empty()) {
    if (!holds_anyway()) {
      require_no_misspelling(sides, unknown, frame);
      return examination.skip(fmt::format("`{}` is not declared", unknown[0]));
    }
    examination.result().verified = numbers;
    return;
  }
  const bool is_number = std::ranges::any_of(sides, [](const Tree* side) {
    return side->form == Form::number || side->form == Form::identity;
  });
  const bool condition = is_condition(symbols.item(item));
  try {
    verify_chain(examination, draw, symbols, item, sides, relations, 0, numbers);
  } catch (const Error& error) {
    const bool differs = error.code().name == "not-equal";
    if (differs && (condition || (is_number && mentions_open(sides, frame)))) {
      // Said of tensors that are otherwise open, it is a condition on them.
      examination.result().verified = false;
      examination.result().reason = "a condition on open tensors";
      return;
    }
    if (examination.is_confident() || !holds_anyway()) throw;
    examination.result().verified = numbers;
  }
}

}  // namespace

Examined examine_equation(const Symbols& symbols, std::size_t item, const Equation& equation,
                          const CheckOptions& options) {
  Examination examination(symbols, item, options);
  const Role role = symbols.role(item);
  return examination.run([&](World& world, const Draw& draw, bool numbers) {
    switch (role) {
      case Role::function:
        return examine_function(examination, world, draw, symbols, item, equation, numbers);
      case Role::definition:
        return examine_definition(examination, world, draw, symbols, item, equation, numbers);
      case Role::size: {
        for (const Tree& side : equation.sides) {
          for (const SizeKey& key : keys_in(side, default_labels(symbols)))
            world.sizes()(key, item);
        }
        return;
      }
      case Role::sign: return;
      case Role::condition:
        return examination.skip(
            fmt::format("the relation {} is not verified", equation.relations[0].text));
      case Role::equation:
        if (equation.relations.empty()) return examination.skip("it states nothing");
        return examine_claim(examination, world, draw, symbols, item, equation, numbers);
    }
  });
}

Examined examine_signature(const Symbols& symbols, std::size_t item,
                           const notation::Signature& signature, const CheckOptions& options) {
  Examination examination(symbols, item, options);
  return examination.run([&](World& world, const Draw&, bool) {
    bool has_hole = false;
    for_each_part(signature.head,
                  [&](const Tree& part) { has_hole = has_hole || part.form == Form::hole; });
    for (const auto* domain : {&signature.result}) {
      if (domain->elements == Domain::Elements::unknown)
        examination.skip("its elements are from an unknown set");
    }
    if (!has_hole) return;
    Frame frame(world, item);
    Tree head = signature.head;
    std::size_t next = 0;
    std::function<void(Tree&)> fill = [&](Tree& tree) {
      if (tree.form == Form::hole)
        tree = {Form::name, tree.span, fmt::format("operand{}", ++next), {}, {}};
      for (Tree& child : tree.children) fill(child);
    };
    fill(head);
    if (next != signature.parameters.size()) {
      throw Error(code("wrong-arity"),
                  fmt::format("the operator has {} places for operands and {} sets", next,
                              signature.parameters.size()));
    }
    for (std::size_t k = 0; k < next; ++k) {
      const Shape shape = frame.shape_of(signature.parameters[k]);
      const Symbol operand{LabelledName{fmt::format("operand{}", k + 1), {}}, item};
      frame.bind(operand.name.base, world.open_value(operand, operand.name.base, shape, {}));
      for (const SizedAxis& axis : shape.written()) {
        frame.bind_size(axis_key(axis.axis.name()), axis.size);
      }
    }
    const Expr result = notation::elaborate(head, frame);
    require_domain(result, signature.result, head, frame, "the operator");
    examination.result().shape = result.shape();
    examination.result().verified = true;
  });
}

Examined examine_declaration(const Symbols& symbols, std::size_t item,
                             const notation::Declaration& declaration,
                             const CheckOptions& options) {
  Examination examination(symbols, item, options);
  return examination.run([&](World& world, const Draw&, bool) {
    Frame frame(world, item);
    enter_function(frame, symbols, item);
    const Domain& domain = declaration.domains[0];
    if (domain.elements == Domain::Elements::unknown)
      return examination.skip("its elements are from an unknown set");
    examination.result().shape = frame.shape_of(domain);
    for (const Domain& other : declaration.domains) {
      if (frame.shape_of(other) == *examination.result().shape) continue;
      throw Error(code("not-equal"),
                  fmt::format("the sets differ: {} and {}", notation::to_text(domain),
                              notation::to_text(other)),
                  "the same set has the same axes with the same sizes", other.span);
    }
  });
}

}  // namespace axial::document
