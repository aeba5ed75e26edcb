#include "axial/expr/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "axial/base/error.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/expr/numbering.hpp"
#include "axial/expr/traverse.hpp"

namespace axial::expr {
namespace {

/// Numbers the nodes: inputs first, in the order given, then everything else.
Program number_steps(std::span<const Expr> inputs, std::span<const Expr> order,
                     std::span<const Expr> roots) {
  Program program;
  Numbering numbers;
  for (const Expr& input : inputs) {
    numbers.add(input.identity(), std::ssize(program.inputs));
    program.inputs.push_back(input.type());
  }
  for (const Expr& node : order) {
    const std::int64_t number = std::ssize(program.inputs) + std::ssize(program.steps);
    if (!numbers.add(node.identity(), number)) continue;
    if (const auto* parameter = node.as<Parameter>()) {
      throw Error(code("needs-value"),
                  fmt::format("the value of `{}` is asked for, but only its shape {} is known here",
                              parameter->name, to_text(node.shape())),
                  "inside a function, compute with tensors and use where() instead of if");
    }
    std::vector<std::int64_t> operands;
    for (const Expr& operand : node.operands())
      operands.push_back(numbers.find(operand.identity()));
    program.steps.push_back({node.kind(), std::move(operands), node.type()});
  }
  for (const Expr& root : roots) program.results.push_back(numbers.find(root.identity()));
  return program;
}

std::string describe(const Leaf&) { return "leaf"; }
std::string describe(const Parameter&) { return "parameter"; }
std::string describe(const Literal& literal) {
  return literal.size_of ? fmt::format("{} = |{}|", to_text(literal.value), literal.size_of->name())
                         : to_text(literal.value);
}
std::string describe(const Map& map) { return std::string(map.word->name); }
std::string describe(const Reduce& reduce) {
  return fmt::format("{} over {}", reduce.word->name, to_text(reduce.over));
}
std::string describe(const Contract& contract) {
  return fmt::format("contract over {}", to_text(contract.over));
}
std::string describe(const Rename& rename) {
  std::vector<std::string> pairs;
  for (const auto& [from, to] : rename.pairs) {
    pairs.push_back(fmt::format("{} -> {}", from.name(), to.name()));
  }
  return fmt::format("rename {}", fmt::join(pairs, ", "));
}
std::string describe(const Reshape& reshape) {
  std::vector<std::string> from, to;
  for (const Axis axis : reshape.from) from.emplace_back(axis.name());
  for (const SizedAxis& axis : reshape.to.written()) {
    to.push_back(fmt::format("{}[{}]", axis.axis.name(), axis.size));
  }
  return fmt::format("reshape ({}) -> ({})", fmt::join(from, ", "), fmt::join(to, ", "));
}
std::string describe(const Index& index) { return fmt::format("index {}", index.axis.name()); }
std::string describe(const Window& window) {
  return fmt::format("window {}[{}] along {}, stride {}, dilation {}{}", window.kernel.axis.name(),
                     window.kernel.size, window.axis.name(), window.stride, window.dilation,
                     window.exact ? ", exact" : "");
}
std::string describe(const Fold& fold) {
  return fmt::format("fold {} along {}[{}], stride {}, dilation {}", fold.kernel.name(),
                     fold.axis.axis.name(), fold.axis.size, fold.stride, fold.dilation);
}
std::string describe(const Scatter& scatter) {
  return fmt::format("scatter {} along {}[{}]", to_text(scatter.over), scatter.axis.axis.name(),
                     scatter.axis.size);
}
std::string describe(const Slice& slice) {
  return fmt::format("slice {}, {} from {} by {}", slice.axis.name(), slice.count, slice.begin,
                     slice.step);
}
std::string describe(const Pad& pad) {
  return fmt::format("pad {} by {} and {} with {}", pad.axis.name(), pad.before, pad.after,
                     to_text(pad.value));
}
std::string describe(const Concat& concat) { return fmt::format("concat {}", concat.axis.name()); }
std::string describe(const Broadcast& broadcast) {
  return fmt::format("broadcast {}", to_text(broadcast.along));
}
std::string describe(const Delta& delta) {
  return fmt::format("delta {}, {}", delta.row.axis.name(), delta.column.name());
}
std::string describe(const Iota& iota) { return fmt::format("iota {}", iota.axis.axis.name()); }
std::string describe(const Cast&) { return "cast"; }
std::string describe(const Along& along) {
  std::vector<std::string_view> names;
  for (const Axis axis : along.over) names.push_back(axis.name());
  return fmt::format("{} along ({})", along.word->name, fmt::join(names, ", "));
}
std::string indented(const Program& program) {
  std::string text;
  for (const char character : to_text(program)) {
    text += character;
    if (character == '\n') text += "  ";
  }
  return fmt::format("{{\n  {}}}", text);
}
std::string describe(const Scan& scan) {
  return fmt::format("scan {}{} of {} {}", scan.reverse ? "backwards " : "", scan.axis.name(),
                     scan.inputs, indented(scan.step->program));
}
std::string describe(const Call& call) {
  return fmt::format("call {} {}", call.function->name, indented(call.function->program));
}

std::string describe(const Type& type) {
  return fmt::format("{}{} {}", type.weak ? "number as " : "", axial::to_text(type.element),
                     axial::to_text(type.shape));
}

}  // namespace

std::vector<const Array*> pointers_to(std::span<const Array> inputs) {
  std::vector<const Array*> pointers;
  for (const Array& input : inputs) pointers.push_back(&input);
  return pointers;
}

Linearized linearize(std::span<const Expr> roots) {
  const std::vector<Expr> order =
      post_order(roots, [](const Expr& node) { return !node.is_known(); });
  std::vector<Expr> leaves;
  std::vector<Array> data;
  for (const Expr& node : order) {
    if (const auto value = node.known_value()) {
      leaves.push_back(node);
      data.push_back(*value);
    }
  }
  return {number_steps(leaves, order, roots), std::move(data)};
}

Program linearize_body(std::span<const Expr> parameters, std::span<const Expr> bodies) {
  return number_steps(parameters, post_order(bodies), bodies);
}

const Type& Program::type_of(std::int64_t value) const {
  const std::int64_t step = value - std::ssize(inputs);
  return step < 0 ? inputs[static_cast<std::size_t>(value)]
                  : steps[static_cast<std::size_t>(step)].type;
}

std::string to_text(const Step& step) {
  const std::string kind = std::visit([](const auto& node) { return describe(node); }, step.kind);
  const std::string operands =
      step.operands.empty() ? "" : fmt::format(" (%{})", fmt::join(step.operands, ", %"));
  return fmt::format("{}{} : {}", kind, operands, describe(step.type));
}

std::string to_text(const Program& program) {
  std::string text;
  std::int64_t number = 0;
  for (const Type& input : program.inputs) {
    text += fmt::format("%{} : {}\n", number++, describe(input));
  }
  for (const Step& step : program.steps) {
    text += fmt::format("%{} = {}\n", number++, to_text(step));
  }
  text += fmt::format("give %{}\n", fmt::join(program.results, ", %"));
  return text;
}

}  // namespace axial::expr
