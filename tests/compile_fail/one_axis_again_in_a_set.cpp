// expect: StaticAxes<.*"key".*"key"
// expect: listed twice
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;

auto wrong(Named<"seq", "key"> X) { return sum(key & key, X); }
