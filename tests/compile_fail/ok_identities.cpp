// Identity tensors have names that the compiler knows, too, and can be used alone with a size.
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
constexpr axis<"key"> key;
constexpr axis<"val"> val;
constexpr axis<"layer"> layer;

Named<"seq", "seq'"> sized() { return identity(seq[3], seq.prime()); }
Named<"seq'", "key"> renamed(Named<"seq", "key"> X) { return identity(seq, seq.prime()) * seq * X; }
