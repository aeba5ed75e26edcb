// What the names of a document are: tensors, functions, sizes, and which of them a place can see.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "axial/document/contents.hpp"
#include "axial/document/names.hpp"

namespace axial::document {

/// A tensor or number that the document declares or defines.
struct Symbol {
  LabelledName name;
  std::size_t item;
  const notation::Domain* domain = nullptr;
  const notation::Tree* body = nullptr;
  /// For a definition element by element, Y_{a(i), b(j)} = body.
  std::vector<std::string> axes = {};
  std::vector<std::string> variables = {};
  /// The domain is that of the function whose result it is called in its block.
  bool is_result = false;
  /// Stated to be positive: ε > 0.
  bool positive = false;
};

/// A function that the document defines.
struct Function {
  LabelledName name;
  std::size_t item;
  /// What stands below it: formal axes or parameters.
  std::vector<std::string> below = {};
  /// How many of them are axes, where the font tells; they come first.
  std::optional<std::size_t> axes_below = {};
  std::vector<std::string> parameters = {};
  std::optional<std::size_t> before_semicolon = {};
  const notation::Tree* body = nullptr;
  /// For a definition element by element, [f(X)]_{a(i)} = body.
  std::vector<std::string> axes = {};
  std::vector<std::string> variables = {};
  const notation::Signature* signature = nullptr;
  std::size_t signature_item = 0;
};

/// |seq| = |seq'|, k = 3, |key| = |layer| / |heads|.
struct SizeEquation {
  const notation::Tree* left;
  const notation::Tree* right;
  std::size_t item;
};

/// How an equation is to be read.
enum class Role { definition, function, equation, size, condition, sign };

/// The names of a document.
class Symbols {
 public:
  explicit Symbols(const Contents& contents);
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  const Contents& contents() const { return *contents_; }
  const Item& item(std::size_t number) const { return contents_->items[number]; }
  /// How the equation of an item is read.
  Role role(std::size_t item) const { return roles_.at(item); }

  /// The symbols with that base name that a place can see, the nearest scope first.
  std::vector<const Symbol*> visible(const std::string& base, std::size_t from) const;
  /// Those that may stand for a name with labels: spelled like `key`, or families of that base name.
  std::vector<const Symbol*> candidates(const std::string& base, const std::string& key,
                                        std::size_t from) const;
  /// The symbols that are declared or defined in the block of an item.
  std::vector<const Symbol*> in_block_of(std::size_t item) const;
  std::vector<const Function*> functions_in_block_of(std::size_t item) const;
  /// The symbols whose declaration says the size of an axis.
  const std::vector<const Symbol*>& with_sizes() const { return with_sizes_; }
  /// The functions with that name that a place can see, the nearest scope first.
  std::vector<const Function*> visible_functions(const std::string& name, std::size_t from) const;
  /// The sizes that hold at a place.
  const std::vector<const SizeEquation*>& sizes(std::size_t from) const;
  /// The function whose definition an item is, or whose where-block it is part of; null if none.
  const Function* function_of(std::size_t item) const;
  /// True if labels of that name count: l, t.
  bool is_label_variable(const std::string& name) const { return label_variables_.contains(name); }
  const std::set<std::string, std::less<>>& label_variables() const { return label_variables_; }
  /// Names that end a range of labels: n in t = 1, …, n.
  const std::set<std::string, std::less<>>& last_labels() const { return last_labels_; }
  /// True if the name is that of a size: it stands in an axis[...] or an equation of sizes,
  /// in a scope that a place can see.
  bool is_size_name(const std::string& base, std::size_t from) const;
  /// True if an item speaks of shapes in general, by variables for shapes.
  bool is_generic(std::size_t item) const { return generic_[item]; }
  /// True if a function is one of the vocabulary, defined again with the same meaning.
  bool is_in_vocabulary(const Function& function) const {
    return in_vocabulary_.contains(function.item);
  }
  void note_in_vocabulary(const Function& function) { in_vocabulary_.insert(function.item); }
  /// E where the document says ∂f(X) = ∂E of just this application f(X); null if it does not.
  const notation::Tree* implied(const notation::Tree& application) const;
  /// True if the document writes ∂Y/∂X somewhere without saying how the axes of X are then called.
  bool has_unmarked_derivative() const { return has_unmarked_derivative_; }
  /// True if one item stands in a scope that encloses the other.
  bool encloses(std::size_t declared, std::size_t used) const;
  bool same_block(std::size_t left, std::size_t right) const;

  const std::vector<Symbol>& all() const { return symbols_; }
  const std::vector<Function>& functions() const { return functions_; }

 private:
  void collect_labels();
  void collect_sizes_of(const notation::Domain& domain, std::size_t item);
  void note_sizes(const notation::Tree& formula, std::size_t item);
  void add(std::size_t item, const notation::Declaration& declaration);
  void add(std::size_t item, const notation::Signature& signature);
  void add(std::size_t item, const notation::Equation& equation);
  void add(std::size_t item, const notation::Range& range);
  void note_derivatives(const notation::Equation& equation);
  bool add_size(std::size_t item, const notation::Equation& equation);
  bool add_function(std::size_t item, const notation::Equation& equation);
  bool add_definition(std::size_t item, const notation::Equation& equation);
  bool follows_from_recurrence(const LabelledName& name, std::size_t item) const;
  bool add_elements(std::size_t item, const notation::Equation& equation);
  bool is_size_formula(const notation::Tree& tree) const;
  void push(Symbol symbol);
  void push(Function function);
  bool add_function_by_elements(std::size_t item, const notation::Equation& equation);
  const std::vector<std::size_t>& same_key(const std::string& key) const;
  std::vector<const Symbol*> nearest_first(const std::vector<std::size_t>& numbers,
                                           std::size_t from) const;
  void attach_signatures();
  int distance(std::size_t declared, std::size_t used) const;

  const Contents* contents_;
  std::vector<Symbol> symbols_;
  std::vector<Function> functions_;
  std::vector<SizeEquation> sizes_;
  std::map<std::size_t, Role> roles_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_base_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_key_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> families_;
  std::map<int, std::vector<std::size_t>> by_block_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> functions_by_name_;
  std::map<int, std::vector<std::size_t>> functions_by_block_;
  std::vector<const Symbol*> with_sizes_;
  // What holds at a place is asked for again and again.
  mutable std::map<std::size_t, std::vector<const SizeEquation*>> sizes_at_;
  std::set<std::string, std::less<>> label_variables_;
  std::set<std::string, std::less<>> last_labels_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> size_names_;
  std::vector<bool> generic_;
  std::set<std::size_t> in_vocabulary_;
  std::set<std::string, std::less<>> signed_;
  std::map<std::string, const notation::Equation*, std::less<>> implied_;
  bool has_unmarked_derivative_ = false;
};

/// Calls `visit` for every set of tensors in a statement.
void for_each_domain(const notation::Statement& statement,
                     const std::function<void(const notation::Domain&)>& visit);

/// Calls `visit` for every formula of a statement.
void for_each_formula(const notation::Statement& statement,
                      const std::function<void(const notation::Tree&)>& visit);

}  // namespace axial::document
