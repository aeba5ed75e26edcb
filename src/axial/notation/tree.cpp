#include "axial/notation/tree.hpp"

#include <algorithm>

namespace axial::notation {
namespace {

/// What stands below a name: plain names count the same whether they were read as axes or labels.
std::vector<Tree> below(const Tree& tree) {
  std::vector<Tree> all;
  for (const std::string& name : tree.axes) all.push_back({Form::name, {}, name, {}, {}});
  all.insert(all.end(), tree.sub.begin(), tree.sub.end());
  return all;
}

}  // namespace

bool operator==(const Tree& left, const Tree& right) {
  const bool same_below =
      left.sub.empty() && right.sub.empty() ? left.axes == right.axes : below(left) == below(right);
  return left.form == right.form && same_below && left.text == right.text &&
         left.number == right.number && left.super == right.super && left.arrows == right.arrows &&
         left.before_semicolon == right.before_semicolon && left.children == right.children;
}

}  // namespace axial::notation
