#include "axial/tensor/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

namespace axial {
namespace {

constexpr std::size_t line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
/// Blocks of so many bytes are left to the system's allocator, which is quick for them.
constexpr std::size_t small = 1024;
/// How much is kept for later at most.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t most_kept = 0;  // so that a use after the end is seen
#else
constexpr std::size_t most_kept = std::size_t{2} << 30;
#endif

/// Sizes are rounded up to one of eight steps between powers of two, so that blocks can be exchanged.
std::size_t rounded(std::size_t bytes) {
  const std::size_t step = bytes <= small ? line : std::max(std::bit_floor(bytes) / 8, line);
  return (bytes + step - 1) / step * step;
}

/// Blocks that begin at the same place of a page would compete for the same lines of the cache, so
/// each begins some lines further than the one before.
std::size_t next_shift() {
  static std::atomic<std::size_t> next = 0;
  constexpr std::size_t shifts = 13;
  return next++ % shifts * 5 * line;
}

/// Whole large pages, of which the block begins near the beginning; they save most of the time that
/// first touches take.
void* fresh(std::size_t bytes) {
  if (bytes < huge_page) return std::aligned_alloc(line, bytes);
  const std::size_t shift = next_shift();
  const std::size_t whole = (bytes + shift + huge_page - 1) / huge_page * huge_page;
  auto* base = static_cast<std::byte*>(std::aligned_alloc(huge_page, whole));
  if (base == nullptr) return nullptr;
  ::madvise(base, whole, MADV_HUGEPAGE);
  return base + shift;
}

/// Gives a block of `bytes` that `fresh` made back to the system.
void discard(void* block, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  std::free(bytes < huge_page ? block : reinterpret_cast<void*>(address / huge_page * huge_page));
}

/// Blocks that wait for the next tensor of their size.
class Shelf {
 public:
  ~Shelf() {
    for (const auto& [bytes, blocks] : blocks_) {
      for (void* block : blocks) discard(block, bytes);
    }
  }

  void* take(std::size_t bytes) {
    const std::lock_guard lock(guard_);
    const auto found = blocks_.find(bytes);
    if (found == blocks_.end() || found->second.empty()) return nullptr;
    void* block = found->second.back();
    found->second.pop_back();
    kept_ -= bytes;
    return block;
  }

  void put(void* block, std::size_t bytes) {
    {
      const std::lock_guard lock(guard_);
      if (kept_ + bytes <= most_kept) {
        blocks_[bytes].push_back(block);
        kept_ += bytes;
        return;
      }
    }
    discard(block, bytes);
  }

 private:
  std::mutex guard_;
  std::map<std::size_t, std::vector<void*>> blocks_;
  std::size_t kept_ = 0;
};

}  // namespace

std::shared_ptr<void> take_block(std::size_t bytes) {
  const std::size_t size = rounded(std::max<std::size_t>(bytes, 1));
  if (size <= small) {
    // One allocation for the elements and for the count of their owners.
    auto owner = std::make_shared_for_overwrite<std::byte[]>(size + line - 1);
    const auto address = reinterpret_cast<std::uintptr_t>(owner.get());
    std::byte* block = owner.get() + (line - address % line) % line;
    return {std::move(owner), block};
  }
  // Blocks hold the shelf, which so outlives every tensor, also those of static duration.
  static const auto shelf = std::make_shared<Shelf>();
  void* block = shelf->take(size);
  if (block == nullptr) block = fresh(size);
  if (block == nullptr) return nullptr;
  return {block, [kept = shelf, size](void* memory) { kept->put(memory, size); }};
}

}  // namespace axial
