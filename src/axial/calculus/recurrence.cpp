#include "axial/calculus/recurrence.hpp"

#include <algorithm>
#include <unordered_set>

#include "axial/calculus/differential.hpp"
#include "axial/calculus/transpose.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::calculus {
namespace {

using expr::make;

Expr parameter(std::string name, const expr::Type& type) {
  return make(expr::Parameter{std::move(name), type});
}

/// The states before each step: s⁰, and all but the last of the states that a scan gave.
Expr previous_states(const expr::Scan& scan, const Expr& first, const Expr& states) {
  const std::int64_t count = states.shape().size(scan.axis);
  const Expr start = spread(first, (states.shape() - scan.axis) * scan.axis[1]);
  const Expr rest = make(expr::Slice{scan.axis, scan.reverse ? 1 : 0, count - 1, 1}, {states});
  const expr::Concat concat{scan.axis};
  return scan.reverse ? make(concat, {rest, start}) : make(concat, {start, rest});
}

/// How the operands of a scan are used: the state, one element of a sequence per step, or as a whole.
bool is_sequence(const expr::Scan& scan, std::size_t k) {
  return k >= 1 && static_cast<std::int64_t>(k) <= scan.inputs;
}

/// A scan put together from named pieces: what each step is given, and from where.
struct Pieces {
  std::vector<Expr> sequence_parameters, sequences;
  std::vector<Expr> whole_parameters, wholes;

  void add(const expr::Scan& scan, std::size_t k, const Expr& parameter, const Expr& operand) {
    const bool sequence = is_sequence(scan, k);
    (sequence ? sequence_parameters : whole_parameters).push_back(parameter);
    (sequence ? sequences : wholes).push_back(operand);
  }

  std::vector<Expr> parameters(const Expr& state) const {
    return joined(state, sequence_parameters, whole_parameters);
  }
  std::vector<Expr> operands(const Expr& start) const { return joined(start, sequences, wholes); }

  /// Those pieces that `body` uses.
  Pieces used_by(const Expr& body) const {
    std::unordered_set<const expr::Node*> used;
    for (const Expr& node : expr::post_order({&body, 1})) used.insert(node.identity());
    Pieces kept;
    const auto keep = [&](const auto& names, const auto& values, auto& to_names, auto& to_values) {
      for (std::size_t k = 0; k < names.size(); ++k) {
        if (!used.contains(names[k].identity())) continue;
        to_names.push_back(names[k]);
        to_values.push_back(values[k]);
      }
    };
    keep(sequence_parameters, sequences, kept.sequence_parameters, kept.sequences);
    keep(whole_parameters, wholes, kept.whole_parameters, kept.wholes);
    return kept;
  }

  /// The scan whose step is `body` over the parameters.
  Expr scanned(Axis axis, bool reverse, const Expr& state, const Expr& start,
               const Expr& body) const {
    const expr::Closure closure = expr::close("step", {}, parameters(state), body);
    std::vector<Expr> all = operands(start);
    all.insert(all.end(), closure.captured.begin(), closure.captured.end());
    return make(expr::Scan{axis, reverse, std::ssize(sequences), closure.function}, std::move(all));
  }

 private:
  static std::vector<Expr> joined(const Expr& first, const std::vector<Expr>& second,
                                  const std::vector<Expr>& third) {
    std::vector<Expr> all{first};
    all.insert(all.end(), second.begin(), second.end());
    all.insert(all.end(), third.begin(), third.end());
    return all;
  }
};

}  // namespace

Tangent scan_differential(const expr::Scan& scan, const Expr& node,
                          std::span<const Tangent> tangents) {
  const expr::Lambda& step = *scan.step;
  const auto operands = node.operands();
  if (node.shape().size(scan.axis) == 0) return std::nullopt;
  Pieces pieces;
  // The states become an input: each step is linearised at the state before it.
  pieces.sequence_parameters.push_back(step.parameters[0]);
  pieces.sequences.push_back(previous_states(scan, operands[0], node));
  const expr::Type state_type = step.parameters[0].type();
  Increments increments;
  const Expr state = parameter("∂s", state_type);
  increments.emplace(step.parameters[0].identity(), state);
  for (std::size_t k = 1; k < operands.size(); ++k) {
    pieces.add(scan, k, step.parameters[k], operands[k]);
    if (!tangents[k]) continue;
    expr::Type type = tangents[k]->type();
    if (is_sequence(scan, k)) type.shape = type.shape - scan.axis;
    const Expr increment = parameter("∂x", type);
    increments.emplace(step.parameters[k].identity(), increment);
    pieces.add(scan, k, increment, *tangents[k]);
  }
  const Tangent body = differentials({&step.body, 1}, increments)[0];
  if (!body) return std::nullopt;
  const Expr start = tangents[0] ? *tangents[0] : zeros(state_type);
  return pieces.used_by(*body).scanned(scan.axis, scan.reverse, state, start, *body);
}

std::vector<Tangent> scan_transpose(const expr::Scan& scan, const Expr& node,
                                    const std::vector<bool>& active, const Expr& cotangent) {
  const expr::Lambda& step = *scan.step;
  const auto operands = node.operands();
  const expr::Type state_type = step.parameters[0].type();
  Pieces constants;
  for (std::size_t k = 1; k < operands.size(); ++k) {
    if (!active[k]) constants.add(scan, k, step.parameters[k], operands[k]);
  }
  // Let νᵗ be what step t gives back to the state before it: νᵗ = Aᵗᵀ(wᵗ + νᵗ⁺¹).
  const Expr later = parameter("ν", state_type);
  const Expr weight = parameter("w", state_type);
  const auto given_back = [&](const Expr& variable, const Expr& to_step) {
    return transpose({&step.body, 1}, {&to_step, 1}, {&variable, 1})[0];
  };
  const Tangent body = given_back(step.parameters[0], plus(weight, later));
  Expr total_cotangent = cotangent;
  std::vector<Tangent> results(operands.size());
  if (body) {
    Pieces backward = constants.used_by(*body);
    backward.sequence_parameters.push_back(weight);
    backward.sequences.push_back(cotangent);
    const Expr start = zeros(state_type);
    const Expr states = backward.scanned(scan.axis, !scan.reverse, later, start, *body);
    const expr::Scan reversed{scan.axis, !scan.reverse, 0, nullptr};
    total_cotangent = plus(cotangent, previous_states(reversed, start, states));
    const std::int64_t last = scan.reverse ? states.shape().size(scan.axis) - 1 : 0;
    const Expr position = make(expr::Literal{.value = last, .element = int64, .weak = false});
    if (active[0]) results[0] = make(expr::Index{scan.axis}, {states, position});
  }
  // The other operands take what each step gives back, all steps at once. Time has a name of its
  // own meanwhile, since an operand that is used as a whole may have an axis of the same name.
  Axes taken = scan.axis;
  for (const Expr& operand : operands) taken = taken & (operand.shape().names() - taken);
  const Axis time = fresh(scan.axis, taken);
  const Renames apart{{scan.axis, time}};
  Pieces timed = constants;
  for (Expr& sequence : timed.sequences) sequence = renamed(sequence, apart);
  for (std::size_t k = 1; k < operands.size(); ++k) {
    if (!active[k]) continue;
    const Tangent share = given_back(step.parameters[k], weight);
    if (!share) continue;
    const Pieces needed = timed.used_by(*share);
    const expr::Closure closure = expr::close("step", {}, needed.parameters(weight), *share);
    std::vector<Expr> arguments = needed.operands(renamed(total_cotangent, apart));
    arguments.insert(arguments.end(), closure.captured.begin(), closure.captured.end());
    const Expr all =
        spread(expr::inlined(*closure.function, arguments), time[node.shape().size(scan.axis)]);
    results[k] = is_sequence(scan, k) ? renamed(all, reversed(apart)) : total(time, all);
  }
  return results;
}

}  // namespace axial::calculus
