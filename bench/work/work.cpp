// Small workloads, repeated as often as said, so that a tool can count the instructions of one run:
// bench_work WORKLOAD COUNT.
#include <axial/axial.hpp>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace {

using namespace axial;

const Axis row("row"), column("column"), out("out");

/// Two small tensors added.
void add(int count) {
  const Tensor A = tensor(row[3] * column[3], {3, 1, 4, 1, 5, 9, 2, 6, 5}), B = eval(A * 2);
  for (int k = 0; k < count; ++k) eval(A + B);
}

/// A phrase of the prelude and a contraction of small tensors.
void attend(int count) {
  const Tensor A = tensor(row[3] * column[3], {3, 1, 4, 1, 5, 9, 2, 6, 5}), x = eval(sum(row, A));
  for (int k = 0; k < count; ++k) eval(dot(row, softmax(row, dot(column, A, x)), A));
}

/// A derivative, and its value.
void differentiate(int count) {
  const Tensor A = tensor(row[3] * column[3], {3, 1, 4, 1, 5, 9, 2, 6, 5}), x = eval(sum(row, A));
  for (int k = 0; k < count; ++k) eval(gradient(sum(row, tanh(dot(column, A, x))), x));
}

/// A product and an elementwise chain by generated code.
void compute(int count) {
  set_threads(1);
  Random random(1);
  const Tensor A = random.normal(row[48] * column[48]), B = random.normal(column[48] * out[48]);
  for (int k = 0; k < count; ++k) eval(sigmoid(dot(column, A, B)));
}

struct Workload {
  std::string_view name;
  void (*run)(int count);
};
constexpr Workload workloads[] = {
    {"add", add}, {"attend", attend}, {"differentiate", differentiate}, {"compute", compute}};

}  // namespace

int main(int argc, char** argv) {
  for (const Workload& workload : workloads) {
    if (argc == 1) std::cout << workload.name << "\n";
    if (argc == 3 && workload.name == argv[1]) workload.run(std::atoi(argv[2]));
  }
}
