// Elementwise work and softmax by Eigen and xtensor, whose expressions become loops when compiled.
#include <Eigen/Dense>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "bench/peers/jobs.hpp"

namespace {

using peers::Job;

auto adapted(const float* elements, std::size_t count) {
  return xt::adapt(elements, count, xt::no_ownership(), std::array{count});
}
auto adapted(float* elements, std::size_t count) {
  return xt::adapt(elements, count, xt::no_ownership(), std::array{count});
}

void eigen_gate(float a, float b, const float* x, float* y, std::int64_t count) {
  const Eigen::Map<const Eigen::ArrayXf> in(x, count);
  Eigen::Map<Eigen::ArrayXf>(y, count) = in / (1.0F + (-(a * in + b)).exp());
}

void xtensor_gate(float a, float b, const float* x, float* y, std::int64_t count) {
  const auto in = adapted(x, static_cast<std::size_t>(count));
  auto out = adapted(y, static_cast<std::size_t>(count));
  xt::noalias(out) = in / (1.0F + xt::exp(-(a * in + b)));
}

void eigen_softmax(const float* x, float* y, std::int64_t count) {
  const Eigen::Map<const Eigen::ArrayXf> in(x, count);
  Eigen::Map<Eigen::ArrayXf> out(y, count);
  out = (in - in.maxCoeff()).exp();
  out *= 1 / out.sum();
}

void xtensor_softmax(const float* x, float* y, std::int64_t count) {
  const auto in = adapted(x, static_cast<std::size_t>(count));
  auto out = adapted(y, static_cast<std::size_t>(count));
  const float largest = xt::amax(in)();
  xt::noalias(out) = xt::exp(in - largest);
  const float scale = 1 / xt::sum(out)();
  out *= scale;
}

}  // namespace

extern "C" {

/// x sigmoid(a x + b), an equal part of it on each thread.
Job* peers_gate(const char* library, float a, float b, const float* x, float* y,
                std::int64_t count) {
  const auto work = std::string_view(library) == "Eigen" ? eigen_gate : xtensor_gate;
  return new Job{[=, threads = peers::threads()] {
#pragma omp parallel for num_threads(threads)
    for (int thread = 0; thread < threads; ++thread) {
      const std::int64_t begin = count * thread / threads, end = count * (thread + 1) / threads;
      work(a, b, x + begin, y + begin, end - begin);
    }
  }};
}

/// The softmax of each of `rows` rows.
Job* peers_softmax(const char* library, const float* x, float* y, std::int64_t rows,
                   std::int64_t count) {
  const auto work = std::string_view(library) == "Eigen" ? eigen_softmax : xtensor_softmax;
  return new Job{[=, threads = peers::threads()] {
#pragma omp parallel for num_threads(threads)
    for (std::int64_t row = 0; row < rows; ++row) work(x + row * count, y + row * count, count);
  }};
}
}
