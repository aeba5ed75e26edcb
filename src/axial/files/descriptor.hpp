// An open file of the operating system, closed when it goes out of scope.
#pragma once

#include <unistd.h>

#include <utility>

namespace axial::files {

class Descriptor {
 public:
  /// Takes charge of what open() returned; negative if that failed.
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }

  /// Closes the file now; false if the system reports that data was lost.
  bool close() {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

}  // namespace axial::files
