// expect: listed twice
#include <axial/axial.hpp>

using namespace axial;

Named<"key", "key"> wrong;
