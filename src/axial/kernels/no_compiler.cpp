// A build without LLVM has no compiler; expressions are run by the reference evaluator then.
#include "axial/base/error.hpp"
#include "axial/kernels/compiler.hpp"

namespace axial::kernels {

struct Compiler::State {};

Compiler::Compiler(std::filesystem::path) {}
Compiler::~Compiler() = default;

bool Compiler::is_available() { return false; }

std::vector<MachineCode> Compiler::compile(std::span<const Nest>) {
  bug("this build cannot generate code");
}

}  // namespace axial::kernels
