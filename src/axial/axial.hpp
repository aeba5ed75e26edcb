// Axial: tensors with named axes. This header is the whole public library.
#pragma once

#include "axial/api/calculus.hpp"
#include "axial/api/create.hpp"
#include "axial/api/engine.hpp"
#include "axial/api/evaluate.hpp"
#include "axial/api/files.hpp"
#include "axial/api/function.hpp"
#include "axial/api/identity.hpp"
#include "axial/api/operations.hpp"
#include "axial/api/tensor.hpp"
#include "axial/nn/module.hpp"
#include "axial/nn/optimizer.hpp"
