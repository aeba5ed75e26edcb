// vocab(I) is a subscript for axes that the compiler knows, too.
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;

Named<"key", "val"> named(Named<"seq", "key"> X, Named<"val"> I) { return X[seq(I)]; }
Tensor plain(Named<"seq", "key"> X, Tensor I) { return X[seq(I)]; }
