// The workings of random_expression: a pool of expressions that grows by one random operation at a
// time, each applied to members of the pool.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "support/bounded.hpp"
#include "support/random_expression.hpp"

namespace axial::support {

/// Composes expressions. A rule gives nothing where its operation does not fit the operands drawn.
class Composer {
 public:
  Composer(Generator& generator, const ExpressionOptions& options, std::vector<Bounded> start,
           int depth);

  /// An expression in which every member that the pool started with occurs, after about `count`
  /// operations.
  Bounded compose(int count);
  /// x with exactly the axes of `shape`: others are removed, missing ones added.
  Bounded conformed(Bounded x, const Shape& shape);

 private:
  struct Rule {
    std::string_view kind;
    std::optional<Bounded> (Composer::*apply)();
  };
  static const std::vector<Rule>& rules(bool functions);

  // One rule for each kind of node.
  std::optional<Bounded> leaf_rule();
  std::optional<Bounded> map_rule();
  std::optional<Bounded> reduce_rule();
  std::optional<Bounded> contract_rule();
  std::optional<Bounded> rename_rule();
  std::optional<Bounded> reshape_rule();
  std::optional<Bounded> index_rule();
  std::optional<Bounded> window_rule();
  std::optional<Bounded> fold_rule();
  std::optional<Bounded> scatter_rule();
  std::optional<Bounded> slice_rule();
  std::optional<Bounded> pad_rule();
  std::optional<Bounded> concat_rule();
  std::optional<Bounded> broadcast_rule();
  std::optional<Bounded> delta_rule();
  std::optional<Bounded> iota_rule();
  std::optional<Bounded> cast_rule();
  std::optional<Bounded> along_rule();
  std::optional<Bounded> scan_rule();
  std::optional<Bounded> call_rule();

  // Drawing from the pool and from the names.
  Bounded operand();
  Bounded operand_with_axis();
  std::optional<Axis> free_axis(const Axes& taken);
  Axes some_axes(const Bounded& x);
  Shape random_shape(const Axes& names);
  expr::Expr random_indices(const Bounded& source, Axis axis);
  Bounded matrix(SizedAxis row, Axis column);
  Bounded argument_of(const Primitive& word, int k, const Axes& over, const Shape& beside,
                      std::int64_t size);
  /// A function body over parameters and perhaps something from outside.
  Bounded body(std::vector<Bounded> parameters);

  // Making operands fit.
  Bounded without_axis(const Bounded& x, Axis axis);
  Bounded without_axes(Bounded x, const Axes& axes);
  /// x with no axis that has another size in `shape`.
  Bounded fitted(Bounded x, const Shape& shape);
  Bounded kept_small(Bounded x);
  /// `result` plus what the pool started with and some of what was made, if it does not occur yet.
  Bounded with_the_rest(Bounded result);

  Generator& generator_;
  const ExpressionOptions& options_;
  std::vector<Bounded> pool_;
  std::size_t started_with_;
  int depth_;
};

}  // namespace axial::support
