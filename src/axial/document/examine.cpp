#include "axial/document/examine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "axial/document/compare.hpp"
#include "axial/document/examination.hpp"
#include "axial/document/guess.hpp"
#include "axial/document/require.hpp"
#include "axial/notation/print.hpp"

namespace axial::document {
namespace {

using expr::Expr;
using notation::Domain;
using notation::Equation;
using notation::Form;
using notation::Tree;

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

/// True for ∂x = v ⊙ ∂t with an open x: it says how x depends on others.
bool states_increment(const std::vector<const Tree*>& sides, const Frame& frame) {
  const auto mentions_other = [](const Tree& formula, const Tree& name) {
    bool found = false;
    for_each_part(formula, [&](const Tree& part) {
      if (part.form != Form::differential) return;
      for_each_part(part.children[0], [&](const Tree& one) {
        found = found || (one.form == Form::name && one != name);
      });
    });
    return found;
  };
  return std::ranges::any_of(sides, [&](const Tree* side) {
    if (side->form != Form::differential || side->children[0].form != Form::name) return false;
    const Tree& name = side->children[0];
    const auto meaning = frame.meaning(*labelled_name(name));
    const bool is_open = meaning && frame.definition_of(*meaning->symbol) == nullptr;
    return is_open && std::ranges::any_of(
                          sides, [&](const Tree* other) { return mentions_other(*other, name); });
  });
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
  Frame frame(world, item);
  enter_function(frame, symbols, item);
  const std::vector<std::string> unknown = undeclared_in(sides, frame);
  const auto holds_anyway = [&] {
    return holds_for_guesses(examination, draw, symbols, item, sides);
  };
  if (!unknown.empty()) {
    if (!holds_anyway()) {
      require_no_misspelling(sides, unknown, frame);
      return examination.skip(fmt::format("`{}` is not declared", unknown[0]));
    }
    examination.result().verified = numbers;
    return;
  }
  const bool restricts =
      states_increment(sides, frame) || std::ranges::any_of(sides, [](const Tree* side) {
        return side->form == Form::number || side->form == Form::identity;
      });
  const bool condition = is_condition(symbols.item(item));
  try {
    verify_chain(examination, draw, symbols, item, sides, relations, 0, numbers);
  } catch (const Error& error) {
    const bool differs = error.code().name == "not-equal";
    if (differs && (condition || (restricts && mentions_open(sides, frame)))) {
      // Said of tensors that are otherwise open, it is a condition on them.
      examination.result().verified = false;
      examination.result().reason = "a condition on open tensors";
      return;
    }
    const bool may_guess = !examination.is_confident() || error.code().name == "undeclared";
    if (!may_guess || !holds_anyway()) throw;
    examination.result().verified = numbers;
  }
}

}  // namespace

namespace {

/// The equation with derivatives read in one of two ways: see Draw::starred.
Examined examine_reading(const Symbols& symbols, std::size_t item, const Equation& equation,
                         const CheckOptions& options, bool starred) {
  Examination examination(symbols, item, options, starred);
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

}  // namespace

Examined examine_equation(const Symbols& symbols, std::size_t item, const Equation& equation,
                          const CheckOptions& options) {
  Examined result = examine_reading(symbols, item, equation, options, true);
  if (result.status == Status::checked || !symbols.has_unmarked_derivative()) return result;
  Examined other = examine_reading(symbols, item, equation, options, false);
  // Of two mistakes the one with axes that fit is nearer to what was meant.
  const bool fits = result.mistake && result.mistake->code->name == "result-axes" &&
                    other.mistake && other.mistake->code->name == "not-equal";
  return fits || other.status == Status::checked ? other : result;
}

Examined examine_signature(const Symbols& symbols, std::size_t item,
                           const notation::Signature& signature, const CheckOptions& options) {
  Examination examination(symbols, item, options);
  return examination.run([&](World& world, const Draw&, bool) {
    bool has_hole = false;
    for_each_part(signature.head,
                  [&](const Tree& part) { has_hole = has_hole || part.form == Form::hole; });
    if (signature.result.elements == Domain::Elements::unknown) {
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
