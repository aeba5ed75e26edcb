// Threads that work together. Work is cut into parts by number, whoever does them, so results do not
// depend on timing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace axial::kernels {

/// A half-open range of numbers.
struct Part {
  std::int64_t first;
  std::int64_t last;
};

/// Part `number` of `count` nearly equal parts of [0, total), cut at multiples of `grain`.
Part part_of(std::int64_t total, int number, int count, std::int64_t grain = 1);

/// Whether each part costs something of its own, so that there should be few, or not.
enum class CostOfParts : std::uint8_t { none, some };

class Team {
 public:
  /// So many elements can be passed while another thread wakes up.
  static constexpr std::int64_t waking = 32768;

  static constexpr int most_threads = 4096;

  /// `size` counts the calling thread, so a team of one has no thread of its own; beyond `most_threads`
  /// there are none. Work is shared if it passes at least `least_shared` elements.
  explicit Team(int size, std::int64_t least_shared = waking);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const;
  /// Cuts work into parts and waits for them: calls task(k, parts) for every k < parts, all at once. It
  /// is one part if it passes few elements, else one for each thread, or several for each if it passes
  /// very many and `cost` says so. Who is done with his own does those that no other has begun: threads
  /// are slowed down by strangers, or busy with another caller. Tasks must not throw.
  template <class Task>
  void share(std::int64_t passed, const Task& task, CostOfParts cost = CostOfParts::some) {
    if (size() == 1 || passed < least_shared_) {
      task(0, 1);
    } else {
      const std::int64_t most = cost == CostOfParts::none ? most_each : 1;
      run({&task, [](const void* given, int number,
                     int parts) { (*static_cast<const Task*>(given))(number, parts); }},
          static_cast<int>(std::clamp<std::int64_t>(passed / size() / worth_a_part, 1, most)));
    }
  }

 private:
  /// A task of any type.
  struct AnyTask {
    const void* task;
    void (*call)(const void* task, int number, int parts);
  };
  void run(const AnyTask& task, int each);

  /// Parts of so many elements take no longer for being begun one by one; each thread has so many at
  /// most.
  static constexpr std::int64_t worth_a_part = 8 * waking;
  static constexpr int most_each = 8;
  struct State;
  std::int64_t least_shared_;
  std::unique_ptr<State> state_;
};

/// Memory for intermediate results of one thread, at least `bytes` long, aligned for vectors. It is
/// valid until the thread asks again.
void* scratch(std::size_t bytes);

}  // namespace axial::kernels
