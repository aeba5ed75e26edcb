// expect: error: .*"key"
// expect: "seq".*"val"
#include <axial/axial.hpp>

using namespace axial;

using Vector = Named<"key">;
const Named<"seq", "val"> V;
void wrong(Vector Q) { Q = V + 1; }
