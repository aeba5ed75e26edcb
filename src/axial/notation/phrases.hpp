// Phrases of the prelude, ready to be applied.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "axial/expr/node.hpp"
#include "axial/notation/tree.hpp"

namespace axial::notation {

/// A phrase: its type, what it means, and how it is computed if that is said separately.
struct Phrase {
  Signature signature;
  Definition meaning;
  std::optional<Definition> computation;

  /// The definition to evaluate: the computation if there is one.
  const Definition& computed() const { return computation ? *computation : meaning; }
};

/// Every phrase of the prelude, in order.
const std::vector<Phrase>& phrases();

/// The phrase called `name`, or null.
const Phrase* find_phrase(std::string_view name);

/// A phrase on axes for its formal ones and on arguments, lifted, by one of its definitions.
expr::Expr apply_phrase(const Phrase& phrase, const Definition& definition,
                        const std::vector<Axes>& axes, expr::Operands arguments);

}  // namespace axial::notation
