// What the machine can do at most: fused multiplications and additions, and copying.
#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "bench/peers/jobs.hpp"

namespace {

constexpr int lanes = 8;
constexpr std::int64_t cached = std::int64_t{1} << 22;  // floats that may stay in a cache

/// Twelve chains hide the latency of two multipliers.
float multiply_add(std::int64_t steps) {
  constexpr int chains = 12;
  const __m256 factor = _mm256_set1_ps(0.999F), summand = _mm256_set1_ps(0.001F);
  __m256 sums[chains];
  std::fill_n(sums, chains, factor);
  for (std::int64_t step = 0; step < steps; ++step) {
#pragma GCC unroll 12
    for (int chain = 0; chain < chains; ++chain) {
      sums[chain] = _mm256_fmadd_ps(sums[chain], factor, summand);
    }
  }
  __m256 total = sums[0];
  for (const __m256& sum : sums) total = _mm256_add_ps(total, sum);
  return _mm256_cvtss_f32(total);
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
    const double operations = 2.0 * 12 * lanes * steps * peers::threads();
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
