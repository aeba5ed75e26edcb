#include "axial/document/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "axial/notation/print.hpp"

namespace axial::document {
namespace {

using notation::Form;
using notation::Tree;

std::optional<std::int64_t> as_whole(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool complete = read.ec == std::errc{} && read.ptr == text.data() + text.size();
  return complete && !text.empty() ? std::optional(value) : std::nullopt;
}

/// The number that a label stands for, if it is one.
std::optional<std::int64_t> whole_label(const Tree& label, const Labels& labels) {
  if (label.form == Form::number) return as_whole(label.text);
  if (label.form == Form::name) {
    const auto bound = labels.find(label.text);
    return bound == labels.end() ? std::nullopt : as_whole(bound->second);
  }
  if (label.form != Form::apply || label.children.size() != 2) return std::nullopt;
  const auto left = whole_label(label.children[0], labels);
  const auto right = whole_label(label.children[1], labels);
  if (!left || !right) return std::nullopt;
  if (label.text == "add") return *left + *right;
  if (label.text == "sub") return *left - *right;
  if (label.text == "mul") return *left * *right;
  return std::nullopt;
}

}  // namespace

std::optional<LabelledName> labelled_name(const Tree& tree) {
  if (tree.form == Form::apply && tree.text == "pow" && tree.children.size() == 2 &&
      tree.children[0].form == Form::name && tree.children[0].super.empty()) {
    auto name = labelled_name(tree.children[0]);
    name->labels.insert(name->labels.begin(), tree.children[1]);
    return name;
  }
  if (tree.form != Form::name && tree.form != Form::apply) return std::nullopt;
  LabelledName result{tree.text, tree.super};
  const std::size_t split = tree.form == Form::name ? tree.text.find('_') : std::string::npos;
  if (split != std::string::npos && split > 0) {
    const std::string below = tree.text.substr(split + 1);
    result.base = tree.text.substr(0, split);
    const bool is_number = as_whole(below).has_value();
    result.labels.push_back({is_number ? Form::number : Form::name, tree.span, below, {}, {}});
  }
  if (tree.form == Form::name) {
    result.labels.insert(result.labels.end(), tree.sub.begin(), tree.sub.end());
  }
  return result;
}

std::string label_text(const Tree& label, const Labels& labels) {
  if (const auto whole = whole_label(label, labels)) return std::to_string(*whole);
  if (label.form == Form::name) {
    // A primed variable is its value with a prime: l' ↦ 1'.
    const std::size_t end = label.text.find('\'');
    const auto bound = labels.find(label.text.substr(0, end));
    if (bound == labels.end()) return label.text;
    return bound->second + (end == std::string::npos ? "" : label.text.substr(end));
  }
  return notation::to_text(label);
}

bool fits(const Tree& pattern, const std::string& text,
          const std::function<bool(const std::string&)>& is_variable, Labels& found) {
  if (pattern.form == Form::name && is_variable(pattern.text)) {
    const auto [place, is_new] = found.emplace(pattern.text, text);
    return is_new || place->second == text;
  }
  const bool is_shift = pattern.form == Form::apply && pattern.children.size() == 2 &&
                        (pattern.text == "add" || pattern.text == "sub") &&
                        pattern.children[0].form == Form::name &&
                        pattern.children[1].form == Form::number;
  if (is_shift && is_variable(pattern.children[0].text)) {
    const auto value = as_whole(text);
    const auto offset = as_whole(pattern.children[1].text);
    if (!value || !offset) return false;
    return fits(pattern.children[0],
                std::to_string(pattern.text == "add" ? *value - *offset : *value + *offset),
                is_variable, found);
  }
  return label_text(pattern, {}) == text;
}

std::string key_of(const LabelledName& name, const Labels& labels) {
  std::string key = name.base;
  for (std::size_t k = 0; k < name.labels.size(); ++k) {
    key += (k == 0 ? "^" : ",") + label_text(name.labels[k], labels);
  }
  return key;
}

void for_each_part(const Tree& tree, const std::function<void(const Tree&)>& visit) {
  visit(tree);
  for (const Tree& child : tree.children) for_each_part(child, visit);
  for (const Tree& label : tree.sub) for_each_part(label, visit);
  for (const Tree& label : tree.super) for_each_part(label, visit);
  for (const notation::Arrow& arrow : tree.arrows) {
    for (const auto* side : {&arrow.from, &arrow.to}) {
      for (const notation::AxisTerm& term : *side) {
        for (const Tree& size : term.size) for_each_part(size, visit);
      }
    }
  }
}

std::vector<std::string> axes_in(const Tree& tree) {
  std::set<std::string> found;
  for_each_part(tree, [&](const Tree& part) {
    found.insert(part.axes.begin(), part.axes.end());
    if (part.form == Form::size) found.insert(part.text);
    for (const notation::Arrow& arrow : part.arrows) {
      for (const notation::AxisTerm& term : arrow.from) found.insert(term.name);
      for (const notation::AxisTerm& term : arrow.to) found.insert(term.name);
    }
  });
  return {found.begin(), found.end()};
}

}  // namespace axial::document
