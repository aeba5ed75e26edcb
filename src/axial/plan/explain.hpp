// What a plan does, step by step: for people.
#pragma once

#include <string>
#include <vector>

#include "axial/kernels/limits.hpp"
#include "axial/plan/plan.hpp"

namespace axial::plan {

/// One step, counted and measured.
struct StepReport {
  /// The kind of step: nest, product, chain, turn, scatter, check, define or scan.
  std::string kind;
  std::string purpose;
  /// Loops and sizes.
  std::string shape;
  double operations = 0;
  double bytes = 0;
  double seconds = 0;
};

/// What a pass did.
struct PassReport {
  std::string name;
  std::string purpose;
  double seconds = 0;
  /// The program that it left.
  expr::Program program;
};

struct Report {
  std::vector<PassReport> passes;
  std::vector<StepReport> steps;
  std::int64_t arena_bytes = 0;
  std::int64_t input_bytes = 0;
  std::int64_t result_bytes = 0;
  kernels::Limits limits = {};
  int threads = 1;
};

/// Runs the plan several times and reports the shortest time of each step.
Report report(const Plan& plan, expr::Inputs inputs, kernels::Team& team);

/// How much of what the machine can do at best a step reached, between 0 and 1.
double share_of_limit(const StepReport& step, const kernels::Limits& limits);

/// The report as tables.
std::string to_text(const Report& report);
/// The report as one JSON object.
std::string to_json(const Report& report);

}  // namespace axial::plan
