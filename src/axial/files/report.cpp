#include "axial/files/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace axial::files {

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string_view head = text.substr(0, longest);
  while (head.size() < text.size() && (text[head.size()] & 0xC0) == 0x80) head.remove_suffix(1);
  // JSON escapes control characters; its quotation marks are not wanted.
  const std::string escaped = nlohmann::json(std::string(head))
                                  .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return fmt::format("`{}{}`", escaped.substr(1, escaped.size() - 2),
                     head.size() < text.size() ? "..." : "");
}

void reject(std::string message, std::string hint) {
  throw Error(code("bad-file"), std::move(message), std::move(hint));
}

void fail_utf8() {
  throw Error(code("bad-value"), "a name or text to be written to a file is not UTF-8",
              "files name tensors and axes in UTF-8");
}

std::string place_of(std::string_view tensor) { return "tensor " + shown(tensor); }

}  // namespace axial::files
