// Products of windows of three by three elements with kernels, by fewer multiplications than there are
// terms (Winograd, F(2×2, 3×3)). Along an axis, two neighbours of the result are coefficients of the
// product of two polynomials, the kernel and four elements of the input: both are evaluated at the four
// points 0, 1, -1 and ∞, multiplied there, and the result is interpolated. Along two axes that takes 16
// multiplications for four elements instead of 36. Sums over channels are taken at the points, so they
// are 16 matrix products.
#pragma once

#include <cstdint>
#include <vector>

#include "axial/kernels/team.hpp"
#include "axial/tensor/element.hpp"

namespace axial::kernels {

/// Y_{i,y,x,o} = Σ_{c,p,q} X_{i,y+p,x+q,c} W_{c,o,p,q} for p, q < 3. X_{i,y,x,c} lies at
/// x_images[i] + y · x_down + x · x_right + c, W_{c,o,p,q} at w_channels[c] + w_outputs[o] + p · w_down +
/// q · w_right; Y is dense in the order images, down, right, outputs.
struct WindowProduct {
  ElementType element = float32;
  std::vector<std::int64_t> x_images = {};
  std::int64_t x_down = 0, x_right = 0;
  std::vector<std::int64_t> w_channels = {}, w_outputs = {};
  std::int64_t w_down = 0, w_right = 0;
  /// How far Y reaches.
  std::int64_t down = 0, right = 0;

  std::int64_t channels() const { return std::ssize(w_channels); }
  std::int64_t outputs() const { return std::ssize(w_outputs); }
  /// Squares of two by two elements of Y, the last of which may reach beyond it.
  std::int64_t squares() const;
  /// What is done at the points.
  double operations() const;
};

/// The side of the windows.
inline constexpr std::int64_t window_side = 3;
/// The points along both axes.
inline constexpr int window_points = 16;

/// True if that is quicker than to multiply all terms.
bool is_worthwhile(const WindowProduct& product);

/// How many elements the kernels take at the points.
std::int64_t volume_at_points(const WindowProduct& product);

/// Computes the product; float32 and float64 only. The kernels at the points go to `points`.
void multiply(const WindowProduct& product, const void* x, const void* w, void* points, void* y,
              Team& team);

}  // namespace axial::kernels
