// Derivatives of vectors and matrices whose closed forms people write by hand.
#include <cstdint>

#include "bench/formulas/formulas.hpp"

namespace bench {
namespace {

using namespace axial;

const Axis m("m"), n("n"), h("h"), row("row"), column("column"), rank("rank");

/// x'Ax by x: A + A'
Results quadratic_hessian(const Inputs& in) {
  const Tensor& x = in.at("x");
  return only(hessian(x *n* (in.at("A") *n.prime()* x[n >> n.prime()]), x));
}

/// Σ_m log(1 + exp(−y ⊙ Xw)) by w: X' diag(s ⊙ (1 − s)) X
Results logistic_hessian(const Inputs& in) {
  const Tensor& w = in.at("w");
  return only(hessian(sum(m, softplus(-in.at("y") * (in.at("X") *n* w))), w));
}

/// v · tanh(Wx) by x: W' diag(−2 v ⊙ t ⊙ (1 − t²)) W
Results tanh_hessian(const Inputs& in) {
  const Tensor& x = in.at("x");
  return only(hessian(in.at("v") *h* tanh(in.at("W") *n* x), x));
}

/// softmax(Wx) by x: (diag p − pp') W
Results softmax_jacobian(const Inputs& in) {
  const Tensor& x = in.at("x");
  return only(derivative(softmax(h, in.at("W") *n* x), x));
}

/// Σ (T − UV')² by U is δ ⊗ 2V'V; asked for without the δ, so that the n² blocks need not exist.
Results factorization_hessian(const Inputs& in) {
  const Tensor& U = in.at("U");
  const Tensor loss = sum(row & column, pow(in.at("T") - U *rank* in.at("V"), 2));
  const Axis i = row.star(), j = row.dagger();
  const std::int64_t size = U.size(row);
  return only(dot(i & j, hessian(loss, U), identity(i[size], j)) / static_cast<double>(size));
}

constexpr NamedFormula table[] = {
    {"quadratic_hessian", quadratic_hessian},
    {"logistic_hessian", logistic_hessian},
    {"tanh_hessian", tanh_hessian},
    {"softmax_jacobian", softmax_jacobian},
    {"factorization_hessian", factorization_hessian},
};

}  // namespace

std::span<const NamedFormula> derivative_formulas() { return table; }

}  // namespace bench
