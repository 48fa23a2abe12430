#!/usr/bin/env python3
"""How long the whole job takes in mlir-opt: pipelines.py PLUGIN [--instructions] [--beside PLUGIN] [NETWORK]...

For each network (those whose name holds one of the arguments): our passes of `memplan`, without MLIR's own, over
`canonicalize`; and `memplan` over `buffer-deallocation-pipeline`. Times are mlir-opt's own (--mlir-timing, parsing and
printing aside), on one thread; each program goes through all in turn, and a ratio is the median of those of the turns. With
--instructions, valgrind counts what the pass manager executes, in one turn; our passes and canonicalize are without the
verifier then. With --beside, each pass of ours is measured with another plugin in the same turns, such as the build before.
"""
import argparse
import math
import statistics

import instructions
from networks import bufferized, chosen, say
from programs import count_ops
from timing import run_timed, seconds, table

OURS, UPSTREAM, CANONICALIZE = "memplan", "buffer-deallocation-pipeline", "func.func(canonicalize)"
TURNS = 9


class Seconds:
    """Milliseconds, as --mlir-timing says."""
    unit, turns = "ms", TURNS

    @staticmethod
    def ours(plugin, path):
        """Of the pipeline, and of each pass of ours."""
        passes = run_timed(plugin, path, f"builtin.module({OURS})")
        each = {}
        for _, name, time in passes:
            # What they run is measured by itself.
            if name.startswith("memplan-") and not name.startswith("memplan-where"):
                each[name.removeprefix("memplan-")] = each.get(name.removeprefix("memplan-"), 0) + time * 1e3
        # What a pass runs itself stands beside it once more.
        return sum(time * 1e3 for depth, name, time in passes if depth == 0 and name != "'any' Pipeline"), each

    @staticmethod
    def other(plugin, path, pipeline):
        return seconds(plugin, path, pipeline) * 1e3

    canonicalize = other


class Instructions:
    """Millions of instructions."""
    unit, turns = "M", 1

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


def turn(measure, plugin, beside, path):
    whole, passes = measure.ours(plugin, path)
    before = measure.ours(beside, path) if beside else (None, {})
    return {"canonicalize": measure.canonicalize(plugin, path, CANONICALIZE), "passes": sum(passes.values()),
            "upstream": measure.other(plugin, path, UPSTREAM), "memplan": whole, "each": passes, "before": before[1]}


def median(turns, key):
    return statistics.median(one[key] for one in turns)


def median_ratio(turns, over, under):
    return statistics.median(one[over] / one[under] for one in turns)


def text(number):
    return f"{number:,.2f}" if number < 100 else f"{number:,.0f}"


class Ratios:
    """Two columns and their ratio."""

    def __init__(self, over, under):
        self.over, self.under, self.logs, self.sums = over, under, [], [0.0, 0.0]

    def cells(self, turns):
        ratio = median_ratio(turns, self.over, self.under)
        medians = [median(turns, self.under), median(turns, self.over)]
        self.logs.append(math.log(ratio))
        self.sums = [one + more for one, more in zip(self.sums, medians)]
        return [*map(text, medians), f"{ratio:.3f}"]

    def total(self):
        return [*map(text, self.sums), f"{self.sums[1] / self.sums[0]:.3f}"]

    def mean(self):
        return ["", "", f"{math.exp(statistics.fmean(self.logs)):.3f}"]


def by_pass(measured, unit):
    """Each pass of ours beside that of the other plugin, over all networks, and where it does worst."""
    rows = []
    for name in sorted({name for turns in measured.values() for name in turns[0]["each"]}):
        sums, worst = [0.0, 0.0], (0.0, "")
        for network, turns in measured.items():
            pairs = [(one["before"].get(name), one["each"].get(name)) for one in turns]
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
        measured[name] = [turn(measure, given.plugin, given.beside, path) for _ in range(measure.turns)]
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
