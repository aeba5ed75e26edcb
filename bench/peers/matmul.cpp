// Products of matrices by OpenBLAS, BLIS, oneDNN and libxsmm. Operands lie in memory row by row, or
// column by column where they are transposed.
#include <dlfcn.h>
#include <libxsmm.h>
#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>
#include <string_view>

#include "bench/peers/jobs.hpp"

namespace {

using peers::Job;

struct Product {
  std::int64_t m, n, k, batch;
  bool left_transposed, right_transposed;
  const float *left, *right;
  float* result;
};

using Sgemm = void (*)(int order, int left_transposed, int right_transposed, int m, int n, int k,
                       float alpha, const float* left, int left_stride, const float* right,
                       int right_stride, float beta, float* result, int result_stride);

/// The product by a library with the usual interface. It is loaded such that it calls its own
/// functions, not those of the same name that another library brought along.
Job* blas(const char* file, const Product& p) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) return nullptr;
  if (void* set = dlsym(library, "openblas_set_num_threads")) {
    reinterpret_cast<void (*)(int)>(set)(peers::threads());
  }
  if (void* set = dlsym(library, "bli_thread_set_num_threads")) {
    reinterpret_cast<void (*)(std::int64_t)>(set)(peers::threads());
  }
  const auto sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
  const int m = static_cast<int>(p.m), n = static_cast<int>(p.n), k = static_cast<int>(p.k);
  constexpr int row_major = 101, plain = 111, transposed = 112;
  return new Job{[=] {
    for (std::int64_t i = 0; i < p.batch; ++i) {
      sgemm(row_major, p.left_transposed ? transposed : plain,
            p.right_transposed ? transposed : plain, m, n, k, 1, p.left + i * p.m * p.k,
            p.left_transposed ? m : k, p.right + i * p.k * p.n, p.right_transposed ? k : n, 0,
            p.result + i * p.m * p.n, n);
    }
  }};
}

dnnl::memory::desc described(std::int64_t batch, std::int64_t rows, std::int64_t columns,
                             bool transposed) {
  using Tag = dnnl::memory::format_tag;
  return {{batch, rows, columns}, dnnl::memory::data_type::f32, transposed ? Tag::acb : Tag::abc};
}

Job* onednn(const Product& p) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const auto left = described(p.batch, p.m, p.k, p.left_transposed);
  const auto right = described(p.batch, p.k, p.n, p.right_transposed);
  const auto result = described(p.batch, p.m, p.n, false);
  const dnnl::matmul product({{left, right, result}, engine});
  const dnnl::memory a(left, engine, const_cast<float*>(p.left));
  const dnnl::memory b(right, engine, const_cast<float*>(p.right));
  const dnnl::memory c(result, engine, p.result);
  dnnl::stream stream(engine);
  return new Job{[=]() mutable {
    product.execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
    stream.wait();
  }};
}

/// A generated kernel for one small matrix, which counts columns first: (AB)' = B'A'.
Job* xsmm(const Product& p) {
  if (p.left_transposed || p.right_transposed || p.m * p.n * p.k > 128 * 128 * 128) return nullptr;
  const int m = static_cast<int>(p.m), n = static_cast<int>(p.n), k = static_cast<int>(p.k);
  const float one = 1, zero = 0;
  const auto kernel = libxsmm_smmdispatch(n, m, k, &n, &k, &n, &one, &zero, nullptr, nullptr);
  if (kernel == nullptr) return nullptr;
  return new Job{[=, threads = peers::threads()] {
#pragma omp parallel for num_threads(threads) if (p.batch > 1)
    for (std::int64_t i = 0; i < p.batch; ++i) {
      kernel(p.right + i * p.k * p.n, p.left + i * p.m * p.k, p.result + i * p.m * p.n);
    }
  }};
}

}  // namespace

/// The product by a library, or null if that has no way to it.
extern "C" Job* peers_matmul(const char* library, std::int64_t m, std::int64_t n, std::int64_t k,
                             std::int64_t batch, int left_transposed, int right_transposed,
                             const float* left, const float* right, float* result) {
  const Product product{m,    n,     k,     batch, left_transposed != 0, right_transposed != 0,
                        left, right, result};
  const std::string_view name = library;
  if (name == "OpenBLAS") return blas("libopenblas.so.0", product);
  if (name == "BLIS") return blas("libblis.so.4", product);
  if (name == "oneDNN") return onednn(product);
  if (name == "libxsmm") return xsmm(product);
  return nullptr;
}
