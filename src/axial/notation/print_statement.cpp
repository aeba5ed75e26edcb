// Statements, in either form, and the axes that occur in them.
#include <algorithm>
#include <set>

#include "axial/notation/parser.hpp"
#include "axial/notation/print.hpp"
#include "axial/notation/printer.hpp"

namespace axial::notation {
namespace {

/// Collects the names of axes.
class AxisNames {
 public:
  void add(const std::string& name) {
    if (is_shape_variable(name)) return;
    const std::size_t marks =
        std::min(name.find_first_of("_'*"), std::min(name.find("†"), name.find("⊤")));
    if (marks != 0) names_.insert(name.substr(0, marks));
  }
  void add(const Tree& tree);
  void add(const std::vector<Tree>& trees) {
    for (const Tree& tree : trees) add(tree);
  }
  void add(const std::vector<AxisTerm>& terms) {
    for (const AxisTerm& term : terms) {
      add(term.name);
      add(term.size);
    }
  }
  void add(const Domain& domain) {
    add(domain.values);
    add(domain.axes);
  }
  void add(const Declaration& declaration) {
    add(declaration.names);
    for (const Domain& domain : declaration.domains) add(domain);
  }
  void add(const Signature& signature) {
    for (const std::string& name : signature.axes) add(name);
    add(signature.head);
    for (const Domain& domain : signature.parameters) add(domain);
    add(signature.result);
  }
  void add(const Equation& equation) {
    add(equation.sides);
    if (equation.domain) add(*equation.domain);
  }
  void add(const Range& range) {
    add(range.name);
    add(range.values);
  }

  std::vector<std::string> names() const { return {names_.begin(), names_.end()}; }

 private:
  std::set<std::string> names_;
};

void AxisNames::add(const Tree& tree) {
  if (tree.form == Form::size) add(tree.text);
  for (const std::string& name : tree.axes) add(name);
  for (const Arrow& arrow : tree.arrows) {
    add(arrow.from);
    add(arrow.to);
  }
  add(tree.children);
  add(tree.sub);
  add(tree.super);
}

}  // namespace

std::string Printer::print(const Domain& domain) const { return shape(domain); }

std::string Printer::print(const Statement& statement) const {
  return std::visit([&](const auto& one) { return print(one); }, statement);
}

std::string Printer::print(const Declaration& declaration) const {
  std::string text = list(declaration.names, Level::product).text + " " + sign("∈");
  for (std::size_t k = 0; k < declaration.domains.size(); ++k) {
    text += (k == 0 ? " " : " = ") + shape(declaration.domains[k]);
  }
  return text;
}

std::string Printer::heading(const Signature& signature) const {
  const Tree& tree = signature.head;
  if (!tree.text.empty() || tree.form != Form::name) {
    return tree.form == Form::apply && tree.children.empty() ? head(tree)
                                                             : at(Level::product, tree);
  }
  return head({Form::apply, {}, signature.name, signature.axes, {}});
}

std::string Printer::print(const Signature& signature) const {
  std::string text = heading(signature) + " " + sign(":");
  for (std::size_t k = 0; k < signature.parameters.size(); ++k) {
    text += (k == 0 ? " " : " " + sign("×") + " ") + shape(signature.parameters[k]);
  }
  return text + " " + sign("→") + " " + shape(signature.result);
}

std::string Printer::print(const Equation& equation) const {
  std::string text;
  for (std::size_t k = 0; k < equation.sides.size(); ++k) {
    // A continued equation begins with a relation.
    const bool related = equation.continued || k > 0;
    if (related) {
      text += (text.empty() ? "" : " ") +
              relation(equation.relations[equation.continued ? k : k - 1]) + " ";
    }
    text += at(Level::sum, equation.sides[k]);
  }
  return equation.domain ? text + " " + sign("∈") + " " + shape(*equation.domain) : text;
}

std::string Printer::print(const Range& range) const {
  return at(Level::postfix, range.name) + " = " + list(range.values, Level::sum).text;
}

std::vector<std::string> axis_names(const Statement& statement) {
  AxisNames all;
  std::visit([&](const auto& one) { all.add(one); }, statement);
  return all.names();
}

std::vector<std::string> axis_names(const Tree& tree) {
  AxisNames all;
  all.add(tree);
  return all.names();
}

}  // namespace axial::notation
