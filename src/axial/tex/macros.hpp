// The macros of a document and where they are in force.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "axial/tex/token.hpp"

namespace axial::tex {

/// What a command stands for.
struct Macro {
  /// What must stand before the first parameter and behind each; empty behind a usual parameter.
  std::vector<Tokens> delimiters = {{}};
  /// The first argument if it is not given in [ ].
  std::optional<Tokens> fallback;
  Tokens body;
  /// \let\a\b where \b is no macro: \a is \b, also when \b becomes a macro later.
  std::string alias;
  /// \abs*{x} and \abs[\big]{x} mean \abs{x}.
  bool has_sizes = false;

  std::size_t arity() const { return delimiters.size() - 1; }
};

using MacroPointer = std::shared_ptr<const Macro>;

/// Macros by name. What is defined in a scope is forgotten at its end.
class MacroTable {
 public:
  /// The macro, or null.
  const MacroPointer& find(const std::string& name) const;
  /// Defines `name`; null makes it undefined.
  void define(const std::string& name, MacroPointer macro, bool is_global);

  void open_scope() { saved_.emplace_back(); }
  /// Ends the last scope; with `keep`, its definitions pass to the scope around it.
  void close_scope(bool keep);

 private:
  // As in TeX, a value knows the level of the scope that gave it, and a scope saves what it hides.
  struct Entry {
    MacroPointer macro;
    std::size_t level = 0;
  };
  struct Saved {
    std::string name;
    Entry entry;
  };

  std::unordered_map<std::string, Entry> entries_;
  std::vector<std::vector<Saved>> saved_;
};

}  // namespace axial::tex
