#include "notation/random_tree.hpp"

#include <functional>

#include "axial/vocabulary/elementwise.hpp"

namespace axial::notation {
namespace {

using support::Generator;
using Names = std::vector<std::string>;

const Names tensors{"X", "Y", "kh", "α", "ε'", "W_1", "d_model", "X'", "n_l", "x"};
const Names axes{"seq", "key", "ax", "seq'", "hidden_1", "ax*", "ax†", "ax'*", "b"};
const Names functions{"exp", "log", "softplus", "f", "σ", "Attention", "relu", "sqrt", "abs"};
const Names over_axes{"softmax", "max", "mean", "FullConn", "argmax", "prod"};
const Names operators{"add", "sub", "mul", "div", "pow"};
const Names relations{"equal", "unequal", "less", "less_equal", "greater", "greater_equal"};

class TreeMaker {
 public:
  explicit TreeMaker(Generator& generator) : generator_(generator) {}

  Tree tree(int depth);

 private:
  Tree leaf();
  Tree named(const std::string& name) { return {Form::name, {}, name, {}, {}}; }
  Tree number();
  Tree with(Form form, std::vector<Tree> children, std::string text = {}, Names below = {}) {
    return {form, {}, std::move(text), std::move(below), std::move(children)};
  }
  Tree applied(int depth);
  Tree scripted(int depth);
  Tree calculus(int depth);
  Tree structured(int depth);
  Tree truth(int depth);
  Tree fold(int depth);
  Tree array(int depth);
  Tree rename(int depth);
  Tree cases(int depth);
  Names some_axes(int least, int most);
  std::vector<Tree> some(int least, int most, int depth);

  Generator& generator_;
};

Tree TreeMaker::number() {
  const int choice = static_cast<int>(generator_.integer(0, 3));
  if (choice == 0) return {Form::number, {}, "0.5", {}, {}, 0.5};
  const auto value = generator_.integer(0, 20);
  return {Form::number, {}, std::to_string(value), {}, {}, value};
}

Tree TreeMaker::leaf() {
  switch (generator_.integer(0, 9)) {
    case 0: return number();
    case 1: return with(Form::size, {}, generator_.pick(axes));
    case 2: return with(Form::infinity, {});
    case 3: return with(Form::identity, {}, {}, some_axes(2, 2));
    case 4: return with(Form::hole, {});
    default: return named(generator_.pick(tensors));
  }
}

Names TreeMaker::some_axes(int least, int most) {
  Names shuffled = generator_.shuffled(axes);
  shuffled.resize(static_cast<std::size_t>(generator_.integer(least, most)));
  return shuffled;
}

std::vector<Tree> TreeMaker::some(int least, int most, int depth) {
  std::vector<Tree> all;
  const auto count = generator_.integer(least, most);
  while (std::ssize(all) < count) all.push_back(tree(depth));
  return all;
}

Tree TreeMaker::tree(int depth) {
  if (depth <= 0) return leaf();
  switch (generator_.integer(0, 9)) {
    case 0: return leaf();
    case 1:
    case 2: return with(Form::apply, some(2, 2, depth - 1), generator_.pick(operators));
    case 3: return with(Form::contract, some(2, 2, depth - 1), {}, some_axes(1, 2));
    case 4:
    case 5: return applied(depth);
    case 6:
    case 7: return scripted(depth);
    case 8: return calculus(depth);
    default: return structured(depth);
  }
}

Tree TreeMaker::applied(int depth) {
  switch (generator_.integer(0, 7)) {
    case 0: return with(Form::apply, some(1, 1, depth - 1), "neg");
    case 1: return with(Form::apply, some(1, 1, depth - 1), "sum", some_axes(1, 2));
    case 2:
      return with(Form::apply, some(1, 2, depth - 1), generator_.pick(over_axes), some_axes(1, 2));
    case 3: return truth(depth);
    case 4: {
      Tree call = with(Form::apply, some(2, 3, depth - 1), generator_.pick(functions));
      if (generator_.chance(0.5)) call.before_semicolon = 1;
      return call;
    }
    case 5: {
      Tree call = with(Form::apply, some(1, 2, depth - 1), "MaxPool");
      if (generator_.chance(0.6)) call.super = some(1, 2, 1);
      if (generator_.chance(0.6)) call.sub = {number(), named("k")};
      return call;
    }
    // In LaTeX a letter alone is no function, and a word of the vocabulary takes a sign behind it.
    case 6: return with(Form::apply, {}, generator_.pick(Names{"Attention", "softplus"}));
    default: return with(Form::apply, some(1, 1, depth - 1), generator_.pick(functions));
  }
}

Tree TreeMaker::truth(int depth) {
  Tree left = with(Form::apply, some(2, 2, depth - 1), generator_.pick(relations));
  if (generator_.chance(0.5)) {
    Tree right = with(Form::apply, some(2, 2, depth - 1), generator_.pick(relations));
    left = with(Form::apply, {left, right}, generator_.chance(0.5) ? "and" : "or");
  }
  if (generator_.chance(0.3)) left = with(Form::apply, {left}, "not");
  return generator_.chance(0.5) ? left : with(Form::truth, {left});
}

Tree TreeMaker::scripted(int depth) {
  switch (generator_.integer(0, 5)) {
    case 0: {
      Tree index = with(Form::index, some(1, 1, depth - 1), {}, some_axes(1, 2));
      for (std::size_t k = 0; k < index.axes.size(); ++k) {
        index.children.push_back(generator_.chance(0.3) ? with(Form::slice, some(2, 2, depth - 2))
                                                        : tree(depth - 2));
      }
      return index;
    }
    case 1: return rename(depth);
    case 2:
      return with(Form::mark, some(1, 1, depth - 1), generator_.pick(Names{"*", "†", "*†", "⊤"}));
    case 3: {
      Tree name = named("W");
      name.super = some(2, 3, 1);
      return name;
    }
    case 4: {
      Tree name = named("n");
      name.sub = {with(Form::apply, {named("l"), number()}, "sub")};
      if (generator_.chance(0.5)) name.sub = some(2, 3, 1);
      return name;
    }
    default: return with(Form::apply, some(2, 2, depth - 1), "pow");
  }
}

Tree TreeMaker::rename(int depth) {
  Tree result = with(Form::rename, some(1, 1, depth - 1));
  for (auto left = generator_.integer(1, 2); left > 0; --left) {
    Arrow arrow;
    for (const std::string& axis : some_axes(1, 2)) arrow.from.push_back({axis, {}});
    for (const std::string& axis : some_axes(1, 2)) {
      arrow.to.push_back({axis, generator_.chance(0.3) ? some(1, 1, 1) : std::vector<Tree>{}});
    }
    result.arrows.push_back(std::move(arrow));
  }
  return result;
}

Tree TreeMaker::calculus(int depth) {
  switch (generator_.integer(0, 4)) {
    case 0: return with(Form::derivative, some(2, 3, depth - 1));
    case 1: return with(Form::evaluated, some(3, 3, depth - 1));
    case 2: {
      Tree limit = with(Form::limit, some(1, 1, depth - 1));
      limit.sub = some(1, 1, 1);
      limit.super = some(1, 1, 1);
      return limit;
    }
    case 3: return with(Form::norm, some(1, 1, depth - 1));
    default: return with(Form::differential, some(1, 1, depth - 1));
  }
}

Tree TreeMaker::structured(int depth) {
  switch (generator_.integer(0, 3)) {
    case 0: return fold(depth);
    case 1: return array(depth);
    case 2: return cases(depth);
    default: return with(Form::concat, some(2, 2, depth - 1), {}, some_axes(1, 1));
  }
}

Tree TreeMaker::fold(int depth) {
  Tree body = with(Form::index, {tree(depth - 2), named("i")}, {}, {"ax"});
  if (generator_.chance(0.5)) body = with(Form::apply, {body, tree(depth - 1)}, "mul");
  Tree fold = with(Form::fold, {body}, generator_.pick(Names{"sum", "max", "prod"}));
  fold.sub = {named("i")};
  if (generator_.chance(0.7)) fold.super = some(1, 1, 1);
  return fold;
}

Tree TreeMaker::array(int depth) {
  if (generator_.chance(0.4)) return with(Form::array, some(1, 3, depth - 1), {}, some_axes(1, 1));
  std::vector<Tree> rows;
  const auto columns = static_cast<int>(generator_.integer(2, 3));
  for (auto left = generator_.integer(1, 3); left > 0; --left) {
    rows.push_back(with(Form::array, some(columns, columns, depth - 2)));
  }
  return with(Form::array, std::move(rows), {}, generator_.chance(0.2) ? Names{} : some_axes(2, 3));
}

Tree TreeMaker::cases(int depth) {
  Tree all = with(Form::cases, {});
  for (auto left = generator_.integer(1, 2); left > 0; --left) {
    all.children.push_back(tree(depth - 1));
    all.children.push_back(generator_.chance(0.3)
                               ? with(Form::parity, some(1, 1, depth - 2), "odd")
                               : with(Form::apply, some(2, 2, depth - 2), "equal"));
  }
  if (generator_.chance(0.7)) all.children.push_back(tree(depth - 1));
  return all;
}

}  // namespace

Tree random_tree(Generator& generator, int depth) { return TreeMaker(generator).tree(depth); }

}  // namespace axial::notation
