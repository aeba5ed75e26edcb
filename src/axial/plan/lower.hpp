// The parts of planning that share what is known so far: buffers, places, steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "axial/plan/groups.hpp"
#include "axial/plan/plan.hpp"

namespace axial::plan {

/// Turns a grouped program into steps, one unit after the other.
class Lowering {
 public:
  Lowering(const expr::Program& program, const std::vector<Shape>& layouts,
           std::int64_t least_joined);
  Plan run();

 private:
  friend class NestMaker;

  const expr::Step& at(int step) const { return program_.steps[static_cast<std::size_t>(step)]; }
  int step_of(std::int64_t value) const;
  const expr::Type& type_of(std::int64_t value) const;
  Role role_of(int step) const { return grouping_.roles[static_cast<std::size_t>(step)]; }

  /// Steps that must be there before a step can be: those outside its group that it reads.
  void emit_with_needs(int step);
  std::vector<int> needs(int step) const;
  bool is_emitted(int step) const;
  void emit(int step);

  void emit_view(int step);
  void emit_product(int step);
  /// A contraction as a product of windows with kernels, if it is one and that is quicker.
  bool emit_windows(int step);
  bool emit_windows(int step, std::int64_t windows, std::int64_t kernels);
  /// Where a value lies such that the elements of one matrix of the batch are near to one another.
  Place untangled(std::int64_t value, const Axes& batch);
  /// Adds up matrices of `size` elements, of which `parts` that follow one another make one.
  void add_totals(Start partial, std::int64_t parts, Start total, std::int64_t matrices,
                  std::int64_t size);
  /// The row of the loops that a step is part of, if they lie between two products and the second sums
  /// over it, as in attention: the three can run as a chain if the products have the same rows.
  Axes row_between_products(int step) const;
  /// Whether the right operand must give the rows of a product for that.
  std::optional<bool> swaps_for_rows(int step) const;
  /// About what it costs, in operations, that loops pass this result in one order and what they read
  /// with it lies in another.
  double tangle(int step, const std::vector<SizedAxis>& order) const;
  /// About what the products that read this result cost, in operations, if it lies in this order; those
  /// whose other operand is not there yet can still adapt to it.
  double reading_cost(int step, const std::vector<SizedAxis>& order) const;
  void emit_group(const Group& group);
  void emit_define(int step);
  void emit_scan(const expr::Scan& scan, int step);
  bool can_be_planned(const expr::Scan& scan, int step) const;
  void emit_copy(const expr::Pad& pad, int step);
  /// The pad that alone reads a step, which nobody else needs.
  std::optional<int> only_pad_of(int step) const;
  /// Makes room for a pad and fills its ends; gives the place between them. A pad that is only padded
  /// again lies inside that one from the beginning.
  Place filled_pad(int step, std::vector<SizedAxis> order);
  void emit_copy(const expr::Concat& concat, int step);
  void emit_copy(const expr::Fold& fold, int step);
  void emit_copy(const auto& kind, int step);
  void emit_scatter(const expr::Scatter& scatter, int step);
  /// Positions must be those of an axis before anything is read or written there.
  void emit_check(std::int64_t positions, SizedAxis axis);

  /// Where a value lies; it is computed first if it is a number or a counter.
  const Place& place_of(std::int64_t value);
  /// Where it lies without gaps in the order of its type, copied if it does not yet.
  Place typed_place(std::int64_t value);
  /// The same in another order.
  Place ordered_place(std::int64_t value, const Shape& order);
  Place copied(const Place& place, std::span<const SizedAxis> order, const std::string& purpose);
  int new_buffer(ElementType element, std::int64_t volume);
  Place new_place(ElementType element, std::span<const SizedAxis> order);
  void set_place(int step, Place place);
  /// A nest that writes `source`, or `number` if there is none, to `target`; added to what is there
  /// if `adds`.
  void add_copy(const std::optional<Place>& source, Number number, const Place& target, bool adds,
                const std::string& purpose);
  /// The order in which a value should lie for those who use it; `natural` if they do not care.
  std::vector<SizedAxis> order_for_users(int step, std::vector<SizedAxis> natural) const;
  /// The products that read a value through windows and pads, with the axes that these do not walk.
  void find_window_products(int step, const Shape& kept,
                            std::vector<std::pair<int, Shape>>& found) const;
  bool is_needed_outside(int step) const { return outside_[static_cast<std::size_t>(step)]; }

  const expr::Program& program_;
  std::int64_t least_joined_;
  Grouping grouping_;
  Plan plan_;
  /// For inputs, then steps.
  std::vector<std::optional<Place>> places_;
  std::vector<bool> group_done_;
  std::vector<bool> outside_;
  /// The steps that read each step.
  std::vector<std::vector<int>> users_;
};

/// `order`, with `axes` next to one another: in front of the innermost axis if it is a long one, else
/// innermost.
std::vector<SizedAxis> with_together(const std::vector<SizedAxis>& order, const Axes& axes);

/// True if who walks along `along` jumps over neighbours that lie along another axis, and both axes are
/// long enough that turning the elements pays.
bool is_crosswise(const Place& place, Axis along, std::int64_t element_bytes);

}  // namespace axial::plan
