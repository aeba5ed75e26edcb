// What `axial train` shows while it works: a bar on a terminal, lines elsewhere, or JSON lines.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "axial/train/trainer.hpp"
#include "cli/options.hpp"

namespace cli {

class TrainingDisplay {
 public:
  TrainingDisplay(const axial::train::Trainer& trainer, const Output& output);

  /// What will be learned, from how many examples.
  void begin(std::string_view file, std::int64_t learned, std::int64_t held_out);
  /// After a step.
  void step();
  /// After the last step of an epoch.
  void epoch(const axial::train::Validation* validation);
  /// After a measurement within an epoch.
  void measured(const axial::train::Measured& measured);
  void saved(const std::string& path);
  /// Anything else that was written for the user.
  void wrote(std::string_view what, const std::string& path);
  /// At the end; `interrupted` if the user wished it.
  void end(bool interrupted);

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const;
  double examples_per_second() const;
  /// The mean loss of the last steps of this epoch.
  double recent_loss() const;
  void clear_bar();
  std::string painted(const std::string& text, std::string_view style) const;
  nlohmann::json json_of(const axial::train::Measured& measured) const;
  std::string text_of(const axial::train::Measured& measured) const;

  const axial::train::Trainer& trainer_;
  bool json_;
  bool bar_;
  bool color_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point shown_ = started_;
  std::int64_t first_step_ = 0;
  std::int64_t shown_step_ = 0;
};

}  // namespace cli
