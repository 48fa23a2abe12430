#!/usr/bin/env python3
"""Measures the effect of rewriting before planning on each network: rewriting.py PLUGIN [NETWORK]...

The columns are bytes of the arenas: the load without rewriting and in-place reuse, and the plans with in-place reuse, with
elided copies in addition, with reordered operations in addition, and with both. The ratio is the last to the first. The
floor is the most bytes that one operation uses in the last. Copies are counted in the text, with the bytes that they write.
The time is that of the rewriting passes in mlir-opt on one thread, relative to canonicalize in the same run. For networks
of dynamic size, bytes are the peak of an executed call.
"""
import json
import math
import os
import statistics
import sys
import tempfile

from copies import copied
from executed import Executable, run
from networks import MLIR_OPT, arguments, bufferized, chosen, say, total
from timing import run_timed

ELIDE, REORDER = "memplan-elide-copies", "memplan-reorder{results=off}"
# The passes before planning.
REWRITES = {"in place": [], "elided": [ELIDE], "reordered": [REORDER], "both": [ELIDE, REORDER]}
PAIRS = 9
LINE = "{:<26}{:>13}{:>13}{:>13}{:>13}{:>13}{:>13}{:>7}{:>12}{:>26}{:>7}"
HEAD = ["network", "load", "in place", "elided", "reordered", "both", "floor", "ratio", "copies", "bytes copied", "time"]


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


def peak_bytes(plugin, name, options):
    """The peak bytes of a call of a network."""
    with tempfile.TemporaryDirectory() as folder:
        return Executable(plugin, name, bufferized(name), f"memplan{{{options}}}", folder).count().most


def ratio_of_time(plugin, name):
    """The time of the rewriting passes relative to canonicalize."""
    def once():
        passes = run_timed(plugin, bufferized(name), f"builtin.module(func.func(canonicalize),{','.join(REWRITES['both'])})")
        times = {}
        for _, pass_name, seconds in passes:
            times[pass_name.lower()] = times.get(pass_name.lower(), 0) + seconds
        return sum(times.get(one, 0) for one in REWRITES["both"]) / max(times["canonicalizer"], 1e-4)
    return statistics.median(once() for _ in range(PAIRS))


def measure(plugin, name):
    """The numbers of a network's row."""
    plain, before = plan(plugin, name, [], "in-place=false")
    load = total(plain, "lower_bound_bytes")
    plans = {rewrite: plan(plugin, name, passes) for rewrite, passes in REWRITES.items()}
    bytes_of = {rewrite: total(functions, "planned_bytes") for rewrite, (functions, _) in plans.items()}
    last, after = plans["both"]
    floor = total(last, "op_floor_bytes")
    if "memref<?" in before:
        options = {"in place": "elide=none reorder=none", "elided": "reorder=none", "reordered": "elide=none", "both": ""}
        load = peak_bytes(plugin, name, "elide=none reorder=none in-place=false")
        bytes_of = {rewrite: peak_bytes(plugin, name, given) for rewrite, given in options.items()}
        floor = None
    return load, bytes_of, floor, copied(before), copied(after), ratio_of_time(plugin, name)


def main():
    plugin, names = arguments(__doc__)
    print(LINE.format(*HEAD))
    logs = {rewrite: [] for rewrite in REWRITES}
    for name in chosen(names):
        say(name)
        load, bytes_of, floor, before, after, time = measure(plugin, name)
        for rewrite, planned in bytes_of.items():
            logs[rewrite].append(math.log(planned / load))
        say("")
        print(LINE.format(
            name, f"{load:,}", *(f"{bytes_of[rewrite]:,}" for rewrite in REWRITES), "-" if floor is None else f"{floor:,}",
            f"{bytes_of['both'] / load:.3f}", f"{before[0]} > {after[0]}", f"{before[1]:,} > {after[1]:,}",
            f"{time:.2f}"), flush=True)
    means = {rewrite: math.exp(statistics.fmean(ratios)) for rewrite, ratios in logs.items()}
    print(LINE.format("geometric mean", "1.000", *(f"{means[rewrite]:.3f}" for rewrite in REWRITES), "", f"{means['both']:.3f}",
                      "", "", ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
