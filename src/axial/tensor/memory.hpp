// Memory for elements. Large blocks that are no longer needed are kept for the next tensor: asking
// the system for fresh pages costs more than filling them.
#pragma once

#include <cstddef>
#include <memory>

namespace axial {

/// A block of at least `bytes`, aligned to 64; null if there is no memory.
std::shared_ptr<void> take_block(std::size_t bytes);

}  // namespace axial
