#include "axial/kernels/limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <vector>

#include "axial/kernels/split.hpp"
#include "axial/kernels/tile.hpp"

namespace axial::kernels {
namespace {

/// The shortest of several times that the team needs for a task, in seconds.
template <class Task>
double shortest_time(Team& team, int rounds, const Task& task) {
  constexpr std::int64_t much = 2 * Team::waking;
  double shortest = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    team.share(much, task);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    shortest = std::min(shortest, time.count());
  }
  return shortest;
}

/// Tiles of a matrix product whose operands stay in the nearest cache.
double operations_of_tiles(Team& team) {
  constexpr std::int64_t terms = 128;
  constexpr int repetitions = 400;
  const PanelFunctions<float>& widest = tile_functions<float>().panels.front();
  std::vector<std::int64_t> a_rows, a_terms(terms), b_terms;
  std::iota(a_terms.begin(), a_terms.end(), 0);
  for (std::int64_t i = 0; i < tile_rows; ++i) a_rows.push_back(i * terms);
  for (std::int64_t k = 0; k < terms; ++k) b_terms.push_back(k * widest.columns);
  const double time = shortest_time(team, 20, [&](int, int) {
    const std::vector<float> a(tile_rows * terms, 1);
    const std::vector<float> b(widest_panel<float> * terms, 1);
    float c[tile_rows * widest_panel<float>];
    const Panel<float> panel{.a = a.data(),
                             .a_rows = a_rows.data(),
                             .a_terms = a_terms.data(),
                             .rows = tile_rows,
                             .b = b.data(),
                             .b_terms = b_terms.data(),
                             .terms = terms,
                             .c = c,
                             .c_stride = widest.columns,
                             .adds = false};
    for (int k = 0; k < repetitions; ++k) widest.multiply(panel);
  });
  return 2.0 * tile_rows * widest.columns * terms * repetitions * team.size() / time;
}

/// The same with elements that were split before.
double operations_of_parts(Team& team, const SplitFunctions& functions) {
  constexpr std::int64_t terms = most_split_terms;
  constexpr int repetitions = 100;
  const double time = shortest_time(team, 20, [&](int, int) {
    // The machine is quicker with numbers whose parts are zero.
    std::vector<float> numbers(split_lines * terms);
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = 1 / static_cast<float>(k + 3);
    std::vector<std::int64_t> lines(split_lines), offsets(terms);
    for (std::size_t k = 0; k < lines.size(); ++k) lines[k] = static_cast<std::int64_t>(k) * terms;
    std::iota(offsets.begin(), offsets.end(), 0);
    constexpr std::int64_t strip = split_strip(terms);
    Pair* a = static_cast<Pair*>(scratch(2 * strip * sizeof(Pair)));
    Pair* b = a + strip;
    const Lines<float> all{numbers.data(), lines.data(), split_lines, offsets.data(), terms};
    functions.split_rows(all, a);
    functions.split_columns(all, b);
    float c[split_lines * split_lines];
    functions.begin();
    for (int k = 0; k < repetitions; ++k) {
      functions.multiply({.a = a,
                          .rows = split_lines,
                          .b = b,
                          .columns = split_lines,
                          .terms = terms,
                          .c = c,
                          .c_stride = split_lines});
    }
    functions.end();
  });
  return 2.0 * split_lines * split_lines * terms * repetitions * team.size() / time;
}

double operations_per_second(Team& team) {
  const SplitFunctions* split = split_functions();
  return std::max(operations_of_tiles(team), split ? operations_of_parts(team, *split) : 0);
}

double bytes_per_second(Team& team) {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  const std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes);
  const double time = shortest_time(team, 5, [&](int number, int parts) {
    const Part part = part_of(bytes, number, parts, 4096);
    std::memcpy(to.data() + part.first, from.data() + part.first,
                static_cast<std::size_t>(part.last - part.first));
  });
  return 2.0 * static_cast<double>(bytes) / time;
}

}  // namespace

Limits measured_limits(Team& team) { return {operations_per_second(team), bytes_per_second(team)}; }

}  // namespace axial::kernels
