// Ctrl-C as a wish to stop, not as the end.
#pragma once

#include <csignal>

namespace cli {

/// As long as it lives, the first Ctrl-C is only noted; the second one ends the program as usual.
class Interrupt {
 public:
  Interrupt() {
    wished = 0;
    before_ = std::signal(SIGINT, note);
  }
  ~Interrupt() { std::signal(SIGINT, before_); }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool is_wished() const { return wished != 0; }

 private:
  static void note(int) {
    wished = 1;
    std::signal(SIGINT, SIG_DFL);
  }

  // A handler of signals can reach nothing else.
  static inline volatile std::sig_atomic_t wished = 0;
  void (*before_)(int) = SIG_DFL;
};

}  // namespace cli
