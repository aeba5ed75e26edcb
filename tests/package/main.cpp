// The smallest program of a user.
#include <axial/axial.hpp>

int main() { return axial::Axis{"height"} == axial::Axis{"height"} ? 0 : 1; }
