// Training: batches of examples in, better parameters out, and what must be kept to go on later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "axial/api/files.hpp"
#include "axial/nn/optimizer.hpp"
#include "axial/train/named_program.hpp"

namespace axial::train {

/// The fact of a saved training that lists the sizes it was given: c_1=16,hidden=128.
inline constexpr const char* sizes_fact = "sizes";

/// How to train.
struct Plan {
  std::int64_t batch = 64;
  std::int64_t epochs = 1;
  std::string optimizer = "adam";
  std::string schedule = "constant";
  std::uint64_t seed = 1;
};

/// The loss and the metrics over a set of examples.
struct Measured {
  double loss = 0;
  std::vector<double> metrics = {};
};

/// A measurement on examples that are not learned from.
struct Validation {
  std::int64_t step;
  Measured measured;
};

class Trainer {
 public:
  /// Fails with the errors of `objective` and of optimisers, and with bad-value if a batch is larger
  /// than the data.
  Trainer(const document::Contents& contents, Examples examples, std::vector<std::int64_t> learned,
          Goal goal, Plan plan);

  /// Learns from the next batch and returns its loss. Fails with bad-value, naming the first tensor,
  /// if the loss or a gradient is not finite; the parameters are then those before the step.
  double step();
  /// The loss and the metrics of all those examples.
  Measured measure(const Examples& examples, const std::vector<std::int64_t>& positions);

  const Tensors& parameters() const { return parameters_; }
  /// Starts from other values. Tensors that are no parameters are passed over. Fails with size-clash
  /// if a shape differs, and with needs-value if a parameter is missing.
  void set_parameters(const Tensors& values);

  std::int64_t steps() const { return std::ssize(losses_); }
  std::int64_t steps_per_epoch() const { return std::ssize(learned_) / plan_.batch; }
  std::int64_t all_steps() const { return steps_per_epoch() * plan_.epochs; }
  bool is_finished() const { return steps() >= all_steps(); }
  /// The loss of every step so far.
  const std::vector<double>& losses() const { return losses_; }
  const std::vector<Validation>& validations() const { return validations_; }
  void note(Validation validation) { validations_.push_back(std::move(validation)); }
  const Plan& plan() const { return plan_; }
  const Goal& goal() const { return goal_; }

  /// Writes everything that training needs to go on exactly from here. Fails with file-access.
  void save(const std::string& path) const;
  /// Goes on from what was saved. Fails with the errors of files, and with bad-value if it was saved
  /// by a training with another loss, batch, seed, optimiser or number of examples.
  void restore(const std::string& path);

 private:
  std::vector<std::int64_t> next_positions();
  std::map<std::string, Array> values_for(const Objective& objective, const Examples& examples,
                                          std::span<const std::int64_t> positions) const;
  std::map<std::string, std::string> fingerprint() const;

  const document::Contents* contents_;
  Examples examples_;
  std::vector<std::int64_t> learned_;
  Goal goal_;
  Plan plan_;
  Objective objective_;
  NamedProgram gradients_;
  Optimizer optimizer_;
  Tensors parameters_;
  std::vector<double> losses_;
  std::vector<Validation> validations_;
  /// The order of the examples in an epoch.
  std::optional<std::int64_t> ordered_epoch_;
  std::vector<std::int64_t> order_;
};

}  // namespace axial::train
