#include "axial/kernels/windows.hpp"

#include <algorithm>
#include <numeric>

#include "axial/kernels/product_share.hpp"

namespace axial::kernels {
namespace {

/// A product and the memory that it reads and writes. Threads share it: each evaluates some kernels, and
/// then computes some squares.
template <class T>
class Windows {
 public:
  Windows(const WindowProduct& product, const T* x, const T* w, T* points, T* y)
      : product_(product), x_(x), w_(w), kernels_(points), y_(y), rows_(squares_at_once()) {
    terms_.resize(static_cast<std::size_t>(product.channels()));
    std::iota(terms_.begin(), terms_.end(), 0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i] = static_cast<std::int64_t>(i) * product.channels();
    }
  }

  /// Kernels of some channels at the points, in panels of outputs for each point.
  void evaluate_kernels(Part channels) {
    for (std::int64_t c = channels.first; c < channels.last; ++c) {
      for (std::int64_t panel = 0; panel < panel_count(); ++panel) {
        evaluate_panel(c, panel, kernels_ + panel * panel_volume() + c * wide());
      }
    }
  }

  /// Some squares of the result, as many at a time as stay near at all points.
  void compute(Part squares) {
    const auto most = static_cast<std::int64_t>(rows_.size());
    const std::int64_t inputs = most * product_.channels() + strip_margin<T>;
    const std::int64_t sums = most * panel_count() * wide() + strip_margin<T>;
    const std::int64_t longest = std::max(product_.channels(), product_.outputs());
    T* memory = static_cast<T*>(scratch(
        sizeof(T) * static_cast<std::size_t>(window_points * (inputs + sums) + 2 * longest)));
    T* outside = memory + window_points * (inputs + sums);
    std::fill_n(outside, product_.channels(), T{0});
    SquarePoints<T> from{.channels = product_.channels(), .points = memory, .stride = inputs};
    SquarePoints<T> to{
        .channels = product_.outputs(), .points = memory + window_points * inputs, .stride = sums};
    for (std::int64_t first = squares.first; first < squares.last; first += most) {
      const std::int64_t count = std::min(most, squares.last - first);
      for (std::int64_t k = 0; k < count; ++k) evaluate_square(first + k, k, outside, from);
      for (int point = 0; point < window_points; ++point) {
        multiply_point(point, count, from.points + point * inputs, to.points + point * sums);
      }
      for (std::int64_t k = 0; k < count; ++k) {
        interpolate_square(first + k, k, outside + longest, to);
      }
    }
  }

  /// How many elements the kernels take at the points.
  std::int64_t volume() const { return window_points * panel_count() * panel_volume(); }

 private:
  /// Where a square lies.
  struct Square {
    std::int64_t image, y, x;
  };

  std::int64_t wide() const { return panels_.columns; }
  std::int64_t panel_count() const { return (product_.outputs() + wide() - 1) / wide(); }
  std::int64_t panel_volume() const { return product_.channels() * wide(); }
  std::int64_t squares_right() const { return (product_.right + 1) / 2; }

  /// So many that inputs and sums stay in the second level of the cache.
  std::size_t squares_at_once() const {
    constexpr std::int64_t near = 192 << 10;
    const std::int64_t channels = product_.channels() + panel_count() * wide();
    const std::int64_t fitting =
        near / (window_points * channels * static_cast<std::int64_t>(sizeof(T)));
    return static_cast<std::size_t>(std::clamp<std::int64_t>(fitting / tile_rows, 2, 16) *
                                    tile_rows);
  }

  Square square(std::int64_t number) const {
    const std::int64_t row = number / squares_right();
    const std::int64_t rows = (product_.down + 1) / 2;
    return {row / rows, 2 * (row % rows), 2 * (number % squares_right())};
  }

  /// One channel of a panel of kernels at the points; those beyond the last output are zero.
  void evaluate_panel(std::int64_t channel, std::int64_t panel, T* points) const {
    T w[window_side * window_side][widest_panel<T>] = {};
    const std::int64_t count = std::min(wide(), product_.outputs() - panel * wide());
    const std::int64_t* outputs = product_.w_outputs.data() + panel * wide();
    const T* from = w_ + product_.w_channels[static_cast<std::size_t>(channel)];
    SquarePoints<T> square{
        .channels = wide(), .points = points, .stride = panel_count() * panel_volume()};
    for (int k = 0; k < window_side * window_side; ++k) {
      const T* element =
          from + k / window_side * product_.w_down + k % window_side * product_.w_right;
      for (std::int64_t o = 0; o < count; ++o) w[k][o] = element[outputs[o]];
      square.inputs[k] = w[k];
    }
    functions_.points.evaluate_kernel(square);
  }

  /// Where an element of a square of the input lies, and one of a square of the result.
  std::int64_t input(const Square& from, int p, int q) const {
    return product_.x_images[static_cast<std::size_t>(from.image)] +
           (from.y + p) * product_.x_down + (from.x + q) * product_.x_right;
  }
  std::int64_t result(const Square& to, int p, int q) const {
    return ((to.image * product_.down + to.y + p) * product_.right + to.x + q) * product_.outputs();
  }

  /// The inputs of a square become row `k` of the factors at each point; beyond the last window they are
  /// `zeros`. Those of the next squares and the results of this one are on their way meanwhile.
  void evaluate_square(std::int64_t number, std::int64_t k, const T* zeros,
                       SquarePoints<T> points) const {
    const Square own = square(number);
    const Square next = square(std::min(number + std::ssize(rows_), product_.squares() - 1));
    for (int p = 0; p < 4; ++p) {
      for (int q = 0; q < 4; ++q) {
        const bool is_inside = own.y + p < product_.down + window_side - 1 &&
                               own.x + q < product_.right + window_side - 1;
        points.inputs[4 * p + q] = is_inside ? x_ + input(own, p, q) : zeros;
      }
    }
    points.ahead = input(next, 0, 0) - input(own, 0, 0);
    points.points += k * product_.channels();
    functions_.points.evaluate(points);
    for (int p = 0; p < 2; ++p) {
      const T* row = y_ + result(own, p, 0);
      for (std::int64_t o = 0; o < 2 * product_.outputs(); o += strip_margin<T>) {
        __builtin_prefetch(row + o, 1, 2);
      }
    }
  }

  /// Row `k` of the sums at all points becomes a square of the result; what lies beyond it goes aside.
  void interpolate_square(std::int64_t number, std::int64_t k, T* aside,
                          SquarePoints<T> points) const {
    const Square own = square(number);
    for (int p = 0; p < 2; ++p) {
      for (int q = 0; q < 2; ++q) {
        const bool is_inside = own.y + p < product_.down && own.x + q < product_.right;
        points.results[2 * p + q] = is_inside ? y_ + result(own, p, q) : aside;
      }
    }
    points.points += k * panel_count() * wide();
    functions_.points.interpolate(points);
  }

  /// The product of matrices at one point.
  void multiply_point(int point, std::int64_t squares, const T* inputs, T* sums) const {
    Panel<T> panel{.a = inputs,
                   .a_rows = rows_.data(),
                   .rows = squares,
                   .b_terms = panels_.packed_terms,
                   .c_stride = panel_count() * wide()};
    for (std::int64_t k = 0; k < panel_count(); ++k) {
      const T* kernels = kernels_ + (point * panel_count() + k) * panel_volume();
      panel.c = sums + k * wide();
      const std::int64_t most = functions_.worth_copying.terms;
      for (std::int64_t term = 0; term < product_.channels(); term += most) {
        panel.a_terms = terms_.data() + term;
        panel.terms = std::min(most, product_.channels() - term);
        panel.b = kernels + term * wide();
        panel.adds = term > 0;
        panels_.multiply(panel);
      }
    }
  }

  const WindowProduct& product_;
  const T* x_;
  const T* w_;
  /// The kernels at the points: for each point and panel of outputs, channel after channel.
  T* kernels_;
  T* y_;
  const TileFunctions<T>& functions_ = tile_functions<T>();
  const PanelFunctions<T>& panels_ = panels_for<T>(product_.outputs());
  /// Where rows and terms lie at a point.
  std::vector<std::int64_t> rows_, terms_;
};

}  // namespace

std::int64_t WindowProduct::squares() const {
  return std::ssize(x_images) * ((down + 1) / 2) * ((right + 1) / 2);
}

double WindowProduct::operations() const {
  return 2.0 * window_points * static_cast<double>(squares()) *
         static_cast<double>(channels() * outputs());
}

bool is_worthwhile(const WindowProduct& product) {
  // Values at the points must be used often enough: those of an input for many outputs, those of a kernel
  // for many squares.
  constexpr std::int64_t enough_channels = 16, enough_squares = 64;
  return std::min(product.channels(), product.outputs()) >= enough_channels &&
         std::min(product.down, product.right) >= 4 && product.squares() >= enough_squares;
}

std::int64_t volume_at_points(const WindowProduct& product) {
  std::int64_t volume = 0;
  with_element(product.element, [&]<class T>(T*) {
    volume = Windows<T>(product, nullptr, nullptr, nullptr, nullptr).volume();
  });
  return volume;
}

void multiply(const WindowProduct& product, const void* x, const void* w, void* points, void* y,
              Team& team) {
  with_element(product.element, [&]<class T>(T*) {
    Windows<T> windows(product, static_cast<const T*>(x), static_cast<const T*>(w),
                       static_cast<T*>(points), static_cast<T*>(y));
    team.share(windows.volume(), [&](int number, int parts) {
      windows.evaluate_kernels(part_of(product.channels(), number, parts));
    });
    team.share(passed(product.operations()), [&](int number, int parts) {
      windows.compute(part_of(product.squares(), number, parts, tile_rows));
    });
  });
}

}  // namespace axial::kernels
