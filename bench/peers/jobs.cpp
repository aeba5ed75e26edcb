// Jobs as functions of C, and the number of threads that all libraries here use.
#include "bench/peers/jobs.hpp"

#include <omp.h>

namespace peers {

namespace {
int thread_count = 1;
}

int threads() { return thread_count; }

}  // namespace peers

extern "C" {

/// To be called before a job is prepared; Eigen and oneDNN ask OpenMP.
void peers_set_threads(int threads) {
  peers::thread_count = threads;
  omp_set_num_threads(threads);
}

void peers_run(const peers::Job* job, int count) {
  for (int run = 0; run < count; ++run) job->run();
}

void peers_finish(const peers::Job* job) { job->finish(); }

void peers_release(const peers::Job* job) { delete job; }
}
