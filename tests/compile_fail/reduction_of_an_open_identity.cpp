// expect: identity.*size|size.*identity
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;

auto wrong = sum(seq, identity(seq, key));
