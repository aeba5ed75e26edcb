// The page docs/rules.md is written from the table of rules. AXIAL_UPDATE_GOLDEN=1 writes it anew.
#include "axial/calculus/rules.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "pages/page.hpp"

namespace axial {
namespace {

TEST(rules_page, lists_every_rule_with_its_statement) {
  std::string rows = "| Rule | What it states | Label |\n| --- | --- | --- |\n";
  for (const calculus::Rule& rule : calculus::rules) {
    rows += fmt::format("| {} | {} | {} |\n", rule.name, cell(rule.statement), cell(rule.label));
  }
  expect_page(
      "docs/rules.md",
      fmt::format("# The rules of derivations\n\n"
                  "`axial diff --steps` cites one of these rules at every step. This page is "
                  "written from the table of the library.\n\n"
                  "U and V are tensors, A, B and C are tensors that do not depend on X, and S "
                  "is the shape of X. The label is that of\nthe equation or theorem in the "
                  "source of the paper, where the rule has one there.\n\n{}\n"
                  "The differentials of single functions are in [the "
                  "vocabulary](vocabulary.md): partial derivatives of words and\n"
                  "weights of reductions.\n",
                  rows));
}

}  // namespace
}  // namespace axial
