// expect: Axis.*<.*"seq"
// expect: twice|second
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;

auto wrong(Named<"seq", "val"> V) { return V[seq(0), seq(1)]; }
