// The names of the library do not get in the way of those of the standard library.
#include <axial/axial.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;

double right(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  std::function<double(double)> f = [](double t) { return sqrt(t) + exp(t) + pow(t, 2.0); };
  return std::max(f(x[0]), std::accumulate(x.begin(), x.end(), 0.0)) + abs(-1) + log(2.0) +
         round(0.5);
}
Tensor also_right(Tensor x) { return sqrt(x) + x / sqrt(x.size(key)) + max(x, 0) + abs(x); }
