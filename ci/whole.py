#!/usr/bin/env python3
"""Compares `memplan` with upstream's pipeline on the networks: whole.py PLUGIN [--with OPTIONS] [--beside PIPELINE]
[NETWORK]...

`--with split=none` compares `memplan` with these options, and `--beside PIPELINE` with another pipeline than upstream's.

Each network runs through `memplan` and `buffer-deallocation-pipeline` alternately. The same tools lower and compile both
results, which are executed alternately, or once if a call takes more than 10 s. Compile time is that of the passes in
mlir-opt on one thread. Run time is the CPU time of a call. Ratios are those of medians. Peak and allocations are those of
malloc in a call, including results; "freed early" is the peak with upstream's optimize-allocation-liveness after its
deallocation, which frees each buffer after its last use, and `limit` the most that ours may hold: as much, and one alignment
for each allocation. Planned bytes are those of the arenas, with the proven bound. Copies are counted in execution, with the
bytes that they write. The output must be the expected one, and no memory may be left after the results are freed.
"""
import json
import math
import os
import statistics
import sys
import tempfile

from executed import Executable, run
from networks import MLIR_OPT, MODELS, arguments, bufferized, chosen, repeats, say, total
from timing import seconds

UPSTREAM = "buffer-deallocation-pipeline"
# In the other order, the second pass does nothing.
EARLY = UPSTREAM + ",func.func(optimize-allocation-liveness)"
# What is compared.
COMPARED = {"beside": UPSTREAM, "ours": "memplan"}
# The bytes that each allocation may take for its alignment, and networks of dynamic sizes, to which no limit applies.
ALIGNMENT, DYNAMIC = 64, ("resnet18_dynbatch", "tiny_transformer_dynseq")
# The number of pairs of compile times, and the most pairs of run times.
PAIRS, MOST_RUNS = 15, 9
# The least duration of a run, and the approximate duration of all timed runs, in seconds.
LEAST_SECONDS, TOTAL_SECONDS = 0.1, 20
LINE = "{:<24}{:>9}{:>9}{:>7}{:>15}{:>15}{:>7}{:>15}{:>15}{:>7}{:>15}{:>7}{:>15}{:>15}{:>7}{:>5}{:>8}{:>8}{:>14}{:>14}{:>7}"
HEADS = [["", "compile,", "ms", "", "run,", "us", "", "peak,", "bytes", "", "peak,", "", "planned", "bytes", "alloc-",
          "ations", "copies", "", "bytes", "copied", ""],
         ["network", *["upstream", "memplan", "ratio"] * 3, "freed early", "ratio", "memplan", "bound", "upstr.", "ours",
          "upstr.", "ours", "upstream", "memplan", "ratio"]]


def compile_times(plugin, name):
    """The median compile times of both, in ms."""
    pairs = [[seconds(plugin, bufferized(name), pipeline) for pipeline in COMPARED.values()] for _ in range(PAIRS)]
    return [statistics.median(times) * 1e3 for times in zip(*pairs)]


def executed(plugin, name, expected):
    """The median run times in us, the measurements, and the errors."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        pipelines = (*COMPARED.values(), EARLY)
        both = [Executable(plugin, name, bufferized(name), pipeline, folder) for pipeline in pipelines]
        counts = [one.count() for one in both]
        both.pop()
        for pipeline, measured in zip(pipelines, counts):
            if measured.printed != expected.split():
                wrong.append(f"{name}: {pipeline}: prints {measured.printed}")
            if measured.left:
                wrong.append(f"{name}: {pipeline}: {measured.left} bytes are left")
        *counts, early = counts
        most = early.most + early.allocations * ALIGNMENT
        if counts[1].most > most and name not in DYNAMIC:
            wrong.append(f"{name}: holds {counts[1].most} bytes, and {most} where each buffer is freed after its last use")
        once = max(measured.seconds for measured in counts)
        calls = max(1, math.ceil(LEAST_SECONDS / once))
        runs = min(MOST_RUNS, int(TOTAL_SECONDS / (2 * calls * once)))
        # For a long call, the overhead of counting is negligible.
        times = [[measured.seconds for measured in counts]] if runs < 3 else []
        times += [[one.time(calls) for one in both] for _ in range(runs)]
    return [statistics.median(column) * 1e6 for column in zip(*times)], counts, early, wrong


def planned(plugin, name):
    """The bytes of the arenas, and their proven lower bound."""
    ours = COMPARED["ours"]
    given = ours[ours.index("{") + 1:-1] if "{" in ours else ""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "plan.json")
        run([MLIR_OPT, f"--load-pass-plugin={plugin}", bufferized(name), "-o", os.devnull,
             f"--pass-pipeline=builtin.module(memplan{{{given} report={report}}})"])
        with open(report, encoding="utf-8") as file:
            functions = json.load(file)["functions"]
    return [total(functions, field) for field in ("planned_bytes", "lower_bound_bytes")]


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


def option(name):
    """Takes an option with its value from the command line."""
    if name not in sys.argv[:-1]:
        return None
    at = sys.argv.index(name)
    value = sys.argv[at + 1]
    del sys.argv[at:at + 2]
    return value


def main():
    options, beside = option("--with"), option("--beside")
    if options:
        COMPARED["ours"] = f"memplan{{{options}}}"
    if beside:
        COMPARED["beside"] = beside
        HEADS[1] = [head.replace("upstream", "beside").replace("upstr.", "beside") for head in HEADS[1]]
    plugin, names = arguments(__doc__)
    compiled, ran, held, early, moved = Sums(), Sums(), Sums(), Sums(), Sums()
    wrong = []
    names = chosen(names)
    for head in HEADS:
        show(head)
    for at, name in enumerate(names):
        say(f"{at + 1} of {len(names)}: {name}")
        row = [name, *compiled.add(compile_times(plugin, name))]
        expected = os.path.join(MODELS, "run", name + ".expected")
        if os.path.exists(expected) and repeats(name):
            with open(expected, encoding="utf-8") as file:
                times, counts, freed_early, faults = executed(plugin, name, file.read())
            row += ran.add(times) + held.add([measured.most for measured in counts])
            row += early.add([freed_early.most, counts[1].most])[::2]
            row += [f"{one:,}" for one in planned(plugin, name)]
            row += [measured.allocations for measured in counts] + [f"{measured.copies:,}" for measured in counts]
            row += moved.add([measured.moved for measured in counts])
            wrong += faults
        show(row)
    sums = (compiled, ran, held)
    last = [*cells(early.totals)[::2], "", "", "", "", "", "", *cells(moved.totals)]
    show(["total", *(cell for one in sums for cell in cells(one.totals)), *last])
    show(["geometric mean", *(cell for one in sums for cell in ("", "", one.mean())), "", early.mean()])
    print(f"{len(ran.logs)} networks executed after both: {len(wrong)} faults in what they print and in what is left")
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
