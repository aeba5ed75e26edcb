// A list of any length that has room for a few elements inside, so that most lists take no memory
// besides. Nodes have few operands, and small programs few values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace axial {

template <class T, std::size_t room>
class Few {
 public:
  using value_type = T;

  Few() {}  // NOLINT(*-use-equals-default): what is inside need not be set
  Few(std::initializer_list<T> elements) : Few(elements.begin(), elements.end()) {}
  template <std::input_iterator It>
  Few(It first, It last) : Few() {  // so that a copy that throws leaves nothing behind
    for (; first != last; ++first) push_back(*first);
  }
  Few(std::vector<T> elements)  // NOLINT(google-explicit-constructor): the same list
      : Few(std::move_iterator(elements.begin()), std::move_iterator(elements.end())) {}
  Few(const Few& other) : Few(other.begin(), other.end()) {}
  Few(Few&& other) noexcept { take(other); }
  Few& operator=(Few other) noexcept {
    drop();
    take(other);
    return *this;
  }
  ~Few() { drop(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return place_; }
  T* end() { return place_ + size_; }
  const T* begin() const { return place_; }
  const T* end() const { return place_ + size_; }
  T& operator[](std::size_t k) { return place_[k]; }
  const T& operator[](std::size_t k) const { return place_[k]; }

  void push_back(T element) {
    if (size_ == capacity_) grow();
    std::construct_at(place_ + size_, std::move(element));
    ++size_;
  }
  /// Takes the last element away, which there must be.
  T pop_back() {
    T last = std::move(place_[--size_]);
    std::destroy_at(place_ + size_);
    return last;
  }
  void clear() {
    std::destroy(begin(), end());
    size_ = 0;
  }

 private:
  T* inside() { return reinterpret_cast<T*>(inside_); }
  bool is_inside() const { return place_ == reinterpret_cast<const T*>(inside_); }

  /// Takes what another list has, which is empty afterwards; this one must have no elements.
  void take(Few& other) {
    if (other.is_inside()) {
      std::uninitialized_move(other.begin(), other.end(), inside());
      size_ = other.size_;
      other.clear();
    } else {
      place_ = std::exchange(other.place_, other.inside());
      capacity_ = std::exchange(other.capacity_, room);
      size_ = std::exchange(other.size_, 0);
    }
  }

  /// Lets go of all elements and of their memory.
  void drop() {
    clear();
    if (is_inside()) return;
    std::allocator<T>().deallocate(place_, capacity_);
    place_ = inside();
    capacity_ = room;
  }

  void grow() {
    const std::uint32_t capacity = 2 * capacity_, size = size_;
    T* place = std::allocator<T>().allocate(capacity);
    std::uninitialized_move(begin(), end(), place);
    drop();
    place_ = place;
    capacity_ = capacity;
    size_ = size;
  }

  alignas(T) std::byte inside_[room * sizeof(T)];
  T* place_ = inside();
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = room;
};

}  // namespace axial
