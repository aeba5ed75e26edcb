// Machine code for loop nests, generated once per nest and kept in memory and on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "axial/kernels/nest.hpp"

namespace axial::kernels {

/// A compiled nest. Its iterations are numbered in two directions: `rows` are the records of the
/// outer loops but for the vectorised one, `lanes` the positions of that one (1 if the row is
/// vectorised). Any part of both can be run, so parts can run at the same time.
struct MachineCode {
  using Function = void (*)(void* const* streams, std::int64_t first_row, std::int64_t last_row,
                            std::int64_t first_lane, std::int64_t last_lane);
  Function function = nullptr;
  std::int64_t rows = 1;
  std::int64_t lanes = 1;
  /// Parts of the lanes should begin at multiples of this.
  std::int64_t width = 1;
};

/// Compiles nests; safe to use from several threads.
class Compiler {
 public:
  /// Objects are kept in `cache`, where other processes find them, too; with an empty path only in
  /// memory.
  explicit Compiler(std::filesystem::path cache);
  ~Compiler();
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  /// True if code can be generated in this build and on this machine.
  static bool is_available();

  /// The code of each nest. Those that were never seen are generated together, which is quicker than
  /// one by one, and kept on disk together.
  std::vector<MachineCode> compile(std::span<const Nest> nests);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace axial::kernels
