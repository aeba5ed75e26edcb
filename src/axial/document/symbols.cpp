#include "axial/document/symbols.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "axial/notation/elaborate.hpp"
#include "axial/notation/parser.hpp"
#include "axial/vocabulary/elementwise.hpp"

namespace axial::document {
namespace {

using notation::Declaration;
using notation::Domain;
using notation::Equation;
using notation::Form;
using notation::Range;
using notation::Signature;
using notation::Tree;

bool is_plain_name(const Tree& tree) {
  return tree.form == Form::name && tree.super.empty() && tree.sub.empty();
}

/// Calls `visit` for every label in a formula.
void for_each_label(const Tree& tree, const std::function<void(const Tree&)>& visit) {
  for_each_part(tree, [&](const Tree& part) {
    if (part.form == Form::name || part.form == Form::apply) {
      for (const Tree& label : part.super) visit(label);
      if (part.form == Form::name) {
        for (const Tree& label : part.sub) visit(label);
      }
    }
    const bool may_be_label = part.form == Form::apply && part.text == "pow" &&
                              part.children.size() == 2 && part.children[0].form == Form::name;
    if (may_be_label) visit(part.children[1]);
  });
}

bool is_shift(const Tree& tree) {
  return tree.form == Form::apply && (tree.text == "sub" || tree.text == "add") &&
         tree.children.size() == 2 && is_plain_name(tree.children[0]) &&
         tree.children[1].form == Form::number;
}

/// "If α = 0" and "we use n = 5" in a sentence hold there and then.
bool is_hypothesis(const Item& item, const Equation& equation) {
  if (item.display || equation.sides[0].form != Form::name) return false;
  if (equation.relations[0].text != "=") return false;
  if (equation.sides[1].form == Form::number) return true;
  std::string_view lead = item.lead;
  while (!lead.empty() && lead.back() == ' ') lead.remove_suffix(1);
  const std::size_t begin = lead.find_last_of(" \n");
  const std::string_view word = lead.substr(begin == std::string_view::npos ? 0 : begin + 1);
  constexpr auto words = std::to_array<std::string_view>(
      {"if", "If", "when", "When", "suppose", "Suppose", "assume", "Assume", "unless", "case"});
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

void for_each_domain(const notation::Statement& statement,
                     const std::function<void(const Domain&)>& visit) {
  if (const auto* declaration = std::get_if<Declaration>(&statement)) {
    for (const Domain& domain : declaration->domains) visit(domain);
  } else if (const auto* signature = std::get_if<Signature>(&statement)) {
    for (const Domain& domain : signature->parameters) visit(domain);
    visit(signature->result);
  } else if (const auto* equation = std::get_if<Equation>(&statement)) {
    if (equation->domain) visit(*equation->domain);
  }
}

void for_each_formula(const notation::Statement& statement,
                      const std::function<void(const Tree&)>& visit) {
  for_each_domain(statement, [&](const Domain& domain) {
    for (const Tree& value : domain.values) visit(value);
    for (const notation::AxisTerm& term : domain.axes) {
      for (const Tree& size : term.size) visit(size);
    }
  });
  if (const auto* declaration = std::get_if<Declaration>(&statement)) {
    for (const Tree& name : declaration->names) visit(name);
  } else if (const auto* signature = std::get_if<Signature>(&statement)) {
    visit(signature->head);
  } else if (const auto* equation = std::get_if<Equation>(&statement)) {
    for (const Tree& side : equation->sides) visit(side);
  } else if (const auto* range = std::get_if<Range>(&statement)) {
    visit(range->name);
    for (const Tree& value : range->values) visit(value);
  }
}

Symbols::Symbols(const Contents& contents) : contents_(&contents) {
  for (const Item& item : contents.items) {
    bool generic = false;
    const auto note = [&](std::string_view name) {
      generic = generic || notation::is_shape_variable(name);
    };
    if (item.statement) {
      for_each_formula(*item.statement, [&](const Tree& formula) {
        for (const std::string& axis : axes_in(formula)) note(axis);
      });
      for_each_domain(*item.statement, [&](const Domain& domain) {
        for (const notation::AxisTerm& term : domain.axes) note(term.name);
      });
    }
    generic_.push_back(generic);
  }
  collect_labels();
  for (std::size_t k = 0; k < contents.items.size(); ++k) {
    if (!contents.items[k].statement || contents.items[k].ignored) continue;
    std::visit([&](const auto& statement) { add(k, statement); }, *contents.items[k].statement);
  }
  attach_signatures();
  for (const Symbol& symbol : symbols_) {
    const bool says_size =
        symbol.domain != nullptr &&
        std::ranges::any_of(symbol.domain->axes,
                            [](const notation::AxisTerm& term) { return !term.size.empty(); });
    if (says_size) with_sizes_.push_back(&symbol);
  }
}

std::vector<const Function*> Symbols::functions_in_block_of(std::size_t number) const {
  std::vector<const Function*> all;
  const auto found = functions_by_block_.find(item(number).block);
  if (found == functions_by_block_.end()) return all;
  for (const std::size_t one : found->second) all.push_back(&functions_[one]);
  return all;
}

/// A label counts if it has a range, is part of a sum, or stands on a function that is defined.
void Symbols::collect_labels() {
  for (std::size_t number = 0; number < contents_->items.size(); ++number) {
    const Item& item = contents_->items[number];
    if (!item.statement) continue;
    for_each_formula(*item.statement, [&](const Tree& formula) {
      // What stands below a function and is no axis is a number: the size of a window.
      for_each_part(formula, [&](const Tree& part) {
        if (part.form != Form::apply) return;
        for (const Tree& parameter : part.sub) note_sizes(parameter, number);
      });
      for_each_label(formula, [&](const Tree& label) {
        if (is_shift(label)) label_variables_.insert(label.children[0].text);
      });
    });
    if (const auto* range = std::get_if<Range>(&*item.statement)) {
      if (is_plain_name(range->name)) label_variables_.insert(range->name.text);
      // The last of a range is a number too: h^n where t = 1, …, n.
      for (const Tree& value : range->values) {
        if (is_plain_name(value)) last_labels_.insert(value.text);
      }
    }
    const auto note_head = [&](const Tree& head) {
      if (head.form != Form::apply || head.text == "pow") return;
      for (const Tree& label : head.super) {
        if (is_plain_name(label)) label_variables_.insert(label.text);
      }
    };
    if (const auto* signature = std::get_if<Signature>(&*item.statement)) {
      note_head(signature->head);
      for (const Domain& domain : signature->parameters) collect_sizes_of(domain, number);
      collect_sizes_of(signature->result, number);
    }
    if (const auto* equation = std::get_if<Equation>(&*item.statement)) {
      if (!equation->sides.empty() && !equation->continued) note_head(equation->sides[0]);
      if (equation->domain) collect_sizes_of(*equation->domain, number);
    }
    if (const auto* declaration = std::get_if<Declaration>(&*item.statement)) {
      for (const Domain& domain : declaration->domains) collect_sizes_of(domain, number);
    }
  }
}

void Symbols::note_sizes(const Tree& formula, std::size_t item) {
  for_each_part(formula, [&](const Tree& part) {
    if (part.form == Form::name) size_names_[labelled_name(part)->base].push_back(item);
  });
}

bool Symbols::is_size_name(const std::string& base, std::size_t from) const {
  const auto found = size_names_.find(base);
  return found != size_names_.end() && std::ranges::any_of(found->second, [&](std::size_t item) {
           return same_block(item, from) || encloses(item, from);
         });
}

void Symbols::collect_sizes_of(const Domain& domain, std::size_t item) {
  const auto note = [&](const Tree& size) { note_sizes(size, item); };
  for (const notation::AxisTerm& term : domain.axes) {
    for (const Tree& size : term.size) note(size);
  }
  if (domain.elements == Domain::Elements::indices) {
    for (const Tree& bound : domain.values) note(bound);
  }
}

void Symbols::add(std::size_t item, const Declaration& declaration) {
  for (const Tree& name : declaration.names) {
    auto labelled = labelled_name(name);
    if (!labelled || (name.form == Form::apply && name.text != "pow")) continue;
    push({std::move(*labelled), item, &declaration.domains[0]});
  }
}

// Signatures are attached to definitions once all are known.
void Symbols::add(std::size_t, const Signature& signature) { signed_.insert(signature.name); }

void Symbols::add(std::size_t item, const Range& range) {
  for (const Tree& value : range.values) {
    if (is_plain_name(value)) note_sizes(value, item);
  }
}

void Symbols::add(std::size_t item, const Equation& equation) {
  roles_[item] = Role::equation;
  note_derivatives(equation);
  if (equation.continued || equation.sides.size() < 2) return;
  if (add_size(item, equation)) return;
  const std::string& relation = equation.relations[0].text;
  const Tree& left = equation.sides[0];
  if (is_hypothesis(contents_->items[item], equation)) {
    roles_[item] = Role::condition;
    return;
  }
  const bool bounds_number =
      (relation == ">" || relation == "<" || relation == "≥" || relation == "≤") &&
      is_plain_name(left) && equation.sides[1].form == Form::number;
  if (bounds_number) {
    roles_[item] = Role::sign;
    push(Symbol{*labelled_name(left), item});
    symbols_.back().positive = relation == ">" || relation == "≥";
    return;
  }
  if (relation != "=" && relation != ":=") {
    roles_[item] = Role::condition;
    return;
  }
  if (!add_function(item, equation) && !add_definition(item, equation)) {
    add_elements(item, equation);
  }
}

bool Symbols::is_size_formula(const Tree& tree) const {
  if (tree.form == Form::number || tree.form == Form::size) return true;
  if (tree.form == Form::name) return true;
  if (tree.form != Form::apply) return false;
  const bool is_arithmetic = tree.text == "add" || tree.text == "sub" || tree.text == "mul" ||
                             tree.text == "div" || tree.text == "neg";
  return is_arithmetic && std::ranges::all_of(tree.children, [&](const Tree& child) {
           return is_size_formula(child);
         });
}

/// Equations between sizes, at least one of them |ax| or a name that is known to be a size.
bool Symbols::add_size(std::size_t item, const Equation& equation) {
  bool has_size = false;
  for (const Tree& side : equation.sides) {
    if (!is_size_formula(side)) return false;
    for_each_part(side, [&](const Tree& part) { has_size = has_size || part.form == Form::size; });
  }
  const auto first = labelled_name(equation.sides[0]);
  const bool names_size =
      first && is_size_name(first->base, item) && equation.sides[1].form == Form::number;
  if (!has_size && !names_size) return false;
  for (std::size_t k = 0; k < equation.relations.size(); ++k) {
    if (equation.relations[k].text != "=" && equation.relations[k].text != ":=") continue;
    sizes_.push_back({&equation.sides[k], &equation.sides[k + 1], item});
  }
  for (const Tree& side : equation.sides) note_sizes(side, item);
  roles_[item] = Role::size;
  return true;
}

/// f(X, Y) = body, unless f is known and applied to something that is known.
bool Symbols::add_function(std::size_t item, const Equation& equation) {
  if (add_function_by_elements(item, equation)) return true;
  const Tree& head = equation.sides[0];
  if (head.form != Form::apply || head.text == "pow" || head.children.empty()) return false;
  const auto definition = notation::as_definition(equation);
  if (!definition) return false;
  const bool is_operator = find_word(head.text) != nullptr && !find_word(head.text)->symbol.empty();
  if (is_operator) return false;
  const auto is_known = [&](bool anywhere) {
    const auto same = functions_by_name_.find(head.text);
    if (same == functions_by_name_.end()) return false;
    return std::ranges::any_of(same->second, [&](std::size_t number) {
      const Function& known = functions_[number];
      return known.parameters.size() == head.children.size() &&
             known.name.labels.size() == head.super.size() &&
             (anywhere || encloses(known.item, item));
    });
  };
  const auto on = [&](const auto& wanted) {
    return std::ranges::all_of(head.children, [&](const Tree& child) {
      return std::ranges::any_of(same_key(child.text), [&](std::size_t number) {
        const Symbol& symbol = symbols_[number];
        return symbol.item < item && symbol.name.labels.empty() && wanted(symbol);
      });
    });
  };
  const bool on_values = on([](const Symbol& symbol) { return symbol.body != nullptr; });
  const bool on_declared = on([&](const Symbol& symbol) { return encloses(symbol.item, item); });
  const bool in_vocabulary = notation::is_function(head.text);
  const bool is_claim = (on_values && (is_known(true) || in_vocabulary)) ||
                        (on_declared && (is_known(false) || in_vocabulary));
  if (is_claim) return false;
  Function function{LabelledName{head.text, head.super}, item};
  function.below = head.axes;
  if (!contents_->is_plain_text) function.axes_below = head.axes.size();
  for (const Tree& label : head.sub) {
    if (is_plain_name(label)) function.below.push_back(label.text);
  }
  function.parameters = definition->parameters;
  function.before_semicolon = head.before_semicolon;
  function.body = &equation.sides[1];
  push(std::move(function));
  roles_[item] = Role::function;
  return true;
}

/// [f(X)]_{a(i)} = body, where a signature says the shape of the result.
bool Symbols::add_function_by_elements(std::size_t item, const Equation& equation) {
  const Tree& head = equation.sides[0];
  if (head.form != Form::index || head.children[0].form != Form::apply) return false;
  const Tree& call = head.children[0];
  const auto positions = std::span(head.children).subspan(1);
  const bool fits = !call.children.empty() && std::ranges::all_of(call.children, is_plain_name) &&
                    std::ranges::all_of(positions, is_plain_name) && signed_.contains(call.text);
  if (!fits) return false;
  Function function{LabelledName{call.text, call.super}, item};
  function.below = call.axes;
  if (!contents_->is_plain_text) function.axes_below = call.axes.size();
  for (const Tree& label : call.sub) {
    if (is_plain_name(label)) function.below.push_back(label.text);
  }
  for (const Tree& parameter : call.children) function.parameters.push_back(parameter.text);
  function.axes = head.axes;
  for (const Tree& position : positions) function.variables.push_back(position.text);
  function.body = &equation.sides[1];
  push(std::move(function));
  roles_[item] = Role::function;
  return true;
}

void Symbols::push(Function function) {
  functions_by_name_[function.name.base].push_back(functions_.size());
  functions_by_block_[item(function.item).block].push_back(functions_.size());
  functions_.push_back(std::move(function));
}

/// X = body, unless X was defined in the same block.
bool Symbols::add_definition(std::size_t item, const Equation& equation) {
  const Tree& head = equation.sides[0];
  auto name = labelled_name(head);
  const bool is_name = head.form == Form::name || (head.form == Form::apply && head.text == "pow");
  if (!name || !is_name) return false;
  if (head.form == Form::apply && head.children[0].form != Form::name) return false;
  for (const std::size_t number : same_key(key_of(*name, {}))) {
    const Symbol& symbol = symbols_[number];
    if (symbol.body != nullptr && same_block(symbol.item, item)) return false;
  }
  if (follows_from_recurrence(*name, item)) return false;
  const notation::Domain* domain = equation.domain ? &*equation.domain : nullptr;
  push({std::move(*name), item, domain, &equation.sides[1]});
  roles_[item] = Role::definition;
  return true;
}

/// True for h^3 where h^t was defined before for all t from 1 on.
bool Symbols::follows_from_recurrence(const LabelledName& name, std::size_t item) const {
  const bool is_member =
      name.labels.size() == 1 && name.labels[0].form == Form::number && name.labels[0].text != "0";
  const auto family = families_.find(name.base);
  if (!is_member || family == families_.end()) return false;
  return std::ranges::any_of(family->second, [&](std::size_t number) {
    const Symbol& symbol = symbols_[number];
    // T^L is the last of a family that is spelled out, not a rule for all of it.
    const Tree& label = symbol.name.labels[0];
    const bool is_step = symbol.name.labels.size() == 1 && label.form == Form::name &&
                         !(label.text[0] >= 'A' && label.text[0] <= 'Z');
    return is_step && symbol.body != nullptr && symbol.item < item && encloses(symbol.item, item);
  });
}

/// Y_{a(i), b(j)} = body, unless Y has a definition already.
bool Symbols::add_elements(std::size_t item, const Equation& equation) {
  const Tree& head = equation.sides[0];
  if (head.form != Form::index) return false;
  const Tree& base = head.children[0];
  auto name = labelled_name(base);
  if (!name || (base.form != Form::name && base.text != "pow")) return false;
  std::vector<std::string> variables;
  for (std::size_t k = 1; k < head.children.size(); ++k) {
    const Tree& position = head.children[k];
    if (!is_plain_name(position) ||
        std::ranges::find(variables, position.text) != variables.end()) {
      return false;
    }
    variables.push_back(position.text);
  }
  for (const std::size_t number : same_key(key_of(*name, {}))) {
    const Symbol& symbol = symbols_[number];
    if (symbol.body != nullptr && encloses(symbol.item, item)) return false;
  }
  push({std::move(*name), item, nullptr, &equation.sides[1], head.axes, variables});
  roles_[item] = Role::definition;
  return true;
}

/// A function takes the signature of its name that stands nearest before it, or else behind it.
void Symbols::attach_signatures() {
  std::map<std::string, std::vector<std::size_t>, std::less<>> signatures;
  for (std::size_t k = 0; k < contents_->items.size(); ++k) {
    if (!item(k).statement) continue;
    const auto* signature = std::get_if<Signature>(&*item(k).statement);
    if (signature != nullptr) signatures[signature->name].push_back(k);
  }
  for (Function& function : functions_) {
    int best = 0;
    for (const std::size_t k : signatures[function.name.base]) {
      const auto* signature = std::get_if<Signature>(&*item(k).statement);
      if (signature->head.super.size() != function.name.labels.size()) continue;
      const std::size_t given = signature->parameters.size();
      const std::size_t before = function.before_semicolon.value_or(function.parameters.size());
      if (given != before && given != function.parameters.size()) continue;
      // A signature in a sentence is about the function of that sentence, and what a sentence
      // defines in passing is not what a later signature is about.
      const bool in_passing =
          !item(k).display || (!item(function.item).display && k > function.item);
      if (in_passing && !same_block(k, function.item)) continue;
      const int score = 4 * distance(k, function.item) + (k > function.item ? 1 : 0);
      if (function.signature == nullptr || score <= best) {
        function.signature = signature;
        function.signature_item = k;
        best = score;
      }
    }
    // In f(X) = Y, where Y_{...} = ..., the signature says what Y is.
    if (function.signature == nullptr || !is_plain_name(*function.body)) continue;
    for (const std::size_t number : by_block_[item(function.item).block]) {
      Symbol& symbol = symbols_[number];
      const bool is_result = symbol.name.base == function.body->text && symbol.name.labels.empty();
      if (!is_result || symbol.domain != nullptr) continue;
      symbol.domain = &function.signature->result;
      symbol.is_result = true;
    }
  }
}

void Symbols::push(Symbol symbol) {
  const std::size_t number = symbols_.size();
  by_base_[symbol.name.base].push_back(number);
  by_key_[key_of(symbol.name, {})].push_back(number);
  by_block_[item(symbol.item).block].push_back(number);
  const bool is_family = std::ranges::any_of(symbol.name.labels, [&](const Tree& label) {
    return (label.form == Form::name && is_label_variable(label.text)) || is_shift(label);
  });
  if (is_family) families_[symbol.name.base].push_back(number);
  symbols_.push_back(std::move(symbol));
}

}  // namespace axial::document
