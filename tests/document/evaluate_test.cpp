// Formulas evaluated in the scope of a document, with values given or drawn.
#include "axial/document/evaluate.hpp"

#include <gmock/gmock.h>

#include "diagnostics/expect.hpp"
#include "document/support.hpp"

namespace axial::document {
namespace {

using diagnostics::expect_error;
using ::testing::ElementsAre;

const Axis seq{"seq"}, key{"key"};

Contents document(const std::string& rows) {
  return read("document.tex", latex(display(rows)), ".");
}

std::vector<double> values(const Array& array) {
  std::vector<double> all;
  for (std::int64_t k = 0; k < array.volume(); ++k) all.push_back(array.real(k));
  return all;
}

const Setting x123{.name = "x", .axes = {}, .extents = {3}, .values = {1, 2, 3}};

TEST(evaluate, needs_no_document_for_numbers) {
  EXPECT_THAT(values(evaluate(read("empty.tex", "", "."), "1 + 2 / 4", {})), ElementsAre(1.5));
}

TEST(evaluate, takes_the_axes_of_a_value_from_its_declaration) {
  const Contents contents = document(R"(x &\in \reals^{\seq})");
  const Array sum = evaluate(contents, "sum_seq x", {.settings = {x123}});
  EXPECT_EQ(sum.shape(), Shape{});
  EXPECT_THAT(values(sum), ElementsAre(6));
}

TEST(evaluate, takes_axes_that_are_said_without_a_declaration) {
  const Setting x{.name = "x", .axes = {"seq"}, .extents = {3}, .values = {1, 2, 3}};
  const Array doubled = evaluate(read("empty.tex", "", "."), "2 x", {.settings = {x}});
  EXPECT_EQ(doubled.shape(), Shape{seq[3]});
  EXPECT_THAT(values(doubled), ElementsAre(2, 4, 6));
}

TEST(evaluate, reads_latex_where_there_is_a_backslash) {
  const Contents contents = document(R"(x &\in \reals^{\seq})");
  const Array sum = evaluate(contents, R"(\nsum{\name{seq}} \frac{x}{2})", {.settings = {x123}});
  EXPECT_THAT(values(sum), ElementsAre(3));
}

TEST(evaluate, counts_positions_from_one) {
  const Contents contents = document(R"(x &\in \reals^{\seq})");
  EXPECT_THAT(values(evaluate(contents, "x_{seq(1)}", {.settings = {x123}})), ElementsAre(1));
  EXPECT_THAT(values(evaluate(contents, R"(x_{\name{seq}(3)})", {.settings = {x123}})),
              ElementsAre(3));
}

TEST(evaluate, computes_definitions_of_the_document) {
  const Contents contents = document(R"(x &\in \reals^{\seq} \\
    y &= x + 1 & z &= \nsum{\seq} y)");
  EXPECT_THAT(values(evaluate(contents, "z", {.settings = {x123}})), ElementsAre(9));
}

TEST(evaluate, applies_functions_of_the_document) {
  const Contents contents = document(R"(\text{Energy} \colon \reals^{\seq} &\rightarrow \reals \\
    \text{Energy}(x) &= x \ndot{\seq} x \\
    x &\in \reals^{\seq})");
  EXPECT_THAT(values(evaluate(contents, "Energy(x)", {.settings = {x123}})), ElementsAre(14));
}

TEST(evaluate, draws_the_same_values_for_the_same_seed) {
  const Contents contents = document(R"(x &\in \reals^{\seq})");
  const auto draw = [&](std::uint64_t seed) {
    return values(evaluate(contents, "x", {.sizes = {{"seq", 4}}, .random = true, .seed = seed}));
  };
  EXPECT_EQ(draw(1).size(), 4U);
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
}

TEST(evaluate, takes_sizes_by_axis_and_by_name) {
  const Contents contents = document(R"(x &\in \reals^{\seq[n]} & y &\in \reals^{\key})");
  const Array sizes = evaluate(contents, "|seq| + 10 |key|",
                               {.sizes = {{"n", 2}, {"seq", 2}, {"key", 3}}, .random = true});
  EXPECT_THAT(values(sizes), ElementsAre(32));
  const Array x = evaluate(contents, "x", {.sizes = {{"n", 2}}, .random = true});
  EXPECT_EQ(x.shape(), Shape{seq[2]});
}

TEST(evaluate, learns_sizes_from_values) {
  const Contents contents = document(R"(x &\in \reals^{\seq} & y &\in \reals^{\seq})");
  const Array sum = evaluate(contents, "x + 0 y", {.settings = {x123}, .random = true});
  EXPECT_EQ(sum.shape(), Shape{seq[3]});
  EXPECT_THAT(values(sum), ElementsAre(1, 2, 3));
}

TEST(evaluate, computes_in_the_element_type_that_is_asked_for) {
  const Contents contents = document(R"(x &\in \reals^{\seq})");
  for (const ElementType type : {float32, float64}) {
    EXPECT_EQ(evaluate(contents, "x / 3", {.settings = {x123}, .element = type}).type(), type);
  }
}

TEST(evaluate, asks_for_a_value_that_nobody_gave) {
  const Contents contents = document(R"(x &\in \reals^{\seq})");
  expect_error("needs-value", [&] { evaluate(contents, "sum_seq x", {}); });
}

TEST(evaluate, does_not_know_a_name_that_nobody_declared) {
  const Contents contents = document(R"(x &\in \reals^{\seq})");
  expect_error("undeclared", [&] { evaluate(contents, "x + u", {.settings = {x123}}); });
}

TEST(evaluate, refuses_values_that_do_not_fit_the_declaration) {
  const Contents contents =
      document(R"(x &\in \reals^{\seq[3]} & y &\in \reals^{\seq \times \key})");
  const Setting longer{.name = "x", .axes = {}, .extents = {4}, .values = {1, 2, 3, 4}};
  const Setting flat{.name = "y", .axes = {}, .extents = {2}, .values = {1, 2}};
  expect_error("size-clash", [&] { evaluate(contents, "x", {.settings = {longer}}); });
  expect_error("wrong-count", [&] { evaluate(contents, "y", {.settings = {flat}}); });
}

TEST(evaluate, refuses_two_values_with_two_sizes_of_one_axis) {
  const Contents contents = document(R"(x &\in \reals^{\seq} & y &\in \reals^{\seq})");
  const Setting y{.name = "y", .axes = {}, .extents = {2}, .values = {1, 2}};
  expect_error("size-clash", [&] { evaluate(contents, "x + y", {.settings = {x123, y}}); });
}

TEST(evaluate, places_a_mistake_in_the_formula) {
  const Contents contents = document(R"(x &\in \reals^{\seq})");
  const auto error =
      diagnostics::error_of([&] { evaluate(contents, "1 + sum_key x", {.settings = {x123}}); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->code().name, "unknown-axis");
  EXPECT_EQ(error->span(), (Span{4, 13}));
  expect_error("syntax", [&] { evaluate(contents, "1 +", {}); });
  expect_error("syntax", [&] { evaluate(contents, "\\frac{1}", {}); });
}

TEST(evaluate, reads_a_plain_text_document_too) {
  const Contents contents = read("document.nt", "x ∈ R[seq]\ny = 2 x\n", ".");
  EXPECT_THAT(values(evaluate(contents, "y", {.settings = {x123}})), ElementsAre(2, 4, 6));
}

}  // namespace
}  // namespace axial::document
