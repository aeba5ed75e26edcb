// The shape of a formula as it was written, before names have a meaning.
#pragma once

#include <string>
#include <vector>

#include "axial/base/error.hpp"
#include "axial/tensor/element.hpp"

namespace axial::notation {

enum class Form {
  number,    // 0.5
  name,      // X
  size,      // |ax|
  truth,     // [X = Y], one where it holds and zero elsewhere
  apply,     // f_{a, b}(X, Y); operators are applied by the name of their word
  contract,  // X .{a, b} Y
};

/// A formula. `text` is a name, `axes` what stands under it, `children` its operands.
struct Tree {
  Form form;
  Span span;
  std::string text;
  std::vector<std::string> axes;
  std::vector<Tree> children;
  Number number = 0;
};

/// A set of tensors as in a signature: R[seq, key].
struct Domain {
  std::vector<std::string> axes;
};

/// f_{ax} : R[ax] × R -> R[ax]
struct Signature {
  std::string name;
  std::vector<std::string> axes;
  std::vector<Domain> parameters;
  Domain result;
  Span span;
};

/// f_{ax}(X, Y) = body, with local definitions; `computed` if it says how instead of what.
struct Definition {
  std::string name;
  std::vector<std::string> axes;
  std::vector<std::string> parameters;
  Tree body;
  std::vector<Definition> locals;
  bool computed = false;
  Span span;
};

}  // namespace axial::notation
