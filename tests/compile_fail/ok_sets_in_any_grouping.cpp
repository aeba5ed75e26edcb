// A set of axes is a set however it is put together.
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;

Named<"layer"> left(Named<"seq", "key", "val", "layer"> X) { return sum((seq & key) & val, X); }
Named<"layer"> right(Named<"seq", "key", "val", "layer"> X) { return sum(seq & (key & val), X); }
Named<> both(Named<"seq", "key", "val", "layer"> X) { return sum((seq & key) & (val & layer), X); }
