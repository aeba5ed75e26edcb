// Which tensor of a document was the first that is no longer a finite number.
#pragma once

#include <map>
#include <string>

#include "axial/train/objective.hpp"

namespace axial::train {

/// Says where numbers that are not finite come from, for values that make the loss such a number: a
/// parameter, or what the document defines first on the way to the loss.
std::string first_not_finite(const Objective& objective,
                             const std::map<std::string, Array>& values);

}  // namespace axial::train
