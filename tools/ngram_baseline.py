#!/usr/bin/env python3
"""How well n-grams of bytes predict a text: nats and bits per byte on its last part.

    ngram_baseline.py FILE [--hold-out 0.05] [--seq 128] [--orders 6 7 8 9]

The text is split as `axial train --text I,J=FILE --size seq=128 --hold-out 0.05` splits it, so that the
losses can be compared. The model is interpolated Kneser-Ney with one discount for each order; it
conditions on all bytes before, also across the borders of pieces.
"""
import argparse
import math
from collections import defaultdict
from pathlib import Path


class KneserNey:
    """p(b | c) = max(n(cb) - D, 0) / n(c) + D · types(c) / n(c) · p(b | shorter c), where n counts
    occurrences for the longest contexts and different bytes before for all others."""

    def __init__(self, text, order):
        self.order = order
        counts = [defaultdict(int) for _ in range(order)]
        for k in range(order - 1, len(text)):
            counts[order - 1][text[k - order + 1:k + 1]] += 1
        for length in range(order - 1, 0, -1):
            for gram in counts[length]:
                counts[length - 1][gram[1:]] += 1
        self.counts = counts
        self.totals = [defaultdict(int) for _ in range(order)]
        self.types = [defaultdict(int) for _ in range(order)]
        self.discounts = []
        for length, grams in enumerate(counts):
            for gram, count in grams.items():
                self.totals[length][gram[:-1]] += count
                self.types[length][gram[:-1]] += 1
            once = sum(1 for count in grams.values() if count == 1)
            twice = sum(1 for count in grams.values() if count == 2)
            self.discounts.append(once / (once + 2 * twice) if once else 0.5)

    def probability(self, context, byte):
        probability = 1 / 256
        for length in range(self.order):
            before = context[len(context) - length:]
            total = self.totals[length].get(before, 0)
            if not total:
                break
            discount = self.discounts[length]
            count = self.counts[length].get(before + byte, 0)
            share = discount * self.types[length][before] / total
            probability = max(count - discount, 0) / total + share * probability
        return probability


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--hold-out", type=float, default=0.05)
    parser.add_argument("--seq", type=int, default=128)
    parser.add_argument("--orders", type=int, nargs="+", default=[6, 7, 8, 9])
    options = parser.parse_args()
    text = options.file.read_bytes()
    pieces = (len(text) - 1) // options.seq
    learned = pieces - math.floor(options.hold_out * pieces + 0.5)
    begin, end = learned * options.seq, pieces * options.seq + 1
    print(f"{begin} bytes are learned, {end - begin - 1} are predicted")
    for order in options.orders:
        model = KneserNey(text[:begin + 1], order)
        nats = -sum(math.log(model.probability(text[k - order + 1:k], text[k:k + 1]))
                    for k in range(begin + 1, end)) / (end - begin - 1)
        print(f"{order}-grams: {nats:.4f} nats, {nats / math.log(2):.4f} bits per byte")


if __name__ == "__main__":
    main()
