#include "axial/kernels/limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <vector>

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
double operations_per_second(Team& team) {
  constexpr std::int64_t terms = 256;
  constexpr int tiles = 400;
  std::vector<std::int64_t> a_terms(terms), b_terms(terms);
  std::iota(a_terms.begin(), a_terms.end(), 0);
  for (std::int64_t k = 0; k < terms; ++k) {
    b_terms[static_cast<std::size_t>(k)] = k * tile_columns<float>;
  }
  const double time = shortest_time(team, 20, [&](int, int) {
    const std::vector<float> a(tile_rows<float> * terms, 1), b(tile_columns<float> * terms, 1);
    float c[tile_rows<float> * tile_columns<float>];
    const float* rows[tile_rows<float>];
    for (int i = 0; i < tile_rows<float>; ++i) rows[i] = a.data() + i * terms;
    const Tile<float> tile{rows, a_terms.data(),      b.data(), b_terms.data(), terms,
                           c,    tile_columns<float>, false};
    for (int k = 0; k < tiles; ++k) tile_functions<float>().of_rows[tile_rows<float> - 1](tile);
  });
  return 2.0 * tile_rows<float> * tile_columns<float> * terms * tiles * team.size() / time;
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
