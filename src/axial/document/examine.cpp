#include "axial/document/examine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "axial/document/claim.hpp"
#include "axial/document/compare.hpp"
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
  Examined starred = examine_reading(symbols, item, equation, options, true);
  const bool is_good = starred.status == Status::checked && starred.remarks.empty();
  if (is_good || !symbols.has_unmarked_derivative()) return starred;
  Examined plain = examine_reading(symbols, item, equation, options, false);
  const bool is_better =
      plain.status == Status::checked &&
      (starred.status != Status::checked || plain.remarks.size() < starred.remarks.size());
  // Of two mistakes the one with axes that fit is nearer to what was meant.
  const bool is_nearer = starred.mistake && starred.mistake->code->name == "result-axes" &&
                         plain.mistake && plain.mistake->code->name == "not-equal";
  return is_better || is_nearer ? plain : starred;
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
