#include "axial/train/objective.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <unordered_set>

#include "axial/api/operations.hpp"
#include "axial/base/error.hpp"
#include "axial/document/names.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::train {
namespace {

using document::Scene;
using document::Setting;
using document::SizeKey;
using document::Symbol;
using document::World;
using expr::Expr;
using notation::Domain;

bool is_positions(const Symbol* symbol) {
  return symbol != nullptr && symbol->domain->elements == Domain::Elements::indices;
}

/// What a size is called on the command line: |hidden| is hidden, c^1 is c_1 or c^1.
std::string said_name(const SizeKey& key) {
  return key.starts_with('|') ? key.substr(1, key.size() - 2) : key;
}

/// Files count positions from 0. Fails unless the data are such.
void require_positions(const Column& column, std::optional<std::int64_t> bound) {
  const bool fits =
      column.is_whole && column.low >= 0 && (!bound || column.high < static_cast<double>(*bound));
  if (fits) return;
  throw Error(
      code("index-out-of-range"),
      fmt::format("`{}` is declared as positions, and its data are {} from {} to {}", column.name,
                  column.is_whole ? "whole numbers" : "numbers", column.low, column.high),
      bound ? fmt::format("files count from 0, so they must lie between 0 and {}", *bound - 1)
            : "files count positions from 0");
}

/// What stands for the data while the loss is read; a step puts a batch in its place. Ones, because
/// documents count positions from 1.
std::vector<Setting> placeholders(const Examples& examples, std::int64_t batch) {
  std::vector<Setting> settings;
  for (const Column& column : examples.columns) {
    Setting setting{.name = column.name, .axes = {std::string(examples.axis.name())}};
    setting.extents = {batch};
    std::int64_t volume = batch;
    for (const SizedAxis& axis : column.axes) {
      setting.axes.emplace_back(axis.axis.name());
      setting.extents.push_back(axis.size);
      volume *= axis.size;
    }
    setting.values.assign(static_cast<std::size_t>(volume), 1);
    settings.push_back(std::move(setting));
  }
  return settings;
}

/// How many positions there are where the document does not say: as many as the data show.
void add_bounds(const Examples& examples, const document::Symbols& symbols,
                std::map<std::string, std::int64_t>& sizes) {
  for (const Column& column : examples.columns) {
    const Symbol* symbol = declaration_of(column.name, symbols);
    if (!is_positions(symbol)) continue;
    require_positions(column, std::nullopt);
    const auto known = [&](const SizeKey& key) -> std::optional<std::int64_t> {
      const auto found = sizes.find(said_name(key));
      return found == sizes.end() ? std::nullopt : std::optional(found->second);
    };
    const auto shown = static_cast<std::int64_t>(column.high) + 1;
    const auto solution = document::solve(symbol->domain->values[0], shown, {}, known);
    document::Sizes stated(symbols, 1, {});
    if (solution && !stated.is_said(solution->key, symbol->item)) {
      sizes.emplace(said_name(solution->key), solution->value);
    }
  }
}

/// One reading of the document. Sizes that nothing determines are drawn by the seed.
class Reading {
 public:
  Reading(const document::Contents& contents, const document::EvaluateOptions& options)
      : scene_(contents, options) {}

  Expr formula(const std::string& text, ElementType element) {
    const notation::Tree tree = scene_.parsed(text);
    return expr::strengthened(notation::elaborate(tree, scene_.frame(tree)), element);
  }
  Scene& scene() { return scene_; }

  /// The open tensors that an expression depends on.
  std::vector<World::Opened> opened(const std::vector<Expr>& roots) {
    std::unordered_set<const expr::Node*> leaves;
    for (const Expr& node : expr::post_order(roots)) leaves.insert(node.identity());
    std::vector<World::Opened> used;
    for (const World::Opened& one : scene_.world().opened()) {
      if (leaves.contains(one.value.identity())) used.push_back(one);
    }
    return used;
  }

 private:
  Scene scene_;
};

/// Sizes that differ between two readings that drew differently, by what they are called.
std::set<std::string> undetermined(Reading& first, Reading& second) {
  std::set<std::string> names;
  const auto& other = second.scene().world().sizes().drawn();
  for (const auto& [key, size] : first.scene().world().sizes().drawn()) {
    const auto found = other.find(key);
    if (found != other.end() && found->second != size) names.insert(said_name(key));
  }
  return names;
}

/// Those of them that the shapes of open tensors depend on. An axis without a size of its own counts
/// only if its size differs: it takes the size that its first use asks for.
std::set<std::string> undetermined_in_shapes(const std::vector<World::Opened>& first,
                                             const std::vector<World::Opened>& second,
                                             const std::set<std::string>& unknown) {
  std::set<std::string> names;
  for (std::size_t k = 0; k < std::min(first.size(), second.size()); ++k) {
    const World::Opened& one = first[k];
    if (one.value.shape() == second[k].value.shape() || one.symbol->domain == nullptr) continue;
    for (const notation::AxisTerm& term : one.symbol->domain->axes) {
      const Axis axis(term.name);
      if (one.value.shape().find(axis) == second[k].value.shape().find(axis)) continue;
      if (term.size.empty()) names.insert(term.name);
    }
  }
  // Sizes with a label belong to one tensor or function: c^1, ph^2.
  for (const std::string& name : unknown) {
    const std::size_t label = name.find('^');
    if (label != std::string::npos &&
        std::isdigit(static_cast<unsigned char>(name[label + 1])) != 0)
      names.insert(name);
  }
  return names;
}

[[noreturn]] void fail_unknown(const std::set<std::string>& names, const std::string& why = {}) {
  std::vector<std::string> options;
  for (const std::string& name : names) options.push_back(fmt::format("{}=N", name));
  throw Error(code("bad-size"),
              fmt::format("neither the document nor the data say the size of {}{}",
                          fmt::join(names, ", "), why),
              fmt::format("give it: --size {}", fmt::join(options, ",")));
}

/// Where sizes were drawn, they are the likely reason for an error: fails with bad-size then.
void fail_unless_known(Reading& first, Reading& second, const Error& error) {
  const std::set<std::string> unknown = undetermined(first, second);
  if (unknown.empty()) return;
  const std::set<std::string> shaped = undetermined_in_shapes(
      first.scene().world().opened(), second.scene().world().opened(), unknown);
  fail_unknown(shaped.empty() ? unknown : shaped, fmt::format(" ({})", error.message()));
}

/// Fails with bad-size if the objective depends on sizes that were drawn: then another draw gives
/// other shapes.
void require_known_sizes(const document::Contents& contents, document::EvaluateOptions options,
                         const Goal& goal, Reading& first, const std::vector<Expr>& roots) {
  if (first.scene().world().sizes().are_given()) return;
  const std::vector<World::Opened> used = first.opened(roots);
  for (const int other : {1, 2, 3}) {
    options.seed = goal.seed + static_cast<std::uint64_t>(other);
    options.spread.largest = document::usual_largest - other;
    Reading reading(contents, options);
    std::optional<Expr> loss;
    try {
      loss = reading.formula(goal.loss, goal.element);
    } catch (const Error& error) {
      fail_unless_known(first, reading, error);
      throw;
    }
    const std::set<std::string> unknown = undetermined(first, reading);
    const std::set<std::string> shaped =
        undetermined_in_shapes(used, reading.opened({*loss}), unknown);
    if (!shaped.empty()) fail_unknown(shaped);
    const auto text = [](const Expr& root) {
      return expr::to_text(expr::linearize(std::vector{expr::without_calls(root)}).program);
    };
    if (!unknown.empty() && text(*loss) != text(roots[0])) fail_unknown(unknown);
  }
}

Expr averaged(const Expr& value) {
  const Tensor tensor(value);
  return mean(tensor.shape().names(), tensor).expression();
}

/// What the document defines on the way, by name.
std::vector<NamedExpr> definitions(Scene& scene, const Expr& loss) {
  std::map<const expr::Node*, std::string> names;
  for (const auto& [key, value] : scene.world().known()) {
    const std::size_t end = key.find('=');
    if (end != std::string::npos) names.try_emplace(value.identity(), key.substr(0, end));
  }
  std::vector<NamedExpr> found;
  for (const Expr& node : expr::post_order(std::span(&loss, 1))) {
    const auto name = names.find(node.identity());
    if (name != names.end()) found.push_back({name->second, node});
  }
  return found;
}

/// Sorts the open tensors into data and parameters.
void sort_opened(const std::vector<World::Opened>& opened, const Examples& examples,
                 const Goal& goal, Objective& result) {
  std::set<std::string> seen;
  for (const World::Opened& one : opened) {
    if (std::ranges::find(goal.settings, one.name, &Setting::name) != goal.settings.end()) continue;
    if (!seen.insert(one.name).second) {
      throw Error(code("redeclared"),
                  fmt::format("the loss depends on two tensors that are called `{}`", one.name),
                  "give one of them another name in the document");
    }
    const auto column = std::ranges::find(examples.columns, one.name, &Column::name);
    if (column != examples.columns.end()) {
      result.inputs.push_back({one.name, one.value});
    } else if (one.is_real) {
      result.parameters.push_back({one.name, one.value});
    } else {
      throw Error(
          code("needs-value"),
          fmt::format("`{}` is not real, so it cannot be learned, and no data give it", one.name),
          fmt::format("give it: --data {}=FILE", one.name));
    }
  }
  if (result.parameters.empty()) {
    throw Error(code("needs-value"),
                fmt::format("`{}` depends on no tensor that is open, so there is nothing to learn",
                            goal.loss),
                "declare the parameters: W ∈ R[...]");
  }
  if (result.inputs.empty()) {
    std::vector<std::string> given;
    for (const Column& one : examples.columns) given.push_back(one.name);
    throw Error(code("undeclared"),
                fmt::format("`{}` does not depend on the data, which give {}", goal.loss,
                            fmt::join(given, ", ")),
                "give the tensors under the names that the document has for them");
  }
}

}  // namespace

std::vector<NamedExpr> all_inputs(const Objective& objective) {
  std::vector<NamedExpr> inputs = objective.inputs;
  inputs.insert(inputs.end(), objective.parameters.begin(), objective.parameters.end());
  return inputs;
}

Objective objective(const document::Contents& contents, const Examples& examples,
                    std::int64_t batch, const Goal& goal) {
  const document::Symbols symbols(contents);
  document::EvaluateOptions options{.settings = placeholders(examples, batch),
                                    .sizes = goal.sizes,
                                    .random = true,
                                    .seed = goal.seed,
                                    .spread = {},
                                    .element = goal.element};
  for (const Setting& setting : goal.settings) options.settings.push_back(setting);
  add_bounds(examples, symbols, options.sizes);
  Reading reading(contents, options);
  std::vector<Expr> roots;
  try {
    roots.push_back(reading.formula(goal.loss, goal.element));
  } catch (const Error& error) {
    document::EvaluateOptions other = options;
    other.seed = goal.seed + 1;
    Reading second(contents, other);
    try {
      second.formula(goal.loss, goal.element);
    } catch (const Error&) {
    }
    fail_unless_known(reading, second, error);
    throw;
  }
  require_known_sizes(contents, options, goal, reading, roots);
  for (const std::string& metric : goal.metrics) {
    roots.push_back(reading.formula(metric, goal.element));
  }
  Objective result{averaged(roots[0]), {}, {}, {}, definitions(reading.scene(), roots[0]), {}};
  for (std::size_t k = 1; k < roots.size(); ++k) result.metrics.push_back(averaged(roots[k]));
  sort_opened(reading.opened({roots[0]}), examples, goal, result);
  for (const World::Opened& one : reading.opened(roots)) {
    const auto column = std::ranges::find(examples.columns, one.name, &Column::name);
    if (column == examples.columns.end()) continue;
    if (std::ranges::find(result.inputs, one.name, &NamedExpr::name) == result.inputs.end())
      result.inputs.push_back({one.name, one.value});
    if (!is_positions(one.symbol)) continue;
    result.shifts[one.name] = 1;
    const document::Frame frame(reading.scene().world(), one.symbol->item);
    require_positions(*column, frame.whole(one.symbol->domain->values[0]));
  }
  return result;
}

}  // namespace axial::train
