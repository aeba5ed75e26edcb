// The list of diagnostics.
#include "axial/base/code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace axial {
namespace {

TEST(code, names_are_distinct) {
  std::set<std::string_view> names;
  for (const Code& entry : all_codes) EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
}

TEST(code, names_are_lower_case_words_joined_by_hyphens) {
  for (const Code& entry : all_codes) {
    EXPECT_TRUE(std::ranges::all_of(entry.name, [](char c) {
      return (c >= 'a' && c <= 'z') || c == '-';
    })) << entry.name;
    EXPECT_FALSE(entry.name.starts_with('-') || entry.name.ends_with('-')) << entry.name;
  }
}

TEST(code, summaries_are_clauses) {
  for (const Code& entry : all_codes) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_FALSE(entry.summary.ends_with('.')) << entry.name;
  }
}

TEST(code, is_found_by_name_while_compiling) {
  constexpr const Code& found = code("size-clash");
  static_assert(found.name == "size-clash");
  EXPECT_EQ(&found, &*std::ranges::find(all_codes, std::string_view("size-clash"), &Code::name));
}

}  // namespace
}  // namespace axial
