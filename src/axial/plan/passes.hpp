// What is done to expressions before they are planned. Every pass keeps the values; each can be left
// out, and what it left can be looked at.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "axial/expr/program.hpp"

namespace axial::plan {

using Expressions = std::vector<expr::Expr>;

struct Pass {
  std::string_view name;
  /// What it does, in one sentence.
  std::string_view purpose;
  Expressions (*run)(std::span<const expr::Expr>);
};

/// Folds of windows that do not overlap become reshapes, and those of a contraction become
/// contractions of windows, so that nothing as large as all windows is built.
Expressions unfold(std::span<const expr::Expr> roots);
/// Padding goes inside windows along other axes, which then need not be built.
Expressions pad_first(std::span<const expr::Expr> roots);
/// log Σ exp with the largest element taken out first, instead of one logarithm per element.
Expressions split_logsumexp(std::span<const expr::Expr> roots);
/// What is divided by a total of powers is divided once, as in gradients of a softmax, and after a sum
/// over it, as in attention.
Expressions reuse_quotients(std::span<const expr::Expr> roots);
/// Contractions of more than two operands become those of two, in the order that costs least.
Expressions order_contractions(std::span<const expr::Expr> roots);
/// Long totals are taken in rows first, which threads can share.
Expressions split_totals(std::span<const expr::Expr> roots);
/// Equal parts become one.
Expressions share(std::span<const expr::Expr> roots);

inline constexpr Pass passes[] = {
    {"unfold", "folds of windows become reshapes or contractions", unfold},
    {"pad-first", "paddings go inside windows along other axes", pad_first},
    {"split-logsumexp", "log Σ exp is computed around the largest element", split_logsumexp},
    {"reuse-quotients", "what is divided by a total of powers is divided once", reuse_quotients},
    {"order", "contractions of many operands become pairs in the cheapest order",
     order_contractions},
    {"split-totals", "long totals are taken in rows first", split_totals},
    {"share", "equal parts are computed once", share},
};

/// Which passes are left out, and who is told what each one left.
struct PassOptions {
  std::vector<std::string_view> without = {};
  std::function<void(const Pass&, const expr::Program&, std::chrono::nanoseconds)> watch = {};
};

/// The program after all passes; its inputs are the same.
expr::Program prepared(const expr::Program& program, const PassOptions& options = {});

}  // namespace axial::plan
