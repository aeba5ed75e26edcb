// Whole numbers and fractions may stand in one list of values.
#include <axial/axial.hpp>

using namespace axial;

Axis height{"height"};
Tensor mixed = tensor(height[3], {0, 0.5, 1});
