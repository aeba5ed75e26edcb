#include "axial/document/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "axial/document/check.hpp"
#include "axial/document/compare.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/notation/latex.hpp"
#include "axial/notation/lexer.hpp"
#include "axial/reference/evaluate.hpp"

namespace axial::document {
namespace {

using notation::Domain;
using notation::Form;
using notation::Tree;

/// A document always has a place to look from, even if it says nothing.
Contents with_end(Contents contents) {
  Item end{{}};
  notation::Equation nothing;
  nothing.sides.push_back({Form::ellipsis, {}, {}, {}, {}});
  end.statement = nothing;
  end.block = contents.items.empty() ? 0 : contents.items.back().block + 1;
  contents.items.push_back(std::move(end));
  return contents;
}

/// The place that a formula is read from: where the last of its names is declared.
std::size_t place_of(const Tree& formula, const Symbols& symbols) {
  const std::size_t end = symbols.contents().items.size() - 1;
  std::optional<std::size_t> place;
  const auto note = [&](std::size_t item) { place = std::max(place.value_or(0), item); };
  for_each_part(formula, [&](const Tree& part) {
    const auto name = labelled_name(part);
    if (!name) return;
    if (part.form == Form::apply) {
      const auto functions = symbols.visible_functions(part.text, end);
      if (!functions.empty()) note(functions[0]->item);
    }
    const auto found = symbols.visible(name->base, end);
    if (!found.empty()) note(found[0]->item);
  });
  return place.value_or(end);
}

/// What a name is declared to be, and what the label variables of its family then stand for.
struct Declared {
  const Domain* domain = nullptr;
  Labels labels = {};
};

/// The labels of a name, W^1,Q: 1 and Q.
std::vector<std::string> labels_in(const std::string& name) {
  std::vector<std::string> labels;
  for (std::size_t at = name.find('^'); at != std::string::npos;) {
    const std::size_t end = name.find(',', at + 1);
    labels.push_back(name.substr(at + 1, end == std::string::npos ? end : end - at - 1));
    at = end;
  }
  return labels;
}

Declared declared(const std::string& name, const Symbols& symbols) {
  const auto found =
      symbols.visible(name.substr(0, name.find('^')), symbols.contents().items.size() - 1);
  for (const Symbol* symbol : found) {
    if (symbol->domain != nullptr && key_of(symbol->name, {}) == name) return {symbol->domain};
  }
  const std::vector<std::string> texts = labels_in(name);
  const auto is_variable = [&](const std::string& one) { return symbols.is_label_variable(one); };
  for (const Symbol* symbol : found) {
    if (symbol->domain == nullptr || symbol->name.labels.size() != texts.size()) continue;
    Declared result{symbol->domain};
    bool same = true;
    for (std::size_t k = 0; k < texts.size(); ++k) {
      same = same && fits(symbol->name.labels[k], texts[k], is_variable, result.labels);
    }
    if (same) return result;
  }
  for (const Symbol* symbol : found) {
    if (symbol->domain != nullptr) return {symbol->domain};
  }
  return {};
}

/// The names of a setting's axes: as said, or as declared.
std::vector<std::string> axes_of(const Setting& setting, const Domain* domain) {
  if (!setting.axes.empty() || setting.extents.empty()) return setting.axes;
  if (domain == nullptr) {
    throw Error(code("undeclared"),
                fmt::format("`{}` is not declared, so its axes have no names", setting.name),
                fmt::format("name them: --set \"{}[ax]=...\"", setting.name));
  }
  std::vector<std::string> names;
  for (const notation::AxisTerm& term : domain->axes) names.push_back(term.name);
  return names;
}

/// Takes a value over, and with it the sizes that it tells.
void give(const Setting& setting, const Symbols& symbols, ElementType element, Given& given) {
  const auto [domain, labels] = declared(setting.name, symbols);
  const std::vector<std::string> names = axes_of(setting, domain);
  if (names.size() != setting.extents.size()) {
    throw Error(code("wrong-count"),
                fmt::format("the value for `{}` has the wrong number of axes: {} instead of {}",
                            setting.name, setting.extents.size(), names.size()),
                "nest the lists as the axes are declared, the last innermost");
  }
  std::vector<SizedAxis> sized;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::int64_t size = setting.extents[k];
    sized.push_back({Axis(names[k]), size});
    SizeKey key = axis_key(names[k]);
    if (domain != nullptr) {
      const auto term = std::ranges::find(domain->axes, names[k], &notation::AxisTerm::name);
      if (term != domain->axes.end() && !term->size.empty()) {
        const auto none = [](const SizeKey&) { return std::optional<std::int64_t>{}; };
        const auto said = size_value(term->size[0], labels, none);
        if (said && *said != size) {
          throw Error(code("size-clash"),
                      fmt::format("`{}` has size {} along `{}` and is declared with {}",
                                  setting.name, size, names[k], *said),
                      "give a value of the declared shape");
        }
        const auto solution = solve(term->size[0], size, labels, none);
        if (!solution) continue;
        key = solution->key;
      }
    }
    const auto [place, is_new] = given.sizes.emplace(key, size);
    if (is_new || place->second == size) continue;
    throw Error(code("size-clash"),
                fmt::format("axis `{}` has size {} in `{}` and {} elsewhere", names[k], size,
                            setting.name, place->second),
                "make the values agree");
  }
  const Shape shape(std::move(sized));
  given.values.insert_or_assign(setting.name, build(element, shape, [&]<class T>(T* out) {
                                  for (std::size_t k = 0; k < setting.values.size(); ++k)
                                    out[k] = static_cast<T>(setting.values[k]);
                                }));
}

}  // namespace

Tree parse(const Contents& contents, const std::string& formula) {
  const auto known = [&](std::string_view name) { return is_function(contents, name); };
  if (formula.find('\\') == std::string::npos) return notation::parse_formula(formula, known);
  notation::Tokens tokens =
      notation::from_latex(tex::read_formula(formula), [](std::string_view) { return false; });
  while (!tokens.empty() && tokens.back().kind == notation::TokenKind::gap) tokens.pop_back();
  tokens.push_back({notation::TokenKind::end, "", {formula.size(), formula.size()}});
  return notation::parse_formula(std::move(tokens), known);
}

namespace {

/// What the user gives, once the symbols know the functions that are used by their usual names.
Given given_by(const EvaluateOptions& options, Symbols& symbols) {
  recognise_vocabulary(symbols, options.seed);
  Given given;
  for (const auto& [name, size] : options.sizes) {
    given.sizes.emplace(axis_key(name), size);
    given.sizes.emplace(name, size);
    // A label may be written below: c_1 is c^1.
    std::string labelled = name;
    std::ranges::replace(labelled, '_', '^');
    given.sizes.emplace(labelled, size);
  }
  for (const Setting& setting : options.settings) give(setting, symbols, options.element, given);
  return given;
}

Draw draw_of(const EvaluateOptions& options) {
  return {.seed = options.seed,
          .random = options.random,
          .element = options.element,
          .spread = options.spread,
          .max_elements = options.max_elements};
}

}  // namespace

Scene::Scene(const Contents& contents, const EvaluateOptions& options)
    : document_(with_end(contents)),
      symbols_(document_),
      world_(symbols_, draw_of(options), given_by(options, symbols_)) {}

Tree Scene::parsed(const std::string& formula) const { return parse(document_, formula); }

Frame Scene::frame(const Tree& formula) { return {world_, place_of(formula, symbols_)}; }

notation::Names Scene::names() const {
  notation::Names names;
  for (const auto& [key, value] : world_.known()) {
    if (value.as<expr::Literal>() != nullptr) continue;
    // A key is the name, then where it is declared.
    const std::string name = key.substr(0, key.find_first_of("@="));
    try {
      names.try_emplace(value.identity(), parse(document_, name));
    } catch (const Error&) {
      names.try_emplace(value.identity(), Tree{Form::name, {}, name, {}, {}});
    }
  }
  return names;
}

expr::Expr expression(const Contents& contents, const std::string& formula,
                      const EvaluateOptions& options) {
  Scene scene(contents, options);
  const Tree tree = scene.parsed(formula);
  return expr::strengthened(notation::elaborate(tree, scene.frame(tree)), options.element);
}

Array evaluate(const Contents& contents, const std::string& formula,
               const EvaluateOptions& options) {
  return reference::evaluate(expr::without_calls(expression(contents, formula, options)));
}

}  // namespace axial::document
