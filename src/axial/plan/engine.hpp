// Runs programs on this machine. What is worked out for a structure is kept for the next values.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "axial/expr/program.hpp"
#include "axial/kernels/team.hpp"
#include "axial/plan/explain.hpp"
#include "axial/plan/plan.hpp"

namespace axial::plan {

/// What is too small for some ways to be quick. Tests make everything large enough for all of them.
struct Thresholds {
  /// Steps that pass at least so many elements are shared among the threads.
  std::int64_t shared = kernels::Team::waking;
  /// Products of at least so many bytes are joined to what follows them; all of them if it is 0.
  std::int64_t joined = far_bytes;
};

class Engine {
 public:
  /// Generated code is kept in `cache`; with an empty path only in memory.
  Engine(int threads, std::filesystem::path cache, Thresholds thresholds = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// True if this build can generate code; otherwise run() is the reference evaluator.
  static bool is_available();
  /// True if a program is planned; programs with empty values are quick in any case.
  static bool can_run(const expr::Program& program);

  /// The results of a program, for inputs in any layout. Safe to call from several threads.
  expr::Results run(const expr::Program& program, const std::vector<Array>& inputs);
  /// The same for a plan that plan_for() gave.
  expr::Results run(const Plan& plan, expr::Inputs inputs);

  /// The plan that run() would follow for inputs that lie as `layouts` say; its code is generated.
  std::shared_ptr<const Plan> plan_for(const expr::Program& program,
                                       const std::vector<Shape>& layouts);

  /// What the plan of a program does and how long each pass and step takes, with some passes left
  /// out.
  Report explain(const expr::Program& program, expr::Inputs inputs,
                 const std::vector<std::string_view>& without = {});

  int threads() const;
  /// Programs that start from now on use this many threads; plans stay as they are.
  void set_threads(int count);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// How arrays lie in memory.
std::vector<Shape> layouts_of(expr::Inputs inputs);

/// About how many scalar operations a program takes.
double work(const expr::Program& program);

}  // namespace axial::plan
