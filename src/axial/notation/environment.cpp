// The environments that are made of tables.
#include <algorithm>

#include "axial/notation/elaborate.hpp"

namespace axial::notation {

std::optional<std::int64_t> Environment::whole(const Tree& formula) const {
  if (formula.form == Form::number && formula.number.is_whole()) return formula.number.whole();
  if (formula.form == Form::size) {
    const Axes all = axes(formula.text);
    return all.count() == 1 ? size(all[0]) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<expr::Expr> Scope::tensor(const Tree& name) const {
  if (!name.super.empty() || !name.sub.empty()) return std::nullopt;
  const auto found = tensors.find(name.text);
  return found == tensors.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> Scope::tensor_names() const {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) names.push_back(name);
  return names;
}

Axes Scope::axes(std::string_view name) const {
  const auto formal = formal_axes.find(name);
  return formal == formal_axes.end() ? Axes(Axis(name)) : formal->second;
}

std::optional<std::int64_t> Scope::size(Axis axis) const {
  for (const auto& [name, tensor] : tensors) {
    if (const auto size = tensor.shape().find(axis)) return size;
  }
  return std::nullopt;
}

std::optional<expr::Expr> Bound::tensor(const Tree& name) const {
  const auto found =
      name.super.empty() && name.sub.empty() ? tensors_.find(name.text) : tensors_.end();
  return found == tensors_.end() ? outer_->tensor(name) : std::optional(found->second);
}

std::vector<std::string> Bound::tensor_names() const {
  std::vector<std::string> names = outer_->tensor_names();
  for (const auto& [name, tensor] : tensors_) names.push_back(name);
  return names;
}

std::optional<std::int64_t> Bound::whole(const Tree& formula) const {
  if (formula.form == Form::name && tensors_.contains(formula.text)) return std::nullopt;
  return outer_->whole(formula);
}

std::optional<expr::Expr> Bound::apply(const Tree& application, const Environment& inside) const {
  return outer_->apply(application, inside);
}

std::optional<std::int64_t> Bound::bound(const Tree& position) const {
  if (position.form == Form::name && tensors_.contains(position.text)) return std::nullopt;
  return outer_->bound(position);
}

}  // namespace axial::notation
