// How the learning rate changes from step to step.
#pragma once

#include <concepts>
#include <cstdint>

#include "axial/nn/specification.hpp"

namespace axial {

/// A factor of the learning rate for every step: `constant`, `step:every=100,factor=0.1`,
/// `linear:steps=1000` and `cosine:steps=1000,final=0.1`, each after `warmup` steps that lead up to 1.
class Schedule {
 public:
  /// The factor 1 for ever.
  Schedule();
  /// Reads a specification. `steps` is how many steps there are unless the specification says so.
  /// Fails with bad-value, listing what is known, and if the schedule has to know its end and does not.
  Schedule(const Specification& specification, std::int64_t steps = 0);  // NOLINT
  template <std::convertible_to<Specification> Text>
  Schedule(const Text& text) : Schedule(Specification(text)) {}  // NOLINT

  /// The factor for a step, counted from 0.
  double factor(std::int64_t step) const;

  const Specification& specification() const { return specification_; }

 private:
  Specification specification_;
};

}  // namespace axial
