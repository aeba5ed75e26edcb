// A loop nest as a function of LLVM's intermediate code.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "axial/kernels/nest.hpp"

namespace axial::kernels {

/// Adds the function `name` to the module: MachineCode::Function for this nest under this schedule.
void add_function(llvm::Module& module, const std::string& name, const Nest& nest,
                  const Schedule& schedule);

}  // namespace axial::kernels
