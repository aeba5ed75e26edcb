// Data to train on: tensors that have one axis in common, along which examples are counted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "axial/document/symbols.hpp"
#include "axial/files/store.hpp"

namespace axial::train {

/// One tensor of the data: how the elements of an example are found.
struct Column {
  std::string name;
  /// The axes of one example, the last varying fastest.
  std::vector<SizedAxis> axes;
  /// The smallest and the largest element, and whether all are whole numbers.
  double low = 0;
  double high = 0;
  bool is_whole = true;
  std::function<void(std::int64_t example, double* to)> read;
};

/// Examples with one value for each column.
struct Examples {
  /// The axis along which examples lie in a batch.
  Axis axis;
  std::int64_t count = 0;
  std::vector<Column> columns;
  /// Examples follow each other, as pieces of a text do, so that a part is held out in one piece.
  bool is_sequence = false;

  /// The values of a column for the examples listed, each moved by `shift`.
  Array batch(const Column& column, std::span<const std::int64_t> examples, double shift,
              ElementType type) const;
};

/// What the user says about data.
struct DataRequest {
  /// `mnist.npz`, whose tensors are found by name, or `X=train-images.idx`.
  std::vector<std::string> files = {};
  /// `I,J=book.txt`: I is the bytes of a piece of text, J the byte after each of them.
  std::vector<std::string> texts = {};
  /// The axes of a tensor in the order of its file: X ↦ batch, height, width.
  std::map<std::string, std::vector<std::string>> axes = {};
  std::map<std::string, std::int64_t> sizes = {};
};

/// Fails with needs-value if the request names no data, with syntax if it does not say which tensors
/// a text gives, and with bad-name or repeated-axis if axes cannot be called so.
void require_well_formed(const DataRequest& request);

/// The data as a document declares it. An axis that a file has and the declaration has not counts the
/// examples. Fails with the errors of files; with undeclared if the document has none of the names;
/// with wrong-arity or size-clash if axes do not fit; with bad-value if there is no example or an
/// element is no number.
Examples read_examples(const DataRequest& request, const document::Symbols& symbols);

/// The set of tensors that a name is declared to be from; null if nothing says it.
const document::Symbol* declaration_of(const std::string& name, const document::Symbols& symbols);

/// Positions of examples to learn from, and of those that are held out.
struct Split {
  std::vector<std::int64_t> learned;
  std::vector<std::int64_t> held_out;
};

/// Holds out a fraction of the examples: the last piece of a sequence, else some by chance. Fails
/// with bad-value if one of the parts would be empty.
Split split(const Examples& examples, double held_out, std::uint64_t seed);

}  // namespace axial::train
