// Tensors between files and memory: names, orders, selections, and files of every format.
#include "axial/files/store.hpp"

#include <gmock/gmock.h>

#include "axial/files/files.hpp"
#include "files/support.hpp"

namespace axial::files {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Axis height{"height"}, width{"width"}, channel{"channel"};
constexpr auto endings = std::to_array<const char*>({".npy", ".npz", ".safetensors"});

Stored unnamed(std::vector<std::int64_t> sizes) {
  const Array block = patterned(float32, channel[100]);
  return {.source = "x.npy",
          .type = float32,
          .sizes = std::move(sizes),
          .axes = {},
          .block = {std::make_shared<Array>(block), block.bytes()}};
}

Array round_trip(const std::string& path, const Ordered& tensor) {
  write(path, {{"W", tensor}});
  return named(read(path).begin()->second);
}

TEST(named, takes_the_axes_in_the_order_of_the_file) {
  const Array array = named(unnamed({2, 3}), {width, height});
  EXPECT_EQ(array.shape(), (Shape{height[3], width[2]}));
  EXPECT_EQ(array.real(array.offset({width(1), height(0)})), pattern(float32, 3));
}

TEST(named, reverses_the_axes_of_a_fortran_array) {
  Stored stored = unnamed({2, 3});
  stored.first_fastest = true;
  const Array array = named(stored, {height, width});
  EXPECT_EQ(array.shape(), (Shape{height[2], width[3]}));
  EXPECT_EQ(array.real(array.offset({height(1), width(0)})), pattern(float32, 1));
}

TEST(named, wants_one_name_for_each_axis) {
  EXPECT_EQ(complaint([] { named(unnamed({2, 3})); }),
            "wrong-arity: x.npy: the file does not name the axes of this tensor, which has 2 axes "
            "(2 × 3)\n  hint: give a name for each axis, in this order");
  EXPECT_EQ(complaint([] { named(unnamed({2, 3}), height); }),
            "wrong-arity: x.npy: the tensor has 2 axes (2 × 3), but the names given are {height}\n"
            "  hint: give one name for each axis, in this order");
  EXPECT_THAT(complaint([] { named(unnamed({}), height); }), HasSubstr("has no axes"));
}

TEST(named, needs_no_names_for_a_scalar) { EXPECT_EQ(named(unnamed({})).shape(), Shape{}); }

TEST(named, agrees_with_the_names_in_the_file_in_any_order) {
  Stored stored = unnamed({2, 3});
  stored.axes = Axes{height, width};
  EXPECT_EQ(named(stored, {width, height}).shape(), (Shape{height[2], width[3]}));
  EXPECT_EQ(complaint([&] { named(stored, {channel, height}); }),
            "unknown-axis: x.npy: the file names the axes {height, width}, not {channel, height}\n"
            "  hint: read it without giving names, then rename its axes");
}

TEST(ordered, is_alphabetical_unless_told) {
  const Array array = patterned(float32, Shape{width[2], height[3]});
  EXPECT_THAT(Ordered(array).order.written(), ElementsAre(height, width));
  EXPECT_THAT(Ordered(array).sizes(), ElementsAre(3, 2));
  EXPECT_THAT(Ordered(array, {width, height}).sizes(), ElementsAre(2, 3));
}

TEST(ordered, names_every_axis_once) {
  const Array array = patterned(float32, Shape{width[2], height[3]});
  EXPECT_EQ(complaint([&] { Ordered(array, {width}); }),
            "unknown-axis: a tensor of shape {height[3], width[2]} cannot be written in the order "
            "{width}\n  hint: name every axis of the tensor once");
}

TEST(files, keep_every_element_type) {
  const Folder folder;
  for (const std::string ending : endings) {
    for (const ElementFacts& element : element_facts) {
      const Array array = patterned(element.type, Shape{width[3], height[5]});
      const Array back = round_trip(folder / ("x" + ending), array);
      EXPECT_EQ(back.type(), element.type) << ending;
      EXPECT_EQ(back.shape(), array.shape()) << ending;
      EXPECT_EQ(values(back, {width, height}), values(array, {width, height})) << ending;
    }
  }
}

TEST(files, keep_scalars_empty_axes_and_many_axes) {
  const Folder folder;
  std::vector<SizedAxis> many;
  for (int i = 0; i < 40; ++i) many.push_back(Axis("a" + std::to_string(i))[i % 10 == 0 ? 2 : 1]);
  for (const std::string ending : endings) {
    for (const Shape& shape :
         {Shape{}, Shape{height[0]}, Shape{height[0], width[7]}, Shape(many)}) {
      for (const ElementFacts& element : element_facts) {
        const Array array = patterned(element.type, shape);
        const Array back = round_trip(folder / ("x" + ending), array);
        EXPECT_EQ(back.type(), element.type) << ending;
        EXPECT_EQ(back.shape(), shape) << ending;
        EXPECT_EQ(values(back, shape.names()), values(array, shape.names())) << ending;
      }
    }
  }
}

TEST(files, do_not_depend_on_the_layout_in_memory) {
  const Folder folder;
  const Array array = patterned(int32, Shape{height[4], channel[2], width[3]});
  const Array other = laid_out(array, {width, height, channel});
  for (const std::string ending : endings) {
    write(folder / ("a" + ending), {{"W", array}});
    write(folder / ("b" + ending), {{"W", other}});
    EXPECT_EQ(bytes_in(folder / ("a" + ending)), bytes_in(folder / ("b" + ending)));
  }
}

TEST(files, keep_the_order_that_the_caller_names) {
  const Folder folder;
  const Array array = patterned(int32, Shape{height[4], channel[2], width[3]});
  for (const std::string ending : endings) {
    const Axes order{width, channel, height};
    write(folder / ("x" + ending), {{"W", {array, order}}});
    const Stored stored = read(folder / ("x" + ending)).begin()->second;
    EXPECT_THAT(stored.sizes, ElementsAre(3, 2, 4));
    EXPECT_THAT(stored.axes->written(), ElementsAre(width, channel, height));
    EXPECT_EQ(values(named(stored), order), values(array, order));
  }
}

TEST(files, keep_decorated_and_foreign_names) {
  const Folder folder;
  const Shape shape{Axis("hidden_1'")[2], Axis("ax*†")[3], Axis("größe")[2]};
  for (const std::string ending : endings) {
    EXPECT_EQ(round_trip(folder / ("x" + ending), patterned(boolean, shape)).shape(), shape);
  }
}

TEST(files, hold_tensors_by_name) {
  const Folder folder;
  for (const std::string ending : {".npz", ".safetensors"}) {
    const Tensors tensors{{"layers.0/weight", patterned(float32, Shape{height[2], width[2]})},
                          {"mask", patterned(boolean, height[3])},
                          {"größe ☃ \"\\", patterned(int64, width[2])},
                          {"", patterned(float64, Shape{})}};
    write(folder / ("x" + ending), tensors);
    const Stores stores = read(folder / ("x" + ending));
    ASSERT_EQ(stores.size(), tensors.size());
    for (const auto& [name, tensor] : tensors) {
      const Array back = named(stores.at(name));
      EXPECT_EQ(back.type(), tensor.array.type());
      EXPECT_EQ(values(back, tensor.order), values(tensor.array, tensor.order));
    }
  }
}

TEST(files, may_be_empty) {
  const Folder folder;
  for (const std::string ending : {".npz", ".safetensors"}) {
    write(folder / ("x" + ending), {});
    EXPECT_TRUE(read(folder / ("x" + ending)).empty());
  }
}

TEST(files, give_only_the_tensors_asked_for) {
  const Folder folder;
  for (const std::string ending : {".npz", ".safetensors"}) {
    const std::string path = folder / ("x" + ending);
    write(path, {{"weight", patterned(float32, height[2])}, {"bias", patterned(int32, width[2])}});
    const Stores stores = read(path, {.only = {"bias"}});
    ASSERT_EQ(stores.size(), 1);
    EXPECT_EQ(named(stores.at("bias")).type(), int32);
    EXPECT_EQ(
        complaint([&] { read(path, {.only = {"wieght"}}); }),
        "bad-value: " + path + ": the file has no tensor `wieght`\n  hint: did you mean `weight`?");
  }
}

TEST(files, are_known_by_the_ending_of_their_name) {
  const Folder folder;
  EXPECT_EQ(complaint([] { read("weights.pt"); }),
            "file-access: the name of weights.pt does not say its format\n"
            "  hint: file names end in .npy, .npz, .safetensors or .idx");
  const Array array = patterned(float32, height[2]);
  EXPECT_EQ(complaint([&] { write("x.npy", {{"a", array}, {"b", array}}); }),
            "wrong-arity: x.npy cannot hold 2 tensors: an .npy has exactly one\n"
            "  hint: write an .npz or a .safetensors");
}

TEST(files, keep_names_that_the_formats_need_for_themselves) {
  const Folder folder;
  const Array array = patterned(float32, height[2]);
  EXPECT_EQ(complaint([&] { write(folder / "x.npz", {{"__axes__", array}}); }),
            "bad-value: a tensor in this format cannot be called `__axes__`\n"
            "  hint: the name is taken by the format; choose another");
  EXPECT_THAT(complaint([&] { write(folder / "x.safetensors", {{"__metadata__", array}}); }),
              HasSubstr("bad-value: a tensor in this format cannot be called `__metadata__`"));
  for (const std::string ending : {".npz", ".safetensors"}) {
    EXPECT_THAT(complaint([&] { write(folder / ("x" + ending), {{"\xFF", array}}); }),
                HasSubstr("bad-value: a name or text to be written to a file is not UTF-8"));
  }
  EXPECT_THAT(folder.files(), ElementsAre());
}

TEST(files, that_cannot_be_read_say_why) {
  const Folder folder;
  std::filesystem::create_directory(folder / "folder.npz");
  for (const std::string ending : endings) {
    const std::string path = folder / ("absent" + ending);
    EXPECT_EQ(complaint([&] { read(path); }),
              "file-access: cannot open " + path + ": No such file or directory");
  }
  EXPECT_THAT(complaint([&] { read(folder / "folder.npz"); }),
              AllOf(HasSubstr("file-access: cannot read "), HasSubstr("is not a regular file")));
}

}  // namespace
}  // namespace axial::files
