#include "axial/document/call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "axial/base/text.hpp"
#include "axial/expr/lambda.hpp"
#include "axial/notation/phrases.hpp"
#include "axial/notation/print.hpp"
#include "axial/vocabulary/elementwise.hpp"
#include "axial/vocabulary/primitives.hpp"
#include "axial/vocabulary/reductions.hpp"

namespace axial::document {
namespace {

// Functions of functions may double their work with each definition.
constexpr int max_calls = 2000;

using expr::Expr;
using notation::Domain;
using notation::Form;
using notation::Tree;

/// Calls `visit` for the definitions that a function's block holds beside it.
template <class Visit>
void for_each_beside(const Symbols& symbols, const Function& function, Visit&& visit) {
  for (const Symbol* symbol : symbols.in_block_of(function.item)) visit(*symbol);
}

bool mentions_axis(const Domain& domain, const std::string& name) {
  return std::ranges::any_of(domain.axes, [&](const notation::AxisTerm& term) {
    return term.name == name || std::ranges::any_of(term.size, [&](const Tree& size) {
             const auto axes = axes_in(size);
             return std::ranges::find(axes, name) != axes.end();
           });
  });
}

/// What stands below an application, plain names first.
std::vector<Tree> below(const Tree& application) {
  std::vector<Tree> all;
  for (const std::string& name : application.axes) {
    all.push_back({Form::name, application.span, name, {}, {}});
  }
  all.insert(all.end(), application.sub.begin(), application.sub.end());
  return all;
}

Axes intersection(const Shape& shape, const std::vector<std::string>& names, const Frame& frame) {
  std::vector<Axis> found;
  for (const std::string& name : names) {
    for (const Axis axis : frame.axes(name)) {
      if (shape.contains(axis) && std::ranges::find(found, axis) == found.end()) {
        found.push_back(axis);
      }
    }
  }
  return Axes(std::move(found));
}

}  // namespace

const Domain* parameter_domain(const Symbols& symbols, const Function& function,
                               std::size_t parameter) {
  if (function.signature != nullptr && parameter < function.signature->parameters.size()) {
    return &function.signature->parameters[parameter];
  }
  const Domain* found = nullptr;
  for_each_beside(symbols, function, [&](const Symbol& symbol) {
    const bool same = symbol.name.base == function.parameters[parameter] &&
                      symbol.name.labels.empty() && symbol.domain != nullptr;
    // With several declarations in a block, the first behind the function is its own.
    if (same && (found == nullptr || symbol.item <= function.item + 2)) found = symbol.domain;
  });
  return found;
}

bool is_formal_axis(const Symbols& symbols, const Function& function, std::size_t position) {
  const std::string& name = function.below[position];
  if (function.axes_below) return position < *function.axes_below;
  if (symbols.is_size_name(name, function.item)) return false;
  if (function.signature != nullptr) {
    if (mentions_axis(function.signature->result, name)) return true;
    for (const Domain& domain : function.signature->parameters) {
      if (mentions_axis(domain, name)) return true;
    }
  }
  const auto axes = axes_of_definition(symbols, function);
  return std::ranges::find(axes, name) != axes.end();
}

std::vector<std::string> axes_of_definition(const Symbols& symbols, const Function& function) {
  std::set<std::string> found;
  const auto note = [&](const Tree& body) {
    for (const std::string& name : axes_in(body)) found.insert(name);
    for_each_part(body, [&](const Tree& part) {
      if (part.form != Form::apply) return;
      for (const Function* called : symbols.visible_functions(part.text, function.item)) {
        if (called->signature == nullptr || called == &function) continue;
        for (const Domain& domain : called->signature->parameters) {
          for (const notation::AxisTerm& term : domain.axes) {
            if (std::ranges::find(called->below, term.name) == called->below.end())
              found.insert(term.name);
          }
        }
        break;
      }
    });
  };
  note(*function.body);
  // A body that is only a name is spelled out beside it.
  const bool is_name = function.body->form == Form::name || function.body->text == "pow";
  for_each_beside(symbols, function, [&](const Symbol& symbol) {
    if (symbol.body == nullptr || (!is_name && symbol.item < function.item)) return;
    note(*symbol.body);
    found.insert(symbol.axes.begin(), symbol.axes.end());
  });
  return {found.begin(), found.end()};
}

Call::Call(const Frame& from, const Function& function, Labels labels, const Tree& application,
           const notation::Environment& inside)
    : from_(&from),
      function_(&function),
      application_(&application),
      inside_(&inside),
      frame_(from.world(), function.item, std::move(labels)) {
  frame_.function_ = &function;
  frame_.caller_ = &inside;
  frame_.confident_ = from.confident_;
  for (const Tree& child : application.children) {
    arguments_.push_back(notation::elaborate(child, inside));
  }
}

void Call::bind_below() {
  const std::vector<Tree> given = below(*application_);
  const Symbols& symbols = frame_.world().symbols();
  const std::vector<std::string>& formal = function_->below;
  const bool joint =
      formal.size() == 1 && given.size() > 1 && is_formal_axis(symbols, *function_, 0);
  if (joint) {
    Axes all;
    for (const Tree& one : given) all = all & inside_->axes(one.text);
    return frame_.bind_axes(formal[0], all);
  }
  if (given.size() != formal.size()) {
    throw Error(code("wrong-arity"),
                fmt::format("`{}` is given the wrong number of names below: {} instead of {}",
                            function_->name.base, given.size(), formal.size()),
                "write what its definition has below it");
  }
  for (std::size_t k = 0; k < formal.size(); ++k) {
    if (is_formal_axis(symbols, *function_, k)) {
      frame_.bind_axes(formal[k], inside_->axes(given[k].text));
    } else if (const auto size = inside_->whole(given[k])) {
      frame_.bind_size(formal[k], *size);
      frame_.bind(formal[k], expr::make(expr::Literal{.value = *size}));
    } else {
      const Expr value = notation::elaborate(given[k], *inside_);
      frame_.bind(formal[k], value);
      // A size with a label above, ph^l, is read as a tensor, and turns out to be a number.
      const auto* number = value.as<expr::Literal>();
      if (number != nullptr && number->value.is_whole())
        frame_.bind_size(formal[k], number->value.whole());
    }
  }
}

void Call::match_size(const notation::AxisTerm& term, Axis axis, std::size_t parameter) {
  const std::int64_t actual = arguments_[parameter].shape().size(axis);
  const Labels& labels = frame_.labels();
  const auto local = [&](const SizeKey& key) { return frame_.local_size(key); };
  const Tree own{Form::size, {}, term.name, {}, {}};
  const Tree& formula = term.size.empty() ? own : term.size[0];
  const bool is_plain = formula.form == Form::name || formula.form == Form::size;
  if (is_plain) {
    const SizeKey key = formula.form == Form::size ? axis_key(axis.name())
                                                   : key_of(*labelled_name(formula), labels);
    const auto known = local(key);
    if (!known) return frame_.bind_size(key, actual);
    if (*known == actual) return;
    throw Error(code("size-clash"),
                fmt::format("`{}`: axis `{}` has size {} in the argument for `{}` and {} in an "
                            "argument before it",
                            function_->name.base, axis.name(), actual,
                            function_->parameters[parameter], *known),
                "the signature gives both the same size", application_->children[parameter].span);
  }
  if (const auto wanted = size_value(formula, labels, local)) {
    if (*wanted == actual) return;
    throw Error(
        code("size-clash"),
        fmt::format("`{}`: axis `{}` has size {} where the signature says {} = {}",
                    function_->name.base, axis.name(), actual, notation::to_text(formula), *wanted),
        "give the argument the declared size", application_->children[parameter].span);
  }
  if (const auto solution = solve(formula, actual, labels, local)) {
    frame_.bind_size(solution->key, solution->value);
  }
}

void Call::match_sizes(std::size_t parameter, const Domain& domain) {
  for (const notation::AxisTerm& term : domain.axes) {
    for (const Axis axis : frame_.axes(term.name)) {
      require_axis(arguments_[parameter].shape(), axis,
                   fmt::format("`{}`, argument for `{}`", function_->name.base,
                               function_->parameters[parameter]));
      match_size(term, axis, parameter);
    }
  }
}

Expr Call::made(const std::vector<Axes>& own) const {
  Frame frame = frame_;
  std::vector<Expr> parameters;
  std::map<SizeKey, std::set<std::int64_t>> sizes;
  for (std::size_t k = 0; k < arguments_.size(); ++k) {
    expr::Type type = arguments_[k].type();
    type.shape = restrict(type.shape, own[k]);
    for (const SizedAxis& axis : type.shape.written()) {
      sizes[axis_key(axis.axis.name())].insert(axis.size);
    }
    parameters.push_back(expr::make(expr::Parameter{function_->parameters[k], type}));
    frame.bind(function_->parameters[k], parameters.back());
  }
  for (const auto& [key, found] : sizes) {
    if (found.size() == 1 && !frame.local_size(key)) frame.bind_size(key, *found.begin());
  }
  const Expr body = frame.body_of(*function_);
  if (function_->signature != nullptr) {
    Axes declared;
    for (const notation::AxisTerm& term : function_->signature->result.axes) {
      declared = declared & frame.axes(term.name);
    }
    if (body.shape().names() != declared) {
      throw Error(code("foreign"),
                  fmt::format("the definition of `{}` does not have the axes of its signature",
                              function_->name.base));
    }
  }
  Axes shown;
  for (const std::string& name : function_->below) {
    for (const Axis axis : frame.axes(name)) {
      if (!shown.contains(axis) && frame.formal_axes_.contains(name)) shown = shown & axis;
    }
  }
  return expr::call(function_->name.base, shown, std::move(parameters), body, arguments_);
}

/// Axes that the function need not see are lifted over, so that they never meet its own.
std::vector<Axes> Call::smallest_axes(std::vector<Axes> own) const {
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (parameter_domain(frame_.world().symbols(), *function_, k) != nullptr) continue;
    for (const Axis axis : std::vector<Axis>(own[k].begin(), own[k].end())) {
      std::vector<Axes> fewer = own;
      fewer[k] = own[k] - Axes(axis);
      try {
        made(fewer);
        own = std::move(fewer);
      } catch (const Error&) {
        // The axis is one that the function uses.
      }
    }
  }
  return own;
}

Expr Call::make() {
  bind_below();
  const Symbols& symbols = frame_.world().symbols();
  const std::vector<std::string> mentioned = axes_of_definition(symbols, *function_);
  std::vector<Axes> own;
  bool complete = true;
  for (std::size_t k = 0; k < arguments_.size(); ++k) {
    const Domain* domain = parameter_domain(symbols, *function_, k);
    if (domain == nullptr) {
      complete = false;
      own.push_back(intersection(arguments_[k].shape(), mentioned, frame_));
      continue;
    }
    match_sizes(k, *domain);
    Axes axes;
    for (const notation::AxisTerm& term : domain->axes) axes = axes & frame_.axes(term.name);
    own.push_back(axes);
  }
  return made(complete ? own : smallest_axes(std::move(own)));
}

std::optional<Expr> Frame::apply(const Tree& application,
                                 const notation::Environment& inside) const {
  const Symbols& symbols = world_->symbols();
  const auto candidates = symbols.visible_functions(application.text, item_);
  const auto is_variable = [&](const std::string& one) { return symbols.is_label_variable(one); };
  const Function* other_arity = nullptr;
  for (const Function* function : candidates) {
    if (function->name.labels.size() != application.super.size()) continue;
    if (function->parameters.size() != application.children.size()) {
      if (other_arity == nullptr) other_arity = function;
      continue;
    }
    if (symbols.is_in_vocabulary(*function)) return std::nullopt;
    Labels found;
    bool matches = true;
    for (std::size_t k = 0; k < application.super.size(); ++k) {
      matches = matches && fits(function->name.labels[k], label_text(application.super[k], labels_),
                                is_variable, found);
    }
    if (!matches) continue;
    if (++world_->calls > max_calls) {
      throw Error(code("foreign"),
                  fmt::format("`{}` applies too many functions", application.text));
    }
    if (world_->depth > 60) {
      throw Error(code("foreign"),
                  fmt::format("`{}` is defined in terms of itself", application.text));
    }
    ++world_->depth;
    try {
      Expr result = Call(*this, *function, std::move(found), application, inside).make();
      --world_->depth;
      return result;
    } catch (...) {
      --world_->depth;
      throw;
    }
  }
  if (candidates.empty()) {
    if (const auto customary = by_custom(application, inside)) return customary;
    if (const auto meaning = implied(application, inside)) return meaning;
  }
  const notation::Phrase* phrase = notation::find_phrase(application.text);
  if (phrase != nullptr && phrase->signature.parameters.size() != application.children.size()) {
    throw Error(
        code("foreign"),
        fmt::format("`{}` has another number of operands in the vocabulary, and the document "
                    "does not define it",
                    application.text));
  }
  if (candidates.empty() && !notation::is_function(application.text) &&
      application.text.size() > 3) {
    std::vector<std::string_view> names;
    for (const notation::Phrase& one : notation::phrases()) names.push_back(one.signature.name);
    for (const Function& function : symbols.functions()) names.push_back(function.name.base);
    const auto near = nearest(application.text, names);
    if (near && near->size() > 3 && *near != application.text) {
      throw Error(code("undeclared"), fmt::format("there is no function `{}`", application.text),
                  fmt::format("did you mean `{}`?", *near), application.span);
    }
  }
  if (other_arity == nullptr || notation::is_function(application.text)) return std::nullopt;
  throw Error(
      code("wrong-arity"),
      fmt::format("`{}` is given the wrong number of arguments: {} instead of {}", application.text,
                  application.children.size(), other_arity->parameters.size()),
      fmt::format("it is defined as {}({})", application.text,
                  fmt::join(other_arity->parameters, ", ")));
}

void Frame::enter(const Function& function, const std::map<std::string, Shape>& shapes) {
  function_ = &function;
  const Symbols& symbols = world_->symbols();
  std::map<SizeKey, std::set<std::int64_t>> sizes;
  for (std::size_t k = 0; k < function.below.size(); ++k) {
    if (is_formal_axis(symbols, function, k)) continue;
    // Parameters below are counts and exponents: small positive numbers.
    const std::int64_t value = world_->symbols().is_size_name(function.below[k], item_)
                                   ? world_->sizes()(function.below[k], item_)
                                   : 2;
    bind_size(function.below[k], value);
    bind(function.below[k], expr::make(expr::Literal{.value = value}));
  }
  for (std::size_t k = 0; k < function.parameters.size(); ++k) {
    const std::string& name = function.parameters[k];
    const Domain* domain = parameter_domain(symbols, function, k);
    const auto given = shapes.find(name);
    // What nothing tells the shape of stays undeclared.
    if (given == shapes.end() && domain == nullptr) continue;
    const Shape shape = given != shapes.end() ? given->second : shape_of(*domain);
    for (const SizedAxis& axis : shape.written()) {
      sizes[axis_key(axis.axis.name())].insert(axis.size);
    }
    std::optional<std::int64_t> bound;
    if (domain != nullptr && domain->elements == Domain::Elements::indices) {
      bound = whole(domain->values[0]);
    }
    const Symbol parameter{LabelledName{name, {}}, function.item, domain};
    bind(name, world_->open_value(parameter, "parameter " + name, shape, bound));
  }
  for (const auto& [key, found] : sizes) {
    if (found.size() == 1 && !local_sizes_.contains(key)) bind_size(key, *found.begin());
  }
}

}  // namespace axial::document
