// expect: error: .*int.*"key"
#include <axial/axial.hpp>

using namespace axial;

using Vector = Named<"key">;
Vector wrong = 3;
