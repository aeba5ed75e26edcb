// How this room words its complaints: "w.npz: tensor `W`: what was found, and what was expected".
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "axial/base/error.hpp"

namespace axial::files {

/// Text out of a file as an error may show it: in backticks, control characters and ill-formed
/// UTF-8 replaced, long text cut.
std::string shown(std::string_view text);

/// Fails with bad-file.
[[noreturn]] void reject(std::string message, std::string hint = {});

/// Fails with bad-value: a name or text to be written is not UTF-8, which the formats demand.
[[noreturn]] void fail_utf8();

/// What `read` returns; an Error that it throws is opened by `place`.
template <class Read>
decltype(auto) within(std::string_view place, Read&& read) {
  try {
    return std::forward<Read>(read)();
  } catch (const Error& error) {
    throw error.within(place);
  }
}

/// The place of a tensor: "tensor `W`".
std::string place_of(std::string_view tensor);

}  // namespace axial::files
