// Files that a document reads: beside it or below, never elsewhere.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "axial/base/text.hpp"
#include "axial/tex/expand.hpp"

namespace axial::tex {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_open_files = 20;
constexpr std::uintmax_t largest_file = 64 << 20;

/// The file called `name` in `folder` or below it, without symbolic links; nothing if it would be
/// somewhere else.
std::optional<fs::path> inside(const fs::path& folder, const fs::path& name) {
  if (folder.empty() || name.empty() || name.has_root_path()) return {};
  std::error_code failure;
  const fs::path root = fs::weakly_canonical(folder, failure);
  if (failure) return {};
  const fs::path file = fs::weakly_canonical(root / name, failure);
  if (failure) return {};
  const fs::path relative = file.lexically_relative(root);
  if (relative.empty() || *relative.begin() == "..") return {};
  return file;
}

std::optional<std::string> content(const fs::path& file) {
  std::error_code failure;
  if (!fs::is_regular_file(file, failure) || failure) return {};
  if (fs::file_size(file, failure) > largest_file || failure) return {};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {};
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace

void Expander::input(const Token& token) {
  stream_.pass_spaces();
  std::optional<Token> first = stream_.next();
  if (!first) return;
  Tokens name;
  if (first->kind == TokenKind::open) {
    stream_.insert({*first});
    name = stream_.argument(token);
  } else {
    while (first && first->kind == TokenKind::character) {
      name.push_back(std::move(*first));
      first = stream_.next();
    }
    if (first) stream_.insert({std::move(*first)});
  }
  const auto fail = [&](std::string_view reason, std::string hint) {
    throw Error(code("file-access"), fmt::format("the file `{}` {}", shown(spelled(name)), reason),
                std::move(hint), token.span);
  };
  fs::path path = spelled(name);
  if (!path.has_extension()) path += ".tex";
  const std::optional<fs::path> file = inside(folder_, path);
  if (!file) fail("is not in the document's folder", "only files beside the document are read");
  if (stream_.is_open(*file)) fail("reads itself", "remove one \\input of the circle");
  if (stream_.open_files() > most_open_files) fail("is read too deep", "are there circles?");
  std::optional<std::string> text = content(*file);
  if (!text) fail("cannot be read", "check its name");
  const std::size_t size = text->size();
  const std::size_t offset = source_->add(path.generic_string(), std::move(*text));
  stream_.open(Tokenizer(source_->text({offset, offset + size}), offset, *notes_), *file);
}

void Expander::use_package(const std::string& name) {
  const std::optional<fs::path> file = inside(folder_, name + ".sty");
  if (!file || stream_.is_open(*file) || stream_.open_files() > most_open_files) return;
  std::optional<std::string> text = content(*file);
  if (!text) return;
  const std::size_t size = text->size();
  const std::size_t offset = source_->add(name + ".sty", std::move(*text));
  stream_.open(Tokenizer(source_->text({offset, offset + size}), offset, *notes_, true), *file,
               true);
}

}  // namespace axial::tex
