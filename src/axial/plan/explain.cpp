#include "axial/plan/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace axial::plan {
namespace {

using kernels::Operation;

/// Operations of one iteration of a nest: additions that take as long.
double operations_of(const kernels::Nest& nest) {
  double count = 0;
  for (const Operation& operation : nest.operations) {
    if (operation.kind == Operation::Kind::map) count += operation.word->cost;
    if (operation.kind == Operation::Kind::reduce) count += operation.reduction->combine->cost;
  }
  return count * static_cast<double>(kernels::iterations(nest));
}

/// How large the buffers are together.
double bytes_of(const std::vector<Start>& starts, const Plan& plan) {
  double bytes = 0;
  for (const Start& start : starts) {
    bytes += static_cast<double>(plan.buffers[static_cast<std::size_t>(start.buffer)].bytes());
  }
  return bytes;
}

StepReport counted(const RunNest& run, const Plan&) {
  const kernels::Nest nest = kernels::collapsed(run.nest);
  std::string shape = fmt::format("{}", fmt::join(nest.outer, " × "));
  if (!nest.row.empty()) shape += fmt::format(" | {}", fmt::join(nest.row, " × "));
  return {.kind = "nest",
          .purpose = {},
          .shape = std::move(shape),
          .operations = operations_of(nest),
          .bytes = static_cast<double>(kernels::bytes_moved(nest))};
}

StepReport counted(const RunProduct& run, const Plan& plan) {
  const kernels::Product& product = run.product;
  std::string shape =
      fmt::format("{} × {} × {}", product.rows(), product.columns(), product.terms());
  if (product.batch() > 1) shape = fmt::format("{} of {}", product.batch(), shape);
  return {.kind = "product",
          .purpose = {},
          .shape = std::move(shape),
          .operations = product.operations(),
          .bytes = bytes_of({run.a, run.b, run.c}, plan)};
}

StepReport counted(const RunWindows& run, const Plan& plan) {
  const kernels::WindowProduct& product = run.product;
  return {.kind = "windows",
          .purpose = {},
          .shape = fmt::format("{} of {} × {} × {}", kernels::window_points, product.squares(),
                               product.outputs(), product.channels()),
          .operations = product.operations(),
          .bytes = bytes_of({run.x, run.w, run.y}, plan)};
}

StepReport counted(const RunTurn& run, const Plan&) {
  const kernels::Turn& turn = run.turn;
  const auto matrices = static_cast<std::int64_t>(turn.from.size());
  return {
      .kind = "turn",
      .purpose = {},
      .shape = fmt::format("{} of {} × {}", matrices, turn.rows, turn.columns),
      .bytes = static_cast<double>(2 * matrices * turn.rows * turn.columns * turn.element_bytes)};
}

StepReport counted(const RunChain& chain, const Plan& plan) {
  StepReport all{.kind = "chain", .purpose = {}, .shape = {}};
  std::vector<Start> touched;
  for (const Link& link : chain.links) {
    const StepReport rows =
        std::visit([&](const auto& step) { return counted(step, plan); }, link.rows);
    all.operations += rows.operations;
    all.shape = all.shape.empty() ? rows.shape
                                  : fmt::format("{}, {}", all.shape, matrices_of(link).columns);
    if (const auto* product = std::get_if<RunProduct>(&link.rows)) {
      if (&link == &chain.links.front()) touched.push_back(product->a);
      touched.insert(touched.end(), {product->b, product->c});
    } else {
      touched.push_back(std::get<RunTurn>(link.rows).from);
    }
    if (!link.nest) continue;
    all.operations += counted(*link.nest, plan).operations;
    touched.insert(touched.end(), link.nest->starts.begin(), link.nest->starts.end());
  }
  std::erase_if(touched, [&](const Start& start) { return lies_between(chain, start.buffer); });
  all.bytes = bytes_of(touched, plan);
  return all;
}

StepReport counted(const RunScatter& run, const Plan& plan) {
  const auto records = static_cast<double>(run.scatter.x_records.size());
  const auto slice = static_cast<double>(run.scatter.x_slice.size());
  return {.kind = "scatter",
          .purpose = {},
          .shape = fmt::format("{} × {}", records, slice),
          .operations = records * slice,
          .bytes = bytes_of({run.positions, run.x, run.c}, plan)};
}

StepReport counted(const CheckPositions& check, const Plan&) {
  return {.kind = "check", .purpose = {}, .shape = fmt::format("{}", check.positions.volume())};
}

StepReport counted(const Define& define, const Plan& plan);

StepReport counted(const RunScan& scan, const Plan&) {
  StepReport all{.kind = "scan",
                 .purpose = {},
                 .shape = fmt::format("{} × {} steps", scan.count, scan.step->steps.size())};
  for (const PlanStep& step : scan.step->steps) {
    const StepReport one =
        std::visit([&](const auto& action) { return counted(action, *scan.step); }, step.action);
    all.operations += static_cast<double>(scan.count) * one.operations;
    all.bytes += static_cast<double>(scan.count) * one.bytes;
  }
  return all;
}

StepReport counted(const Define& define, const Plan&) {
  return {.kind = "define", .purpose = {}, .shape = to_text(define.type.shape)};
}

/// 1234567 as 1.23 M.
std::string rounded(double value, std::string_view unit) {
  constexpr std::string_view prefixes[] = {"", "k", "M", "G", "T"};
  std::size_t prefix = 0;
  while (value >= 999.5 && prefix + 1 < std::size(prefixes)) {
    value /= 1000;
    ++prefix;
  }
  return fmt::format("{:.3g} {}{}", value, prefixes[prefix], unit);
}

std::string time_text(double seconds) {
  if (seconds < 0.9995e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  return seconds < 0.9995 ? fmt::format("{:.3g} ms", seconds * 1e3)
                          : fmt::format("{:.3g} s", seconds);
}

/// Each pass with its time, and the number of steps that it left.
std::vector<std::string> pass_texts(const Report& report) {
  std::vector<std::string> texts;
  for (const PassReport& pass : report.passes) {
    texts.push_back(fmt::format("{} {} ({} steps)", pass.name, time_text(pass.seconds),
                                pass.program.steps.size()));
  }
  return texts;
}

std::string short_purpose(const std::string& purpose) {
  constexpr std::size_t longest = 34;
  if (purpose.size() <= longest) return purpose;
  return purpose.substr(0, purpose.rfind(' ', longest - 2)) + " …";
}

}  // namespace

Report report(const Plan& plan, expr::Inputs inputs, kernels::Team& team) {
  Report result;
  for (const PlanStep& step : plan.steps) {
    StepReport counts =
        std::visit([&](const auto& action) { return counted(action, plan); }, step.action);
    counts.purpose = step.purpose;
    counts.seconds = std::numeric_limits<double>::infinity();
    result.steps.push_back(std::move(counts));
  }
  constexpr int rounds = 5;
  for (int round = 0; round < rounds; ++round) {
    run(plan, inputs, team, [&](std::size_t step, double seconds) {
      result.steps[step].seconds = std::min(result.steps[step].seconds, seconds);
    });
  }
  for (const Buffer& buffer : plan.buffers) {
    if (buffer.input >= 0) result.input_bytes += buffer.bytes();
    if (buffer.is_result) result.result_bytes += buffer.bytes();
  }
  result.arena_bytes = plan.arena_bytes;
  result.limits = kernels::measured_limits(team);
  result.threads = team.size();
  return result;
}

double share_of_limit(const StepReport& step, const kernels::Limits& limits) {
  const double least = std::max(step.operations / limits.operations, step.bytes / limits.bytes);
  return step.seconds > 0 ? std::min(1.0, least / step.seconds) : 1;
}

std::string to_text(const Report& report) {
  std::string text = fmt::format("{:>4}  {:<8} {:<34} {:<24} {:>10} {:>10} {:>10}  {}\n", "step",
                                 "kind", "does", "loops", "flops", "bytes", "time", "of limit");
  double total = 0;
  for (std::size_t k = 0; k < report.steps.size(); ++k) {
    const StepReport& step = report.steps[k];
    total += step.seconds;
    text += fmt::format("{:>4}  {:<8} {:<34} {:<24} {:>10} {:>10} {:>10}  {:>7.0f} %\n", k + 1,
                        step.kind, short_purpose(step.purpose), step.shape,
                        rounded(step.operations, ""), rounded(step.bytes, "B"),
                        time_text(step.seconds), 100 * share_of_limit(step, report.limits));
  }
  text += fmt::format("\npasses: {}\n", fmt::join(pass_texts(report), ", "));
  text += fmt::format(
      "{} steps, {} on {} thread{}; memory: {} in, {} out, {} between at the peak\n",
      report.steps.size(), time_text(total), report.threads, report.threads == 1 ? "" : "s",
      rounded(static_cast<double>(report.input_bytes), "B"),
      rounded(static_cast<double>(report.result_bytes), "B"),
      rounded(static_cast<double>(report.arena_bytes), "B"));
  text +=
      fmt::format("the machine: {} per second, {} per second to and from memory\n",
                  rounded(report.limits.operations, "flops"), rounded(report.limits.bytes, "B"));
  return text;
}

std::string to_json(const Report& report) {
  using json = nlohmann::ordered_json;
  json passes = json::array(), steps = json::array();
  for (const PassReport& pass : report.passes) {
    passes.push_back({{"name", pass.name},
                      {"purpose", pass.purpose},
                      {"seconds", pass.seconds},
                      {"steps", pass.program.steps.size()}});
  }
  for (const StepReport& step : report.steps) {
    steps.push_back({{"kind", step.kind},
                     {"does", step.purpose},
                     {"loops", step.shape},
                     {"flops", step.operations},
                     {"bytes", step.bytes},
                     {"seconds", step.seconds},
                     {"share", share_of_limit(step, report.limits)}});
  }
  const json all{{"passes", passes},
                 {"steps", steps},
                 {"threads", report.threads},
                 {"memory",
                  {{"inputs", report.input_bytes},
                   {"results", report.result_bytes},
                   {"peak", report.arena_bytes}}},
                 {"limits",
                  {{"flops_per_second", report.limits.operations},
                   {"bytes_per_second", report.limits.bytes}}}};
  return all.dump(2) + "\n";
}

}  // namespace axial::plan
