// Functions of a document that are functions of the vocabulary.
#include <algorithm>

#include "axial/document/call.hpp"
#include "axial/document/check.hpp"
#include "axial/document/compare.hpp"
#include "axial/document/guess.hpp"
#include "axial/notation/phrases.hpp"
#include "axial/vocabulary/elementwise.hpp"
#include "axial/vocabulary/reductions.hpp"

namespace axial::document {
namespace {

using expr::Expr;
using notation::Form;
using notation::Tree;

/// True if a function of the vocabulary has that name and number of operands and axes.
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

}  // namespace

std::optional<Expr> by_custom(const Tree& application, const notation::Environment& inside) {
  if (application.children.size() != 1) return std::nullopt;
  if (application.text == "id") return notation::elaborate(application.children[0], inside);
  if (application.text != "σ") return std::nullopt;
  return expr::make(expr::Map{find_word("sigmoid")},
                    {notation::elaborate(application.children[0], inside)});
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

}  // namespace axial::document
