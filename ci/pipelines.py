#!/usr/bin/env python3
"""Measures the pipeline `memplan` in mlir-opt: pipelines.py PLUGIN [--instructions] [--beside PLUGIN] [NETWORK]...

Compares memplan's own passes of `memplan` with `canonicalize`, and `memplan` with `buffer-deallocation-pipeline`, for each
network (the arguments select networks by parts of their names). Times are mlir-opt's own (--mlir-timing without parsing and
printing), on one thread. Each round measures all pipelines, and a ratio is the median over the rounds. With --instructions,
valgrind counts the instructions of the pass manager in one round, without the verifier for memplan's passes and
canonicalize. With --beside, each round measures memplan's passes with another plugin, too, such as an earlier build.
"""
import argparse
import math
import statistics

import instructions
from networks import bufferized, chosen, say
from programs import count_ops
from timing import run_timed, seconds, table

OURS, UPSTREAM, CANONICALIZE = "memplan", "buffer-deallocation-pipeline", "func.func(canonicalize)"
ROUNDS = 9


class Seconds:
    """Milliseconds of --mlir-timing."""
    unit, rounds = "ms", ROUNDS

    @staticmethod
    def ours(plugin, path):
        """The time of the pipeline, and of each of memplan's passes."""
        passes = run_timed(plugin, path, f"builtin.module({OURS})")
        each = {}
        for _, name, time in passes:
            # Passes that only run others: the others are listed separately.
            if name.startswith("memplan-") and not name.startswith("memplan-where"):
                each[name.removeprefix("memplan-")] = each.get(name.removeprefix("memplan-"), 0) + time * 1e3
        # A pass that another one runs is listed again at a greater depth.
        return sum(time * 1e3 for depth, name, time in passes if depth == 0 and name != "'any' Pipeline"), each

    @staticmethod
    def other(plugin, path, pipeline):
        return seconds(plugin, path, pipeline) * 1e3

    canonicalize = other


class Instructions:
    """Millions of instructions."""
    unit, rounds = "M", 1

    @staticmethod
    def ours(plugin, path):
        counted = instructions.count(plugin, path, OURS)
        return counted.total / 1e6, {name: number / 1e6 for name, number in counted.passes.items()}

    @staticmethod
    def other(plugin, path, pipeline):
        return instructions.count(plugin, path, pipeline).total / 1e6

    @staticmethod
    def canonicalize(plugin, path, pipeline):
        counted = instructions.count(plugin, path, pipeline)
        return (counted.total - counted.verifier) / 1e6


def measure_round(measure, plugin, beside, path):
    whole, passes = measure.ours(plugin, path)
    before = measure.ours(beside, path) if beside else (None, {})
    return {"canonicalize": measure.canonicalize(plugin, path, CANONICALIZE), "passes": sum(passes.values()),
            "upstream": measure.other(plugin, path, UPSTREAM), "memplan": whole, "each": passes, "before": before[1]}


def median(rounds, key):
    return statistics.median(one[key] for one in rounds)


def median_ratio(rounds, over, under):
    return statistics.median(one[over] / one[under] for one in rounds)


def text(number):
    return f"{number:,.2f}" if number < 100 else f"{number:,.0f}"


class Ratios:
    """Two columns and their ratio."""

    def __init__(self, over, under):
        self.over, self.under, self.logs, self.sums = over, under, [], [0.0, 0.0]

    def cells(self, rounds):
        ratio = median_ratio(rounds, self.over, self.under)
        medians = [median(rounds, self.under), median(rounds, self.over)]
        self.logs.append(math.log(ratio))
        self.sums = [one + more for one, more in zip(self.sums, medians)]
        return [*map(text, medians), f"{ratio:.3f}"]

    def total(self):
        return [*map(text, self.sums), f"{self.sums[1] / self.sums[0]:.3f}"]

    def mean(self):
        return ["", "", f"{math.exp(statistics.fmean(self.logs)):.3f}"]


def by_pass(measured, unit):
    """Compares each pass with that of the other plugin: the totals over all networks, and the worst network."""
    rows = []
    for name in sorted({name for rounds in measured.values() for name in rounds[0]["each"]}):
        sums, worst = [0.0, 0.0], (0.0, "")
        for network, rounds in measured.items():
            pairs = [(one["before"].get(name), one["each"].get(name)) for one in rounds]
            pairs = [pair for pair in pairs if all(pair)]
            if pairs:
                sums = [total + statistics.median(column) for total, column in zip(sums, zip(*pairs))]
                worst = max(worst, (statistics.median(now / before for before, now in pairs), network))
        if sums[0]:
            rows.append([name, *map(text, sums), f"{sums[1] / sums[0]:.3f}", f"{worst[0]:.3f} {worst[1]}"])
    print()
    table(["pass", f"beside {unit}", f"now {unit}", "ratio", "worst network"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--beside")
    parser.add_argument("networks", nargs="*")
    given = parser.parse_intermixed_args()
    measure = Instructions if given.instructions else Seconds
    columns = [Ratios("passes", "canonicalize"), Ratios("memplan", "upstream")]
    measured, rows = {}, []
    for name in chosen(given.networks):
        say(name)
        path = bufferized(name)
        measured[name] = [measure_round(measure, given.plugin, given.beside, path) for _ in range(measure.rounds)]
        rows.append([name, f"{count_ops(path):,}", *(cell for one in columns for cell in one.cells(measured[name]))])
    say("")
    rows.append(["total", "", *(cell for one in columns for cell in one.total())])
    rows.append(["geometric mean", "", *(cell for one in columns for cell in one.mean())])
    unit = measure.unit
    table(["network", "ops", f"canonicalize {unit}", f"our passes {unit}", "ratio", f"upstream {unit}", f"memplan {unit}",
           "ratio"], rows)
    if given.beside:
        by_pass(measured, unit)


if __name__ == "__main__":
    main()
