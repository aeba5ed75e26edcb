// A new name may state its size, as the parts of a split do.
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;

Named<"val", "key"> renamed(Named<"seq", "key"> X) { return X[seq >> val[3]]; }
Named<"val"> flattened(Named<"seq", "key"> X) { return X[(seq & key) >> val[12]]; }
Tensor plain(Tensor X, Axis a, Axis b, Axis c) { return X[(a & b) >> c[12]]; }
