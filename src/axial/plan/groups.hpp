// Which steps of a program are computed together, in one loop nest.
#pragma once

#include <optional>
#include <vector>

#include "axial/expr/program.hpp"

namespace axial::plan {

/// How a step of a program is carried out.
enum class Role : std::uint8_t {
  number,   ///< the same number everywhere: written into whatever uses it
  counter,  ///< computed from where the loops are: an identity or the numbers along an axis
  view,     ///< another look at the same memory
  loop,     ///< a part of a loop nest
  product,  ///< a matrix product
  copy,     ///< loop nests that fill parts of a new buffer
  define,   ///< as the reference evaluator does
};

/// Steps that one loop nest computes: for each record of `outer`, a row over `row`.
struct Group {
  Shape outer;
  Shape row;
  std::vector<int> steps;
};

/// The roles of all steps, and the groups of those that are parts of loops.
struct Grouping {
  std::vector<Role> roles;
  /// The number of each step that is one.
  std::vector<std::optional<Number>> numbers;
  /// The group of each step, or -1.
  std::vector<int> group_of;
  std::vector<Group> groups;
};

Grouping grouped(const expr::Program& program);

/// What elements of this type are stored as: numbers that met no tensor keep their precision.
ElementType storage(const expr::Type& type);

}  // namespace axial::plan
