// expect: error: .*Tensor.*"key"
#include <axial/axial.hpp>

using namespace axial;

using Vector = Named<"key">;
Vector wrong = Tensor(3);
