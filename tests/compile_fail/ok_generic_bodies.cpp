// The body of a function may be a generic lambda, or one that takes Named.
#include <axial/axial.hpp>

using namespace axial;

constexpr axis<"seq"> seq;
Function generic =
    function({seq, seq}, Axes{}, [](const auto& x, const auto& y) { return x * seq * y; });
Function also_generic = function({seq}, Axes{}, [](auto x) { return sum(seq, x * x); });
Function concept_like =
    function({seq}, Axes{}, [](const TensorLike auto& x) { return max(seq, x); });
Function named = function({seq}, Axes{}, [](Named<"seq"> x) { return sum(seq, x); });
Tensor right = generic(ones(seq[3]), ones(seq[3])) + named(ones(seq[3]));
