// expect: AxisMustBeInShape<.*axis<.*"key".*>, .*"seq".*"val"
// expect: does not have
// The line that starts with the error names the axis and the shape, and it is the only error.
// expect-clang: error: .*"key".*"seq".*"val"
// expect-gcc: note: .*"key".*"seq".*"val".*evaluates to false
// expect: (?s)\A(?!.*error: .*error: )
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;

auto wrong(Named<"key"> Q, Named<"seq", "val"> V) { return Q * key * V; }
