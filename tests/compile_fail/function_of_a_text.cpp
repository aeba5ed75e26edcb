// expect: error: .*exp
#include <axial/axial.hpp>

using namespace axial;

struct Text {};
auto wrong = exp(Text{});
