// Nests that read what comes from afar: how many lanes they take, and what they fetch ahead.
#include "axial/kernels/blocks.hpp"
#include "axial/kernels/fetching.hpp"
#include "plan/compared.hpp"

namespace axial::plan {
namespace {

Axis row{"row"}, column{"column"};

/// The only nest of a plan.
const kernels::Nest& nest_of(const Plan& plan) {
  return std::get<RunNest>(plan.steps.at(0).action).nest;
}

bool reads_from_afar(const Plan& plan) {
  return std::ranges::any_of(nest_of(plan).streams, &kernels::Stream::is_far);
}

/// Sums of `rows` numbers that lie `columns` apart.
kernels::Nest sums_of_columns(std::int64_t rows, std::int64_t columns) {
  using Kind = kernels::Operation::Kind;
  return {.outer = {columns},
          .row = {rows},
          .streams = {{float32, {1, columns}}, {float32, {1, 0}}},
          .operations = {{.kind = Kind::load, .stream = 0},
                         {.kind = Kind::reduce, .operands = {0}, .reduction = &reduction("sum")},
                         {.kind = Kind::store, .operands = {1}, .stream = 1}}};
}

TEST(nests, take_many_lanes_for_sums_that_jump) {
  const auto width = [](std::int64_t columns) {
    const kernels::Schedule schedule = kernels::schedule(sums_of_columns(500, columns));
    EXPECT_EQ(schedule.lane_loop, 0);
    return schedule.width;
  };
  EXPECT_GE(width(1024), 128);
  EXPECT_GE(width(10240), 128);
  for (const std::int64_t columns : {129, 200, 257, 300, 1000}) {
    EXPECT_LE(kernels::rounded_up(columns, width(columns)) * 4, columns * 5) << columns;
  }
}

TEST(nests, fetch_what_comes_next) {
  kernels::Nest nest = sums_of_columns(500, 1024);
  kernels::Stream& stream = nest.streams[0];
  const kernels::Schedule by_lanes{.lane_loop = 0, .in_row = false, .width = 32};
  EXPECT_EQ(kernels::fetching_distance(nest, by_lanes, 1, 1, stream), 0) << "it is near";
  stream.is_far = true;
  EXPECT_EQ(kernels::fetching_distance(nest, by_lanes, 1, 1, stream), 8 * 1024) << "it jumps";
  EXPECT_EQ(kernels::fetching_distance(nest, by_lanes, 2, 1, stream), 32) << "the next lanes";
  nest.row = {100};
  EXPECT_EQ(kernels::fetching_distance(nest, by_lanes, 2, 1, stream), 0) << "it stays near";
  stream.strides = {500, 1};
  const kernels::Schedule in_row{.lane_loop = 1, .in_row = true, .width = 16};
  EXPECT_EQ(kernels::fetching_distance(nest, in_row, 2, 4, stream), 4 * 500) << "the next rows";
  EXPECT_EQ(kernels::fetching_distance(nest, in_row, 1, 1, stream), 0) << "it is foreseen";
}

TEST(nests, know_what_is_far_and_passed_more_than_once) {
  Random random(3);
  const Tensor large = random.normal(row[700] * column[1000]);
  const Tensor small = random.normal(row[70] * column[1000]);
  for (const Axis axis : {row, column}) {
    const auto plan = compared(softmax(axis, large), 1000);
    if (!Engine::is_available()) continue;
    EXPECT_TRUE(reads_from_afar(*plan)) << axis.name();
    EXPECT_FALSE(reads_from_afar(*compared(softmax(axis, small), 1000))) << axis.name();
  }
}

TEST(nests, know_that_sums_jump_to_what_is_far) {
  Random random(4);
  const Tensor large = random.normal(row[2100] * column[300]);
  for (const Axis axis : {row, column}) {
    const auto plan = compared(sum(axis, large * large), 2100);
    if (!Engine::is_available()) continue;
    EXPECT_TRUE(reads_from_afar(*plan)) << axis.name();
  }
}

}  // namespace
}  // namespace axial::plan
