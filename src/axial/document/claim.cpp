#include "axial/document/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "axial/document/guess.hpp"
#include "axial/document/require.hpp"

namespace axial::document {
namespace {

using expr::Expr;
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

/// The open tensors that a formula is computed from, by name.
std::set<std::string> open_names(const Tree& side, const Frame& frame) {
  std::set<std::string> names;
  for (const Tree* tree : with_definitions({&side}, frame)) {
    for_each_part(*tree, [&](const Tree& part) {
      if (part.form != Form::name) return;
      const auto meaning = frame.meaning(*labelled_name(part));
      if (meaning && frame.definition_of(*meaning->symbol) == nullptr) names.insert(part.text);
    });
  }
  return names;
}

/// True for ∂L/∂W = δ ⊙ X with an open δ that L does not depend on: it says what δ is.
bool states_derivative(const std::vector<const Tree*>& sides, const Frame& frame) {
  return std::ranges::any_of(sides, [&](const Tree* side) {
    bool differentiates = false;
    for_each_part(*side, [&](const Tree& part) {
      differentiates = differentiates || part.form == Form::derivative;
    });
    if (!differentiates) return false;
    const auto known = open_names(*side, frame);
    return std::ranges::any_of(sides, [&](const Tree* other) {
      return !std::ranges::includes(known, open_names(*other, frame));
    });
  });
}

/// True if an equation says what open tensors are, instead of something about all tensors.
bool restricts_open(const std::vector<const Tree*>& sides, const Frame& frame) {
  const bool has_number = std::ranges::any_of(sides, [](const Tree* side) {
    return side->form == Form::number || side->form == Form::identity;
  });
  const bool states =
      has_number || states_increment(sides, frame) || states_derivative(sides, frame);
  return states && mentions_open(sides, frame);
}

bool is_equality(const notation::Relation& relation) {
  return relation.text == "=" || relation.text == ":=" || relation.text == "≡";
}

}  // namespace

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

void verify_chain(Examination& examination, const Draw& draw, const Symbols& symbols,
                  std::size_t item, const std::vector<const Tree*>& sides,
                  const std::vector<const notation::Relation*>& relations, std::size_t first,
                  bool numbers) {
  for (std::size_t k = first; k + 1 < sides.size(); ++k) {
    if (!is_equality(*relations[k])) continue;
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
    if (!is_equality(relation)) {
      return examination.skip(fmt::format("the relation {} is not verified", relation.text));
    }
  }
  Frame frame(world, item);
  enter_function(frame, symbols, item);
  const std::vector<std::string> unknown = undeclared_in(sides, frame);
  if (!unknown.empty()) {
    examination.result().verified = numbers;
    if (holds_for_guesses(examination, draw, symbols, item, sides)) return;
    require_no_misspelling(sides, unknown, frame);
    return examination.skip(fmt::format("`{}` is not declared", unknown[0]));
  }
  try {
    verify_chain(examination, draw, symbols, item, sides, relations, 0, numbers);
  } catch (const Error& error) {
    const bool differs = error.code().name == "not-equal";
    if (differs && (is_condition(symbols.item(item)) || restricts_open(sides, frame))) {
      // Said of tensors that are otherwise open, it is a condition on them.
      examination.result().verified = false;
      examination.result().reason = "a condition on open tensors";
      return;
    }
    const bool may_guess = !examination.is_confident() || error.code().name == "undeclared";
    if (!may_guess || !holds_for_guesses(examination, draw, symbols, item, sides)) throw;
    examination.result().verified = numbers;
  }
}

}  // namespace axial::document
