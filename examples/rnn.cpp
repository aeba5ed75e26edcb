// Section 4.2: h^t = σ(W^h ⊙ h^{t-1} + W^i ⊙ x^t + b), renamed from hidden' to hidden.
#include "examples/examples.hpp"
#include "examples/show.hpp"

namespace examples {

using namespace axial;

void rnn(std::ostream& out) {
  const Axis seq("seq"), input("input"), hidden("hidden"), batch("batch");
  Random random(2);
  const Tensor Wh = random.normal(hidden[3] * hidden.prime()[3]);
  const Tensor Wi = random.normal(input[2] * hidden.prime()[3]);
  const Tensor b = random.normal(hidden.prime()[3]);
  const Tensor h0 = zeros(hidden[3]);

  const auto step = [=](Tensor h, Tensor x) {
    return sigmoid(Wh *hidden* h + Wi *input* x + b)[hidden.prime() >> hidden];
  };
  const Tensor one = random.normal(seq[5] * input[2]);
  show(out, "h = scan(seq, h0, x, step), the states of every time", scan(seq, h0, one, step));

  const Tensor two = random.normal(batch[2] * seq[5] * input[2]);
  const Tensor states = scan(seq, h0, two, step);
  show(out, "the last states of a batch", states[seq(4)]);
}

}  // namespace examples
