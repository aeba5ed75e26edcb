// What is to be known of the processor beside its instructions.
#pragma once

#include <cstdint>

namespace axial::kernels {

/// True if there are vectors of 512 bits, and the environment variable AXIAL_VECTORS does not say `256`,
/// which makes a machine compute as one without them does.
bool has_wide_vectors();

/// True if vectors of 512 bits are passed as a whole, which asks more of the caches than passing them in
/// two halves.
bool passes_wide_vectors_whole();

/// How much of what is passed again and again may lie beside other things in the second level of the
/// cache. Where the system does not say how large that is, it is taken to be small.
std::int64_t near_bytes();

}  // namespace axial::kernels
