// Convolutions by oneDNN, in each of the layouts that it can work on.
#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>
#include <string_view>

#include "bench/peers/jobs.hpp"

namespace {

using Tag = dnnl::memory::format_tag;
using Memory = dnnl::memory;

Memory::desc described(const Memory::dims& sizes, Tag layout) {
  return {sizes, Memory::data_type::f32, layout};
}

/// The elements of a plain block in another layout.
Memory converted(const Memory& plain, const Memory::desc& layout, const dnnl::engine& engine) {
  Memory result(layout, engine);
  dnnl::stream stream(engine);
  Memory from = plain;
  dnnl::reorder(from, result).execute(stream, from, result);
  stream.wait();
  return result;
}

}  // namespace

/// Images of `size`² pixels with a kernel of odd size, padded such that sizes stay. The layout is
/// `channels-first`, `channels-last` or `blocked`; the result is plain after the job is finished.
extern "C" peers::Job* peers_convolution(const char* layout, std::int64_t batch,
                                         std::int64_t channels, std::int64_t outputs,
                                         std::int64_t height, std::int64_t width,
                                         std::int64_t kernel, const float* images,
                                         const float* weights, float* result) {
  const std::string_view name = layout;
  const Tag images_as = name == "channels-first"  ? Tag::nchw
                        : name == "channels-last" ? Tag::nhwc
                                                  : Tag::any;
  const Memory::dims in{batch, channels, height, width}, out{batch, outputs, height, width};
  const Memory::dims window{outputs, channels, kernel, kernel}, padding{kernel / 2, kernel / 2};
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const dnnl::convolution_forward::primitive_desc plan({dnnl::prop_kind::forward_inference,
                                                        dnnl::algorithm::convolution_direct,
                                                        described(in, images_as),
                                                        described(window, Tag::any),
                                                        described(out, images_as),
                                                        {1, 1},
                                                        padding,
                                                        padding},
                                                       engine);
  const Memory plain_in(described(in, Tag::nchw), engine, const_cast<float*>(images));
  const Memory plain_weights(described(window, Tag::oihw), engine, const_cast<float*>(weights));
  const Memory x = converted(plain_in, plan.src_desc(), engine);
  const Memory w = converted(plain_weights, plan.weights_desc(), engine);
  const Memory y(plan.dst_desc(), engine);
  const dnnl::convolution_forward convolution(plan);
  dnnl::stream stream(engine);
  return new peers::Job{
      [=]() mutable {
        convolution.execute(stream, {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, w}, {DNNL_ARG_DST, y}});
        stream.wait();
      },
      [=]() mutable {
        Memory from = y, to(described(out, Tag::nchw), engine, result);
        dnnl::reorder(from, to).execute(stream, from, to);
        stream.wait();
      }};
}
