#include "axial/kernels/object_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <fstream>
#include <iterator>

namespace axial::kernels {
namespace {

/// FNV-1a, from a starting value.
std::uint64_t hash(std::string_view text, std::uint64_t start) {
  std::uint64_t value = 14695981039346656037ULL ^ start;
  for (const char character : text) {
    value = (value ^ static_cast<unsigned char>(character)) * 1099511628211ULL;
  }
  return value;
}

/// A file is the key's length, the key, the object and a checksum of all that.
std::string packed(std::string_view key, std::string_view object) {
  const std::string contents = fmt::format("{:016x}{}{}", key.size(), key, object);
  return contents + fmt::format("{:016x}", hash(contents, 0));
}

}  // namespace

std::string fingerprint(std::string_view text) {
  return fmt::format("{:016x}{:016x}", hash(text, 0), hash(text, 1));
}

ObjectCache::ObjectCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

std::filesystem::path ObjectCache::file_of(std::string_view key) const {
  return folder_ / (fingerprint(key) + ".o");
}

std::optional<std::string> ObjectCache::find(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(file_of(key), std::ios::binary);
  if (!file) return std::nullopt;
  const std::string contents{std::istreambuf_iterator<char>(file), {}};
  const std::size_t frame = 32 + key.size();
  if (contents.size() < frame) return std::nullopt;
  std::string object = contents.substr(16 + key.size(), contents.size() - frame);
  // Packing again compares length, key and checksum at once.
  if (packed(key, object) != contents) return std::nullopt;
  return object;
}

void ObjectCache::keep(std::string_view key, std::string_view object) const {
  if (folder_.empty()) return;
  static std::atomic<int> next = 0;
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  const std::filesystem::path target = file_of(key);
  // Others see the old file or the new one, never half of it.
  std::filesystem::path fresh = target;
  fresh += fmt::format(".{}.{}", ::getpid(), next++);
  {
    std::ofstream file(fresh, std::ios::binary);
    file << packed(key, object);
    if (!file.flush()) failed = std::make_error_code(std::errc::io_error);
  }
  if (!failed) std::filesystem::rename(fresh, target, failed);
  if (failed) std::filesystem::remove(fresh, failed);
}

}  // namespace axial::kernels
