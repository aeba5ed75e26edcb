// Functions on lanes: argument reduction and polynomials, in the precision of the lanes. The
// polynomials are those of the Cephes library by S. Moshier, or truncated series where noted.
#include "axial/vocabulary/lanes.hpp"

#include <array>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace axial::lanes {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

bool is_single(Lanes a) { return a.element == float32; }

Lanes fused(Lanes a, Lanes b, Lanes c) { return a.emitter->fused(a, b, c); }
Lanes fused(Lanes a, double b, Lanes c) { return fused(a, constant_like(a, b), c); }

/// c₀ xⁿ + … + cₙ by Horner's rule.
Lanes polynomial(Lanes x, std::initializer_list<double> coefficients) {
  auto next = coefficients.begin();
  Lanes sum = constant_like(x, *next++);
  for (; next != coefficients.end(); ++next) sum = fused(sum, x, constant_like(x, *next));
  return sum;
}

/// e^r - 1 - r for |r| ≤ ½ log 2, divided by r².
Lanes exp_remainder(Lanes r) {
  if (is_single(r)) {
    return polynomial(r, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
                          1.6666665459e-1, 5.0000001201e-1});
  }
  // The Taylor series: its next term is below 2^-56 of the result.
  return polynomial(r,
                    {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                     1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2});
}

/// Where exp is computed. Below, 2^(n-1) has no bits left and is 0, though exp would be up to 2^-126;
/// above, the product overflows.
struct ExpRange {
  double low, high;
};
ExpRange exp_range(Lanes a) {
  return is_single(a) ? ExpRange{-87.5, 88.73} : ExpRange{-708.5, 709.79};
}

/// x - n·log 2 with log 2 in two parts, the first of which has so few bits that n times it is exact.
Lanes reduced(Lanes x, Lanes n) {
  if (is_single(x)) return fused(n, 2.12194440e-4, fused(n, -0.693359375, x));
  return fused(n, -1.42860682030941723212e-6, fused(n, -6.93145751953125e-1, x));
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

Lanes max(Lanes a, Lanes b) { return select((a > b) | is_nan(a), a, b); }
Lanes min(Lanes a, Lanes b) { return select((a < b) | is_nan(a), a, b); }
Lanes abs(Lanes a) { return select(a < 0, -a, is_real(a.element) ? a + 0.0 : a); }

Lanes sign(Lanes a) {
  // NaN + 0 is NaN, and -0 + 0 is 0.
  return select(a > 0, constant_like(a, 1), select(a < 0, constant_like(a, -1), a + 0.0));
}

Lanes is_finite(Lanes a) { return abs(a) < infinity; }
Lanes relu(Lanes a) { return select(a < 0, constant_like(a, 0), a); }

Lanes exp(Lanes a) {
  const auto [low, high] = exp_range(a);
  // NaN is neither below nor above, and stays.
  const Lanes raised = select(a < low, constant_like(a, low), a);
  const Lanes x = select(raised > high, constant_like(a, high), raised);
  // 2^128 is not a number of single precision, but e^r 2^128 may be: 2^n = 2·2^(n-1).
  const Lanes n = round(x * std::numbers::log2e);
  const Lanes r = reduced(x, n);
  const Lanes e = fused(exp_remainder(r), r * r, r + 1);
  return (e + e) * a.emitter->power_of_two(n - 1);
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

Lanes sigmoid(Lanes a) { return 1 / (1 + exp(-a)); }

}  // namespace axial::lanes
