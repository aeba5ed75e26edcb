// What a document asks to be learned: a loss as an expression of data and of parameters.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "axial/document/evaluate.hpp"
#include "axial/train/examples.hpp"

namespace axial::train {

/// What is to be made small, and what is said about the names of the document.
struct Goal {
  /// A name or a formula. Axes that it has left, such as that of the examples, are averaged over.
  std::string loss;
  /// Further formulas to be reported, averaged likewise.
  std::vector<std::string> metrics = {};
  std::map<std::string, std::int64_t> sizes = {};
  /// Values that are neither data nor learned.
  std::vector<document::Setting> settings = {};
  std::uint64_t seed = 1;
  ElementType element = float32;
};

/// A tensor of the document under its name.
struct NamedExpr {
  std::string name;
  expr::Expr value;
};

/// The expressions for batches of one size. Inputs and parameters are leaves.
struct Objective {
  expr::Expr loss;
  std::vector<expr::Expr> metrics;
  std::vector<NamedExpr> inputs;
  std::vector<NamedExpr> parameters;
  /// What the document defines on the way to the loss, operands before users.
  std::vector<NamedExpr> definitions;
  /// What is added to the elements of an input: positions count from 0 in files and from 1 in
  /// documents.
  std::map<std::string, double> shifts;
};

/// Inputs, then parameters: the leaves that get values.
std::vector<NamedExpr> all_inputs(const Objective& objective);

/// The loss for `batch` examples. What it needs and the data and the goal do not give is a parameter.
/// Fails with the errors of formulas; with bad-size if sizes are not known, listing them; with
/// needs-value if what is missing cannot be learned or nothing is left to learn; with
/// index-out-of-range if data are no positions.
Objective objective(const document::Contents& contents, const Examples& examples,
                    std::int64_t batch, const Goal& goal);

}  // namespace axial::train
