// Products that stay the same if rows and columns change places, as of a matrix with itself: one half
// is computed, the other copied.
#pragma once

#include "axial/kernels/product.hpp"

namespace axial::kernels {

/// Computes a symmetric product whose elements are neither split nor multiplied along terms.
void multiply_symmetric(const Product& product, const void* a, const void* b, void* c, Team& team);

}  // namespace axial::kernels
