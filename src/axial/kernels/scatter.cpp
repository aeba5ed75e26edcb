#include "axial/kernels/scatter.hpp"

#include "axial/base/error.hpp"
#include "axial/kernels/neighbours.hpp"

namespace axial::kernels {
namespace {

using Table = std::vector<std::int64_t>;

template <class T>
void scatter_as(const Scatter& scatter, const Table& positions, const T* x, T* c, Team& team) {
  const bool in_order = are_neighbours(scatter.x_slice) && are_neighbours(scatter.c_slice);
  constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t passed = std::ssize(positions) * std::ssize(scatter.x_slice);
  team.share(passed, [&](int number, int parts) {
    const Part part = part_of(std::ssize(scatter.x_slice), number, parts, line);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const T* from = x + scatter.x_records[i];
      T* to = c + positions[i] * scatter.stride + scatter.c_records[i];
      if (in_order) {
        for (std::int64_t j = part.first; j < part.last; ++j) to[j] += from[j];
        continue;
      }
      for (std::int64_t j = part.first; j < part.last; ++j) {
        const auto k = static_cast<std::size_t>(j);
        to[scatter.c_slice[k]] += from[scatter.x_slice[k]];
      }
    }
  });
}

}  // namespace

void scatter(const Scatter& scatter, const Table& positions, const void* x, void* c, Team& team) {
  if (scatter.element == float32) {
    scatter_as(scatter, positions, static_cast<const float*>(x), static_cast<float*>(c), team);
  } else if (scatter.element == float64) {
    scatter_as(scatter, positions, static_cast<const double*>(x), static_cast<double*>(c), team);
  } else {
    bug("real numbers are scattered");
  }
}

}  // namespace axial::kernels
