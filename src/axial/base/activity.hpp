// What is being done, for messages that are seldom written.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace axial {

/// A text, or something that makes one when it is needed. It refers to what it is made from, so it is a
/// parameter and never kept.
class Activity {
 public:
  Activity(std::string_view text) : text_(text) {}    // NOLINT(google-explicit-constructor)
  Activity(const char* text) : text_(text) {}         // NOLINT(google-explicit-constructor)
  Activity(const std::string& text) : text_(text) {}  // NOLINT(google-explicit-constructor)
  template <std::invocable Make>
  Activity(const Make& make)  // NOLINT(google-explicit-constructor)
      : make_(&make),
        call_([](const void* made) -> std::string { return (*static_cast<const Make*>(made))(); }) {
  }

  std::string text() const { return call_ != nullptr ? call_(make_) : std::string(text_); }

 private:
  std::string_view text_;
  const void* make_ = nullptr;
  std::string (*call_)(const void*) = nullptr;
};

}  // namespace axial
