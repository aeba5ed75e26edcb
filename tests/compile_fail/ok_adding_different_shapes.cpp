// Tensors of different shapes may be added: broadcasting is lifting.
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;

Named<"seq", "key", "val"> right(Named<"seq", "key"> K, Named<"val"> v) { return K + v; }
