// One statement of a document examined in trials.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "axial/document/check.hpp"
#include "axial/document/world.hpp"

namespace axial::document {

/// What an examination found out.
struct Examined {
  Status status = Status::checked;
  bool verified = false;
  std::string reason;
  /// The shape of the result, if it has one.
  std::optional<Shape> shape;
  /// The mistake, where there is one.
  std::optional<Diagnostic> mistake;
  /// What came up beside it.
  std::vector<Remark> remarks;
};

/// Examines the equation of an item in the role that it has. Never fails.
Examined examine_equation(const Symbols& symbols, std::size_t item,
                          const notation::Equation& equation, const CheckOptions& options);
/// Examines a signature: operators on holes must have the type that it says.
Examined examine_signature(const Symbols& symbols, std::size_t item,
                           const notation::Signature& signature, const CheckOptions& options);
Examined examine_declaration(const Symbols& symbols, std::size_t item,
                             const notation::Declaration& declaration, const CheckOptions& options);

}  // namespace axial::document
