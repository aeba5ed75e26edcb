// Named becomes Tensor by itself, and Tensor becomes Named when that is said.
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;

Tensor loosened(Named<"key"> Q) { return Q; }
Named<"key"> tightened(Tensor Q) { return Named<"key">(Q); }
Named<"key", "seq"> other_order(Named<"seq", "key"> K) { return K; }
