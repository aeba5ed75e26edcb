// Text from a model that gives a score to every byte that may come next.
#pragma once

#include <cstdint>
#include <string>

#include "axial/document/evaluate.hpp"
#include "axial/tensor/random.hpp"
#include "axial/train/named_program.hpp"

namespace axial::train {

/// What is needed to draw bytes.
struct SamplerRequest {
  /// Scores of bytes at every position, not yet normalised: `Z`.
  std::string scores;
  /// The tensor of positions that the bytes so far are given as: `w`.
  std::string text;
  document::EvaluateOptions options;
  /// Below 1, likely bytes become more likely; near 0 only the likeliest is drawn.
  double temperature = 1;
};

/// Draws one byte after another. What the model computes at a position must not depend on bytes
/// behind it, since the window is filled up with zeros there.
class Sampler {
 public:
  /// Fails with the errors of formulas, and with wrong-arity if the text is not declared along one axis
  /// or the scores are not along that axis and one of 256 bytes.
  Sampler(const document::Contents& contents, const SamplerRequest& request);

  /// The byte after `text`, of which only the end is seen if it is longer than the window.
  char next(const std::string& text);

 private:
  struct Model {
    NamedProgram program;
    Axis sequence;
    Axis vocabulary;
    std::int64_t window;
  };
  static Model model(const document::Contents& contents, const SamplerRequest& request);

  Model model_;
  std::string input_;
  double temperature_;
  ElementType element_;
  RandomStream random_;
};

}  // namespace axial::train
