// Numbers for nodes: in a list while they are few, then in a table with open addresses. Traversals
// spend most of their time in it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "axial/expr/node.hpp"

namespace axial::expr {

class Numbering {
 public:
  Numbering() = default;
  Numbering(const Numbering&) = delete;
  Numbering& operator=(const Numbering&) = delete;

  /// The number of a node, or -1 if it has none.
  std::int64_t find(const Node* node) const {
    const Slot* slot = slot_of(node);
    return slot != nullptr ? slot->number : -1;
  }
  /// Gives a node a number, which must not be negative; false if it had one, which it keeps.
  bool add(const Node* node, std::int64_t number) {
    if (slot_of(node) != nullptr) return false;
    if (count_ < few_.size()) {
      few_[count_++] = {node, number};
      return true;
    }
    if (2 * (count_ + 1) > many_.size()) grow();
    many_[place_of(node)] = {node, number};
    ++count_;
    return true;
  }

 private:
  struct Slot {
    const Node* node;
    std::int64_t number;
  };

  /// Where a node is, or null.
  const Slot* slot_of(const Node* node) const {
    if (many_.empty()) {
      for (const Slot& slot : std::span(few_).first(count_)) {
        if (slot.node == node) return &slot;
      }
      return nullptr;
    }
    const Slot& slot = many_[place_of(node)];
    return slot.node == node ? &slot : nullptr;
  }
  /// Where a node is in the table, or the free slot where it would be.
  std::size_t place_of(const Node* node) const {
    // The product spreads addresses, which differ in their middle bits, over its upper half.
    const std::uint64_t spread = std::bit_cast<std::uint64_t>(node) * 0x9e3779b97f4a7c15;
    std::size_t place = (spread >> 32) & (many_.size() - 1);
    while (many_[place].node != node && many_[place].node != nullptr) {
      place = (place + 1) & (many_.size() - 1);
    }
    return place;
  }
  void grow() {
    std::vector<Slot> old(few_.begin(), few_.end());
    if (!many_.empty()) old = std::move(many_);
    many_.assign(4 * old.size(), {});
    for (const Slot& slot : old) {
      if (slot.node != nullptr) many_[place_of(slot.node)] = slot;
    }
  }

  std::size_t count_ = 0;
  // Only the first `count_` are ever read, so that they need not be set.
  std::array<Slot, 16> few_;
  std::vector<Slot> many_;
};

}  // namespace axial::expr
