// expect: letters and digits
#include <axial/axial.hpp>

using namespace axial;

Named<"not a name"> wrong;
