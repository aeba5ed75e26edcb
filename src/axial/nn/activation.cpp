#include "axial/nn/activation.hpp"

#include <fmt/format.h>

#include "axial/api/plain.hpp"
#include "axial/base/error.hpp"
#include "axial/base/text.hpp"
#include "axial/notation/phrases.hpp"

namespace axial {
namespace {

/// The names of all functions of one number.
std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names;
  for (const Word& word : elementwise_words) {
    if (word.arity() == 1) names.push_back(word.name);
  }
  for (const notation::Phrase& phrase : notation::phrases()) {
    const notation::Signature& signature = phrase.signature;
    if (signature.axes.empty() && signature.parameters.size() == 1) names.push_back(signature.name);
  }
  return names;
}

}  // namespace

Activation::Activation(std::string_view name) {
  const std::vector<std::string_view> names = known_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    const auto near = nearest(name, names);
    throw Error(code("undeclared"),
                fmt::format("there is no function `{}` of one number", shown(name)),
                near ? fmt::format("did you mean `{}`?", *near)
                     : "give a name such as relu, or a C++ function of a tensor");
  }
  body_ = [word = find_word(name), phrase = std::string(name)](const Tensor& x) {
    return word != nullptr ? plain::apply(*word, {&x, 1}) : plain::phrase(phrase, {}, {x});
  };
}

}  // namespace axial
