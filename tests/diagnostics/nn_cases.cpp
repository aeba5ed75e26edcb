// Wrong uses of modules, layers and optimisers.
#include <cmath>

#include "axial/axial.hpp"
#include "diagnostics/case.hpp"

namespace axial::diagnostics {
namespace {

const Axis layer{"layer"}, hidden{"hidden"}, batch{"batch"}, classes{"classes"}, chans{"chans"};

const Tensor W = ones(layer[2]), scores = ones(batch[2] * classes[3]);

/// A module whose parts are named as the caller says.
struct Pair : Module {
  Pair(std::string first, std::string second) {
    child(std::move(first), Linear(layer[3], hidden[2]));
    child(std::move(second), Linear(layer[3], hidden[2]));
  }
};

Linear initialized() {
  Linear made(layer[3], hidden[2]);
  made.initialize(1);
  return made;
}

}  // namespace

std::vector<Case> module_cases() {
  return {
      {"a parameter that was never initialised",
       "needs-value",
       {"`W`", "{hidden[2], layer[3]}"},
       [] { Linear(layer[3], hidden[2])(ones(layer[3])); }},
      {"two parts of a module with one name", "redeclared", {"`a`"}, [] { Pair("a", "a"); }},
      {"a part of a module with a dot in its name",
       "bad-value",
       {"`a.b`"},
       [] { Pair("a.b", "c"); }},
      {"a state without a parameter",
       "bad-value",
       {"`b`", "{hidden[2]}"},
       [] { initialized().restore({{"W", ones(layer[3] * hidden[2])}}); }},
      {"a state with a parameter that the module lacks",
       "bad-value",
       {"`V`"},
       [] { initialized().update({{"V", ones(layer[3])}}); }},
      {"a state with a parameter of another shape",
       "size-clash",
       {"`W`", "{hidden[2], layer[3]}", "{hidden[2], layer[4]}", "they differ in {layer}"},
       [] { initialized().update({{"W", ones(layer[4] * hidden[2])}}); }},
      {"a layer on a tensor without its axis",
       "unknown-axis",
       {"`Linear`", "`layer`", "{batch[2]}"},
       [] { initialized()(ones(batch[2])); }},
      {"a layer over an axis that its result has",
       "lifting-clash",
       {"`Linear`", "`hidden`", "{hidden[2]}"},
       [] { initialized()(ones(layer[3] * hidden[5])); }},
      {"an activation that is not known",
       "undeclared",
       {"`relo`"},
       [] { FullConn(layer[3], hidden[2], "relo"); }},
      {"heads that do not divide the layer",
       "bad-size",
       {"`layer`", "6", "`heads`", "4"},
       [] { Attention(layer[6], Axis("heads")[4]); }},
      {"groups that do not divide the channels",
       "bad-size",
       {"`chans`", "6", "4"},
       [] { GroupNorm(layer, chans[6], 4); }},
      {"a batch norm that learns inside a function",
       "needs-value",
       {"BatchNorm", "{batch}", "{batch[2], layer[3]}"},
       [] {
         BatchNorm norm(batch, layer[3]);
         norm.initialize(1);
         function({batch & layer}, batch & layer,
                  [=](Tensor x) { return norm(x); })(ones(batch[2] * layer[3]));
       }},
      {"a dropout of everything", "bad-value", {"Dropout", "1"}, [] { Dropout(1); }},
  };
}

std::vector<Case> training_cases() {
  return {
      {"targets that are neither integers nor distributions",
       "element-type",
       {"`classes`", "{batch[2]}", "{batch[2], classes[3]}", "float32"},
       [] { cross_entropy_loss(classes, scores, ones(batch[2])); }},
      {"targets with an axis that the predictions lack",
       "unexpected-axis",
       {"{layer[2]}", "{layer}", "{batch[2], classes[3]}"},
       [] { squared_error_loss(scores, W); }},
      {"scores without the axis of classes",
       "unknown-axis",
       {"cross_entropy_loss", "`classes`", "{layer[2]}"},
       [] { cross_entropy_loss(classes, W, tensor(Shape{}, {1}, int64)); }},
      {"an optimizer that is not known",
       "bad-value",
       {"optimizer", "`adamm`"},
       [] { Optimizer("adamm"); }},
      {"a setting that the optimizer does not have",
       "bad-value",
       {"`adam`", "`momentum`"},
       [] { Optimizer("adam:momentum=0.9"); }},
      {"a setting out of range",
       "bad-value",
       {"`beta1`", "`adam`", "1"},
       [] { Optimizer("adam:beta1=1"); }},
      {"a setting that is not a number",
       "bad-value",
       {"adam:lr=fast", "`lr`", "`fast`"},
       [] { Optimizer("adam:lr=fast"); }},
      {"a setting given twice", "bad-value", {"`lr`"}, [] { Optimizer("adam:lr=1,lr=2"); }},
      {"a specification without a name", "bad-value", {"`:lr=1`"}, [] { Optimizer(":lr=1"); }},
      {"a schedule without an end",
       "bad-value",
       {"`cosine`"},
       [] { Schedule("cosine:warmup=10"); }},
      {"a schedule that is not known",
       "bad-value",
       {"schedule", "`cosinus`"},
       [] { Schedule("cosinus"); }},
      {"a parameter without a gradient",
       "bad-value",
       {"`W`"},
       [] { Optimizer("sgd").step({{"W", W}}, {}); }},
      {"a gradient without a parameter",
       "bad-value",
       {"`V`"},
       [] { Optimizer("sgd").step({{"W", W}}, {{"W", W}, {"V", W}}); }},
      {"a gradient of another shape",
       "size-clash",
       {"`W`", "{layer[2]}", "{layer[3]}"},
       [] { Optimizer("sgd").step({{"W", W}}, {{"W", ones(layer[3])}}); }},
      {"a state of another optimizer",
       "bad-value",
       {"`sgd.step`"},
       [] { Optimizer("sgd").restore(Optimizer("adam").state()); }},
      {"a state of an optimizer with other settings",
       "bad-value",
       {"`sgd.m/W`", "momentum=0"},
       [] {
         Optimizer quick("sgd:momentum=0.9");
         quick.step({{"W", W}}, {{"W", W}});
         Optimizer("sgd").restore(quick.state());
       }},
      {"a state of parameters of another shape",
       "size-clash",
       {"`m/W`", "{layer[2]}", "{layer[3]}"},
       [] {
         Optimizer quick("sgd:momentum=0.9");
         quick.step({{"W", W}}, {{"W", W}});
         quick.step({{"W", ones(layer[3])}}, {{"W", ones(layer[3])}});
       }},
      {"a loss that was computed before the last step",
       "not-differentiable",
       {"the loss", "parameters"},
       [] {
         Linear model = initialized();
         const Tensor loss = sum(hidden, model(ones(layer[3])));
         Optimizer optimizer("sgd");
         optimizer.minimize(loss, model);
         optimizer.minimize(loss, model);
       }},
      {"a loss that is not finite",
       "bad-value",
       {"the loss", "-inf at {layer(1)}", "`log W`, where W = 0"},
       [] {
         const Tensor given = tensor(layer[2], {1, 0});
         require_finite(sum(layer, log(given)), "the loss", {{"W", given}});
       }},
  };
}

}  // namespace axial::diagnostics
