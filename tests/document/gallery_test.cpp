// The documents in examples/: all of them hold, except the one that is wrong on purpose.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "axial/document/format.hpp"
#include "document/support.hpp"

namespace axial::document {
namespace {

bool is_faulty(const std::filesystem::path& path) { return path.stem() == "faulty"; }

/// How many displayed statements are checked. Formulas in sentences are not converted.
std::int64_t checked_displays(const Report& report) {
  return std::ranges::count_if(report.findings, [](const Finding& finding) {
    return finding.display && finding.status == Status::checked;
  });
}

std::int64_t verified_displays(const Report& report) {
  return std::ranges::count_if(
      report.findings, [](const Finding& finding) { return finding.display && finding.verified; });
}

std::set<std::int64_t> error_lines(const Contents& contents, const Report& report) {
  std::set<std::int64_t> lines;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.severity != Severity::error) continue;
    lines.insert(contents.source.place(diagnostic.span.begin).line);
  }
  return lines;
}

class Gallery : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Gallery, has_no_error_no_warning_and_nothing_skipped) {
  if (is_faulty(GetParam())) GTEST_SKIP() << "it is wrong on purpose";
  const Report report = check(read_file(GetParam()));
  EXPECT_EQ(report.count(Severity::error), 0) << outline(report);
  EXPECT_EQ(report.count(Severity::warning), 0) << outline(report);
  EXPECT_EQ(report.count(Status::skipped), 0) << outline(report);
  EXPECT_GT(report.count(Status::checked), 10);
}

TEST_P(Gallery, holds_for_other_seeds) {
  if (is_faulty(GetParam())) GTEST_SKIP() << "it is wrong on purpose";
  const Contents contents = read_file(GetParam());
  for (const std::uint64_t seed : {2, 3, 4, 5}) {
    const Report report = check(contents, {.trials = 1, .seed = seed});
    EXPECT_EQ(report.count(Severity::error), 0) << "seed " << seed << "\n" << outline(report);
    EXPECT_EQ(report.count(Status::skipped), 0) << "seed " << seed << "\n" << outline(report);
  }
}

TEST_P(Gallery, means_the_same_as_plain_text_and_as_latex_again) {
  const Contents original = read_file(GetParam());
  const Report expected = check(original);
  const std::string text = as_plain_text(original);
  const Contents plain = read("gallery.nt", text, ".");
  const Report as_text = check(plain);
  EXPECT_EQ(checked_displays(as_text), checked_displays(expected)) << text << outline(as_text);
  EXPECT_EQ(verified_displays(as_text), verified_displays(expected)) << text << outline(as_text);
  const std::string again = as_latex(plain);
  const Report back = check(read("gallery.tex", again, "."));
  EXPECT_EQ(checked_displays(back), checked_displays(expected)) << again << outline(back);
  EXPECT_EQ(verified_displays(back), verified_displays(expected)) << again << outline(back);
}

TEST_P(Gallery, settles_as_plain_text) {
  const auto again = [](const std::string& text) {
    return as_plain_text(read("gallery.nt", text, "."));
  };
  const std::string text = again(as_plain_text(read_file(GetParam())));
  EXPECT_EQ(again(text), text);
}

INSTANTIATE_TEST_SUITE_P(document, Gallery, ::testing::ValuesIn(gallery()),
                         [](const auto& one) { return one.param.stem().string(); });

TEST(faulty, has_an_error_in_four_sections_and_a_name_that_nobody_declared) {
  const Contents contents = read_file(AXIAL_SOURCE_DIR "/examples/faulty.tex");
  const Report report = check(contents);
  EXPECT_THAT(error_lines(contents, report), ::testing::IsSupersetOf({17, 24, 32, 41}));
  EXPECT_GE(report.count(Severity::error), 4);
  const auto linear = std::ranges::find_if(report.findings, [](const Finding& finding) {
    return finding.name == "Linear" && finding.kind == "definition";
  });
  ASSERT_NE(linear, report.findings.end());
  EXPECT_NE(linear->status, Status::checked);
}

}  // namespace
}  // namespace axial::document
