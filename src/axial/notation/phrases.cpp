#include "axial/notation/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "axial/expr/lambda.hpp"
#include "axial/expr/memo.hpp"
#include "axial/notation/elaborate.hpp"
#include "axial/notation/parse.hpp"
#include "axial/prelude/prelude.hpp"
#include "axial/vocabulary/primitives.hpp"
#include "axial/vocabulary/reductions.hpp"

namespace axial::notation {
namespace {

bool is_vocabulary(std::string_view name) {
  return find_word(name) || find_reduction(name) || find_primitive(name) || name == "index" ||
         name == "unroll" || name == "pool";
}

std::vector<Phrase> read_prelude() {
  try {
    const Statements statements = parse_statements(prelude_text(), is_vocabulary);
    std::vector<Phrase> all;
    for (const Signature& signature : statements.signatures) {
      std::optional<Definition> meaning, computation;
      for (const Definition& definition : statements.definitions) {
        if (definition.name != signature.name) continue;
        if (definition.axes.size() != signature.axes.size() ||
            definition.parameters.size() != signature.parameters.size()) {
          bug(fmt::format("a definition of `{}` does not fit its signature", signature.name));
        }
        (definition.computed ? computation : meaning) = definition;
      }
      if (!meaning) bug(fmt::format("`{}` needs a definition", signature.name));
      all.push_back({signature, *meaning, computation});
    }
    return all;
  } catch (const Error& error) {
    bug(render(error, prelude_text(), "prelude.nt"));
  }
}

void require_count(const Phrase& phrase, std::string_view what, std::size_t expected,
                   std::size_t given) {
  if (expected == given) return;
  throw Error(code("wrong-arity"),
              fmt::format("`{}` is given the wrong number of {}: {} instead of {}",
                          phrase.signature.name, what, given, expected),
              "the page of the vocabulary shows its signature");
}

/// The axes that a set of the signature names, with formal axes replaced.
Axes own_axes(const notation::Domain& domain, const Scope& scope) {
  Axes own;
  for (const AxisTerm& term : domain.axes) {
    own = own & scope.axes(term.name);
  }
  return own;
}

}  // namespace

const std::vector<Phrase>& phrases() {
  static const std::vector<Phrase> all = read_prelude();
  return all;
}

const Phrase* find_phrase(std::string_view name) {
  const auto found = std::ranges::find(
      phrases(), name,
      [](const Phrase& phrase) -> const std::string& { return phrase.signature.name; });
  return found == phrases().end() ? nullptr : &*found;
}

namespace {

/// A phrase applied to arguments: its body is read with their types.
expr::Expr elaborated(const Phrase& phrase, const Definition& definition,
                      const std::vector<Axes>& axes, const expr::Operands& arguments) {
  const Signature& signature = phrase.signature;
  Scope scope;
  Axes all_axes;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    scope.formal_axes.emplace(definition.axes[k], axes[k]);
    all_axes = all_axes & axes[k];
  }
  std::vector<expr::Expr> parameters;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    expr::Type type = arguments[k].type();
    const Axes own = own_axes(signature.parameters[k], scope);
    for (const Axis axis : own) {
      require_axis(type.shape, axis, fmt::format("`{}`", signature.name));
    }
    type.shape = restrict(type.shape, own);
    parameters.push_back(expr::make(expr::Parameter{definition.parameters[k], type}));
    scope.tensors.emplace(definition.parameters[k], parameters.back());
  }
  const expr::Expr body = [&] {
    try {
      for (const Definition& local : definition.locals) {
        scope.tensors.emplace(local.name, elaborate(local.body, scope));
      }
      return elaborate(definition.body, scope);
    } catch (const Error& error) {
      // The place is one in the prelude, which users do not see; they know the phrase.
      throw Error(error.code(), fmt::format("`{}`: {}", signature.name, error.message()),
                  error.hint());
    }
  }();
  if (body.shape().names() != own_axes(signature.result, scope)) {
    bug(fmt::format("`{}` does not have the axes of its signature", signature.name));
  }
  return expr::call(signature.name, all_axes, std::move(parameters), body, arguments);
}

}  // namespace

expr::Expr apply_phrase(const Phrase& phrase, const Definition& definition,
                        const std::vector<Axes>& axes, expr::Operands arguments) {
  require_count(phrase, "axes", phrase.signature.axes.size(), axes.size());
  require_count(phrase, "arguments", phrase.signature.parameters.size(), arguments.size());
  expr::StructureHash use;
  use.add(std::bit_cast<std::uint64_t>(&definition));
  for (const Axes& each : axes) use.add(each);
  for (const expr::Expr& argument : arguments) use.add(argument.type());
  // A phrase takes nothing from outside, so a function that was read once serves all arguments.
  static expr::Memo<expr::Function> functions;
  const expr::Function function = functions.get(use, [&] {
    return elaborated(phrase, definition, axes, arguments).as<expr::Call>()->function;
  });
  return expr::make(expr::Call{function}, std::move(arguments));
}

bool is_function(std::string_view name) { return is_vocabulary(name) || find_phrase(name); }

}  // namespace axial::notation
