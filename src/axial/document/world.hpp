// A trial: sizes and values for everything that a document leaves open, drawn at random. A Frame is a
// place in the document from which names are seen.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "axial/document/sizes.hpp"
#include "axial/document/symbols.hpp"
#include "axial/notation/elaborate.hpp"

namespace axial::document {

/// How open values are drawn.
struct Draw {
  std::uint64_t seed = 1;
  /// Only positive numbers, for functions that need them.
  bool positive = false;
  /// Every real is changed by this fraction of itself, to see how sensitive a result is.
  double disturbance = 0;
  /// False: a value that nobody gave is an error.
  bool random = true;
  ElementType element = float64;
  /// The axes of ∂Y/∂X that come from X are starred; otherwise they are those of X where Y has none
  /// of them, as many write gradients.
  bool starred = true;
  SizeSpread spread = {};
  /// Tensors with more elements are not drawn, so that trying out a document stays quick.
  std::int64_t max_elements = std::int64_t{1} << 18;
};

/// What the user gives for names and sizes.
struct Given {
  std::map<std::string, Array> values = {};
  std::map<SizeKey, std::int64_t> sizes = {};
};

/// A warning or remark that came up while a formula was read.
struct Remark {
  const Code* code;
  Span span;
  std::string message;
  std::string hint;
};

class World {
 public:
  World(const Symbols& symbols, Draw draw, Given given = {});

  const Symbols& symbols() const { return *symbols_; }
  Sizes& sizes() { return sizes_; }
  const Draw& draw() const { return draw_; }

  /// The tensor of an open symbol, the same whenever it is asked for.
  expr::Expr open_value(const Symbol& symbol, const std::string& key, const Shape& shape,
                        std::optional<std::int64_t> bound);
  /// The same tensor with another size along an axis, if nobody has seen it before.
  std::optional<expr::Expr> resized(const Symbol& symbol, const std::string& key, SizedAxis axis);
  /// ∂X, the increment of an open tensor of reals, the same whenever it is asked for; nothing for
  /// any other tensor.
  std::optional<expr::Expr> increment(const expr::Expr& tensor);
  /// Makes a tensor what a name stands for wherever nothing else does.
  void assume(const std::string& name, expr::Expr value) {
    assumed_.insert_or_assign(name, std::move(value));
  }
  const std::map<std::string, expr::Expr, std::less<>>& assumed() const { return assumed_; }
  /// What has been elaborated before under that key.
  std::map<std::string, expr::Expr>& known() { return known_; }
  const std::map<std::string, expr::Expr>& known() const { return known_; }
  /// Remarks on formulas, in the order in which they came up.
  std::vector<Remark>& remarks() { return remarks_; }
  /// Values that the user gave, by name.
  const std::map<std::string, Array>& given() const { return given_; }
  /// The names whose values were drawn or given, with what they are known by.
  const std::map<std::string, std::string>& open_names() const { return open_; }

  /// An open tensor as formulas have used it.
  struct Opened {
    std::string name;
    const Symbol* symbol;
    expr::Expr value;
    /// Its elements are reals, neither positions nor from a list.
    bool is_real;
  };
  /// Every open tensor that formulas asked for, in that order; some may have been resized since.
  const std::vector<Opened>& opened() const { return opened_; }
  /// What label variables stand for where nothing binds them, with what the user says of them.
  const Labels& labels() const { return labels_; }

  /// How deep definitions refer to each other at the moment, and how often functions were applied.
  int depth = 0;
  int calls = 0;

 private:
  const Symbols* symbols_;
  Draw draw_;
  Sizes sizes_;
  std::map<std::string, Array> given_;
  std::map<std::string, expr::Expr> known_;
  std::map<std::string, std::string> open_;
  std::map<std::string, int> uses_;
  std::map<std::string, Shape> resized_;
  std::vector<Remark> remarks_;
  std::map<std::string, expr::Expr, std::less<>> assumed_;
  struct Variable {
    std::string key;
    std::size_t item;
  };
  std::map<const expr::Node*, Variable> variables_;
  std::vector<Opened> opened_;
  Labels labels_;
};

/// Counts how deep definitions refer to each other, as long as it lives. Fails with foreign if it is
/// so deep that one is most likely in terms of itself.
class Descent {
 public:
  Descent(World& world, const std::string& name);
  ~Descent() { --world_.depth; }
  Descent(const Descent&) = delete;
  Descent& operator=(const Descent&) = delete;

 private:
  World& world_;
};

/// The names that an item of the document can see, in one trial.
class Frame : public notation::Environment {
 public:
  Frame(World& world, std::size_t item, Labels labels = {});

  std::optional<expr::Expr> tensor(const notation::Tree& name) const override;
  std::vector<std::string> tensor_names() const override;
  Axes axes(std::string_view name) const override;
  std::optional<std::int64_t> size(Axis axis) const override;
  std::optional<std::int64_t> whole(const notation::Tree& formula) const override;
  std::optional<expr::Expr> apply(const notation::Tree& application,
                                  const notation::Environment& inside) const override;
  std::optional<std::int64_t> bound(const notation::Tree& position) const override;
  std::int64_t first_position() const override { return 1; }
  ElementType reals() const override { return world_->draw().element; }
  std::optional<expr::Expr> adapted(const notation::Tree& name, Axis axis,
                                    std::int64_t size) const override;
  void observe(const notation::Tree& tree, std::span<const expr::Expr> operands) const override;
  std::optional<expr::Expr> differentiated(const notation::Tree& tree,
                                           const notation::Environment& inside) const override;

  /// The shape that a set of tensors says, with the sizes of this trial.
  Shape shape_of(const notation::Domain& domain) const;
  /// What a function's body is, in the frame that entered it.
  expr::Expr body_of(const Function& function) const;
  /// Makes the frame that of a function's body: parameters stand for tensors with just the axes
  /// that the signature names, or for the given shapes.
  void enter(const Function& function, const std::map<std::string, Shape>& shapes);
  /// The parameters of the function that was entered.
  const std::vector<expr::Expr>& parameters() const { return parameters_; }
  /// A tensor under a name that is local to this frame.
  void bind(const std::string& name, expr::Expr value) { local_.insert_or_assign(name, value); }
  void bind_size(const SizeKey& key, std::int64_t size) {
    local_sizes_.insert_or_assign(key, size);
  }
  void bind_axes(const std::string& name, Axes axes) { formal_axes_.insert_or_assign(name, axes); }
  /// True if everything seen so far was declared in a scope that encloses the item.
  bool is_confident() const { return *confident_; }
  std::size_t item() const { return item_; }
  World& world() const { return *world_; }
  const Labels& labels() const { return labels_; }

  /// The declared name that a longer one was most likely meant to be.
  std::optional<std::string> likely_meant(const std::string& name) const;
  /// From now on only what is declared in enclosing scopes is seen.
  void see_only_near() { only_near_ = true; }
  /// The symbol that a name means here, with what its label variables stand for.
  struct Meaning {
    const Symbol* symbol;
    Labels labels;
  };
  std::optional<Meaning> meaning(const LabelledName& name) const;
  /// The domain that is declared for a symbol, by itself or by a declaration of the same name.
  const notation::Domain* domain_of(const Symbol& symbol) const;
  /// The definition of a symbol, by itself or by another statement on the same name.
  const Symbol* definition_of(const Symbol& symbol) const;

 private:
  friend class Call;
  std::optional<std::int64_t> known_size(const SizeKey& key) const;
  std::optional<std::int64_t> local_size(const SizeKey& key) const;
  expr::Expr value(const Meaning& meaning, const std::string& key) const;
  expr::Expr defined(const Symbol& definition, const Symbol& declared) const;
  /// f(X) where the document says only its differential, ∂f(X) = ∂E: up to a constant it is E.
  std::optional<expr::Expr> implied(const notation::Tree& application,
                                    const notation::Environment& inside) const;
  /// True for f(X; H) below ∂, where H is the increment and not a parameter of f.
  bool has_increments(const notation::Tree& application) const;
  bool is_local(const Symbol& symbol) const;
  std::vector<SizedAxis> sized(const std::vector<std::string>& names,
                               const std::optional<Shape>& shape) const;

  World* world_;
  std::size_t item_;
  Labels labels_;
  const Function* function_ = nullptr;
  const notation::Environment* caller_ = nullptr;
  std::vector<expr::Expr> parameters_;
  std::map<std::string, expr::Expr, std::less<>> local_;
  mutable std::map<std::string, expr::Expr, std::less<>> remembered_;
  std::map<std::string, Axes, std::less<>> formal_axes_;
  mutable std::map<SizeKey, std::int64_t> local_sizes_;
  bool only_near_ = false;
  std::shared_ptr<bool> confident_ = std::make_shared<bool>(true);
};

/// The values that label variables have where nothing binds them: 1, or 2 for the last of a range.
Labels default_labels(const Symbols& symbols);
/// The same, but what `sizes` says of a label variable: the number L of layers.
Labels labels_of(const Symbols& symbols, const std::map<SizeKey, std::int64_t>& sizes);

}  // namespace axial::document
