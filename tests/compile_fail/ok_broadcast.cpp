// A broadcast along axes that the compiler knows.
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;

Named<"seq", "key"> right(Named<"key"> x) { return broadcast(x, seq[3]); }
