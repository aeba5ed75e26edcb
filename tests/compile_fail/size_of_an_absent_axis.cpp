// expect: AxisMustBeInShape<.*axis<.*"key".*>, .*"seq".*"val"
// expect: does not have
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;

auto wrong(Named<"seq", "val"> V) { return V.size(key); }
