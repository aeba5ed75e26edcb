// The paper itself, where it is at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>

#include "tex/support.hpp"

namespace axial::tex {
namespace {

TEST(seed, reads_without_a_problem_and_quickly) {
  std::ifstream file(AXIAL_SOURCE_DIR "/../shared/paper/named-tensor-notation.tex");
  if (!file) GTEST_SKIP() << "the paper is not here";
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto start = std::chrono::steady_clock::now();
  Source source;
  const auto segments = read_document(source, "paper.tex", text, Format::latex, {});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
  for (const Problem& problem : all_of<Problem>(segments)) {
    ADD_FAILURE() << source.place(problem.error.span()->begin).line << ": " << problem.error.what();
  }
  const auto formulas = all_of<Math>(segments);
  EXPECT_GT(std::ranges::count_if(formulas, &Math::display), 50);
  EXPECT_GT(formulas.size(), 250U);
}

}  // namespace
}  // namespace axial::tex
