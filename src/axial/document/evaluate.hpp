// Formulas evaluated in the scope of a document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "axial/document/contents.hpp"
#include "axial/document/world.hpp"
#include "axial/notation/formula_of.hpp"

namespace axial::document {

/// A value for a name: numbers with one extent per axis, the last varying fastest.
struct Setting {
  std::string name;
  /// The names of the axes, where they are said; else those of the declaration, in its order.
  std::vector<std::string> axes = {};
  std::vector<std::int64_t> extents = {};
  std::vector<double> values = {};
};

struct EvaluateOptions {
  std::vector<Setting> settings = {};
  /// Sizes by axis or name: seq, n, c_1.
  std::map<std::string, std::int64_t> sizes = {};
  bool random = false;
  std::uint64_t seed = 1;
  SizeSpread spread = {};
  ElementType element = float64;
  /// The largest tensor that is drawn at random.
  std::int64_t max_elements = std::int64_t{1} << 30;
};

/// A document in which formulas are read, with values for what it leaves open.
class Scene {
 public:
  Scene(const Contents& contents, const EvaluateOptions& options);

  /// The formula as a tree, in LaTeX if it has a backslash and in plain text otherwise. Fails with
  /// syntax.
  notation::Tree parsed(const std::string& formula) const;
  /// The place from which a formula is seen: where the last of its names is declared.
  Frame frame(const notation::Tree& formula);
  /// How the tensors that formulas referred to so far are called.
  notation::Names names() const;
  /// What has been asked for so far.
  World& world() { return world_; }

 private:
  Contents document_;
  Symbols symbols_;
  World world_;
};

/// A formula, in LaTeX if it has a backslash and in plain text otherwise, with the values of what it
/// mentions. Fails with syntax, undeclared or the errors of expressions, placed in the formula.
expr::Expr expression(const Contents& contents, const std::string& formula,
                      const EvaluateOptions& options);

/// Its value. Fails with needs-value, too.
Array evaluate(const Contents& contents, const std::string& formula,
               const EvaluateOptions& options);

/// The formula as tokens, by what it is written in. Fails with syntax.
notation::Tree parse(const Contents& contents, const std::string& formula);

}  // namespace axial::document
