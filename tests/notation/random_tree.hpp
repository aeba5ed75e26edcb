// Random trees over all forms that the parser can give.
#pragma once

#include <string>
#include <vector>

#include "axial/notation/tree.hpp"
#include "support/generator.hpp"

namespace axial::notation {

/// A random formula of at most this depth.
Tree random_tree(support::Generator& generator, int depth);

}  // namespace axial::notation
