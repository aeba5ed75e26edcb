// Curves drawn as a picture: SVG with axes, labels and a legend.
#pragma once

#include <string>
#include <vector>

namespace axial::train {

struct Point {
  double x;
  double y;
};

/// A dense line; the same behind the others, without a place in the legend; single points, connected.
enum class Style { line, background, marked };

struct Curve {
  std::string label;
  std::vector<Point> points;
  Style style = Style::line;
};

struct Drawing {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Curve> curves;
};

/// The drawing as SVG text. Points that are not finite are left out.
std::string to_svg(const Drawing& drawing);

/// Means of `count` pieces of a sequence, placed at the ends of the pieces: dense data as a line that
/// can be read.
std::vector<Point> smoothed(const std::vector<double>& values, std::size_t count);

/// Round numbers, about five, that cover the range: 0, 0.5, 1, ...
std::vector<double> ticks(double low, double high);

}  // namespace axial::train
