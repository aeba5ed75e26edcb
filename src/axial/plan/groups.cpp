#include "axial/plan/groups.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace axial::plan {
namespace {

using expr::Program;
using expr::Step;
using expr::Type;

bool is_safe_cast(ElementType from, ElementType to) {
  return from == to || is_real(to) || (from == boolean && is_integer(to)) ||
         (from == int32 && to == int64);
}

/// Below this many multiplications along each side a loop is as good as a matrix product.
constexpr std::int64_t product_side = 4;

class Grouper {
 public:
  explicit Grouper(const Program& program)
      : program_(program), inputs_(static_cast<int>(program.inputs.size())) {}

  Grouping run() {
    for (int step = 0; step < static_cast<int>(program_.steps.size()); ++step) {
      result_.numbers.push_back(number(at(step)));
      result_.roles.push_back(result_.numbers.back() ? Role::number : role(at(step)));
      result_.group_of.push_back(-1);
      units_.push_back(-1);
      if (result_.roles.back() == Role::loop) {
        join(step);
      } else {
        begin_unit(step);
      }
    }
    // What was absorbed stands behind what absorbed it.
    for (Group& group : result_.groups) std::ranges::sort(group.steps);
    return std::move(result_);
  }

 private:
  const Step& at(int step) const { return program_.steps[static_cast<std::size_t>(step)]; }
  const Type& type_of(std::int64_t value) const { return program_.type_of(value); }
  /// The step that computes a value, or -1 for an input.
  int step_of(std::int64_t value) const {
    return value < inputs_ ? -1 : static_cast<int>(value) - inputs_;
  }
  std::optional<Role> role_of(std::int64_t value) const {
    const int step = step_of(value);
    if (step < 0) return std::nullopt;
    return result_.roles[static_cast<std::size_t>(step)];
  }

  Role role(const Step& step) const {
    return std::visit([&](const auto& node) { return role(node, step); }, step.kind);
  }
  Role role(const expr::Map&, const Step&) const { return Role::loop; }
  Role role(const expr::Reduce&, const Step&) const { return Role::loop; }
  Role role(const expr::Index&, const Step&) const { return Role::loop; }
  Role role(const expr::Scatter& scatter, const Step&) const {
    // Where nothing is added up, every element asks whether it is the one.
    return scatter.over.count() == 0 ? Role::loop : Role::define;
  }
  Role role(const expr::Cast& cast, const Step& step) const {
    return is_safe_cast(storage(type_of(step.operands[0])), cast.element) ? Role::loop
                                                                          : Role::define;
  }
  Role role(const expr::Iota&, const Step&) const { return Role::counter; }
  Role role(const expr::Delta&, const Step&) const { return Role::counter; }
  Role role(const expr::Pad&, const Step&) const { return Role::copy; }
  Role role(const expr::Concat&, const Step&) const { return Role::copy; }
  Role role(const expr::Fold&, const Step&) const { return Role::copy; }
  Role role(const expr::Rename&, const Step&) const { return Role::view; }
  Role role(const expr::Reshape&, const Step&) const { return Role::view; }
  Role role(const expr::Window&, const Step&) const { return Role::view; }
  Role role(const expr::Slice&, const Step&) const { return Role::view; }
  Role role(const expr::Broadcast&, const Step&) const { return Role::view; }
  Role role(const expr::Contract& contract, const Step& step) const {
    if (step.operands.size() != 2 || !is_real(step.type.element) || step.type.weak)
      return Role::loop;
    const Shape& a = type_of(step.operands[0]).shape;
    const Shape& b = type_of(step.operands[1]).shape;
    const std::int64_t terms = restrict(a, contract.over).volume();
    const bool is_product = (a - b.names()).volume() >= product_side &&
                            (b - a.names()).volume() >= product_side && terms >= product_side;
    return is_product ? Role::product : Role::loop;
  }
  Role role(const auto&, const Step&) const { return Role::define; }

  /// The number that a step has everywhere, if it is known now.
  std::optional<Number> number(const Step& step) const {
    if (const auto* literal = std::get_if<expr::Literal>(&step.kind)) return literal->value;
    std::vector<Number> operands;
    for (const std::int64_t operand : step.operands) {
      const int source = step_of(operand);
      const auto known =
          source < 0 ? std::nullopt : result_.numbers[static_cast<std::size_t>(source)];
      if (!known) return std::nullopt;
      operands.push_back(*known);
    }
    if (operands.empty()) return std::nullopt;
    if (const auto* map = std::get_if<expr::Map>(&step.kind))
      return applied(*map->word, operands, step);
    const bool keeps = std::holds_alternative<expr::Cast>(step.kind) && is_real(storage(step.type));
    return keeps || role(step) == Role::view ? std::optional(operands[0]) : std::nullopt;
  }
  /// A word of real numbers, in the precision of the result.
  static std::optional<Number> applied(const Word& word, std::vector<Number> operands,
                                       const Step& step) {
    if (!is_real(storage(step.type)) || !word.real || word.gives != Gives::same)
      return std::nullopt;
    operands.resize(3, Number(0));
    const double value = word.real(operands[0].real(), operands[1].real(), operands[2].real());
    return storage(step.type) == float32 ? Number(static_cast<float>(value)) : Number(value);
  }

  /// Levels: whatever a unit (a group, or a step on its own) needs has a lower level than it.
  int level_of(std::int64_t value) const {
    const int step = step_of(value);
    return step < 0 ? 0 : levels_[static_cast<std::size_t>(units_[static_cast<std::size_t>(step)])];
  }
  void begin_unit(int step) {
    int level = 0;
    for (const std::int64_t operand : at(step).operands) level = std::max(level, level_of(operand));
    units_[static_cast<std::size_t>(step)] = static_cast<int>(levels_.size());
    levels_.push_back(level + 1);
    used_.push_back(false);
    for (const std::int64_t operand : at(step).operands) use(operand);
  }
  /// Marks the unit of a value as needed by another one, after which its level must not rise.
  void use(std::int64_t value) {
    if (const int step = step_of(value); step >= 0) {
      used_[static_cast<std::size_t>(units_[static_cast<std::size_t>(step)])] = true;
    }
  }

  /// The shape that a step walks, and the part of it that it folds.
  struct Domain {
    Shape outer, row;
  };
  Domain domain(const Step& step) const {
    if (const auto* reduce = std::get_if<expr::Reduce>(&step.kind)) {
      return {step.type.shape, restrict(type_of(step.operands[0]).shape, reduce->over)};
    }
    if (const auto* contract = std::get_if<expr::Contract>(&step.kind)) {
      Shape all;
      for (const std::int64_t operand : step.operands) all = all | type_of(operand).shape;
      return {step.type.shape, restrict(all, contract->over)};
    }
    return {step.type.shape, {}};
  }

  /// Puts a step of a loop into the group of an operand where that is possible, else into a new one.
  void join(int step) {
    const Domain own = domain(at(step));
    int best = -1;
    for (const std::int64_t operand : at(step).operands) {
      const int source = step_of(operand);
      if (source < 0) continue;
      const int group = result_.group_of[static_cast<std::size_t>(source)];
      if (group >= 0 && fits(step, own, group) && is_free(step, group))
        best = std::max(best, group);
    }
    if (best < 0) {
      begin_unit(step);
      best = static_cast<int>(result_.groups.size());
      result_.groups.push_back({own.outer, own.row, {}});
      unit_of_group_.push_back(units_[static_cast<std::size_t>(step)]);
    } else {
      open_row(own, best);
      for (const std::int64_t operand : at(step).operands) {
        const int source = step_of(operand);
        const int other = source < 0 ? -1 : result_.group_of[static_cast<std::size_t>(source)];
        if (other >= 0 && other != best && may_absorb(step, operand, other, best))
          absorb(other, best);
      }
      enter(step, best);
    }
    result_.group_of[static_cast<std::size_t>(step)] = best;
    result_.groups[static_cast<std::size_t>(best)].steps.push_back(step);
  }

  /// A group without a row gets that of a step which is about to enter, or of a group.
  void open_row(const Domain& own, int group) {
    Group& joined = result_.groups[static_cast<std::size_t>(group)];
    if (joined.row.order() > 0 || own.row.order() == 0) return;
    joined.outer = own.outer;
    joined.row = own.row;
  }

  /// True if another group, which computes an operand of a step, may become a part of the one that the
  /// step enters: it walks the same, and none of the two needs the other.
  bool may_absorb(int step, std::int64_t operand, int other, int group) const {
    const Group& joined = result_.groups[static_cast<std::size_t>(group)];
    const Group& absorbed = result_.groups[static_cast<std::size_t>(other)];
    const Shape whole = joined.outer | joined.row;
    const bool walks_same = absorbed.outer == joined.outer && absorbed.row == joined.row;
    const bool has_no_row = absorbed.row.order() == 0 && absorbed.outer == whole;
    const bool opens_row = joined.row.order() == 0 && whole == (absorbed.outer | absorbed.row);
    if (!walks_same && !has_no_row && !opens_row) return false;
    // What is folded must vary along the row.
    if (domain(at(step)).row.order() > 0 && type_of(operand).shape != whole) return false;
    const int unit = unit_of_group_[static_cast<std::size_t>(group)];
    const int others_unit = unit_of_group_[static_cast<std::size_t>(other)];
    const int level = levels_[static_cast<std::size_t>(unit)];
    const int others_level = levels_[static_cast<std::size_t>(others_unit)];
    // Nobody has the level of what it needs. What nobody needs may rise, all else must stay.
    if (!used_[static_cast<std::size_t>(others_unit)]) return others_level <= level;
    return others_level == level && std::ranges::all_of(at(step).operands, [&](std::int64_t each) {
             return is_member(each, group) || is_member(each, other) || level_of(each) < level;
           });
  }

  void absorb(int other, int group) {
    Group& joined = result_.groups[static_cast<std::size_t>(group)];
    Group& absorbed = result_.groups[static_cast<std::size_t>(other)];
    const auto unit = static_cast<std::size_t>(unit_of_group_[static_cast<std::size_t>(group)]);
    const auto others_unit =
        static_cast<std::size_t>(unit_of_group_[static_cast<std::size_t>(other)]);
    open_row({absorbed.outer, absorbed.row}, group);
    for (const int step : absorbed.steps) {
      result_.group_of[static_cast<std::size_t>(step)] = group;
      units_[static_cast<std::size_t>(step)] = static_cast<int>(unit);
    }
    joined.steps.insert(joined.steps.end(), absorbed.steps.begin(), absorbed.steps.end());
    absorbed.steps.clear();
    if (used_[others_unit]) used_[unit] = true;
  }

  void enter(int step, int group) {
    const int unit = unit_of_group_[static_cast<std::size_t>(group)];
    units_[static_cast<std::size_t>(step)] = unit;
    for (const std::int64_t operand : at(step).operands) {
      const int source = step_of(operand);
      if (source >= 0 && units_[static_cast<std::size_t>(source)] == unit) continue;
      levels_[static_cast<std::size_t>(unit)] =
          std::max(levels_[static_cast<std::size_t>(unit)], level_of(operand) + 1);
      use(operand);
    }
  }

  /// True if the step walks what the group walks.
  bool fits(int step, const Domain& own, int group) const {
    // What a gather reads must be there before the nest begins, and positions are checked first.
    if (std::holds_alternative<expr::Index>(at(step).kind) ||
        std::holds_alternative<expr::Scatter>(at(step).kind)) {
      return false;
    }
    const Group& joined = result_.groups[static_cast<std::size_t>(group)];
    const Shape whole = joined.outer | joined.row;
    if (own.row.order() > 0) {
      const bool same_row = joined.row == own.row && joined.outer == own.outer;
      const bool opens_row = joined.row.order() == 0 && joined.outer == (own.outer | own.row);
      if (!same_row && !opens_row) return false;
      // What is folded must itself vary along the row, or be loaded.
      return std::ranges::all_of(at(step).operands, [&](std::int64_t operand) {
        return !is_member(operand, group) || type_of(operand).shape == (own.outer | own.row);
      });
    }
    if (joined.row.order() == 0) return own.outer == joined.outer;
    return own.outer == whole || own.outer == joined.outer;
  }
  bool is_member(std::int64_t value, int group) const {
    const int step = step_of(value);
    return step >= 0 && result_.group_of[static_cast<std::size_t>(step)] == group;
  }

  /// True if no other operand of the step needs the group, so that joining makes no circle.
  bool is_free(int step, int group) const {
    const int unit = unit_of_group_[static_cast<std::size_t>(group)];
    const int level = levels_[static_cast<std::size_t>(unit)];
    return std::ranges::all_of(at(step).operands, [&](std::int64_t operand) {
      return is_member(operand, group) || level_of(operand) < level ||
             !used_[static_cast<std::size_t>(unit)];
    });
  }

  const Program& program_;
  int inputs_;
  Grouping result_;
  std::vector<int> units_;
  std::vector<int> levels_;
  std::vector<bool> used_;
  std::vector<int> unit_of_group_;
};

}  // namespace

ElementType storage(const Type& type) { return type.weak ? float64 : type.element; }

Grouping grouped(const Program& program) { return Grouper(program).run(); }

}  // namespace axial::plan
