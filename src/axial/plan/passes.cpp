#include "axial/plan/passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "axial/expr/numbering.hpp"
#include "axial/expr/structure.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::plan {
namespace {

using expr::Expr;

/// A program as expressions over its inputs.
struct Opened {
  Expressions inputs;
  Expressions roots;
};

Opened opened(const expr::Program& program) {
  Opened result;
  Expressions values;
  for (const expr::Type& type : program.inputs) {
    values.push_back(expr::make(expr::Parameter{fmt::format("input {}", values.size()), type}));
  }
  result.inputs = values;
  for (const expr::Step& step : program.steps) {
    Expressions operands;
    for (const std::int64_t operand : step.operands) {
      operands.push_back(values[static_cast<std::size_t>(operand)]);
    }
    values.push_back(expr::make(step.kind, std::move(operands)));
  }
  for (const std::int64_t root : program.results) {
    result.roots.push_back(values[static_cast<std::size_t>(root)]);
  }
  return result;
}

}  // namespace

Expressions share(std::span<const Expr> roots) {
  // Operands come first, so equal nodes have the very same operands by then.
  std::unordered_map<expr::StructureHash, Expr, expr::HashOfStructure> known;
  expr::Numbering numbers;
  std::int64_t count = 0;
  return expr::rewrite(roots, [&](const Expr& node, Expressions operands) {
    Expr made = expr::with_operands(node, std::move(operands));
    Expr found = made;
    if (made.as<expr::Parameter>() == nullptr) {
      expr::StructureHash key;
      key.add(made.kind().index());
      key.add_fields(made.kind());
      key.add(made.operands().size());
      for (const Expr& operand : made.operands()) {
        key.add(static_cast<std::uint64_t>(numbers.find(operand.identity())));
      }
      found = known.emplace(key, made).first->second;
    }
    if (numbers.add(found.identity(), count)) ++count;
    return found;
  });
}

expr::Program prepared(const expr::Program& program, const PassOptions& options) {
  Opened current = opened(program);
  for (const Pass& pass : passes) {
    if (std::ranges::find(options.without, pass.name) != options.without.end()) continue;
    const auto start = std::chrono::steady_clock::now();
    current.roots = pass.run(current.roots);
    const auto time = std::chrono::steady_clock::now() - start;
    if (options.watch)
      options.watch(pass, expr::linearize_body(current.inputs, current.roots), time);
  }
  return expr::linearize_body(current.inputs, current.roots);
}

}  // namespace axial::plan
