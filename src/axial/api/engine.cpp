#include "axial/api/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include "axial/api/run.hpp"
#include "axial/base/environment.hpp"
#include "axial/base/error.hpp"
#include "axial/plan/engine.hpp"
#include "axial/plan/passes.hpp"
#include "axial/reference/evaluate.hpp"

namespace axial {
namespace {

std::filesystem::path cache_folder() {
  if (const auto chosen = variable("AXIAL_CACHE")) return *chosen;
  if (const auto caches = variable("XDG_CACHE_HOME"))
    return std::filesystem::path(*caches) / "axial";
  if (const auto home = variable("HOME")) return std::filesystem::path(*home) / ".cache/axial";
  return {};
}

/// The engine of this process, made when the first program needs it.
class Current {
 public:
  plan::Engine& engine() {
    const std::lock_guard lock(guard_);
    if (!engine_) engine_ = std::make_unique<plan::Engine>(threads_, cache_folder());
    return *engine_;
  }
  void set_threads(int count) {
    const std::lock_guard lock(guard_);
    threads_ = count;
    if (engine_ && engine_->threads() != count) engine_->set_threads(count);
  }
  int threads() {
    const std::lock_guard lock(guard_);
    return threads_;
  }

 private:
  std::mutex guard_;
  int threads_ = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::unique_ptr<plan::Engine> engine_;
};

Current& current() {
  static Current instance;
  return instance;
}

/// Smaller programs, and those of many tiny steps, need no compiling. Where a program runs depends on
/// its structure alone, so that it gives the same result every time.
constexpr double worthwhile = 8'000;
constexpr double worthwhile_per_step = 200;
/// Step by step, all values are kept until the end.
constexpr double most_stepwise = 1e6;

bool is_worthwhile(const expr::Program& program) {
  static const std::optional<std::string> choice = variable("AXIAL_ENGINE");
  if (choice == "always") return true;
  if (choice == "never") return false;
  const double work = plan::work(program);
  return work >= worthwhile &&
         work >= worthwhile_per_step * static_cast<double>(program.steps.size());
}

}  // namespace

void set_threads(int count) { current().set_threads(std::max(1, count)); }
int threads() { return current().threads(); }

namespace {

/// The name of a pass. Fails with undeclared, naming all of them.
std::string_view pass_named(const std::string& name) {
  const auto found = std::ranges::find(plan::passes, name, &plan::Pass::name);
  if (found != std::end(plan::passes)) return found->name;
  std::vector<std::string_view> names;
  for (const plan::Pass& pass : plan::passes) names.push_back(pass.name);
  throw Error(code("undeclared"), fmt::format("there is no pass `{}`", name),
              fmt::format("the passes are {}", fmt::join(names, ", ")));
}

}  // namespace

void require_passes(const ExplainOptions& options) {
  for (const std::string& name : options.without) pass_named(name);
  if (options.after.empty()) return;
  const std::string_view after = pass_named(options.after);
  if (std::ranges::find(options.without, after) != options.without.end()) {
    throw Error(code("undeclared"), fmt::format("the pass `{}` is left out", after),
                "ask for what another pass left");
  }
}

std::string explain(const Tensor& tensor, const ExplainOptions& options) {
  return explain(std::span(&tensor, 1), options);
}

std::string explain(std::span<const Tensor> tensors, const ExplainOptions& options) {
  require_passes(options);
  if (!plan::Engine::is_available()) {
    return "this build has no compiler: the reference evaluator computes step by step\n";
  }
  std::vector<std::string_view> without;
  for (const std::string& name : options.without) without.push_back(pass_named(name));
  const std::string_view after = options.after.empty() ? "" : pass_named(options.after);
  std::vector<expr::Expr> wanted;
  for (const Tensor& tensor : tensors) wanted.push_back(tensor.expression());
  const expr::KnownStructure structure = expr::structure_above_values(wanted);
  const plan::Report report =
      current().engine().explain(plain_program(wanted, structure), structure.values, without);
  const auto shown = std::ranges::find(report.passes, after, &plan::PassReport::name);
  if (shown != report.passes.end()) return to_text(shown->program);
  return options.json ? to_json(report) : to_text(report);
}

Recipe recipe(expr::Program program, expr::Inputs inputs) {
  const std::vector<Shape> layouts = plan::layouts_of(inputs);
  if (plan::Engine::can_run(program) && is_worthwhile(program)) {
    return current().engine().plan_for(program, layouts);
  }
  if (plan::work(program) > most_stepwise) return program;
  return plan::Stepwise(std::move(program), layouts);
}

expr::Results run(const Recipe& recipe, expr::Inputs inputs) {
  if (const auto* plan = std::get_if<std::shared_ptr<const plan::Plan>>(&recipe)) {
    return current().engine().run(**plan, inputs);
  }
  if (const auto* steps = std::get_if<plan::Stepwise>(&recipe)) return steps->run(inputs);
  std::vector<Array> values;
  for (const Array* input : inputs) values.push_back(*input);
  return reference::run(std::get<expr::Program>(recipe), std::move(values));
}

}  // namespace axial
