// Numbers for nodes, in a table with open addresses: traversals spend most of their time in it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
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
    const Slot& slot = slots_[slot_of(node)];
    return slot.node == node ? slot.number : -1;
  }
  /// Gives a node a number, which must not be negative; false if it had one, which it keeps.
  bool add(const Node* node, std::int64_t number) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[slot_of(node)];
    if (slot.node == node) return false;
    slot = {node, number};
    ++count_;
    return true;
  }
  /// Gives a node that has a number another one.
  void change(const Node* node, std::int64_t number) { slots_[slot_of(node)].number = number; }

 private:
  struct Slot {
    const Node* node = nullptr;
    std::int64_t number = 0;
  };

  /// Where a node is, or the free slot where it would be.
  std::size_t slot_of(const Node* node) const {
    // The product spreads addresses, which differ in their middle bits, over its upper half.
    const std::uint64_t spread = std::bit_cast<std::uint64_t>(node) * 0x9e3779b97f4a7c15;
    std::size_t at = spread >> 32;
    for (;; ++at) {
      const Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.node == node || slot.node == nullptr) return at & (slots_.size() - 1);
    }
  }
  void grow() {
    std::vector<Slot> larger(4 * slots_.size());
    const std::span<Slot> old = slots_;
    slots_ = larger;
    for (const Slot& slot : old) {
      if (slot.node != nullptr) slots_[slot_of(slot.node)] = slot;
    }
    many_.swap(larger);
  }

  std::array<Slot, 32> few_{};
  std::vector<Slot> many_;
  std::span<Slot> slots_ = few_;
  std::size_t count_ = 0;
};

}  // namespace axial::expr
