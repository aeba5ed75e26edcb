// Functions of a document applied: parameters bound, sizes matched, the body read in its own frame.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "axial/document/world.hpp"

namespace axial::document {

/// The set of tensors that a parameter is declared to be from; null if nothing says it.
const notation::Domain* parameter_domain(const Symbols& symbols, const Function& function,
                                         std::size_t parameter);

/// True if what stands below a function at `position` is a formal axis, not a parameter.
bool is_formal_axis(const Symbols& symbols, const Function& function, std::size_t position);

/// Every axis that the definition of a function mentions, also in what it is defined by.
std::vector<std::string> axes_of_definition(const Symbols& symbols, const Function& function);

/// A function that papers use without saying what it is, applied: σ, id; nothing for others.
std::optional<expr::Expr> by_custom(const notation::Tree& application,
                                    const notation::Environment& inside);

/// One application of a function.
class Call {
 public:
  Call(const Frame& from, const Function& function, Labels labels,
       const notation::Tree& application, const notation::Environment& inside);

  /// The applied function, lifted. Fails with the errors of lifting and of its body.
  expr::Expr make();

 private:
  void bind_below();
  /// Matches the sizes of an argument with what the signature says about them.
  void match_sizes(std::size_t parameter, const notation::Domain& domain);
  void match_size(const notation::AxisTerm& term, Axis axis, std::size_t parameter);
  expr::Expr made(const std::vector<Axes>& own) const;
  std::vector<Axes> smallest_axes(std::vector<Axes> own) const;

  const Frame* from_;
  const Function* function_;
  const notation::Tree* application_;
  const notation::Environment* inside_;
  Frame frame_;
  std::vector<expr::Expr> arguments_;
};

}  // namespace axial::document
