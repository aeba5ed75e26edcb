// How computations run.
#pragma once

namespace axial {

/// Lets computations use this many threads from now on; as many as the machine has if never said.
void set_threads(int count);

/// How many threads computations use.
int threads();

}  // namespace axial
