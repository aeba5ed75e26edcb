// Several numbers side by side in generated code. A word says what it does to them with the
// operators below; whoever generates code implements `Emitter`. So the vocabulary knows no compiler,
// and no compiler knows the words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "axial/tensor/element.hpp"

namespace axial {

class Emitter;

/// A handle to values in code that is being generated. All lanes have one element type.
struct Lanes {
  Emitter* emitter = nullptr;
  void* value = nullptr;
  ElementType element = float32;
};

/// What the machine must be able to do. Operands of one operation have one element type; relations
/// and conditions are of type boolean.
class Emitter {
 public:
  enum class Binary : std::uint8_t { add, sub, mul, div, both, either };
  /// Relations are false where an operand is NaN, but for `unordered`, which is true just there.
  enum class Relation : std::uint8_t { equal, less, less_equal, unordered };
  enum class Unary : std::uint8_t { negative, inverted, square_root, floor, ceiling, nearest };

  virtual ~Emitter() = default;
  virtual Lanes constant(double value, ElementType element) = 0;
  virtual Lanes binary(Binary operation, Lanes a, Lanes b) = 0;
  virtual Lanes unary(Unary operation, Lanes a) = 0;
  virtual Lanes compare(Relation relation, Lanes a, Lanes b) = 0;
  virtual Lanes select(Lanes condition, Lanes a, Lanes b) = 0;
  /// a·b + c, rounded once.
  virtual Lanes fused(Lanes a, Lanes b, Lanes c) = 0;
  /// 2^n for whole n given as n + 1.5·2^f + 2^(e-1) - 1; f, e: bits of fraction and exponent.
  virtual Lanes power_of_two(Lanes n) = 0;
  /// The exponent e, as a real number, and the significand f in [0.5, 1) of a = f·2^e, for normal
  /// positive a.
  virtual Lanes exponent(Lanes a) = 0;
  virtual Lanes significand(Lanes a) = 0;
  /// True if the next two take an instruction each.
  virtual bool looks_up(ElementType element) const = 0;
  /// The number in a table of 16 whose place stands in the last four bits of a number.
  virtual Lanes looked_up(Lanes place, std::span<const double, 16> table) = 0;
  /// a·2^⌊n⌋, also where 2^⌊n⌋ itself is no number.
  virtual Lanes scaled(Lanes a, Lanes n) = 0;
  /// The number if all lanes are the same one, known while code is generated.
  virtual std::optional<double> known(Lanes a) const = 0;
};

inline Lanes constant_like(Lanes a, double value) { return a.emitter->constant(value, a.element); }

inline Lanes operator+(Lanes a, Lanes b) { return a.emitter->binary(Emitter::Binary::add, a, b); }
inline Lanes operator-(Lanes a, Lanes b) { return a.emitter->binary(Emitter::Binary::sub, a, b); }
inline Lanes operator*(Lanes a, Lanes b) { return a.emitter->binary(Emitter::Binary::mul, a, b); }
inline Lanes operator/(Lanes a, Lanes b) { return a.emitter->binary(Emitter::Binary::div, a, b); }
inline Lanes operator&(Lanes a, Lanes b) { return a.emitter->binary(Emitter::Binary::both, a, b); }
inline Lanes operator|(Lanes a, Lanes b) {
  return a.emitter->binary(Emitter::Binary::either, a, b);
}
inline Lanes operator+(Lanes a, double b) { return a + constant_like(a, b); }
inline Lanes operator-(Lanes a, double b) { return a - constant_like(a, b); }
inline Lanes operator*(Lanes a, double b) { return a * constant_like(a, b); }
inline Lanes operator+(double a, Lanes b) { return constant_like(b, a) + b; }
inline Lanes operator-(double a, Lanes b) { return constant_like(b, a) - b; }
inline Lanes operator/(double a, Lanes b) { return constant_like(b, a) / b; }
inline Lanes operator-(Lanes a) { return a.emitter->unary(Emitter::Unary::negative, a); }
inline Lanes operator!(Lanes a) { return a.emitter->unary(Emitter::Unary::inverted, a); }

inline Lanes operator==(Lanes a, Lanes b) {
  return a.emitter->compare(Emitter::Relation::equal, a, b);
}
inline Lanes operator<(Lanes a, Lanes b) {
  return a.emitter->compare(Emitter::Relation::less, a, b);
}
inline Lanes operator<=(Lanes a, Lanes b) {
  return a.emitter->compare(Emitter::Relation::less_equal, a, b);
}
inline Lanes operator>(Lanes a, Lanes b) { return b < a; }
inline Lanes operator>=(Lanes a, Lanes b) { return b <= a; }
inline Lanes operator==(Lanes a, double b) { return a == constant_like(a, b); }
inline Lanes operator<(Lanes a, double b) { return a < constant_like(a, b); }
inline Lanes operator>(Lanes a, double b) { return a > constant_like(a, b); }

/// The functions that words are made of, on lanes. Bounds of their errors: docs/engine.md.
namespace lanes {

inline Lanes select(Lanes condition, Lanes a, Lanes b) {
  return condition.emitter->select(condition, a, b);
}
inline Lanes is_nan(Lanes a) { return a.emitter->compare(Emitter::Relation::unordered, a, a); }
inline Lanes floor(Lanes a) { return a.emitter->unary(Emitter::Unary::floor, a); }
inline Lanes ceil(Lanes a) { return a.emitter->unary(Emitter::Unary::ceiling, a); }
inline Lanes round(Lanes a) { return a.emitter->unary(Emitter::Unary::nearest, a); }
inline Lanes sqrt(Lanes a) { return a.emitter->unary(Emitter::Unary::square_root, a); }

/// The larger one, or NaN if one of them is.
Lanes max(Lanes a, Lanes b);
Lanes min(Lanes a, Lanes b);
Lanes abs(Lanes a);
Lanes sign(Lanes a);
Lanes is_finite(Lanes a);
Lanes relu(Lanes a);
Lanes exp(Lanes a);
Lanes expm1(Lanes a);
Lanes log(Lanes a);
Lanes log1p(Lanes a);
Lanes logaddexp(Lanes a, Lanes b);
/// Small whole powers that are known; nothing for others.
Lanes pow(Lanes a, Lanes b);
Lanes sigmoid(Lanes a);
Lanes hyperbolic_tangent(Lanes a);

}  // namespace lanes

}  // namespace axial
