// Code that must fail: runs it and hands back what its Error says.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <source_location>
#include <string_view>
#include <typeinfo>

#include "axial/base/error.hpp"

namespace axial::diagnostics {

/// The Error that `wrong` throws. Fails the test if there is none, or another exception.
inline std::optional<Error> error_of(const std::function<void()>& wrong,
                                     std::source_location where = std::source_location::current()) {
  const auto line = static_cast<int>(where.line());
  try {
    wrong();
    ADD_FAILURE_AT(where.file_name(), line) << "an Error was expected, but all went well";
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& other) {
    ADD_FAILURE_AT(where.file_name(), line)
        << "an Error was expected, not " << typeid(other).name() << ": " << other.what();
  }
  return std::nullopt;
}

/// Fails the test unless `wrong` throws an Error with that code.
inline void expect_error(std::string_view code, const std::function<void()>& wrong,
                         std::source_location where = std::source_location::current()) {
  const std::optional<Error> error = error_of(wrong, where);
  if (!error || error->code().name == code) return;
  ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line()))
      << code << " was expected, not " << error->code().name << ": " << error->what();
}

}  // namespace axial::diagnostics
