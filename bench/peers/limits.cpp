// What the machine can do at most: fused multiplications and additions, and copying.
#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "bench/peers/jobs.hpp"

namespace {

#ifdef __AVX512F__
constexpr int vector_bytes = 64;
#else
constexpr int vector_bytes = 32;
#endif
typedef float Widest __attribute__((vector_size(vector_bytes)));
constexpr int widest_lanes = vector_bytes / sizeof(float);

constexpr int lanes = 8;
constexpr std::int64_t cached = std::int64_t{1} << 22;  // floats that may stay in a cache

/// Twelve chains hide the latency of two multipliers.
float multiply_add(std::int64_t steps) {
  constexpr int chains = 12;
  const Widest factor = Widest{} + 0.999F, summand = Widest{} + 0.001F;
  Widest sums[chains];
  std::fill_n(sums, chains, factor);
  for (std::int64_t step = 0; step < steps; ++step) {
#pragma GCC unroll 12
    for (int chain = 0; chain < chains; ++chain) sums[chain] = sums[chain] * factor + summand;
  }
  Widest total = sums[0];
  for (const Widest& sum : sums) total += sum;
  return total[0];
}

/// Copies whole vectors; what is larger than the caches goes past them.
void copy(const float* from, float* to, std::int64_t begin, std::int64_t end, bool past_caches) {
  for (std::int64_t i = begin; i < end; i += lanes) {
    const __m256 elements = _mm256_loadu_ps(from + i);
    if (past_caches) {
      _mm256_stream_ps(to + i, elements);
    } else {
      _mm256_storeu_ps(to + i, elements);
    }
  }
  _mm_sfence();
}

}  // namespace

extern "C" {

/// Operations per second, the best of several tries.
double peers_peak() {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t steps = 2'000'000;
  double best = 0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    const auto begin = Clock::now();
    float sink = 0;
#pragma omp parallel for num_threads(peers::threads()) reduction(+ : sink)
    for (int thread = 0; thread < peers::threads(); ++thread) sink += multiply_add(steps);
    const std::chrono::duration<double> time = Clock::now() - begin;
    const double operations = 2.0 * 12 * widest_lanes * steps * peers::threads();
    if (sink != 0) best = std::max(best, operations / time.count());
  }
  return best;
}

/// Copies `count` floats; both blocks start at multiples of 32 bytes.
peers::Job* peers_copy(const float* from, float* to, std::int64_t count) {
  return new peers::Job{[=, threads = peers::threads()] {
    const std::int64_t vectors = count / lanes;
#pragma omp parallel for num_threads(threads)
    for (int thread = 0; thread < threads; ++thread) {
      copy(from, to, vectors * thread / threads * lanes, vectors * (thread + 1) / threads * lanes,
           count > cached);
    }
  }};
}
}
