#include "numpy/spellings.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace axial::recorded {
namespace {

using Tensors = std::vector<Tensor>;
using Spelling = std::pair<std::string_view, Operation>;

const Tensor& x(const Case& c) { return c.inputs[0]; }
const Tensor& y(const Case& c) { return c.inputs[1]; }

// clang-format off
constexpr auto words = std::to_array<Spelling>({
    {"add", [](const Case& c) { return Tensors{x(c) + y(c)}; }},
    {"sub", [](const Case& c) { return Tensors{x(c) - y(c)}; }},
    {"mul", [](const Case& c) { return Tensors{x(c) * y(c)}; }},
    {"div", [](const Case& c) { return Tensors{x(c) / y(c)}; }},
    {"pow", [](const Case& c) { return Tensors{pow(x(c), y(c))}; }},
    {"neg", [](const Case& c) { return Tensors{-x(c)}; }},
    {"mod", [](const Case& c) { return Tensors{mod(x(c), y(c))}; }},
    {"floor_div", [](const Case& c) { return Tensors{floor_div(x(c), y(c))}; }},
    {"max", [](const Case& c) { return Tensors{max(x(c), y(c))}; }},
    {"min", [](const Case& c) { return Tensors{min(x(c), y(c))}; }},
    {"logaddexp", [](const Case& c) { return Tensors{logaddexp(x(c), y(c))}; }},
    {"abs", [](const Case& c) { return Tensors{abs(x(c))}; }},
    {"sign", [](const Case& c) { return Tensors{sign(x(c))}; }},
    {"exp", [](const Case& c) { return Tensors{exp(x(c))}; }},
    {"expm1", [](const Case& c) { return Tensors{expm1(x(c))}; }},
    {"log", [](const Case& c) { return Tensors{log(x(c))}; }},
    {"log1p", [](const Case& c) { return Tensors{log1p(x(c))}; }},
    {"sqrt", [](const Case& c) { return Tensors{sqrt(x(c))}; }},
    {"sin", [](const Case& c) { return Tensors{sin(x(c))}; }},
    {"cos", [](const Case& c) { return Tensors{cos(x(c))}; }},
    {"tan", [](const Case& c) { return Tensors{tan(x(c))}; }},
    {"asin", [](const Case& c) { return Tensors{asin(x(c))}; }},
    {"acos", [](const Case& c) { return Tensors{acos(x(c))}; }},
    {"atan", [](const Case& c) { return Tensors{atan(x(c))}; }},
    {"atan2", [](const Case& c) { return Tensors{atan2(x(c), y(c))}; }},
    {"sinh", [](const Case& c) { return Tensors{sinh(x(c))}; }},
    {"cosh", [](const Case& c) { return Tensors{cosh(x(c))}; }},
    {"tanh", [](const Case& c) { return Tensors{tanh(x(c))}; }},
    {"sigmoid", [](const Case& c) { return Tensors{sigmoid(x(c))}; }},
    {"relu", [](const Case& c) { return Tensors{relu(x(c))}; }},
    {"erf", [](const Case& c) { return Tensors{erf(x(c))}; }},
    {"floor", [](const Case& c) { return Tensors{floor(x(c))}; }},
    {"ceil", [](const Case& c) { return Tensors{ceil(x(c))}; }},
    {"round", [](const Case& c) { return Tensors{round(x(c))}; }},
    {"is_nan", [](const Case& c) { return Tensors{is_nan(x(c))}; }},
    {"is_finite", [](const Case& c) { return Tensors{is_finite(x(c))}; }},
    {"equal", [](const Case& c) { return Tensors{x(c) == y(c)}; }},
    {"unequal", [](const Case& c) { return Tensors{x(c) != y(c)}; }},
    {"less", [](const Case& c) { return Tensors{x(c) < y(c)}; }},
    {"less_equal", [](const Case& c) { return Tensors{x(c) <= y(c)}; }},
    {"greater", [](const Case& c) { return Tensors{x(c) > y(c)}; }},
    {"greater_equal", [](const Case& c) { return Tensors{x(c) >= y(c)}; }},
    {"and", [](const Case& c) { return Tensors{x(c) && y(c)}; }},
    {"or", [](const Case& c) { return Tensors{x(c) || y(c)}; }},
    {"not", [](const Case& c) { return Tensors{!x(c)}; }},
    {"where", [](const Case& c) { return Tensors{where(x(c), y(c), c.inputs[2])}; }},
});

constexpr auto reductions_table = std::to_array<Spelling>({
    {"sum", [](const Case& c) { return Tensors{sum(c.axes(), x(c))}; }},
    {"prod", [](const Case& c) { return Tensors{prod(c.axes(), x(c))}; }},
    {"max", [](const Case& c) { return Tensors{max(c.axes(), x(c))}; }},
    {"min", [](const Case& c) { return Tensors{min(c.axes(), x(c))}; }},
    {"logsumexp", [](const Case& c) { return Tensors{logsumexp(c.axes(), x(c))}; }},
    {"any", [](const Case& c) { return Tensors{any(c.axes(), x(c))}; }},
    {"all", [](const Case& c) { return Tensors{all(c.axes(), x(c))}; }},
});

constexpr auto primitives_table = std::to_array<Spelling>({
    {"order", [](const Case& c) { return Tensors{order(c.axis(), x(c))}; }},
    {"index_of_max", [](const Case& c) { return Tensors{index_of_max(c.axis(), x(c))}; }},
    {"index_of_min", [](const Case& c) { return Tensors{index_of_min(c.axis(), x(c))}; }},
    {"cumsum", [](const Case& c) { return Tensors{cumsum(c.axis(), x(c))}; }},
    {"cumsum_to_end", [](const Case& c) { return Tensors{cumsum_to_end(c.axis(), x(c))}; }},
    {"det", [](const Case& c) { return Tensors{det(c.axes(), x(c))}; }},
    {"inverse", [](const Case& c) { return Tensors{inverse(c.axes(), x(c))}; }},
    {"solve", [](const Case& c) { return Tensors{solve(c.over[0], c.over[1], x(c), y(c))}; }},
});

constexpr auto phrases_table = std::to_array<Spelling>({
    {"mean", [](const Case& c) { return Tensors{mean(c.axes(), x(c))}; }},
    {"var", [](const Case& c) { return Tensors{var(c.axes(), x(c))}; }},
    {"norm", [](const Case& c) { return Tensors{norm(c.axes(), x(c))}; }},
    {"norm_p", [](const Case& c) { return Tensors{norm_p(c.axes(), x(c), y(c))}; }},
    {"softmax", [](const Case& c) { return Tensors{softmax(c.axes(), x(c))}; }},
    {"log_softmax", [](const Case& c) { return Tensors{log_softmax(c.axes(), x(c))}; }},
    {"argmax", [](const Case& c) { return Tensors{argmax(c.axes(), x(c))}; }},
    {"argmin", [](const Case& c) { return Tensors{argmin(c.axes(), x(c))}; }},
    {"standardize", [](const Case& c) { return Tensors{standardize(c.axes(), x(c), y(c))}; }},
    {"sort", [](const Case& c) { return Tensors{sort(c.axis(), x(c))}; }},
    {"cross_entropy", [](const Case& c) { return Tensors{cross_entropy(c.axes(), x(c), y(c))}; }},
    {"softplus", [](const Case& c) { return Tensors{softplus(x(c))}; }},
    {"silu", [](const Case& c) { return Tensors{silu(x(c))}; }},
    {"gelu", [](const Case& c) { return Tensors{gelu(x(c))}; }},
});
// clang-format on

Operation find(std::span<const Spelling> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Spelling::first);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace

Operation word_spelling(std::string_view name) { return find(words, name); }
Operation reduction_spelling(std::string_view name) { return find(reductions_table, name); }
Operation primitive_spelling(std::string_view name) { return find(primitives_table, name); }
Operation phrase_spelling(std::string_view name) { return find(phrases_table, name); }

}  // namespace axial::recorded
