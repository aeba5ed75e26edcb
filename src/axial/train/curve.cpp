#include "axial/train/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axial/base/text.hpp"

namespace axial::train {
namespace {

constexpr double width = 720, height = 420, left = 70, right = 24, top = 44, bottom = 56;
constexpr auto colors = std::to_array<std::string_view>(
    {"#2563eb", "#dc2626", "#059669", "#d97706", "#7c3aed", "#0891b2"});

struct Range {
  double low;
  double high;
};

bool is_drawn(const Point& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

/// The range of all finite points, with some room.
Range range_of(const Drawing& drawing, double Point::* coordinate) {
  Range range{HUGE_VAL, -HUGE_VAL};
  for (const Curve& curve : drawing.curves) {
    for (const Point& point : curve.points) {
      if (!is_drawn(point)) continue;
      range.low = std::min(range.low, point.*coordinate);
      range.high = std::max(range.high, point.*coordinate);
    }
  }
  if (range.low > range.high) return {0, 1};
  if (range.low == range.high) return {range.low - 0.5, range.high + 0.5};
  return range;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char byte : text) {
    if (byte == '<')
      safe += "&lt;";
    else if (byte == '&')
      safe += "&amp;";
    else if (byte == '"')
      safe += "&quot;";
    else
      safe += byte;
  }
  return safe;
}

/// Where the coordinates of points lie in the picture.
class Frame {
 public:
  explicit Frame(const Drawing& drawing)
      : x_(range_of(drawing, &Point::x)), y_(range_of(drawing, &Point::y)) {
    const double room = (y_.high - y_.low) * 0.05;
    y_ = {y_.low >= 0 && y_.low < room ? 0 : y_.low - room, y_.high + room};
  }
  double x(double value) const {
    return left + (value - x_.low) / (x_.high - x_.low) * (width - left - right);
  }
  double y(double value) const {
    return height - bottom - (value - y_.low) / (y_.high - y_.low) * (height - top - bottom);
  }
  std::vector<double> x_ticks() const { return ticks(x_.low, x_.high); }
  std::vector<double> y_ticks() const { return ticks(y_.low, y_.high); }

 private:
  Range x_, y_;
};

std::string grid(const Frame& frame) {
  std::string text;
  for (const double tick : frame.y_ticks()) {
    text += fmt::format(R"(<line x1="{}" y1="{:.1f}" x2="{}" y2="{:.1f}" stroke="#e5e7eb"/>)"
                        R"(<text x="{}" y="{:.1f}" text-anchor="end">{:g}</text>)"
                        "\n",
                        left, frame.y(tick), width - right, frame.y(tick), left - 8,
                        frame.y(tick) + 4, tick);
  }
  for (const double tick : frame.x_ticks()) {
    text += fmt::format(R"(<line x1="{:.1f}" y1="{}" x2="{:.1f}" y2="{}" stroke="#9ca3af"/>)"
                        R"(<text x="{:.1f}" y="{}" text-anchor="middle">{:g}</text>)"
                        "\n",
                        frame.x(tick), height - bottom, frame.x(tick), height - bottom + 5,
                        frame.x(tick), height - bottom + 20, tick);
  }
  return text;
}

std::string line(const Curve& curve, std::string_view color, const Frame& frame) {
  std::string path, marks;
  for (const Point& point : curve.points) {
    if (!is_drawn(point)) continue;
    path +=
        fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", frame.x(point.x), frame.y(point.y));
    if (curve.style == Style::marked) {
      marks += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="3.5" fill="{}"/>)",
                           frame.x(point.x), frame.y(point.y), color);
    }
  }
  const std::string_view stroke = curve.style == Style::background
                                      ? R"(stroke-width="1" stroke-opacity="0.3")"
                                      : R"(stroke-width="2")";
  return fmt::format(
      R"(<polyline points="{}" fill="none" stroke="{}" {} stroke-linejoin="round"/>{})"
      "\n",
      path, color, stroke, marks);
}

}  // namespace

std::vector<double> ticks(double low, double high) {
  const double rough = (high - low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double step = rough / power < 1.5   ? power
                      : rough / power < 3.5 ? 2 * power
                      : rough / power < 7.5 ? 5 * power
                                            : 10 * power;
  std::vector<double> found;
  for (double k = std::ceil(low / step); k * step <= high + step * 1e-9; ++k)
    found.push_back(k * step);
  return found;
}

std::vector<Point> smoothed(const std::vector<double>& values, std::size_t count) {
  std::vector<Point> points;
  const std::size_t pieces = std::min(count, values.size());
  for (std::size_t k = 0; k < pieces; ++k) {
    const std::size_t begin = values.size() * k / pieces, end = values.size() * (k + 1) / pieces;
    double sum = 0;
    for (std::size_t at = begin; at < end; ++at) sum += values[at];
    points.push_back({static_cast<double>(end), sum / static_cast<double>(end - begin)});
  }
  return points;
}

std::string to_svg(const Drawing& drawing) {
  const Frame frame(drawing);
  std::string text = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
      R"(font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#374151">)"
      "\n"
      R"(<rect width="{0}" height="{1}" fill="#ffffff"/>)"
      "\n",
      width, height);
  text += grid(frame);
  text += fmt::format(R"(<polyline points="{0},{1} {0},{2} {3},{2}" fill="none" stroke="#6b7280"/>)"
                      "\n",
                      left, top, height - bottom, width - right);
  double legend = left;
  std::size_t used = 0;
  for (const Curve& curve : drawing.curves) {
    const std::string_view color = colors[used % colors.size()];
    text += line(curve, color, frame);
    // What lies behind a curve has its colour.
    if (curve.style == Style::background) continue;
    text += fmt::format(
        R"(<line x1="{0}" y1="{1}" x2="{2}" y2="{1}" stroke="{3}" stroke-width="3"/>)"
        R"(<text x="{4}" y="{5}">{6}</text>)"
        "\n",
        legend, top - 10, legend + 18, color, legend + 24, top - 6, escaped(curve.label));
    legend += 44 + 7 * static_cast<double>(display_width(curve.label));
    ++used;
  }
  text += fmt::format(
      R"(<text x="{}" y="20" font-size="15" font-weight="bold">{}</text>)"
      R"(<text x="{}" y="{}" text-anchor="middle">{}</text>)"
      R"svg(<text transform="translate(18 {}) rotate(-90)" text-anchor="middle">{}</text>)svg"
      "\n</svg>\n",
      left, escaped(drawing.title), (left + width - right) / 2, height - 14,
      escaped(drawing.x_label), (top + height - bottom) / 2, escaped(drawing.y_label));
  return text;
}

}  // namespace axial::train
