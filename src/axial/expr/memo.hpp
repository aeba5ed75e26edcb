// Remembers what was worked out for a structure.
#pragma once

#include <array>
#include <mutex>
#include <unordered_map>

#include "axial/expr/structure.hpp"

namespace axial::expr {

/// Values by structure, for all threads; copies of a value must be cheap. When there are too many, all
/// are forgotten but those that a thread met last.
template <class Value>
class Memo {
 public:
  /// The value for a structure; if there is none, the one that `make` gives. It may be replaced at the
  /// next call.
  template <class Make>
  const Value& get(const StructureHash& structure, const Make& make) {
    thread_local std::array<Near, near_count> near;
    Near& slot = near[structure.low % near_count];
    if (slot.memo != this || slot.structure != structure) {
      Value value = shared(structure, make);
      slot = {this, structure, std::move(value)};
    }
    return slot.value;
  }

 private:
  /// What a thread met last, which it finds without asking the others.
  struct Near {
    const Memo* memo = nullptr;
    StructureHash structure;
    Value value;
  };
  static constexpr std::size_t near_count = 64;

  template <class Make>
  Value shared(const StructureHash& structure, const Make& make) {
    {
      const std::lock_guard lock(guard_);
      if (const auto found = values_.find(structure); found != values_.end()) return found->second;
    }
    // Not under the lock, since it may take long and may need other values.
    Value made = make();
    const std::lock_guard lock(guard_);
    if (values_.size() >= max_count) values_.clear();
    return values_.emplace(structure, std::move(made)).first->second;
  }

  static constexpr std::size_t max_count = 1 << 14;
  std::mutex guard_;
  std::unordered_map<StructureHash, Value, HashOfStructure> values_;
};

}  // namespace axial::expr
