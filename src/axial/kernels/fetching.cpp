#include "axial/kernels/fetching.hpp"

namespace axial::kernels {

std::int64_t fetching_distance(const Nest& nest, const Schedule& schedule, int passes,
                               std::int64_t side_by_side, const Stream& stream) {
  if (!stream.is_far) return 0;
  if (schedule.in_row) {
    // The machine foresees what is passed once, element after element.
    const bool is_foreseen = passes == 1 || nest.outer.empty();
    return is_foreseen ? 0 : side_by_side * stream.strides[nest.outer.size() - 1];
  }
  constexpr std::int64_t steps = 8;
  if (passes == 1) return steps * stream.strides.back();
  // What stays in the first level of the cache until it is passed again must not be pushed out.
  constexpr std::int64_t first_level = 16 << 10;
  const std::int64_t passed = volume(nest.row) * schedule.width * facts(stream.element).bytes;
  return passed > first_level ? schedule.width : 0;
}

}  // namespace axial::kernels
