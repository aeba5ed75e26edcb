// The C++ spellings of words, reductions, primitives and phrases, compared with NumPy as well.
#pragma once

#include "numpy/replay.hpp"

namespace axial::recorded {

/// The public spelling of a word, `tanh(x)`, or null if the table has none.
Operation word_spelling(std::string_view name);
/// The public spelling of a reduction, `sum(axes, x)`, or null.
Operation reduction_spelling(std::string_view name);
/// The public spelling of a primitive, `cumsum(axis, x)`, or null.
Operation primitive_spelling(std::string_view name);
/// The public spelling of a phrase, `softmax(axes, x)`, or null.
Operation phrase_spelling(std::string_view name);

}  // namespace axial::recorded
