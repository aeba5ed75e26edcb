// Functions on lanes: argument reduction and polynomials, in the precision of the lanes. The
// polynomials are those of the Cephes library by S. Moshier, or truncated series where noted.
#include "axial/vocabulary/lanes.hpp"

#include <array>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <span>

namespace axial::lanes {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

bool is_single(Lanes a) { return a.element == float32; }

Lanes fused(Lanes a, Lanes b, Lanes c) { return a.emitter->fused(a, b, c); }
Lanes fused(Lanes a, double b, Lanes c) { return fused(a, constant_like(a, b), c); }

/// c₀ xⁿ + … + cₙ by Horner's rule.
Lanes polynomial(Lanes x, std::span<const double> coefficients) {
  auto next = coefficients.begin();
  Lanes sum = constant_like(x, *next++);
  for (; next != coefficients.end(); ++next) sum = fused(sum, x, constant_like(x, *next));
  return sum;
}

Lanes polynomial(Lanes x, std::initializer_list<double> coefficients) {
  return polynomial(x, std::span(coefficients.begin(), coefficients.size()));
}

/// 2^(f+1) for |f| ≤ ½.
Lanes twice_power_of_two(Lanes f) {
  if (is_single(f)) {
    // Least relative error among polynomials with value 2 at 0: 2^-28.5.
    return polynomial(
        f, {2 * 1.5595484620051572e-4, 2 * 1.3406950576147214e-3, 2 * 9.617689295685253e-3,
            2 * 5.550309706265255e-2, 2 * 0.2402265280930091, 2 * 0.6931472154036923, 2});
  }
  // The series of exp(f log 2): its next term is below 2^-57 of the result.
  std::array<double, 14> coefficients{};
  double term = 2;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    coefficients[coefficients.size() - 1 - k] = term;
    term *= std::numbers::ln2 / static_cast<double>(k + 1);
  }
  return polynomial(f, coefficients);
}

/// 2^(k/16), k = 0 … 15.
constexpr std::array<double, 16> sixteenth_powers = {
    1.0,
    1.0442737824274138,
    1.0905077326652577,
    1.1387886347566916,
    1.189207115002721,
    1.241857812073484,
    1.2968395546510096,
    1.3542555469368927,
    1.4142135623730951,
    1.4768261459394993,
    1.5422108254079407,
    1.6104903319492543,
    1.681792830507429,
    1.7562521603732995,
    1.8340080864093424,
    1.9152065613971474,
};

/// Where exp is computed. Below, it is 0 here, though it would be up to 2^-125 (2^-1021): without a
/// table 2^(n-1) has no bits left there. Above, it overflows.
struct ExpRange {
  double low, high;
};
ExpRange exp_range(Lanes a) {
  return is_single(a) ? ExpRange{-87.5, 88.73} : ExpRange{-708.5, 709.79};
}

/// What is added to a whole number n so that the exponent of 2^n stands in the last bits of the sum.
double carrier(Lanes a) { return is_single(a) ? 0x1.8p23 + 127 : 0x1.8p52 + 1023; }

/// log₂ e - its value in the precision of the lanes.
double log2e_rest(Lanes a) {
  constexpr auto single = static_cast<double>(static_cast<float>(std::numbers::log2e));
  return is_single(a) ? std::numbers::log2e - single : 2.0355273740931033e-17;
}

/// log(1 + x) for the reduced x of `log`.
Lanes log_polynomial(Lanes x) {
  const Lanes z = x * x;
  if (is_single(x)) {
    const Lanes p = polynomial(
        x, {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
            -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1});
    return x * z * p;
  }
  const Lanes p =
      polynomial(x, {1.01875663804580931796e-4, 4.97494994976747001425e-1, 4.70579119878881725854,
                     1.44989225341610930846e1, 1.79368678507819816313e1, 7.70838733755885391666});
  const Lanes q =
      polynomial(x, {1.0, 1.12873587189167450590e1, 4.52279145837532221105e1,
                     8.29875266912776603211e1, 7.11544750618563894466e1, 2.31251620126765340583e1});
  return x * z * p / q;
}

}  // namespace

// The inner choice is an instruction of its own on many machines; it is b where one of them is NaN.
Lanes max(Lanes a, Lanes b) { return select(is_nan(a), a, select(a > b, a, b)); }
Lanes min(Lanes a, Lanes b) { return select(is_nan(a), a, select(a < b, a, b)); }
Lanes abs(Lanes a) { return select(a < 0, -a, is_real(a.element) ? a + 0.0 : a); }

Lanes sign(Lanes a) {
  // NaN + 0 is NaN, and -0 + 0 is 0.
  return select(a > 0, constant_like(a, 1), select(a < 0, constant_like(a, -1), a + 0.0));
}

Lanes is_finite(Lanes a) { return abs(a) < infinity; }
Lanes relu(Lanes a) { return select(a < 0, constant_like(a, 0), a); }

namespace {

/// The number, or the bound that it is beyond; NaN is neither below nor above, and stays.
Lanes at_least(Lanes a, double low) { return select(a < low, constant_like(a, low), a); }
Lanes at_most(Lanes a, double high) { return select(a > high, constant_like(a, high), a); }

/// e^x for x in the range of exp.
Lanes exp_within(Lanes a) {
  // e^x = 2^(n-1) · 2·2^f: 2^128 is not a number of single precision, but 2^128 2^f may be.
  const Lanes origin = constant_like(a, carrier(a) - 1);
  const Lanes shifted = fused(a, std::numbers::log2e, origin);
  const Lanes near = fused(a, std::numbers::log2e, origin - shifted);
  const Lanes f = fused(a, log2e_rest(a), near);
  return twice_power_of_two(f) * a.emitter->power_of_two(shifted);
}

/// e^(sign·a) by a table of powers, in single precision.
Lanes exp_by_table(Lanes a, double sign) {
  const auto [low, high] = exp_range(a);
  const Lanes is_tiny = sign > 0 ? a < low : a > -low;
  a = sign > 0 ? at_most(a, high) : at_least(a, -high);
  // e^x = 2^(n/16) 2^f with |f| ≤ 1/32, where n stands in the last bits of so large a number.
  constexpr double origin = 0x1.8p19;
  const Lanes shifted = fused(a, sign * std::numbers::log2e, constant_like(a, origin));
  const Lanes sixteenths = shifted - origin;
  const Lanes near = fused(a, sign * std::numbers::log2e, -sixteenths);
  const Lanes f = fused(a, sign * log2e_rest(a), near);
  const Lanes power = a.emitter->looked_up(shifted, sixteenth_powers);
  // The series of (2^f - 1)/f: with the next term 2^f would change by less than 2^-26.
  constexpr double ln2 = std::numbers::ln2;
  const Lanes p = polynomial(f, {ln2 * ln2 * ln2 / 6, ln2 * ln2 / 2, ln2});
  const Lanes value = a.emitter->scaled(fused(p, power * f, power), sixteenths);
  return select(is_tiny, constant_like(a, 0), value);
}

}  // namespace

Lanes exp(Lanes a) {
  if (a.emitter->looks_up(a.element)) return exp_by_table(a, 1);
  const auto [low, high] = exp_range(a);
  return exp_within(at_most(at_least(a, low), high));
}

Lanes expm1(Lanes a) {
  // W. Kahan: the error of u = exp a cancels in (u - 1)·(a / log u).
  const Lanes u = exp(a);
  const Lanes minus_one = u - 1;
  const Lanes corrected = minus_one * (a / log(u));
  const Lanes plain = (minus_one == -1.0) | (u == infinity) | is_nan(a);
  return select(u == 1.0, a, select(plain, minus_one, corrected));
}

Lanes log(Lanes a) {
  const double tiny = is_single(a) ? 0x1p-126 : 0x1p-1022;
  const double lift = is_single(a) ? 0x1p25 : 0x1p54;
  const Lanes is_tiny = a < tiny;
  const Lanes x = select(is_tiny, a * lift, a);
  Lanes e = a.emitter->exponent(x);
  e = select(is_tiny, e - (is_single(a) ? 25.0 : 54.0), e);
  Lanes f = a.emitter->significand(x);
  // The significand moves to [√½, √2), so that the polynomial is used near 0.
  const Lanes is_low = f < std::numbers::sqrt2 / 2;
  e = select(is_low, e - 1, e);
  f = select(is_low, f + f, f) - 1;
  Lanes y = log_polynomial(f);
  y = fused(e, is_single(a) ? -2.12194440e-4 : -2.121944400546905827679e-4, y);
  y = fused(f * f, -0.5, y);
  const Lanes value = fused(e, 0.693359375, f + y);
  const Lanes special = select(a == 0.0, constant_like(a, -infinity),
                               select(a < 0, constant_like(a, not_a_number), a));
  return select((a > 0) & (a < infinity), value, special);
}

Lanes log1p(Lanes a) {
  // W. Kahan: the rounding of 1 + a is undone by a / ((1 + a) - 1).
  const Lanes u = 1 + a;
  const Lanes corrected = log(u) * (a / (u - 1));
  return select(u == 1.0, a, select(u < infinity, corrected, log(u)));
}

Lanes logaddexp(Lanes a, Lanes b) {
  const Lanes first = (a > b) | is_nan(a);
  const Lanes high = select(first, a, b);
  const Lanes low = select(first, b, a);
  const Lanes value = high + log1p(exp(low - high));
  return select(abs(high) < infinity, value, high);
}

Lanes pow(Lanes a, Lanes b) {
  const std::optional<double> power = b.emitter->known(b);
  if (power == 1) return a;
  if (power == 2) return a * a;
  if (power == 3) return a * a * a;
  if (power == 4) return (a * a) * (a * a);
  if (power == -1) return 1 / a;
  if (power == -2) return 1 / (a * a);
  return {};
}

namespace {

/// The hyperbolic tangent for |a| ≤ 0.625.
Lanes tangent_near_zero(Lanes a) {
  const Lanes z = a * a;
  if (is_single(a)) {
    const Lanes p = polynomial(z, {-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2,
                                   1.33314422036e-1, -3.33332819422e-1});
    return fused(p * z, a, a);
  }
  const Lanes p = polynomial(
      z, {-9.64399179425052238628e-1, -9.92877231001918586564e1, -1.61468768441708447952e3});
  const Lanes q = polynomial(
      z, {1.0, 1.12811678491632931402e2, 2.23548839060100448583e3, 4.84406305325125486048e3});
  return fused(p / q * z, a, a);
}

}  // namespace

Lanes hyperbolic_tangent(Lanes a) {
  // 1 - 2 / (e^2|a| + 1), which is 1 from here on.
  constexpr double far = 40;
  const Lanes size = abs(a);
  const Lanes power = exp_within(at_most(size + size, far));
  const Lanes y = 1 - constant_like(a, 2) / (power + 1);
  return select(size < 0.625, tangent_near_zero(a), select(a < 0, -y, y));
}

Lanes sigmoid(Lanes a) {
  return 1 / (1 + (a.emitter->looks_up(a.element) ? exp_by_table(a, -1) : exp(-a)));
}

}  // namespace axial::lanes
