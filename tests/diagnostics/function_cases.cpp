// Wrong uses of functions with signatures, of recurrences, of derivatives, and of
// matrices.
#include "axial/axial.hpp"
#include "diagnostics/case.hpp"

namespace axial::diagnostics {
namespace {

const Axis seq{"seq"}, key{"key"}, val{"val"}, batch{"batch"}, hidden{"hidden"};
const Axis a{"a"}, b{"b"};

const Tensor Q = ones(key[4]), K = ones(seq[3] * key[4]), V = ones(seq[3] * val[2]);
const Tensor matrix = identity(a[2], b), vector = ones(a[2]);
const Tensor state = ones(hidden[2]), steps = ones(seq[3] * hidden[2]);

const Function attention =
    function("attention", {key, seq& key, seq& val}, val,
             [](Tensor q, Tensor k, Tensor v) { return softmax(seq, q * key * k) * seq * v; });
const Function total = function("total", {seq}, Axes{}, [](Tensor x) { return sum(seq, x); });

/// A function whose body gives `result` for every argument.
Function constantly(const Tensor& result) {
  return function("constantly", {key}, val, [result](Tensor) { return result; });
}

}  // namespace

std::vector<Case> function_cases() {
  return {
      {"a function argument that lacks an axis",
       "unknown-axis",
       {"`attention`", "`key`", "{seq[3], val[2]}"},
       [] { attention(Q, V, V); }},
      {"function arguments that differ in a size",
       "size-clash",
       {"`attention`", "`key`", "4", "5", "{key[5], seq[3]}"},
       [] { attention(Q, ones(seq[3] * key[5]), V); }},
      {"extra axes that differ in size",
       "size-clash",
       {"`attention`", "`batch`", "2", "3", "{batch[2], key[4]}", "{batch[3], seq[3], val[2]}"},
       [] { attention(broadcast(Q, batch[2]), K, broadcast(V, batch[3])); }},
      {"a function lifted over an axis of its result",
       "lifting-clash",
       {"`attention`", "`val`", "{val[2]}"},
       [] { attention(broadcast(Q, val[5]), K, V); }},
      {"a function with too few arguments",
       "wrong-arity",
       {"`attention`", "3", "2"},
       [] { attention(Q, K); }},
      {"a function with too many arguments",
       "wrong-arity",
       {"`total`", "1", "2"},
       [] { total(V, V); }},
      {"a signature with fewer arguments than its body",
       "wrong-arity",
       {"`pair`", "1"},
       [] { function("pair", {key}, key, [](Tensor x, Tensor y) { return x + y; })(Q); }},
      {"a signature with more arguments than its body",
       "wrong-arity",
       {"`one`", "2"},
       [] { function("one", {key, key}, key, [](Tensor x) { return x; })(Q, Q); }},
      {"a function result that lacks an axis",
       "unknown-axis",
       {"`constantly`", "`val`", "{}"},
       [] { constantly(Tensor(1))(Q); }},
      {"a function result with another axis",
       "unexpected-axis",
       {"`constantly`", "{seq}", "{val}", "{seq[3], val[2]}"},
       [] { constantly(V)(Q); }},
      {"a mistake inside the body of a function",
       "unknown-axis",
       {"`broken`", "`val`", "{key[4]}"},
       [] { function("broken", {key}, Axes{}, [](Tensor x) { return sum(val, x); })(Q); }},
      {"a pass of the engine that is not there",
       "undeclared",
       {"`shear`"},
       [] { explain(Q, {.without = {"shear"}}); }},
      {"a value asked for inside a function",
       "needs-value",
       {"`curious`", "{key[4]}"},
       [] {
         function("curious", {key}, Axes{},
                  [](Tensor x) { return sum(key, x).item() > 0 ? Tensor(1) : Tensor(0); })(Q);
       }},
      {"an if inside a function",
       "needs-value",
       {"`undecided`", "{key[4]}"},
       [] {
         function("undecided", {key}, Axes{}, [](Tensor x) {
           const Tensor s = sum(key, x);
           if (s > 0) return s;
           return -s;
         })(Q);
       }},
      {"a word with one axis too many",
       "wrong-arity",
       {"`cumsum`", "{key, seq}"},
       [] { cumsum(seq & key, K); }},
      {"an order along two axes",
       "wrong-arity",
       {"`sort`", "{key, seq}"},
       [] { sort(seq & key, K); }},
  };
}

std::vector<Case> scan_cases() {
  const auto add = [](Tensor s, Tensor x) { return s + x; };
  return {
      {"a scan over an absent axis",
       "unknown-axis",
       {"scan", "`key`", "{hidden[2], seq[3]}"},
       [add] { scan(key, state, steps, add); }},
      {"a scan over sequences of different lengths",
       "size-clash",
       {"scan", "`seq`", "3", "4", "{hidden[2], seq[3]}", "{seq[4]}"},
       [] {
         scan(seq, state, {steps, ones(seq[4])},
              [](Tensor s, Tensor x, Tensor y) { return s + x + y; });
       }},
      {"a scan over no sequence",
       "wrong-arity",
       {"scan", "`seq`"},
       [] { scan(seq, state, std::vector<Tensor>{}, [](Tensor s) { return s; }); }},
      {"a scan whose step takes too few arguments",
       "wrong-arity",
       {"scan", "`seq`"},
       [] { scan(seq, state, steps, [](Tensor s) { return s; }); }},
      {"a scan whose step loses an axis of the state",
       "unexpected-axis",
       {"scan", "`seq`", "{hidden[2]}", "{}"},
       [] { scan(seq, state, steps, [](Tensor s, Tensor) { return sum(hidden, s); }); }},
      {"a scan whose step changes the element type",
       "element-type",
       {"scan", "`seq`", "float32", "bool"},
       [] { scan(seq, state, steps, [](Tensor s, Tensor x) { return s > x; }); }},
      {"a scan whose state differs from the inputs in a size",
       "size-clash",
       {"`hidden`", "2", "3", "{hidden[3]}"},
       [add] { scan(seq, ones(hidden[3]), steps, add); }},
      {"a scan whose state already has the axis",
       "lifting-clash",
       {"scan", "`seq`", "{hidden[2], seq[3]}"},
       [add] { scan(seq, steps, steps, add); }},
      {"a scan of several states whose step forgets one",
       "wrong-arity",
       {"scan", "`seq`", "2", "1"},
       [] {
         scan(seq, std::vector<Tensor>{state, state}, std::vector<Tensor>{steps},
              [](Tensor s, Tensor, Tensor) { return std::vector<Tensor>{s}; });
       }},
      {"a scan of several states of which one changes its axes",
       "unexpected-axis",
       {"scan", "{hidden[2]}", "{}"},
       [] {
         scan(seq, std::vector<Tensor>{state, state}, std::vector<Tensor>{steps},
              [](Tensor s, Tensor t, Tensor) { return std::vector<Tensor>{sum(hidden, s), t}; });
       }},
  };
}

std::vector<Case> calculus_cases() {
  return {
      {"a gradient of a tensor with axes",
       "not-differentiable",
       {"gradient", "{key}"},
       [] { gradient(2 * Q, Q); }},
      {"a gradient by integers",
       "not-differentiable",
       {"int64"},
       [] {
         const Tensor whole = to(int64, Q);
         gradient(sum(key, to(float64, whole)), whole);
       }},
  };
}

std::vector<Case> matrix_cases() {
  return {
      {"an inverse of a singular matrix",
       "singular",
       {"`inverse`", "{a, b}"},
       [] { inverse(a & b, ones(a[2] * b[2])).array(); }},
      {"an equation with a singular matrix",
       "singular",
       {"`solve`", "{a, b}"},
       [] { solve(a, b, zeros(a[2] * b[2]), vector).array(); }},
      {"an inverse of a matrix that is not square",
       "size-clash",
       {"`inverse`", "`a`", "2", "`b`", "3"},
       [] { inverse(a & b, ones(a[2] * b[3])); }},
      {"a determinant along one axis",
       "wrong-arity",
       {"`det`", "2", "{a}"},
       [] { det(a, matrix); }},
      {"an equation whose right side lacks the axis",
       "unknown-axis",
       {"`solve`", "`a`", "{b[2]}"},
       [] { solve(a, b, matrix, ones(b[2])); }},
      {"an equation whose right side has another size",
       "size-clash",
       {"`solve`", "`a`", "2", "3", "{a[3]}"},
       [] { solve(a, b, matrix, ones(a[3])); }},
      {"an equation whose right side has the axis of the solution",
       "lifting-clash",
       {"`solve`", "`b`", "{b[2]}"},
       [] { solve(a, b, matrix, ones(a[2] * b[5])); }},
  };
}

}  // namespace axial::diagnostics
