#!/usr/bin/env python3
"""Measures the effect of rewriting before planning on each network: rewriting.py PLUGIN [NETWORK]...

The columns are bytes of the arenas: the load without rewriting and in-place reuse, and the plans with in-place reuse, with
elided copies in addition, with reordered operations in addition, and with both. The floor is the most bytes that one
operation uses then. "Strips" is the plan with chains of operations strip by strip besides, and "lines" the length of the
program's text relative to that before. The ratios are those of "both" and of "strips" to the load. "Least" is what strips
of one row take at least, as the remarks of memplan-split say, if all functions have one such number. Copies are counted in
the text with both, with the bytes that they write. The times are those in mlir-opt on one thread, relative to canonicalize
in the same run: elide-copies with reorder, and split. For networks of dynamic size, bytes are the peak of an executed call.
"""
import json
import math
import os
import re
import statistics
import sys
import tempfile

from copies import copied
from executed import Executable, run
from networks import MLIR_OPT, arguments, bufferized, chosen, say, total
from timing import run_timed

ELIDE, REORDER = "memplan-elide-copies", "memplan-reorder{results=off}"
SPLIT = "memplan-split{below=forms results=off}"
# The passes before planning.
REWRITES = {"in place": [], "elided": [ELIDE], "reordered": [REORDER], "both": [ELIDE, REORDER],
            "strips": [SPLIT, ELIDE, REORDER]}
PAIRS = 9
LINE = "{:<26}{:>13}{:>13}{:>13}{:>13}{:>13}{:>13}{:>7}{:>13}{:>7}{:>13}{:>7}{:>12}{:>26}{:>7}{:>7}"
HEAD = ["network", "load", "in place", "elided", "reordered", "both", "floor", "ratio", "strips", "ratio", "least", "lines", "copies",
        "bytes copied", "time", "split"]


def plan(plugin, name, passes, options=""):
    """The functions in the report of a plan, and the text of the program before planning."""
    with tempfile.TemporaryDirectory() as folder:
        report, before = os.path.join(folder, "plan.json"), os.path.join(folder, "before.mlir")
        given = [MLIR_OPT, f"--load-pass-plugin={plugin}"]
        run([*given, bufferized(name), f"--pass-pipeline=builtin.module({','.join(passes)})", "-o", before])
        last = f"memplan-merge-alloc{{report={report} dynamic=skip {options}}},memplan-verify"
        run([*given, before, f"--pass-pipeline=builtin.module({last})", "-o", os.devnull])
        with open(report, encoding="utf-8") as file:
            functions = json.load(file)["functions"]
        with open(before, encoding="utf-8") as file:
            text = file.read()
    return functions, text


def least(plugin, name):
    """The bytes that strips of one row take at least."""
    split = SPLIT.replace("}", " remarks}")
    done = run([MLIR_OPT, f"--load-pass-plugin={plugin}", bufferized(name), f"--pass-pipeline=builtin.module({split})",
                "-o", os.devnull])
    found = set(re.findall(r"strips of one row take at least (\d+) bytes", done.stderr))
    return int(found.pop()) if len(found) == 1 else None


def peak_bytes(plugin, name, options):
    """The peak bytes of a call of a network."""
    with tempfile.TemporaryDirectory() as folder:
        return Executable(plugin, name, bufferized(name), f"memplan{{{options}}}", folder).count().most


def ratios_of_time(plugin, name):
    """The times of elided copies with another order, and of strips, relative to canonicalize."""
    def once():
        passes = ["func.func(canonicalize)", *REWRITES["strips"]]
        times = {}
        for _, pass_name, seconds in run_timed(plugin, bufferized(name), f"builtin.module({','.join(passes)})"):
            times[pass_name.lower()] = times.get(pass_name.lower(), 0) + seconds
        of = lambda passes: sum(times.get(one.split("{")[0], 0) for one in passes)
        return [of(passes) / max(times["canonicalizer"], 1e-4) for passes in ([ELIDE, REORDER], [SPLIT])]
    return [statistics.median(column) for column in zip(*(once() for _ in range(PAIRS)))]


def measure(plugin, name):
    """The numbers of a network's row."""
    plain, before = plan(plugin, name, [], "in-place=false")
    load = total(plain, "lower_bound_bytes")
    plans = {rewrite: plan(plugin, name, passes) for rewrite, passes in REWRITES.items()}
    bytes_of = {rewrite: total(functions, "planned_bytes") for rewrite, (functions, _) in plans.items()}
    last, after = plans["both"]
    floor = total(last, "op_floor_bytes")
    lines = plans["strips"][1].count("\n") / before.count("\n")
    if "memref<?" in before:
        options = {"in place": "split=none elide=none reorder=none", "elided": "split=none reorder=none",
                   "reordered": "split=none elide=none", "both": "split=none", "strips": ""}
        load = peak_bytes(plugin, name, "split=none elide=none reorder=none in-place=false")
        bytes_of = {rewrite: peak_bytes(plugin, name, given) for rewrite, given in options.items()}
        floor = None
    return load, bytes_of, (floor, least(plugin, name)), lines, copied(before), copied(after), ratios_of_time(plugin, name)


def main():
    plugin, names = arguments(__doc__)
    print(LINE.format(*HEAD))
    logs, growth = {rewrite: [] for rewrite in REWRITES}, []
    for name in chosen(names):
        say(name)
        load, bytes_of, floors, lines, before, after, times = measure(plugin, name)
        for rewrite, planned in bytes_of.items():
            logs[rewrite].append(math.log(planned / load))
        growth.append(math.log(lines))
        numbers = {rewrite: f"{planned:,}" for rewrite, planned in bytes_of.items()}
        ratios = {rewrite: f"{planned / load:.3f}" for rewrite, planned in bytes_of.items()}
        strips = numbers.pop("strips")
        floor, fewest = ("-" if number is None else f"{number:,}" for number in floors)
        say("")
        print(LINE.format(
            name, f"{load:,}", *numbers.values(), floor, ratios["both"], strips, ratios["strips"], fewest,
            f"{lines:.2f}", f"{before[0]} > {after[0]}", f"{before[1]:,} > {after[1]:,}",
            *(f"{time:.2f}" for time in times)), flush=True)
    means = {rewrite: f"{math.exp(statistics.fmean(ratios)):.3f}" for rewrite, ratios in logs.items()}
    strips, both = means.pop("strips"), means["both"]
    print(LINE.format("geometric mean", "1.000", *means.values(), "", both, strips, strips, "",
                      f"{math.exp(statistics.fmean(growth)):.2f}", "", "", "", ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
