// Which names a place in a document can see.
#include <algorithm>
#include <span>

#include "axial/document/symbols.hpp"

namespace axial::document {

using notation::Equation;
using notation::Form;
using notation::Tree;

bool Symbols::same_block(std::size_t left, std::size_t right) const {
  return item(left).block == item(right).block;
}

bool Symbols::encloses(std::size_t declared, std::size_t used) const {
  const auto& outer = item(declared).section;
  const auto& inner = item(used).section;
  return outer.size() <= inner.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

/// How far away a declaration is: its block, its section, an outer one, elsewhere; what comes later
/// in the document counts as farther.
int Symbols::distance(std::size_t declared, std::size_t used) const {
  const int later = declared > used ? 1 : 0;
  if (same_block(declared, used)) return 0;
  // What a later sentence mentions in passing was not meant before.
  if (later == 1 && !item(declared).display) return 200;
  if (encloses(declared, used)) {
    const auto steps = item(used).section.size() - item(declared).section.size();
    return 2 + 2 * static_cast<int>(steps) + later;
  }
  return 100 + 2 * later;
}

const std::vector<std::size_t>& Symbols::same_key(const std::string& key) const {
  static const std::vector<std::size_t> none;
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? none : found->second;
}

std::vector<const Symbol*> Symbols::nearest_first(const std::vector<std::size_t>& numbers,
                                                  std::size_t from) const {
  std::vector<const Symbol*> all;
  for (const std::size_t number : numbers) all.push_back(&symbols_[number]);
  // Of two in the same scope the one that was stated last counts.
  std::ranges::stable_sort(all, [&](const Symbol* left, const Symbol* right) {
    const int near = distance(left->item, from), far = distance(right->item, from);
    if (near != far) return near < far;
    return left->item > from ? left->item < right->item : left->item > right->item;
  });
  return all;
}

std::vector<const Symbol*> Symbols::visible(const std::string& base, std::size_t from) const {
  const auto found = by_base_.find(base);
  return found == by_base_.end() ? std::vector<const Symbol*>{}
                                 : nearest_first(found->second, from);
}

std::vector<const Symbol*> Symbols::candidates(const std::string& base, const std::string& key,
                                               std::size_t from) const {
  std::vector<std::size_t> numbers = same_key(key);
  if (const auto family = families_.find(base); family != families_.end()) {
    numbers.insert(numbers.end(), family->second.begin(), family->second.end());
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
  return nearest_first(numbers, from);
}

std::vector<const Symbol*> Symbols::in_block_of(std::size_t number) const {
  std::vector<const Symbol*> all;
  const auto found = by_block_.find(item(number).block);
  if (found == by_block_.end()) return all;
  for (const std::size_t one : found->second) all.push_back(&symbols_[one]);
  return all;
}

std::vector<const Function*> Symbols::visible_functions(const std::string& name,
                                                        std::size_t from) const {
  const auto found = functions_by_name_.find(name);
  if (found == functions_by_name_.end()) return {};
  std::vector<const Function*> all;
  for (const std::size_t number : found->second) {
    const Function& function = functions_[number];
    // What a sentence of another section defines in passing was meant there.
    if (item(function.item).display || encloses(function.item, from)) all.push_back(&function);
  }
  std::ranges::stable_sort(all, [&](const Function* left, const Function* right) {
    const int near = distance(left->item, from), far = distance(right->item, from);
    if (near != far) return near < far;
    return left->item > from ? left->item < right->item : left->item > right->item;
  });
  return all;
}

const std::vector<const SizeEquation*>& Symbols::sizes(std::size_t from) const {
  const auto known = sizes_at_.find(from);
  if (known != sizes_at_.end()) return known->second;
  std::vector<const SizeEquation*>& all = sizes_at_[from];
  for (const SizeEquation& size : sizes_) {
    if (same_block(size.item, from) || encloses(size.item, from)) all.push_back(&size);
  }
  return all;
}

void Symbols::note_derivatives(const Equation& equation) {
  for (const Tree& side : equation.sides) {
    for_each_part(side, [&](const Tree& part) {
      if (part.form != Form::derivative) return;
      const auto below = std::span(part.children).subspan(1);
      has_unmarked_derivative_ =
          has_unmarked_derivative_ || std::ranges::any_of(below, [](const Tree& variable) {
            return variable.form != Form::mark;
          });
    });
  }
  if (equation.continued || equation.sides.size() < 2) return;
  const Tree& left = equation.sides[0];
  const bool says_differential =
      left.form == Form::differential && left.children[0].form == Form::apply &&
      equation.sides[1].form == Form::differential && equation.relations[0].text == "=";
  // What the document says first is what it means by the function.
  if (says_differential) implied_.emplace(left.children[0].text, &equation);
}

const Tree* Symbols::implied(const Tree& application) const {
  const auto found = implied_.find(application.text);
  if (found == implied_.end()) return nullptr;
  const Equation& equation = *found->second;
  return equation.sides[0].children[0] == application ? &equation.sides[1].children[0] : nullptr;
}

const Function* Symbols::function_of(std::size_t number) const {
  const Function* nearest = nullptr;
  const auto block = functions_by_block_.find(item(number).block);
  if (block == functions_by_block_.end()) return nullptr;
  for (const std::size_t one : block->second) {
    const Function& function = functions_[one];
    if (function.item == number) return &function;
    // A block may define several functions; what follows one belongs to it.
    if (nearest == nullptr || function.item < number) nearest = &function;
  }
  return nearest;
}

}  // namespace axial::document
