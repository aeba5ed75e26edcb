// Adding slices of a tensor to places that are told by positions.
#pragma once

#include <cstdint>
#include <vector>

#include "axial/kernels/team.hpp"
#include "axial/tensor/element.hpp"

namespace axial::kernels {

/// C_{n, j} = Σ_i [p_i = n] X_{i, j}. X_{i,j} lies at x_records[i] + x_slice[j], and C_{n,j}, as far as
/// record i goes there, at n · stride + c_records[i] + c_slice[j]. Both slices begin with 0.
struct Scatter {
  ElementType element = float32;
  std::vector<std::int64_t> x_records, x_slice;
  std::vector<std::int64_t> c_records, c_slice;
  std::int64_t stride = 0;
};

/// Adds the records to what is in C, in their order, on every thread a part of the slices; float32 and
/// float64 only.
void scatter(const Scatter& scatter, const std::vector<std::int64_t>& positions, const void* x,
             void* c, Team& team);

}  // namespace axial::kernels
