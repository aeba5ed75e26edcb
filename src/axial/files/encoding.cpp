#include "axial/files/encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "axial/files/report.hpp"
#include "axial/files/store.hpp"

namespace axial::files {
namespace {

/// Encodings that C++ has no type for, as the bits that the file holds.
struct Half {
  std::uint16_t bits;
};
struct Brain {
  std::uint16_t bits;
};
struct Truth {
  std::uint8_t bits;
};

template <class Value>
Value value_of(auto raw) {
  return static_cast<Value>(raw);
}

/// IEEE binary16: 1 sign bit, 5 of the exponent, 10 of the fraction.
template <>
float value_of<float>(Half raw) {
  const std::uint32_t sign = (raw.bits & 0x8000U) << 16;
  const std::uint32_t exponent = (raw.bits >> 10) & 0x1FU;
  const std::uint32_t fraction = raw.bits & 0x3FFU;
  if (exponent == 0) {  // zero or subnormal: fraction · 2^-24
    return std::copysign(static_cast<float>(fraction) * 0x1p-24F, sign == 0 ? 1.0F : -1.0F);
  }
  const std::uint32_t widened = exponent == 0x1F ? 0xFF : exponent + (127 - 15);
  return std::bit_cast<float>(sign | (widened << 23) | (fraction << 13));
}

/// bfloat16: the upper half of a binary32.
template <>
float value_of<float>(Brain raw) {
  return std::bit_cast<float>(std::uint32_t{raw.bits} << 16);
}

template <>
bool value_of<bool>(Truth raw) {
  return raw.bits != 0;
}

template <>
std::int64_t value_of<std::int64_t>(std::uint64_t raw) {
  if (raw > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    reject(fmt::format("an element is {}, which is more than int64 can hold", raw),
           "save the tensor as int64 or as a floating-point type");
  }
  return static_cast<std::int64_t>(raw);
}

template <class Raw, class Value>
void decode(const std::byte* from, bool swapped, std::int64_t count, void* to) {
  auto* values = static_cast<Value*>(to);
  for (std::int64_t i = 0; i < count; ++i) {
    std::array<std::byte, sizeof(Raw)> bytes;
    std::memcpy(bytes.data(), from + i * std::ssize(bytes), bytes.size());
    if (swapped) std::ranges::reverse(bytes);
    values[i] = value_of<Value>(std::bit_cast<Raw>(bytes));
  }
}

using std::int16_t, std::int32_t, std::int64_t, std::int8_t;
using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

// The exact rows are those in which the elements are also written.
constexpr auto encodings = std::to_array<Encoding>({
    {"f4", "F32", 4, float32, true, decode<float, float>},
    {"f8", "F64", 8, float64, true, decode<double, double>},
    {"i4", "I32", 4, int32, true, decode<int32_t, int32_t>},
    {"i8", "I64", 8, int64, true, decode<int64_t, int64_t>},
    {"b1", "BOOL", 1, boolean, false, decode<Truth, bool>},
    {"f2", "F16", 2, float32, false, decode<Half, float>},
    {"", "BF16", 2, float32, false, decode<Brain, float>},
    {"i1", "I8", 1, int32, false, decode<int8_t, int32_t>},
    {"u1", "U8", 1, int32, false, decode<uint8_t, int32_t>},
    {"i2", "I16", 2, int32, false, decode<int16_t, int32_t>},
    {"u2", "U16", 2, int32, false, decode<uint16_t, int32_t>},
    {"u4", "U32", 4, int64, false, decode<uint32_t, int64_t>},
    {"u8", "U64", 8, int64, false, decode<uint64_t, int64_t>},
});

const Encoding* find_encoding(std::string_view name, std::string_view Encoding::* format) {
  const auto found = std::ranges::find(encodings, name, format);
  return name.empty() || found == encodings.end() ? nullptr : &*found;
}

}  // namespace

const Encoding* find_npy_encoding(std::string_view name) {
  return find_encoding(name, &Encoding::npy);
}

const Encoding* find_safetensors_encoding(std::string_view name) {
  return find_encoding(name, &Encoding::safetensors);
}

const Encoding& encoding_of(ElementType type) {
  return *std::ranges::find(encodings, type, &Encoding::type);
}

std::int64_t encoded_bytes(const Encoding& encoding, std::span<const std::int64_t> sizes) {
  // The limit of Shape::volume. Empty axes count as 1 here, so that strides cannot overflow either.
  constexpr std::int64_t limit = std::int64_t{1} << 59;
  if (std::ssize(sizes) > max_axes) {
    reject(fmt::format("the tensor has {} axes; the limit is {}", sizes.size(), max_axes));
  }
  std::int64_t product = 1;
  bool empty = false;
  for (const std::int64_t size : sizes) {
    if (size < 0) reject(fmt::format("an axis has the size {}; sizes are 0 or more", size));
    empty = empty || size == 0;
    if (size == 0) continue;
    if (product > limit / size) {
      reject("the product of the sizes of the axes is more than 2^59");
    }
    product *= size;
  }
  return empty ? 0 : product * encoding.bytes;
}

std::shared_ptr<const void> decoded(const Encoding& encoding, const Bytes& data, bool swapped) {
  const auto alignment = static_cast<std::uintptr_t>(facts(encoding.type).bytes);
  const bool aligned = std::bit_cast<std::uintptr_t>(data.start.get()) % alignment == 0;
  if (encoding.exact && !swapped && aligned) return data.start;
  const std::int64_t count = data.size / encoding.bytes;
  const std::shared_ptr<std::byte> block = allocate_bytes(count * facts(encoding.type).bytes);
  encoding.decode(data.start.get(), swapped, count, block.get());
  return block;
}

std::span<const std::byte> bytes_of(const Array& array) {
  return {array.bytes(), static_cast<std::size_t>(array.volume() * facts(array.type()).bytes)};
}

}  // namespace axial::files
