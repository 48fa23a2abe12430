#!/usr/bin/env python3
"""Compares `memplan` with upstream's pipeline on the networks: whole.py PLUGIN [NETWORK]...

Each network runs through `memplan` and `buffer-deallocation-pipeline` alternately. The same tools lower and compile both
results, which are executed alternately, or once if a call takes more than 10 s. Compile time is that of the passes in
mlir-opt on one thread. Run time is the CPU time of a call. Ratios are those of medians. Peak and allocations are those of
malloc in a call, including results. Copies are counted in execution, with the bytes that they write. The output must be the
expected one, and no memory may be left after the results are freed.
"""
import math
import os
import statistics
import sys
import tempfile

from executed import Executable
from networks import MODELS, arguments, bufferized, chosen, say
from timing import seconds

UPSTREAM, OURS = "buffer-deallocation-pipeline", "memplan"
# The number of pairs of compile times, and the most pairs of run times.
PAIRS, MOST_RUNS = 15, 9
# The least duration of a run, and the approximate duration of all timed runs, in seconds.
LEAST_SECONDS, TOTAL_SECONDS = 0.1, 20
LINE = "{:<24}{:>9}{:>9}{:>7}{:>15}{:>15}{:>7}{:>15}{:>15}{:>7}{:>7}{:>5}{:>8}{:>8}{:>14}{:>14}{:>7}"
HEADS = [["", "compile,", "ms", "", "run,", "us", "", "peak,", "bytes", "", "alloc-", "ations",
          "copies", "", "bytes", "copied", ""],
         ["network", *["upstream", "memplan", "ratio"] * 3, "upstr.", "ours", "upstr.", "ours", "upstream", "memplan",
          "ratio"]]


def compile_times(plugin, name):
    """The median compile times of both, in ms."""
    pairs = [[seconds(plugin, bufferized(name), pipeline) for pipeline in (UPSTREAM, OURS)] for _ in range(PAIRS)]
    return [statistics.median(times) * 1e3 for times in zip(*pairs)]


def executed(plugin, name, expected):
    """The median run times in us, the measurements, and the errors."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        both = [Executable(plugin, name, bufferized(name), pipeline, folder) for pipeline in (UPSTREAM, OURS)]
        counts = [one.count() for one in both]
        for pipeline, measured in zip((UPSTREAM, OURS), counts):
            if measured.printed != expected.split():
                wrong.append(f"{name}: {pipeline}: prints {measured.printed}")
            if measured.left:
                wrong.append(f"{name}: {pipeline}: {measured.left} bytes are left")
        once = max(measured.seconds for measured in counts)
        calls = max(1, math.ceil(LEAST_SECONDS / once))
        runs = min(MOST_RUNS, int(TOTAL_SECONDS / (2 * calls * once)))
        # For a long call, the overhead of counting is negligible.
        times = [[measured.seconds for measured in counts]] if runs < 3 else []
        times += [[one.time(calls) for one in both] for _ in range(runs)]
    return [statistics.median(column) * 1e6 for column in zip(*times)], counts, wrong


class Sums:
    """The sums of a column of pairs, and the mean of their ratios."""

    def __init__(self):
        self.totals, self.logs = [0, 0], []

    def add(self, pair):
        self.totals = [total + one for total, one in zip(self.totals, pair)]
        if all(pair):
            self.logs.append(math.log(pair[1] / pair[0]))
        return cells(pair)

    def mean(self):
        return f"{math.exp(statistics.fmean(self.logs)):.3f}" if self.logs else "-"


def cells(pair):
    """A pair and its ratio."""
    numbers = [f"{one:,}" if isinstance(one, int) else f"{one:,.1f}" for one in pair]
    return [*numbers, f"{pair[1] / pair[0]:.3f}" if pair[0] else "-"]


def show(row):
    say("")
    print(LINE.format(*row, *[""] * (len(HEADS[0]) - len(row))).rstrip(), flush=True)


def main():
    plugin, names = arguments(__doc__)
    compiled, ran, held, moved = Sums(), Sums(), Sums(), Sums()
    wrong = []
    names = chosen(names)
    for head in HEADS:
        show(head)
    for at, name in enumerate(names):
        say(f"{at + 1} of {len(names)}: {name}")
        row = [name, *compiled.add(compile_times(plugin, name))]
        expected = os.path.join(MODELS, "run", name + ".expected")
        if os.path.exists(expected):
            with open(expected, encoding="utf-8") as file:
                times, counts, faults = executed(plugin, name, file.read())
            row += ran.add(times) + held.add([measured.most for measured in counts])
            row += [measured.allocations for measured in counts] + [f"{measured.copies:,}" for measured in counts]
            row += moved.add([measured.moved for measured in counts])
            wrong += faults
        show(row)
    sums = (compiled, ran, held)
    last = ["", "", "", "", *cells(moved.totals)]
    show(["total", *(cell for one in sums for cell in cells(one.totals)), *last])
    show(["geometric mean", *(cell for one in sums for cell in ("", "", one.mean()))])
    print(f"{len(ran.logs)} networks executed after both: {len(wrong)} faults in what they print and in what is left")
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
