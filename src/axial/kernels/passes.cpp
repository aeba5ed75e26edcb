#include "axial/kernels/passes.hpp"

#include <algorithm>

namespace axial::kernels {
namespace {

using Kind = Operation::Kind;

/// True if the operation itself looks at where the row is.
bool sees_row(const Nest& nest, const Operation& operation) {
  const std::size_t outer = nest.outer.size();
  switch (operation.kind) {
    case Kind::load:
    case Kind::gather:
    case Kind::store: {
      const auto& strides = nest.streams[static_cast<std::size_t>(operation.stream)].strides;
      return std::any_of(strides.begin() + static_cast<std::ptrdiff_t>(outer), strides.end(),
                         [](std::int64_t stride) { return stride != 0; });
    }
    case Kind::position: return operation.loop >= static_cast<int>(outer);
    default: return false;
  }
}

/// What it costs to compute each operation from memory.
std::vector<int> costs(const Nest& nest) {
  std::vector<int> costs;
  for (const Operation& operation : nest.operations) {
    int cost = operation.kind == Kind::map      ? operation.word->cost
               : operation.kind == Kind::gather ? 8
                                                : 1;
    if (operation.kind != Kind::reduce) {
      for (const int operand : operation.operands) {
        cost = std::min(1000, cost + costs[static_cast<std::size_t>(operand)]);
      }
    }
    costs.push_back(cost);
  }
  return costs;
}

/// From this cost on an operation is rather kept than computed again.
constexpr int dear = 8;

/// A row that is kept must stay near: in the first or second level of the cache.
bool row_is_short(const Nest& nest) { return volume(nest.row) <= 8192; }

}  // namespace

bool Passes::runs_in(const Nest& nest, int operation, int pass) const {
  const auto k = static_cast<std::size_t>(operation);
  const Operation& node = nest.operations[k];
  if (node.kind == Kind::reduce) return ready[static_cast<std::size_t>(node.operands[0])] == pass;
  return node.kind == Kind::store && varies[k] && ready[k] == pass;
}

bool Passes::is_light(const Nest& nest, int pass) const {
  std::vector<bool> is_needed(nest.operations.size(), false);
  for (std::size_t k = nest.operations.size(); k-- > 0;) {
    const Operation& node = nest.operations[k];
    const bool runs = runs_in(nest, static_cast<int>(k), pass);
    if (!runs && !is_needed[k]) continue;
    const bool is_dear =
        node.kind == Kind::gather || (node.kind == Kind::map && node.word->cost >= dear);
    if (is_dear) return false;
    if (node.kind == Kind::reduce && !runs) continue;
    for (const int operand : node.operands) {
      const auto source = static_cast<std::size_t>(operand);
      const bool is_kept = ready[source] < pass && std::ranges::binary_search(kept, operand);
      if (varies[source] && !is_kept) is_needed[source] = true;
    }
  }
  return true;
}

Passes passes(const Nest& nest) {
  Passes result;
  for (const Operation& operation : nest.operations) {
    bool varies = sees_row(nest, operation);
    int ready = 0;
    for (const int operand : operation.operands) {
      varies = varies || result.varies[static_cast<std::size_t>(operand)];
      ready = std::max(ready, result.ready[static_cast<std::size_t>(operand)]);
    }
    if (operation.kind == Kind::reduce) {
      varies = false;
      ++ready;
      result.count = std::max(result.count, ready);
    } else if (operation.kind == Kind::store && varies) {
      result.count = std::max(result.count, ready + 1);
    }
    result.varies.push_back(varies);
    result.ready.push_back(ready);
  }
  if (!row_is_short(nest)) return result;
  const std::vector<int> cost = costs(nest);
  for (std::size_t user = 0; user < nest.operations.size(); ++user) {
    for (const int operand : nest.operations[user].operands) {
      const auto kept = static_cast<std::size_t>(operand);
      const bool is_later = nest.operations[user].kind != Kind::reduce && result.varies[user] &&
                            result.ready[user] > result.ready[kept];
      if (is_later && result.varies[kept] && cost[kept] >= dear) result.kept.push_back(operand);
    }
  }
  std::ranges::sort(result.kept);
  const auto repeated = std::ranges::unique(result.kept);
  result.kept.erase(repeated.begin(), repeated.end());
  return result;
}

}  // namespace axial::kernels
