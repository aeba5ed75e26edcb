#include "axial/kernels/team.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace axial::kernels {
namespace {

/// Tells the processor that this thread only waits.
void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `value` differs from `old`: spinning first, since work often comes at once.
template <class T>
void await_change(const std::atomic<T>& value, T old) {
  constexpr int spins = 20000;
  for (int turn = 0; turn < spins; ++turn) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Part part_of(std::int64_t total, int number, int count, std::int64_t grain) {
  const std::int64_t grains = (total + grain - 1) / grain;
  const std::int64_t first = grains * number / count * grain;
  const std::int64_t last = grains * (number + 1) / count * grain;
  return {std::min(first, total), std::min(last, total)};
}

struct Team::State {
  explicit State(int wanted)
      : size(std::clamp(wanted, 1, most_threads)),
        begun(static_cast<std::size_t>(size) * most_each) {}

  /// A round and its number of parts in one number, so that a thread that is late never takes the parts
  /// of one round for those of another.
  using Round = std::uint64_t;
  static constexpr Round most_parts = 1 << 16;
  static_assert(most_threads * most_each < most_parts);

  int size;
  std::mutex in_use;
  const AnyTask* task = nullptr;
  std::atomic<Round> round = 0;
  /// The last round in which each part was begun.
  std::vector<std::atomic<Round>> begun;
  std::atomic<int> unfinished = 0;
  std::atomic<bool> ends = false;
  std::vector<std::jthread> threads;

  /// Does the parts of a round that nobody has begun, those of this thread first: the caller may be
  /// quicker than a thread that has to wake up. Until all are finished the round lasts, so the task is
  /// the right one.
  void work_on(Round now, int number) {
    const int parts = static_cast<int>(now % most_parts);
    const int own = parts / size * number;
    for (int k = 0; k < parts; ++k) {
      const int part = (own + k) % parts;
      std::atomic<Round>& mark = begun[static_cast<std::size_t>(part)];
      Round before = mark.load(std::memory_order_relaxed);
      if (before >= now || !mark.compare_exchange_strong(before, now)) continue;
      task->call(task->task, part, parts);
      if (unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished.notify_one();
    }
  }

  void work(int number) {
    Round seen = 0;
    while (true) {
      await_change(round, seen);
      seen = round.load(std::memory_order_acquire);
      if (ends.load(std::memory_order_acquire)) return;
      work_on(seen, number);
    }
  }
};

Team::Team(int size, std::int64_t least_shared)
    : least_shared_(least_shared), state_(std::make_unique<State>(size)) {
  for (int number = 1; number < state_->size; ++number) {
    state_->threads.emplace_back([state = state_.get(), number] { state->work(number); });
  }
}

Team::~Team() {
  state_->ends = true;
  state_->round.fetch_add(State::most_parts, std::memory_order_release);
  state_->round.notify_all();
  state_->threads.clear();
}

int Team::size() const { return state_->size; }

void Team::run(const AnyTask& task, int each) {
  const int parts = size() * each;
  const std::unique_lock lock(state_->in_use, std::try_to_lock);
  if (!lock.owns_lock()) {
    for (int number = 0; number < parts; ++number) task.call(task.task, number, parts);
    return;
  }
  state_->task = &task;
  state_->unfinished.store(parts, std::memory_order_relaxed);
  const State::Round rounds = state_->round.load(std::memory_order_relaxed) / State::most_parts;
  const State::Round now = (rounds + 1) * State::most_parts + static_cast<State::Round>(parts);
  state_->round.store(now, std::memory_order_release);
  state_->round.notify_all();
  state_->work_on(now, 0);
  for (int left = state_->unfinished.load(std::memory_order_acquire); left != 0;
       left = state_->unfinished.load(std::memory_order_acquire)) {
    await_change(state_->unfinished, left);
  }
}

void* scratch(std::size_t bytes) {
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  thread_local std::unique_ptr<void, Free> memory;
  thread_local std::size_t held = 0;
  if (bytes > held) {
    constexpr std::size_t line = 64;
    held = (bytes + line - 1) / line * line;
    memory.reset(std::aligned_alloc(line, held));
  }
  return memory.get();
}

}  // namespace axial::kernels
