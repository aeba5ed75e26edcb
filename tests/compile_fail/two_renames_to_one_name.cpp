// expect: same name
// expect: "key"
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;

auto wrong(Named<"seq", "val"> V) { return V[seq >> key, val >> key]; }
