#include "axial/plan/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "axial/expr/lambda.hpp"
#include "axial/plan/passes.hpp"
#include "axial/reference/evaluate.hpp"

namespace axial::plan {
namespace {

/// Programs and layouts that one plan serves.
std::string signature(const expr::Program& program, const std::vector<Shape>& layouts) {
  std::string text = to_text(program);
  for (const Shape& layout : layouts) {
    for (const SizedAxis& axis : layout.written()) {
      text += fmt::format("{}[{}] ", axis.axis.name(), axis.size);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::vector<Shape> layouts_of(expr::Inputs inputs) {
  std::vector<Shape> layouts;
  for (const Array* input : inputs) layouts.push_back(input->shape());
  return layouts;
}

struct Engine::State {
  kernels::Compiler compiler;
  mutable std::mutex guard;
  /// Replaced as a whole; programs that run keep theirs.
  std::shared_ptr<kernels::Team> team;
  std::unordered_map<std::string, std::shared_ptr<const Plan>> plans;

  Thresholds thresholds;

  State(int threads, std::filesystem::path cache, Thresholds given)
      : compiler(std::move(cache)),
        team(std::make_shared<kernels::Team>(threads, given.shared)),
        thresholds(given) {}

  std::shared_ptr<Plan> planned(const expr::Program& program, const std::vector<Shape>& layouts,
                                const PassOptions& options = {}) {
    auto made =
        std::make_shared<Plan>(plan(prepared(program, options), layouts, thresholds.joined));
    compile(*made, compiler);
    return made;
  }

  std::shared_ptr<kernels::Team> current_team() const {
    const std::lock_guard lock(guard);
    return team;
  }
};

Engine::Engine(int threads, std::filesystem::path cache, Thresholds thresholds)
    : state_(std::make_unique<State>(threads, std::move(cache), thresholds)) {}
Engine::~Engine() = default;

bool Engine::is_available() { return kernels::Compiler::is_available(); }
int Engine::threads() const { return state_->current_team()->size(); }

void Engine::set_threads(int count) {
  auto team = std::make_shared<kernels::Team>(count, state_->thresholds.shared);
  const std::lock_guard lock(state_->guard);
  state_->team.swap(team);
}

std::shared_ptr<const Plan> Engine::plan_for(const expr::Program& program,
                                             const std::vector<Shape>& layouts) {
  const std::string key = signature(program, layouts);
  {
    const std::lock_guard lock(state_->guard);
    if (const auto found = state_->plans.find(key); found != state_->plans.end()) {
      return found->second;
    }
  }
  auto made = state_->planned(program, layouts);
  constexpr std::size_t max_plans = 1 << 12;
  const std::lock_guard lock(state_->guard);
  if (state_->plans.size() >= max_plans) state_->plans.clear();
  return state_->plans.emplace(key, std::move(made)).first->second;
}

bool Engine::can_run(const expr::Program& program) {
  return is_available() && !has_empty_values(program);
}

expr::Results Engine::run(const expr::Program& program, const std::vector<Array>& inputs) {
  if (!can_run(program)) return reference::run(program, inputs);
  const std::vector<const Array*> pointers = expr::pointers_to(inputs);
  return run(*plan_for(program, layouts_of(pointers)), pointers);
}

expr::Results Engine::run(const Plan& plan, expr::Inputs inputs) {
  return plan::run(plan, inputs, *state_->current_team());
}

Report Engine::explain(const expr::Program& program, expr::Inputs inputs,
                       const std::vector<std::string_view>& without) {
  std::vector<PassReport> done;
  PassOptions options{.without = without};
  options.watch = [&](const Pass& pass, const expr::Program& left, std::chrono::nanoseconds time) {
    done.push_back({std::string(pass.name), std::string(pass.purpose),
                    std::chrono::duration<double>(time).count(), left});
  };
  const auto plan = state_->planned(program, layouts_of(inputs), options);
  Report result = report(*plan, inputs, *state_->current_team());
  result.passes = std::move(done);
  return result;
}

namespace {

/// The elements that a step passes through.
double passed(const expr::Program& program, const expr::Step& step) {
  const auto type_of = [&](std::int64_t value) -> const expr::Type& {
    const auto k = static_cast<std::size_t>(value);
    const std::size_t inputs = program.inputs.size();
    return k < inputs ? program.inputs[k] : program.steps[k - inputs].type;
  };
  if (std::holds_alternative<expr::Contract>(step.kind) ||
      std::holds_alternative<expr::Reduce>(step.kind)) {
    Shape all;
    for (const std::int64_t operand : step.operands) all = all | type_of(operand).shape;
    return static_cast<double>(all.volume());
  }
  const auto elements = static_cast<double>(step.type.shape.volume());
  const auto* scan = std::get_if<expr::Scan>(&step.kind);
  if (scan == nullptr) return elements;
  return elements +
         static_cast<double>(step.type.shape.size(scan->axis)) * work(scan->step->program);
}

}  // namespace

double work(const expr::Program& program) {
  double total = 0;
  for (const expr::Step& step : program.steps) total += passed(program, step);
  return total;
}

}  // namespace axial::plan
