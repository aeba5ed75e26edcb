// One definition serves tensors with and without names that the compiler knows.
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;

auto attention(const auto& Q, const auto& K, const auto& V) {
  return softmax(seq, Q * key * K) * seq * V;
}
Named<"val"> named(Named<"key"> Q, Named<"seq", "key"> K, Named<"seq", "val"> V) {
  return attention(Q, K, V);
}
Tensor plain(Tensor Q, Tensor K, Tensor V) { return attention(Q, K, V); }
Tensor mixed(Named<"key"> Q, Tensor K, Named<"seq", "val"> V) { return attention(Q, K, V); }
