#include "axial/tex/macros.hpp"

#include <ranges>
#include <utility>

namespace axial::tex {

const MacroPointer& MacroTable::find(const std::string& name) const {
  static const MacroPointer none;
  const auto found = entries_.find(name);
  return found == entries_.end() ? none : found->second.macro;
}

void MacroTable::define(const std::string& name, MacroPointer macro, bool is_global) {
  Entry& entry = entries_[name];
  const std::size_t level = is_global ? 0 : saved_.size();
  if (level > 0 && entry.level < level) saved_.back().push_back({name, entry});
  entry = {std::move(macro), level};
}

void MacroTable::close_scope(bool keep) {
  std::vector<Saved> saved = std::move(saved_.back());
  const std::size_t level = saved_.size();
  saved_.pop_back();
  for (Saved& one : saved | std::views::reverse) {
    Entry& entry = entries_[one.name];
    if (entry.level == 0) continue;  // defined globally since then
    if (!keep) {
      entry = std::move(one.entry);
    } else if (entry.level == level) {
      entry.level = level - 1;
      if (level > 1 && one.entry.level < level - 1) saved_.back().push_back(std::move(one));
    }
  }
}

}  // namespace axial::tex
