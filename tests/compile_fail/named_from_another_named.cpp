// expect: error: .*("key".*"val"|"val".*"key")
#include <axial/axial.hpp>

using namespace axial;

using Vector = Named<"key">;
const Named<"seq", "val"> V;
Vector wrong = sum(axis<"seq">(), V);
