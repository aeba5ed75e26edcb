#include "axial/document/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "axial/base/text.hpp"
#include "axial/document/call.hpp"
#include "axial/notation/parser.hpp"

namespace axial::document {
namespace {

using expr::Expr;
using notation::Domain;
using notation::Form;
using notation::Tree;

constexpr int max_depth = 100;

std::uint64_t seed_of(std::uint64_t seed, const std::string& key) {
  // FNV-1a, so that a value depends on its name and not on what was drawn before it.
  std::uint64_t hash = 14695981039346656037ULL ^ seed;
  for (const char byte : key) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  return hash;
}

Array disturbed(const Array& array, double fraction, std::uint64_t seed) {
  if (fraction == 0) return array;
  const Array noise = RandomStream(seed ^ 0x5bd1e995).uniform(array.shape(), -1, 1, float64);
  return build<double>(array.shape(), [&](double* out) {
    for (std::int64_t k = 0; k < array.volume(); ++k) {
      out[k] = array.real(k) * (1 + fraction * noise.real(noise.offset(records(
                                                   array.shape())[static_cast<std::size_t>(k)])));
    }
  });
}

}  // namespace

Descent::Descent(World& world, const std::string& name) : world_(world) {
  if (++world_.depth > max_depth) {
    --world_.depth;
    throw Error(code("foreign"), fmt::format("`{}` is defined in terms of itself", name));
  }
}

World::World(const Symbols& symbols, Draw draw, Given given)
    : symbols_(&symbols),
      draw_(draw),
      sizes_(symbols, draw.seed, draw.spread, given.sizes),
      given_(std::move(given.values)),
      labels_(labels_of(symbols, given.sizes)) {}

std::optional<Expr> World::resized(const Symbol& symbol, const std::string& key, SizedAxis axis) {
  const auto used = open_.find(key);
  if (used == open_.end() || uses_[key] != 1 || given_.contains(key)) return std::nullopt;
  const Shape before = known_.at(used->second).shape();
  std::vector<SizedAxis> sized;
  for (SizedAxis one : before.written()) {
    if (one.axis == axis.axis) one.size = axis.size;
    sized.push_back(one);
  }
  open_.erase(used);
  const Shape after(std::move(sized));
  resized_.insert_or_assign(key, after);
  uses_[key] = 0;
  return open_value(symbol, key, after, {});
}

Expr World::open_value(const Symbol& symbol, const std::string& key, const Shape& declared,
                       std::optional<std::int64_t> bound) {
  ++uses_[key];
  const auto other = resized_.find(key);
  const Shape& shape = other == resized_.end() ? declared : other->second;
  if (shape.volume() > draw_.max_elements) {
    throw Error(code("foreign"), fmt::format("`{}` has too many elements to try it out", key));
  }
  const std::string full = fmt::format("{}@{}{}", key, symbol.item, to_text(shape));
  if (const auto found = known_.find(full); found != known_.end()) return found->second;
  open_.emplace(key, full);
  const bool is_listed =
      symbol.domain != nullptr && symbol.domain->elements == Domain::Elements::listed;
  const auto known = [&](const Array& array) {
    const Expr leaf = expr::make(expr::Leaf{array});
    const bool is_real = !bound && !is_listed;
    if (is_real) variables_.emplace(leaf.identity(), Variable{key, symbol.item});
    opened_.push_back({key, &symbol, leaf, is_real});
    return known_.emplace(full, leaf).first->second;
  };
  const auto value = given_.find(key);
  if (value == given_.end() && !draw_.random) {
    throw Error(code("needs-value"), fmt::format("`{}` has no value", key),
                fmt::format("give one with --set {}=..., or draw it with --random", key));
  }
  if (value != given_.end()) return known(value->second);
  const std::uint64_t seed = seed_of(draw_.seed, key);
  RandomStream random(seed);
  return known([&] {
    if (bound) return random.integers(shape, 1, *bound + 1, draw_.element);
    if (is_listed) return random.integers(shape, 0, 2, draw_.element);
    if (symbol.positive || draw_.positive) return random.uniform(shape, 0.1, 1.5, draw_.element);
    const Array normal = random.normal(shape, 0, 1, draw_.element);
    return disturbed(normal, draw_.disturbance, seed);
  }());
}

Labels default_labels(const Symbols& symbols) {
  Labels labels;
  for (const std::string& name : symbols.label_variables()) {
    labels.emplace(name, name[0] >= 'A' && name[0] <= 'Z' ? "2" : "1");
  }
  for (const std::string& name : symbols.last_labels()) labels.insert_or_assign(name, "2");
  return labels;
}

Labels labels_of(const Symbols& symbols, const std::map<SizeKey, std::int64_t>& sizes) {
  Labels labels = default_labels(symbols);
  for (auto& [name, value] : labels) {
    if (const auto said = sizes.find(name); said != sizes.end())
      value = std::to_string(said->second);
  }
  return labels;
}

Frame::Frame(World& world, std::size_t item, Labels labels)
    : world_(&world), item_(item), labels_(std::move(labels)) {
  for (const auto& [name, value] : world.labels()) labels_.emplace(name, value);
}

std::vector<std::string> Frame::tensor_names() const {
  std::vector<std::string> names;
  for (const Symbol& symbol : world_->symbols().all()) {
    if (world_->symbols().encloses(symbol.item, item_)) names.push_back(symbol.name.base);
  }
  for (const auto& [name, value] : local_) names.push_back(name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::optional<std::string> Frame::likely_meant(const std::string& name) const {
  // Single letters are near to all others and tell nothing.
  if (display_width(name) < 3) return std::nullopt;
  const std::vector<std::string> names = tensor_names();
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto near = nearest(name, views);
  return near && display_width(*near) >= 3 ? std::optional(std::string(*near)) : std::nullopt;
}

Axes Frame::axes(std::string_view name) const {
  const auto formal = formal_axes_.find(name);
  if (formal != formal_axes_.end()) return formal->second;
  const auto decorated = [](const Axes& base, std::string_view decorations) {
    std::vector<Axis> all;
    for (const Axis axis : base)
      all.emplace_back(std::string(axis.name()) + std::string(decorations));
    return Axes(std::move(all));
  };
  if (notation::is_shape_variable(name)) {
    // A variable for shapes stands for two axes, which no other shape has.
    const int letter = 'A' + static_cast<unsigned char>(name[3]) - 0x90 +
                       (static_cast<unsigned char>(name[2]) - 0x93) * 0x40;
    const std::string base(1, static_cast<char>(letter));
    return decorated(Axes{Axis("of" + base + "1"), Axis("of" + base + "2")}, name.substr(4));
  }
  // Decorations of a formal axis decorate what it stands for: ax'.
  const std::size_t end = std::min(name.find_first_of("'*"), name.find("†"));
  if (end != std::string_view::npos && end > 0) {
    const auto base = formal_axes_.find(name.substr(0, end));
    if (base != formal_axes_.end()) return decorated(base->second, name.substr(end));
  }
  return Axis(name);
}

std::optional<std::int64_t> Frame::local_size(const SizeKey& key) const {
  const auto found = local_sizes_.find(key);
  if (found != local_sizes_.end()) return found->second;
  if (function_ == nullptr) return std::nullopt;
  // |kernel| = k, where k is a parameter of the function.
  const auto only_local = [&](const SizeKey& one) -> std::optional<std::int64_t> {
    const auto place = local_sizes_.find(one);
    return place == local_sizes_.end() ? std::nullopt : std::optional(place->second);
  };
  for (const SizeEquation* equation : world_->symbols().sizes(function_->item)) {
    if (!world_->symbols().same_block(equation->item, function_->item)) continue;
    for (const auto& [one, other] :
         {std::pair{equation->left, equation->right}, std::pair{equation->right, equation->left}}) {
      const auto value = size_value(*one, labels_, only_local);
      if (!value) continue;
      const auto solution = solve(*other, *value, labels_, only_local);
      if (solution && solution->key == key) {
        local_sizes_.emplace(key, solution->value);
        return solution->value;
      }
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> Frame::known_size(const SizeKey& key) const {
  if (const auto local = local_size(key)) return local;
  if (key.starts_with('|')) {
    const std::string name = key.substr(1, key.size() - 2);
    const Axes actual = axes(name);
    if (actual.count() != 1) return std::nullopt;
    if (formal_axes_.contains(name) || actual[0].name() != name) return size(actual[0]);
    return world_->sizes()(key, item_);
  }
  const std::size_t end = key.find('^');
  if (!world_->symbols().is_size_name(key.substr(0, end), item_)) return std::nullopt;
  return world_->sizes()(key, item_);
}

std::optional<std::int64_t> Frame::size(Axis axis) const {
  const SizeKey key = axis_key(axis.name());
  if (const auto local = local_size(key)) return local;
  for (const auto& [formal, actual] : formal_axes_) {
    const bool from_caller = caller_ != nullptr && actual.contains(axis);
    if (from_caller) return caller_->size(axis);
  }
  // The axes of a derivative, ax* and ax†, are as long as ax unless the document says otherwise.
  const std::size_t marks = std::min(axis.name().find('*'), axis.name().find("†"));
  if (marks != std::string_view::npos && marks > 0 && !world_->sizes().is_said(key, item_)) {
    return size(Axis(axis.name().substr(0, marks)));
  }
  return world_->sizes()(key, item_);
}

std::optional<std::int64_t> Frame::whole(const Tree& formula) const {
  if (formula.form == Form::name && local_.contains(formula.text)) return std::nullopt;
  return size_value(formula, labels_, [&](const SizeKey& key) { return known_size(key); });
}

Shape Frame::shape_of(const Domain& domain) const {
  std::vector<SizedAxis> sized;
  for (const notation::AxisTerm& term : domain.axes) {
    const Axes actual = axes(term.name);
    for (const Axis axis : actual) {
      const auto size =
          term.size.empty() || actual.count() != 1 ? this->size(axis) : whole(term.size[0]);
      if (!size || *size < 1) {
        throw Error(code("window-size"),
                    fmt::format("the size of axis `{}` is not a whole number here", term.name),
                    "choose sizes that divide each other", domain.span);
      }
      sized.push_back({axis, *size});
    }
  }
  return Shape(sized);
}

/// The largest value of an index that was declared with a bound.
std::optional<std::int64_t> Frame::bound(const Tree& position) const {
  const Tree& base = position.form == Form::index ? position.children[0] : position;
  const auto name = labelled_name(base);
  if (!name || (base.form == Form::apply && base.text != "pow")) return std::nullopt;
  if (name->labels.empty() && local_.contains(name->base)) return std::nullopt;
  const auto found = meaning(*name);
  if (!found) return std::nullopt;
  const Domain* domain = domain_of(*found->symbol);
  if (domain == nullptr || domain->elements != Domain::Elements::indices) return std::nullopt;
  return whole(domain->values[0]);
}

/// Sums of tensors that share no axis are rarely meant.
void Frame::observe(const Tree& tree, std::span<const Expr> operands) const {
  if ((tree.text != "add" && tree.text != "sub") || operands.size() != 2) return;
  const Shape& left = operands[0].shape();
  const Shape& right = operands[1].shape();
  if (left.order() == 0 || right.order() == 0 || !orthogonal(left, right)) return;
  // Positions have axes of their own, which stand for the variables of a formula.
  const auto is_hidden = [](const SizedAxis& axis) { return is_fresh(axis.axis); };
  if (std::ranges::any_of(left.written(), is_hidden) ||
      std::ranges::any_of(right.written(), is_hidden)) {
    return;
  }
  world_->remarks().push_back(
      {&code("no-shared-axis"), tree.span,
       fmt::format("the operands of `{}` have no axis in common: {} and {}",
                   tree.text == "add" ? "+" : "-", to_text(left.names()), to_text(right.names())),
       "the result has the axes of both; rename or sum if that is not meant"});
}

/// An axis that is declared without a size takes the size that its first use asks for.
std::optional<Expr> Frame::adapted(const Tree& tree, Axis axis, std::int64_t size) const {
  const auto name = labelled_name(tree);
  if (!name || (name->labels.empty() && local_.contains(name->base))) return std::nullopt;
  const auto found = meaning(*name);
  if (!found || definition_of(*found->symbol) != nullptr) return std::nullopt;
  const Domain* domain = domain_of(*found->symbol);
  if (domain == nullptr || domain->elements != Domain::Elements::reals) return std::nullopt;
  const auto term = std::ranges::find_if(
      domain->axes, [&](const notation::AxisTerm& one) { return axes(one.name).contains(axis); });
  const bool is_open = term != domain->axes.end() && term->size.empty() &&
                       !world_->sizes().is_said(axis_key(axis.name()), found->symbol->item);
  if (!is_open) return std::nullopt;
  return world_->resized(*found->symbol, key_of(*name, labels_), {axis, size});
}

std::optional<Frame::Meaning> Frame::meaning(const LabelledName& name) const {
  const Symbols& symbols = world_->symbols();
  std::vector<std::string> texts;
  for (const Tree& label : name.labels) texts.push_back(label_text(label, labels_));
  const auto is_variable = [&](const std::string& one) { return symbols.is_label_variable(one); };
  const auto never = [](const std::string&) { return false; };
  const auto candidates = symbols.candidates(name.base, key_of(name, labels_), item_);
  const bool is_parameter = local_.contains(name.base);
  const auto matches = [&](const Symbol& symbol, bool exact, Labels& found) {
    if (symbol.name.labels.size() != texts.size()) return false;
    for (std::size_t k = 0; k < texts.size(); ++k) {
      if (exact ? !fits(symbol.name.labels[k], texts[k], never, found)
                : !fits(symbol.name.labels[k], texts[k], is_variable, found)) {
        return false;
      }
    }
    return true;
  };
  for (std::size_t begin = 0; begin < candidates.size();) {
    // Within one block a name that is spelled out comes before a family.
    std::size_t end = begin;
    while (end < candidates.size() &&
           symbols.same_block(candidates[end]->item, candidates[begin]->item)) {
      ++end;
    }
    // A parameter hides what is declared outside of its function's block.
    const bool hidden = is_parameter && !symbols.same_block(candidates[begin]->item, item_);
    for (const bool exact : {true, false}) {
      for (std::size_t k = begin; k < end && !hidden; ++k) {
        Labels found;
        if (!matches(*candidates[k], exact, found)) continue;
        // Elsewhere the letter may have stood for anything.
        const bool is_foreign = candidates[k]->domain != nullptr &&
                                candidates[k]->domain->elements == Domain::Elements::unknown;
        const bool is_near = symbols.encloses(candidates[k]->item, item_);
        if ((is_foreign || only_near_) && !is_near) continue;
        // A tensor of any shape is not one with the axes that are named here.
        if (symbols.is_generic(candidates[k]->item) && !symbols.is_generic(item_)) continue;
        if (!symbols.encloses(candidates[k]->item, item_)) *confident_ = false;
        return Meaning{candidates[k], std::move(found)};
      }
    }
    begin = end;
  }
  return std::nullopt;
}

/// The statement on the same name, nearest first, for which `wanted` holds.
template <class Wanted>
const Symbol* same_name(const Symbols& symbols, const Symbol& symbol, Wanted&& wanted) {
  const std::string key = key_of(symbol.name, {});
  for (const Symbol* other : symbols.candidates(symbol.name.base, key, symbol.item)) {
    if (key_of(other->name, {}) == key && wanted(*other)) return other;
  }
  return nullptr;
}

const Domain* Frame::domain_of(const Symbol& symbol) const {
  if (symbol.domain != nullptr) return symbol.domain;
  const Symbols& symbols = world_->symbols();
  const Symbol* declared = same_name(symbols, symbol, [&](const Symbol& other) {
    return other.domain != nullptr &&
           (symbols.same_block(other.item, symbol.item) ||
            (!other.is_result && symbols.encloses(other.item, symbol.item)));
  });
  return declared == nullptr ? nullptr : declared->domain;
}

const Symbol* Frame::definition_of(const Symbol& symbol) const {
  if (symbol.body != nullptr) return &symbol;
  const Symbols& symbols = world_->symbols();
  return same_name(symbols, symbol, [&](const Symbol& other) {
    if (other.body == nullptr) return false;
    // A declaration that is restated in another section speaks of the same tensor.
    const Domain* domain = domain_of(other);
    const bool restated =
        domain != nullptr && symbol.domain != nullptr && *domain == *symbol.domain;
    return symbols.same_block(other.item, symbol.item) || restated ||
           (symbols.encloses(other.item, symbol.item) && other.domain == nullptr &&
            domain == symbol.domain);
  });
}

/// True if the value of a symbol may depend on the parameters of the function that was entered.
bool Frame::is_local(const Symbol& symbol) const {
  return function_ != nullptr && world_->symbols().same_block(symbol.item, function_->item);
}

Expr Frame::body_of(const Function& function) const {
  if (function.variables.empty()) return notation::elaborate(*function.body, *this);
  std::optional<Shape> shape;
  if (function.signature != nullptr) shape = shape_of(function.signature->result);
  return notation::comprehend(*function.body, function.variables, sized(function.axes, shape),
                              *this);
}

std::vector<SizedAxis> Frame::sized(const std::vector<std::string>& names,
                                    const std::optional<Shape>& shape) const {
  std::vector<SizedAxis> all;
  for (const std::string& name : names) {
    const Axis axis = axes(name)[0];
    const auto known = shape ? shape->find(axis) : std::nullopt;
    const auto size = known ? known : this->size(axis);
    if (!size)
      throw Error(code("foreign"), fmt::format("the size of axis `{}` is not known", name));
    all.push_back({axis, *size});
  }
  return all;
}

Expr Frame::defined(const Symbol& definition, const Symbol& declared) const {
  if (definition.variables.empty()) return notation::elaborate(*definition.body, *this);
  const Domain* domain = declared.domain != nullptr ? declared.domain : domain_of(definition);
  std::optional<Shape> shape;
  if (domain != nullptr) shape = shape_of(*domain);
  return notation::comprehend(*definition.body, definition.variables, sized(definition.axes, shape),
                              *this);
}

Expr Frame::value(const Meaning& meaning, const std::string& key) const {
  const Descent descent(*world_, key);
  const Symbol& symbol = *meaning.symbol;
  const auto given = world_->given().find(key);
  const Symbol* definition = given == world_->given().end() ? definition_of(symbol) : nullptr;
  Labels labels = labels_;
  for (const auto& [name, text] : meaning.labels) labels.insert_or_assign(name, text);
  const std::string full = fmt::format("{}={}", key, symbol.item);
  if (is_local(symbol) && definition != nullptr) {
    if (const auto found = remembered_.find(full); found != remembered_.end()) return found->second;
    Frame inside = *this;
    inside.labels_ = std::move(labels);
    Expr result = inside.defined(*definition, symbol);
    return remembered_.emplace(full, result).first->second;
  }
  if (const auto found = world_->known().find(full); found != world_->known().end()) {
    return found->second;
  }
  Frame place(*world_, definition != nullptr ? definition->item : symbol.item, std::move(labels));
  place.confident_ = confident_;
  place.only_near_ = only_near_;
  if (definition != nullptr) {
    Expr result = place.defined(*definition, symbol);
    return world_->known().emplace(full, result).first->second;
  }
  const Domain* domain = domain_of(symbol);
  if (domain != nullptr && domain->elements == Domain::Elements::unknown) {
    throw Error(code("foreign"), fmt::format("the elements of `{}` are from an unknown set", key));
  }
  const Frame& sizes = is_local(symbol) ? *this : place;
  const Shape shape = domain != nullptr ? sizes.shape_of(*domain) : Shape();
  std::optional<std::int64_t> bound;
  if (domain != nullptr && domain->elements == Domain::Elements::indices) {
    bound = sizes.whole(domain->values[0]);
    if (!bound) throw Error(code("foreign"), fmt::format("the bound of `{}` is not known", key));
  }
  return world_->open_value(symbol, key, shape, bound);
}

std::optional<Expr> Frame::tensor(const Tree& tree) const {
  const auto name = labelled_name(tree);
  if (!name) return std::nullopt;
  if (name->labels.empty()) {
    const auto local = local_.find(name->base);
    if (local != local_.end()) return local->second;
  }
  if (const auto found = meaning(*name)) {
    try {
      return value(*found, key_of(*name, labels_));
    } catch (const Error& error) {
      throw error.at(tree.span);
    }
  }
  const std::string key = key_of(*name, labels_);
  if (const auto given = world_->given().find(key); given != world_->given().end()) {
    return expr::make(expr::Leaf{given->second});
  }
  const auto assumed = world_->assumed().find(key);
  if (assumed != world_->assumed().end()) return assumed->second;
  if (const auto size = known_size(key)) return expr::make(expr::Literal{.value = *size});
  if (tree.text == "π") return expr::make(expr::Literal{.value = std::numbers::pi});
  if (tree.text == "e") return expr::make(expr::Literal{.value = std::numbers::e});
  const auto label = labels_.find(tree.text);
  if (label != labels_.end() && world_->symbols().is_label_variable(tree.text)) {
    std::int64_t value = 0;
    for (const char digit : label->second) {
      if (digit < '0' || digit > '9') return std::nullopt;
      value = 10 * value + (digit - '0');
    }
    return expr::make(expr::Literal{.value = value});
  }
  return std::nullopt;
}

}  // namespace axial::document
