#include "axial/train/named_program.hpp"

#include "axial/api/run.hpp"

namespace axial::train {

NamedProgram::NamedProgram(std::span<const expr::Expr> results, std::span<const NamedExpr> inputs) {
  expr::Linearized linearized = plain_program(results);
  program_ = std::move(linearized.program);
  data_ = std::move(linearized.data);
  // A leaf is known by the memory that its elements are in.
  for (const NamedExpr& input : inputs) {
    const std::byte* block = input.value.as<expr::Leaf>()->value.bytes();
    for (std::size_t k = 0; k < data_.size(); ++k) {
      if (data_[k].bytes() == block) places_.emplace_back(k, input.name);
    }
  }
}

std::vector<Array> NamedProgram::operator()(const std::map<std::string, Array>& values) const {
  std::vector<Array> data = data_;
  for (const auto& [place, name] : places_) data[place] = values.at(name);
  return run_program(program_, std::move(data));
}

}  // namespace axial::train
