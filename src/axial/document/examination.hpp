// The trials of one statement, and what is made of the errors that come up in them.
#pragma once

#include <algorithm>
#include <new>
#include <optional>
#include <string>

#include "axial/document/examine.hpp"

namespace axial::document {

/// Sizes that were drawn do not fit what is done with them; others may.
bool is_unlucky(const Error& error);

/// The sizes of a trial as text: |seq| = 3, n = 5.
std::string drawn_sizes(const Sizes& sizes);

class Examination {
 public:
  Examination(const Symbols& symbols, std::size_t item, const CheckOptions& options,
              bool starred = true)
      : symbols_(symbols),
        item_(item),
        options_(options),
        starred_(starred),
        place_(symbols.item(item).span) {}

  /// Runs `body` in several trials: first for types alone, then with numbers.
  template <class Body>
  Examined run(Body&& body) {
    World* last = nullptr;
    std::optional<World> world;
    try {
      for (const bool numbers : {false, true}) {
        if (numbers && (!options_.verify || result_.status != Status::checked)) break;
        for (int trial = 0; trial < std::max(1, options_.trials); ++trial) {
          attempt(trial, world, last, [&](const Draw& draw) { body(*world, draw, numbers); });
          if (trial == 0 && !numbers) result_.remarks = world->remarks();
          if (result_.status != Status::checked) break;
        }
      }
    } catch (const Error& error) {
      fail(error, last);
    } catch (const std::bad_alloc&) {
      skip("it needs too much memory");
    }
    return std::move(result_);
  }

  /// Draws again, and larger, while the sizes do not fit each other.
  template <class Body>
  void attempt(int trial, std::optional<World>& world, World*& last, Body&& body) {
    constexpr int most = 100;
    bool primes_agree = false;
    for (int retry = 0;; ++retry) {
      Draw draw{.seed = options_.seed + static_cast<std::uint64_t>(1000 * trial + retry)};
      draw.starred = starred_;
      draw.spread.largest = usual_largest + (retry + 9) / 10;
      draw.spread.primes_agree = primes_agree;
      world.emplace(symbols_, draw);
      last = &*world;
      try {
        return body(draw);
      } catch (const Error& error) {
        // Where |ax'| is not said, it may be |ax|.
        const bool clashes = error.code().name == "size-clash" && !primes_agree;
        primes_agree = primes_agree || clashes;
        if (clashes && retry < most) continue;
        if (!is_unlucky(error) || world->sizes().are_given() || retry >= most) throw;
      }
    }
  }

  /// Ends the examination without a verdict.
  void skip(std::string reason);
  /// Ends it with a mistake, or without a verdict if the error does not say that there is one.
  void fail(const Error& error, World* world);

  Examined& result() { return result_; }
  /// The number of the choice of shapes that fitted in the trial before.
  std::size_t& guess() { return guess_; }
  bool is_confident() const { return confident_; }
  void note_confidence(const Frame& frame) { confident_ = confident_ && frame.is_confident(); }

 private:
  /// The span of everything in the same block.
  Span block_span() const;

  const Symbols& symbols_;
  std::size_t item_;
  const CheckOptions& options_;
  bool starred_;
  Span place_;
  Examined result_;
  bool confident_ = true;
  std::size_t guess_ = 0;
};

}  // namespace axial::document
