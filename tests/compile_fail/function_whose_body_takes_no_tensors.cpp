// expect: the body must take tensors
// expect: (?s)\A(?!.*instantiation depth)
#include <axial/axial.hpp>

using namespace axial;

Function wrong = function({Axis("key")}, Axes{}, [](const char*) { return Tensor(1); });
