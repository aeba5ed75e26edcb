// The paper itself, where it is at hand: its four mistakes are found and nothing else is called one.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "document/support.hpp"

namespace axial::document {
namespace {

const std::filesystem::path paper = AXIAL_SOURCE_DIR "/../shared/paper/named-tensor-notation.tex";

/// The lines that a finding covers.
bool covers(const Contents& contents, const Finding& finding, std::int64_t line) {
  const std::int64_t first = contents.source.place(finding.span.begin).line;
  const std::int64_t last =
      contents.source.place(std::max(finding.span.end, std::size_t{1}) - 1).line;
  return first <= line && line <= last;
}

class Seed : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(paper)) GTEST_SKIP() << "the paper is not here";
    contents_ = read_file(paper);
    report_ = check(contents_);
  }

  Contents contents_;
  Report report_;
};

TEST_F(Seed, has_errors_on_four_lines_and_no_other) {
  std::set<std::int64_t> lines;
  for (const Diagnostic& diagnostic : report_.diagnostics) {
    if (diagnostic.severity != Severity::error) continue;
    lines.insert(contents_.source.place(diagnostic.span.begin).line);
  }
  EXPECT_THAT(lines, ::testing::ElementsAre(435, 782, 784, 921));
}

TEST_F(Seed, has_at_least_two_hundred_and_forty_checked_statements) {
  EXPECT_GE(report_.count(Status::checked), 240);
}

TEST_F(Seed, has_derivations_whose_steps_are_verified) {
  for (const std::int64_t line :
       {633, 637, 643, 644, 648, 657, 664, 670, 700, 709, 714, 750, 758, 760, 767, 774, 776}) {
    EXPECT_TRUE(std::ranges::any_of(report_.findings,
                                    [&](const Finding& finding) {
                                      return finding.verified && covers(contents_, finding, line);
                                    }))
        << "line " << line;
  }
}

TEST_F(Seed, has_brackets_with_one_repair_that_holds) {
  int found = 0;
  for (const Diagnostic& diagnostic : report_.diagnostics) {
    if (diagnostic.code->name != "unbalanced") continue;
    ++found;
    EXPECT_THAT(diagnostic.hint, ::testing::EndsWith("(with this the equation holds)"));
    EXPECT_THAT(diagnostic.hint, ::testing::Not(::testing::HasSubstr(", or ")));
  }
  EXPECT_EQ(found, 2);
}

TEST_F(Seed, has_correct_displays_that_are_all_checked) {
  for (const std::int64_t line : {79, 112, 236, 318, 489, 498, 509, 542, 903}) {
    int found = 0;
    for (const Finding& finding : report_.findings) {
      if (!finding.display || !covers(contents_, finding, line)) continue;
      ++found;
      EXPECT_EQ(finding.status, Status::checked) << "line " << line << ": " << finding.kind << " "
                                                 << finding.name << ": " << finding.reason;
    }
    EXPECT_GT(found, 0) << "nothing is reported about line " << line;
  }
}

TEST_F(Seed, has_the_same_errors_for_other_seeds) {
  for (const std::uint64_t seed : {2, 3}) {
    const Report report = check(contents_, {.trials = 1, .seed = seed});
    EXPECT_EQ(codes(report), codes(report_)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace axial::document
