#include "axial/kernels/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace axial::kernels {
namespace {

/// Shares work `rounds` times and counts how often each part was done, one for each thread.
std::vector<std::int64_t> counts(Team& team, int rounds) {
  std::vector<std::atomic<std::int64_t>> done(static_cast<std::size_t>(team.size()));
  for (int round = 0; round < rounds; ++round) {
    team.share(0, [&](int number, int parts) {
      EXPECT_EQ(parts, team.size());
      ++done[static_cast<std::size_t>(number)];
    });
    // Nothing of a round is left to do when the next begins.
    for (const auto& each : done) EXPECT_EQ(each.load(), round + 1);
  }
  return {done.begin(), done.end()};
}

TEST(team, does_every_part_once_in_every_round) {
  constexpr int rounds = 2000;
  for (const int size : {1, 2, 3, 5}) {
    Team team(size, 0);
    EXPECT_EQ(counts(team, rounds),
              std::vector<std::int64_t>(static_cast<std::size_t>(size), rounds));
  }
}

TEST(team, serves_several_callers_at_once) {
  constexpr int rounds = 500;
  Team team(3, 0);
  std::vector<std::jthread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back(
        [&] { EXPECT_EQ(counts(team, rounds), std::vector<std::int64_t>(3, rounds)); });
  }
}

TEST(team, does_not_share_what_is_quick) {
  Team team(2, 100);
  int parts_of_little = 0, parts_of_much = 0;
  team.share(99, [&](int, int parts) { parts_of_little = parts; });
  team.share(100, [&](int number, int parts) {
    if (number == 0) parts_of_much = parts;
  });
  EXPECT_EQ(parts_of_little, 1);
  EXPECT_EQ(parts_of_much, 2);
}

TEST(team, cuts_what_is_long_into_several_parts_for_each_thread_if_these_cost_nothing) {
  constexpr std::int64_t very_much = 1 << 30;
  Team team(3);
  for (int round = 0; round < 500; ++round) {
    // Rounds of few and of many parts by turns, so that marks of one could be taken for those of another.
    const CostOfParts cost = round % 3 == 0 ? CostOfParts::some : CostOfParts::none;
    const std::int64_t passed = round % 3 == 1 ? very_much : very_much / 500;
    std::vector<std::atomic<int>> done(1000);
    std::atomic<int> all = 0;
    team.share(
        passed,
        [&](int number, int parts) {
          all = parts;
          ++done[static_cast<std::size_t>(number)];
        },
        cost);
    if (cost == CostOfParts::some) {
      EXPECT_EQ(all, 3);
    } else {
      EXPECT_EQ(all % 3, 0);
      EXPECT_GT(all, 3);
    }
    for (int number = 0; number < std::ssize(done); ++number) {
      ASSERT_EQ(done[static_cast<std::size_t>(number)], number < all ? 1 : 0);
    }
  }
}

TEST(team, leaves_parts_of_a_slow_thread_to_others) {
  Team team(2);
  std::atomic<std::thread::id> slow;
  std::atomic<int> done = 0;
  bool is_helped = false;
  team.share(
      std::int64_t{1} << 30,
      [&](int, int parts) {
        // Whoever comes first waits until all other parts are done.
        std::thread::id nobody;
        if (!slow.compare_exchange_strong(nobody, std::this_thread::get_id())) {
          ++done;
          return;
        }
        using Clock = std::chrono::steady_clock;
        const auto latest = Clock::now() + std::chrono::seconds(20);
        while (done < parts - 1 && Clock::now() < latest) std::this_thread::yield();
        is_helped = done == parts - 1;
      },
      CostOfParts::none);
  EXPECT_TRUE(is_helped);
}

TEST(part_of, cuts_a_range_without_gaps_at_multiples_of_the_grain) {
  for (const std::int64_t total : {0, 1, 5, 48, 100}) {
    for (const int count : {1, 2, 3, 7}) {
      std::int64_t end = 0;
      for (int number = 0; number < count; ++number) {
        const Part part = part_of(total, number, count, 6);
        EXPECT_EQ(part.first, end);
        EXPECT_TRUE(part.last == total || part.last % 6 == 0);
        end = part.last;
      }
      EXPECT_EQ(end, total);
    }
  }
}

}  // namespace
}  // namespace axial::kernels
