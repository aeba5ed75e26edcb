// expect: AxisMustBeNew<.*axis<.*"val".*>, .*"seq".*"val"
// expect: second axis
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;

auto wrong(Named<"seq", "val"> V) { return unroll(seq, val[3], V); }
