// expect: "key".*item|item.*"key"
// expect: item\(\) needs a scalar
#include <axial/axial.hpp>

using namespace axial;

const Named<"key"> Q;
double wrong = Q.item();
