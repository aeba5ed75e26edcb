// The workloads as functions of C, so that a Python program runs them beside those of others. What
// fails gives -1 or a null pointer, and bench_error says why.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "bench/formulas/formulas.hpp"

namespace {

using namespace axial;

/// A workload with its inputs, and the results of its last run.
struct Case {
  bench::Formula formula;
  bench::Inputs inputs;
  std::vector<Tensor> results;
  std::string plan;
};

thread_local std::string last_error;

template <class Action>
auto guarded(Action action, decltype(action()) on_failure) {
  try {
    return action();
  } catch (const std::exception& error) {
    last_error = error.what();
    return on_failure;
  }
}

bench::Formula find(std::string_view name) {
  for (const auto& table :
       {bench::basic_formulas(), bench::model_formulas(), bench::derivative_formulas()}) {
    const auto found = std::ranges::find(table, name, &bench::NamedFormula::name);
    if (found != table.end()) return found->formula;
  }
  throw std::invalid_argument("there is no workload " + std::string(name));
}

Axes axes_of(const char* text) {
  std::istringstream words(text);
  std::vector<Axis> axes;
  for (std::string word; words >> word;) axes.emplace_back(word);
  return Axes(axes);
}

Shape shape_of(const char* names, const std::int64_t* sizes) {
  std::vector<SizedAxis> sized;
  for (const Axis axis : axes_of(names)) sized.push_back(axis[*sizes++]);
  return Shape(sized);
}

template <class T>
int give(Case* self, const char* name, const Shape& shape, const T* elements) {
  const auto count = static_cast<std::size_t>(shape.volume());
  const auto copy = [&](T* to) { std::copy_n(elements, count, to); };
  self->inputs.give(name, Tensor(build<T>(shape, copy)));
  return 0;
}

}  // namespace

extern "C" {

const char* bench_error() { return last_error.c_str(); }

/// How many threads runs use from now on.
void bench_set_threads(int threads) { set_threads(threads); }

Case* bench_prepare(const char* workload) {
  return guarded([&] { return new Case{find(workload), {}, {}, {}}; }, nullptr);
}

void bench_release(Case* self) { delete self; }

/// Gives a float32 input; `axes` are words, the last of which varies fastest.
int bench_give_reals(Case* self, const char* name, const char* axes, const std::int64_t* sizes,
                     const float* elements) {
  return guarded([&] { return give(self, name, shape_of(axes, sizes), elements); }, -1);
}

/// Gives an int64 input.
int bench_give_integers(Case* self, const char* name, const char* axes, const std::int64_t* sizes,
                        const std::int64_t* elements) {
  return guarded([&] { return give(self, name, shape_of(axes, sizes), elements); }, -1);
}

/// Builds the expressions anew and computes them, as often as said.
int bench_run(Case* self, int count) {
  return guarded(
      [&] {
        for (int run = 0; run < count; ++run) {
          self->results = self->formula(self->inputs);
          evaluate_together(self->results);
        }
        return 0;
      },
      -1);
}

/// How the results are computed, step by step, with the time of each.
const char* bench_explain(Case* self) {
  return guarded(
      [&] {
        self->plan = explain(self->formula(self->inputs));
        return self->plan.c_str();
      },
      nullptr);
}

/// The number of elements of a result.
std::int64_t bench_volume(const Case* self, int result) {
  return guarded([&] { return self->results.at(result).shape().volume(); }, std::int64_t{-1});
}

/// Writes a result, the last of `axes` varying fastest.
int bench_read(const Case* self, int result, const char* axes, float* elements) {
  return guarded(
      [&] {
        const Array array = laid_out(self->results.at(result).array(), axes_of(axes));
        std::ranges::copy(array.elements<float>(), elements);
        return 0;
      },
      -1);
}

}  // extern "C"
