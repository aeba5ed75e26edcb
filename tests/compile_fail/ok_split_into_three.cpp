// A split may have any number of parts, and all sizes but one may be given.
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;

Named<"seq", "key", "val"> sizes_first(Named<"layer"> X) {
  return X[layer >> (seq[2] & key[3] & val)];
}
Named<"seq", "key", "val"> sizes_last(Named<"layer"> X) {
  return X[layer >> (seq & key[3] & val[4])];
}
Named<"seq", "key", "val"> all_sizes(Named<"layer"> X) {
  return X[layer >> (seq[2] & key[3] & val[4])];
}
