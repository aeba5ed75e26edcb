// The loop nest of a group of steps.
#pragma once

#include <map>

#include "axial/plan/lower.hpp"

namespace axial::plan {

/// Builds one nest: loads what comes from outside, repeats the steps, stores what others need.
class NestMaker {
 public:
  NestMaker(Lowering& lowering, const Group& group);
  /// The nest; the places of what it stores are set.
  RunNest make();
  /// A nest that writes one number or counter to `target`.
  RunNest written(std::int64_t value, const Place& target);

 private:
  void choose_order();
  int loop_of(Axis axis) const;
  int add(kernels::Operation operation);
  int add_stream(const Place& place, ElementType element, std::optional<Axis> without = {});
  /// The operation that gives a value.
  int value(std::int64_t value);
  Place place_along_loops(std::int64_t value);
  int counter(const expr::Iota& iota);
  int counter(const expr::Delta& delta);
  int counter(const auto& kind);
  int position(Axis axis);

  int step(const expr::Map& map, const expr::Step& step);
  int step(const expr::Reduce& reduce, const expr::Step& step);
  int step(const expr::Contract& contract, const expr::Step& step);
  int step(const expr::Cast& cast, const expr::Step& step);
  int step(const expr::Index& index, const expr::Step& step);
  int step(const expr::Scatter& scatter, const expr::Step& step);
  int step(const auto& kind, const expr::Step& step);

  void store(int step);
  void store(int operation, const Place& target, ElementType element);
  RunNest finished();

  Lowering& lowering_;
  const Group& group_;
  /// All axes of the group, the farthest in memory first, and the loops: outer ones, then the row.
  std::vector<SizedAxis> memory_order_;
  std::vector<SizedAxis> loops_;
  RunNest result_;
  std::map<std::int64_t, int> operations_;
};

}  // namespace axial::plan
