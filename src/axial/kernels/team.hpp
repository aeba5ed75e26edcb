// Threads that work together. Work is cut into parts by number, not by who is free, so results do
// not depend on timing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace axial::kernels {

/// A half-open range of numbers.
struct Part {
  std::int64_t first;
  std::int64_t last;
};

/// Part `number` of `count` nearly equal parts of [0, total), cut at multiples of `grain`.
Part part_of(std::int64_t total, int number, int count, std::int64_t grain = 1);

class Team {
 public:
  /// `size` counts the calling thread, so a team of one has no thread of its own.
  explicit Team(int size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const;
  /// Calls task(k) for every k < size(), on all threads at once, and waits for them. If the team is
  /// busy with another caller, the calling thread does all parts itself. Tasks must not throw.
  void run(const std::function<void(int)>& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Memory for intermediate results of one thread, at least `bytes` long, aligned for vectors. It is
/// valid until the thread asks again.
void* scratch(std::size_t bytes);

}  // namespace axial::kernels
