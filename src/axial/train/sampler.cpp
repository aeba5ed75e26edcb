#include "axial/train/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "axial/base/error.hpp"
#include "axial/document/symbols.hpp"

namespace axial::train {
namespace {

constexpr std::int64_t bytes = 256;

/// The one axis that a text is declared along.
Axis sequence_axis(const document::Contents& contents, const std::string& name) {
  const document::Symbols symbols(contents);
  const document::Symbol* symbol = declaration_of(name, symbols);
  if (symbol == nullptr || symbol->domain->axes.size() != 1) {
    throw Error(code("wrong-arity"), fmt::format("`{}` is not declared along one axis", name),
                "name the tensor that stands for the text: --text w");
  }
  return Axis(symbol->domain->axes[0].name);
}

}  // namespace

Sampler::Model Sampler::model(const document::Contents& contents, const SamplerRequest& request) {
  const Axis sequence = sequence_axis(contents, request.text);
  const auto size = request.options.sizes.find(std::string(sequence.name()));
  if (size == request.options.sizes.end()) {
    throw Error(code("bad-size"), fmt::format("the size of `{}` is not known", sequence.name()),
                fmt::format("give it: --size {}=128", sequence.name()));
  }
  document::EvaluateOptions options = request.options;
  options.settings.push_back(
      {.name = request.text,
       .axes = {std::string(sequence.name())},
       .extents = {size->second},
       .values = std::vector<double>(static_cast<std::size_t>(size->second), 1)});
  document::Scene scene(contents, options);
  const notation::Tree tree = scene.parsed(request.scores);
  const expr::Expr scores =
      expr::strengthened(notation::elaborate(tree, scene.frame(tree)), options.element);
  const Shape others = scores.shape() - Axes{sequence};
  if (!scores.shape().contains(sequence) || others.order() != 1 || others.volume() != bytes) {
    throw Error(code("wrong-arity"),
                fmt::format("`{}` has shape {}, not one score for each of {} bytes along `{}`",
                            request.scores, to_text(scores.shape()), bytes, sequence.name()),
                "name the scores before softmax, for instance Z");
  }
  std::vector<NamedExpr> inputs;
  for (const document::World::Opened& one : scene.world().opened()) {
    if (one.name == request.text) inputs.push_back({one.name, one.value});
  }
  return {NamedProgram(std::span(&scores, 1), inputs), sequence, others.written()[0].axis,
          size->second};
}

Sampler::Sampler(const document::Contents& contents, const SamplerRequest& request)
    : model_(model(contents, request)),
      input_(request.text),
      temperature_(request.temperature),
      element_(request.options.element),
      random_(request.options.seed) {}

char Sampler::next(const std::string& text) {
  const auto window = static_cast<std::size_t>(model_.window);
  const std::string seen = text.size() > window ? text.substr(text.size() - window) : text;
  const Array input = build(element_, Shape{model_.sequence[model_.window]}, [&]<class T>(T* out) {
    for (std::size_t k = 0; k < window; ++k) {
      // Documents count from 1.
      out[k] = static_cast<T>(k < seen.size() ? static_cast<unsigned char>(seen[k]) + 1 : 1);
    }
  });
  const Array scores =
      laid_out(model_.program({{input_, input}})[0], Axes{model_.sequence, model_.vocabulary});
  const std::int64_t row = (std::max<std::int64_t>(std::ssize(seen), 1) - 1) * bytes;
  double most = -HUGE_VAL, total = 0;
  for (std::int64_t k = 0; k < bytes; ++k) most = std::max(most, scores.real(row + k));
  std::vector<double> weights;
  for (std::int64_t k = 0; k < bytes; ++k) {
    weights.push_back(std::exp((scores.real(row + k) - most) / temperature_));
    total += weights.back();
  }
  double left = random_.uniform({}, 0, 1, float64).real(0) * total;
  std::size_t byte = 0;
  while (byte + 1 < weights.size() && left >= weights[byte]) left -= weights[byte++];
  return static_cast<char>(byte);
}

}  // namespace axial::train
