// Running a chain, some rows at a time.
#pragma once

#include <functional>
#include <memory>

#include "axial/kernels/team.hpp"
#include "axial/plan/plan.hpp"

namespace axial::plan {

/// Says where in memory a point of a buffer is.
using PlaceOf = std::function<std::byte*(const Start&)>;

/// About how many elements a chain passes, for the team.
std::int64_t passed(const RunChain& chain);

/// Rows are cut at multiples of so many: there all links begin with new ones, so that nothing depends
/// on the cut.
std::int64_t rows_at_once(const RunChain& chain);

/// Computes these rows of these matrices, on one thread.
void run_rows(const RunChain& chain, kernels::Part matrices, kernels::Part rows,
              const PlaceOf& place_of);

}  // namespace axial::plan
