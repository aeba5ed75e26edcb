#include "cli/diff.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

#include "axial/document/derive.hpp"
#include "axial/notation/print.hpp"
#include "cli/latex_lines.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"

namespace cli {
namespace {

using axial::Error;
using axial::document::Derived;
using axial::document::DerivedStep;
using axial::document::DerivedSteps;
using axial::notation::to_latex;
using axial::notation::to_text;
using axial::notation::Tree;

struct Options {
  std::string file;
  std::string formula;
  std::string variable;
  std::vector<std::string> assumptions;
  int order = 1;
  bool steps = false;
  std::string to = "text";
  std::uint64_t seed = 1;
  Output output;
};

constexpr std::size_t line_width = 100;
constexpr std::size_t latex_width = 80;

/// What gives a step: a rule, or names that stand for parts from here on.
std::string reason_text(const DerivedStep& step) {
  std::string text = step.rule;
  for (const auto& [name, meaning] : step.where) {
    text +=
        fmt::format("{} {} = {}", text.empty() ? "where" : ",", to_text(name), to_text(meaning));
  }
  return text;
}

/// A line of a derivation with its rule at the right, or below it if there is no room.
std::string line_of(const DerivedStep& step, bool in_color) {
  const std::string reason = reason_text(step);
  const std::string line = (reason.empty() ? "  " : "    = ") + to_text(step.expression);
  if (reason.empty()) return line + "\n";
  const std::string rule =
      in_color ? fmt::format("\x1b[2m[{}]\x1b[0m", reason) : fmt::format("[{}]", reason);
  const std::size_t needed = width_of(line) + width_of(reason) + 4;
  if (needed > line_width) return fmt::format("{}\n{:>8}{}\n", line, "", rule);
  return fmt::format("{}{:>{}}{}\n", line, "", line_width - needed + 2, rule);
}

void print_text(const Derived& derived, const Options& options) {
  if (options.steps) {
    for (const DerivedSteps& row : derived.derivations) {
      std::cout << row.title << "\n";
      for (const DerivedStep& step : row.steps) {
        std::cout << line_of(step, options.output.in_color());
      }
      std::cout << "\n";
    }
  }
  std::cout << to_text(derived.subject) << " = " << to_text(derived.abbreviated) << "\n";
  for (const auto& [name, meaning] : derived.where) {
    std::cout << "  where " << to_text(name) << " = " << to_text(meaning) << "\n";
  }
}

/// Text inside a formula.
std::string latex_text(std::string_view text) {
  std::string escaped;
  for (const char letter : text) escaped += letter == '_' ? "\\_" : std::string(1, letter);
  return fmt::format("\\text{{{}}}", escaped);
}

std::string reason_latex(const DerivedStep& step) {
  if (step.where.empty()) return latex_text(step.rule);
  std::string text = latex_text("where ");
  for (std::size_t k = 0; k < step.where.size(); ++k) {
    const auto& [name, meaning] = step.where[k];
    text += fmt::format("{}{} = {}", k == 0 ? "" : ", ", to_latex(name), to_latex(meaning));
  }
  return text;
}

/// The formula on as many lines as it needs, with `room` for what stands behind the last one.
std::string aligned(const Tree& formula, std::size_t room) {
  std::string text;
  for (const std::string& line :
       latex_lines(formula, latex_width - std::min(room, latex_width / 2))) {
    text += (text.empty() ? "" : " \\\\\n  &\\quad ") + line;
  }
  return text;
}

/// The steps as an align environment, each rule behind its line.
std::string latex_of(const DerivedSteps& row) {
  std::string text = fmt::format("% {}\n\\begin{{align*}}\n", row.title);
  for (std::size_t k = 0; k < row.steps.size(); ++k) {
    const DerivedStep& step = row.steps[k];
    const std::string reason = reason_text(step);
    const std::string formula = aligned(step.expression, width_of(reason));
    text += reason.empty() ? fmt::format("  & {}", formula)
                           : fmt::format("  &= {} && {}", formula, reason_latex(step));
    text += k + 1 == row.steps.size() ? "\n" : " \\\\\n";
  }
  return text + "\\end{align*}\n";
}

void print_latex(const Derived& derived, const Options& options) {
  if (options.steps) {
    for (const DerivedSteps& row : derived.derivations) std::cout << latex_of(row);
  }
  std::string text = fmt::format("  {} &= {}", to_latex(derived.subject),
                                 aligned(derived.abbreviated, width_of(to_text(derived.subject))));
  for (const auto& [name, meaning] : derived.where) {
    text += fmt::format(" \\\\\n  {} &= {}", to_latex(name), aligned(meaning, 0));
  }
  std::cout << "\\begin{align*}\n" << text << "\n\\end{align*}\n";
}

void print_json(const Derived& derived) {
  using nlohmann::json;
  json steps = json::array();
  for (const DerivedSteps& row : derived.derivations) {
    const bool is_lemma = row.title.starts_with("differential of");
    if (is_lemma) continue;
    for (const DerivedStep& step : row.steps) {
      steps.push_back({{"expression", to_text(step.expression)}, {"rule", reason_text(step)}});
    }
  }
  const json object = {{"derivative", to_text(derived.derivative)},
                       {"shape", shape_json(derived.shape)},
                       {"steps", steps}};
  std::cout << object.dump() << "\n";
}

/// What is assumed, as a document. Fails with misuse if it is not in the notation.
axial::document::Contents assumed(const std::vector<std::string>& assumptions) {
  std::string text;
  for (const std::string& assumption : assumptions) text += assumption + "\n";
  axial::document::Contents contents = axial::document::read("assumptions.nt", text, ".");
  for (const axial::document::Item& item : contents.items) {
    if (item.problem) throw Misuse(item.problem->within("--assume"));
  }
  return contents;
}

int run(const Options& options) {
  const axial::document::Contents contents =
      options.file == "-" ? assumed(options.assumptions) : axial::document::read_file(options.file);
  try {
    const Derived derived = axial::document::derive(contents, options.formula, options.variable,
                                                    options.order, {.seed = options.seed});
    if (options.output.is_json()) {
      print_json(derived);
    } else if (options.to == "latex") {
      print_latex(derived, options);
    } else {
      print_text(derived, options);
    }
    return 0;
  } catch (const Error& error) {
    return report(error, options.formula);
  }
}

}  // namespace

void add_diff(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("diff", "Derives a derivative, one rule per step");
  command->add_option("FILE", options->file, "The document; - for none")->required();
  command->add_option("EXPR", options->formula, "The formula, in plain text or LaTeX")->required();
  command->add_option("--wrt", options->variable, "The tensor to differentiate by")->required();
  command
      ->add_option("--assume", options->assumptions,
                   "Without a document: a declaration such as \"X : R[seq, key]\"")
      ->take_all();
  command->add_option("--order", options->order, "1, 2 or 3")->check(CLI::Range(1, 3));
  command->add_flag("--steps", options->steps, "Print the derivation, one rule per line");
  command->add_option("--to", options->to, "text or latex")
      ->check(CLI::IsMember({"text", "latex"}));
  command->add_option("--seed", options->seed, "Seed of the sizes that are tried");
  options->output.add_to(*command);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace cli
