// Work of other libraries that Python prepares, runs and times.
#pragma once

#include <functional>

namespace peers {

struct Job {
  std::function<void()> run;
  std::function<void()> finish = [] {};  // brings the result into the order that is compared
};

/// How many threads libraries were told to use.
int threads();

}  // namespace peers
