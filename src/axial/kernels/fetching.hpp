// How far ahead a nest fetches what it reads.
#pragma once

#include "axial/kernels/nest.hpp"

namespace axial::kernels {

/// In which of so many passes through a row far streams are fetched: the first pass of several waits for
/// memory itself, so the second one does it.
constexpr int fetching_pass(int passes) { return passes > 1 ? 1 : 0; }

/// How many elements ahead of what is read at a place of the nest those lie that are to be fetched there:
/// the rows (`side_by_side` of which are passed together) or lanes that come next, or, if a row is passed
/// once, what it jumps to in some steps. 0 if nothing had better be fetched.
std::int64_t fetching_distance(const Nest& nest, const Schedule& schedule, int passes,
                               std::int64_t side_by_side, const Stream& stream);

}  // namespace axial::kernels
