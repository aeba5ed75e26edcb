#include "axial/files/npy_dictionary.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <utility>

#include "axial/files/report.hpp"
#include "axial/files/store.hpp"

namespace axial::files {
namespace {

/// Reads from the front of a text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  /// Passes over blanks, then over `mark` if it is next, and says whether it was.
  bool accept(std::string_view mark) {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t')) {
      rest_.remove_prefix(1);
    }
    if (!rest_.starts_with(mark)) return false;
    rest_.remove_prefix(mark.size());
    return true;
  }

  void expect(std::string_view mark) {
    if (!accept(mark)) fail(fmt::format("`{}`", mark));
  }

  bool at_end() { return accept("") && rest_.empty(); }

  /// A text in single or double quotes.
  std::string text() {
    const std::string_view mark = accept("\"") ? "\"" : "'";
    if (mark == "'") expect(mark);
    const std::size_t end = rest_.find(mark);
    if (end == std::string_view::npos) fail("the end of a text");
    std::string content(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return content;
  }

  bool truth() {
    if (accept("True")) return true;
    if (accept("False")) return false;
    fail("True or False");
  }

  std::int64_t integer() {
    accept("");
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failure != std::errc{}) fail("a number that int64 can hold");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    accept("L");  // as Python 2 wrote it
    return value;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect("(");
    while (!accept(")")) {
      values.push_back(integer());
      if (std::ssize(values) > max_axes) fail(fmt::format("at most {} sizes", max_axes));
      if (!accept(",")) {
        if (values.size() == 1) fail("`,`");  // (3) is a number, not a tuple
        expect(")");
        break;
      }
    }
    return values;
  }

  /// A text, or the Python code of a list or tuple.
  std::string text_or_code() {
    accept("");
    if (rest_.empty() || (rest_[0] != '[' && rest_[0] != '(')) return text();
    std::int64_t depth = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (rest_[i] == '[' || rest_[i] == '(') ++depth;
      if (rest_[i] == ']' || rest_[i] == ')') --depth;
      if (depth > 0) continue;
      std::string code(rest_.substr(0, i + 1));
      rest_.remove_prefix(i + 1);
      return code;
    }
    fail("a type of elements");
  }

  [[noreturn]] void fail(std::string_view expected) const {
    reject(fmt::format("its header has {} where {} is expected",
                       rest_.empty() ? "its end" : shown(rest_.substr(0, 20)), expected));
  }

 private:
  std::string_view rest_;
};

}  // namespace

NpyDictionary parse_npy_dictionary(std::string_view text) {
  NpyDictionary dictionary;
  Cursor cursor(text);
  std::set<std::string> seen;
  cursor.expect("{");
  while (!cursor.accept("}")) {
    const std::string key = cursor.text();
    cursor.expect(":");
    if (key == "descr") {
      dictionary.descr = cursor.text_or_code();
    } else if (key == "fortran_order") {
      dictionary.fortran_order = cursor.truth();
    } else if (key == "shape") {
      dictionary.shape = cursor.tuple();
    } else {
      reject(fmt::format("its header has the unknown key {}", shown(key)));
    }
    if (!seen.insert(key).second) reject(fmt::format("its header has the key `{}` twice", key));
    if (!cursor.accept(",")) {
      cursor.expect("}");
      break;
    }
  }
  if (seen.size() != 3) reject("its header lacks one of `descr`, `fortran_order` and `shape`");
  if (!cursor.at_end()) cursor.fail("its end");
  return dictionary;
}

}  // namespace axial::files
