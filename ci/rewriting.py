#!/usr/bin/env python3
"""What rewriting in front of the plan buys on each network: rewriting.py PLUGIN [NETWORK]...

Bytes of the arenas: the load of the program as it is (nothing in place), and plans with buffers in place, with copies
elided as well, with operations in another order as well, and with both; the ratio is that of the last to the first. The floor
is the most that one operation touches in the last. Copies are those in the text, and the bytes that they
write; time is that of the passes in mlir-opt, on one thread, over that of canonicalize in the same run.
Where only the run knows the sizes, bytes are the most that a call holds, as executed.
"""
import json
import math
import os
import statistics
import sys
import tempfile

from copies import copied
from executed import Executable, run
from networks import MLIR_OPT, arguments, bufferized, chosen, say
from timing import run_timed

ELIDE, REORDER = "memplan-elide-copies", "memplan-reorder"
# In front of the plan.
WAYS = {"in place": [], "elided": [ELIDE], "reordered": [REORDER], "both": [ELIDE, REORDER]}
PAIRS = 9
LINE = "{:<26}{:>13}{:>13}{:>13}{:>13}{:>13}{:>13}{:>7}{:>12}{:>26}{:>7}"
HEAD = ["network", "load", "in place", "elided", "reordered", "both", "floor", "ratio", "copies", "bytes copied", "time"]


def plan(plugin, name, passes, options=""):
    """The scopes of the report of a plan, and the program that was planned."""
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
    return [scope for function in functions for scope in function["scopes"]], text


def total(scopes, field):
    return sum(scope[field] for scope in scopes)


def held(plugin, name, options):
    """The most bytes that a call of a network holds."""
    with tempfile.TemporaryDirectory() as folder:
        return Executable(plugin, name, bufferized(name), f"memplan{{{options}}}", folder).count().most


def ratio_of_time(plugin, name):
    """Of the passes to canonicalize."""
    def once():
        passes = run_timed(plugin, bufferized(name), f"builtin.module(func.func(canonicalize),{','.join(WAYS['both'])})")
        times = {}
        for _, pass_name, seconds in passes:
            times[pass_name.lower()] = times.get(pass_name.lower(), 0) + seconds
        return sum(times.get(one, 0) for one in WAYS["both"]) / max(times["canonicalizer"], 1e-4)
    return statistics.median(once() for _ in range(PAIRS))


def measure(plugin, name):
    """A row of numbers."""
    plain, before = plan(plugin, name, [], "in-place=false")
    load = total(plain, "load_bytes")
    plans = {way: plan(plugin, name, passes) for way, passes in WAYS.items()}
    bytes_of = {way: total(scopes, "planned_bytes") for way, (scopes, _) in plans.items()}
    last, after = plans["both"]
    floor = total(last, "op_floor_bytes")
    if "memref<?" in before:
        options = {"in place": "elide=none reorder=none", "elided": "reorder=none", "reordered": "elide=none", "both": ""}
        load = held(plugin, name, "elide=none reorder=none in-place=false")
        bytes_of = {way: held(plugin, name, given) for way, given in options.items()}
        floor = None
    return load, bytes_of, floor, copied(before), copied(after), ratio_of_time(plugin, name)


def main():
    plugin, names = arguments(__doc__)
    print(LINE.format(*HEAD))
    logs = {way: [] for way in WAYS}
    for name in chosen(names):
        say(name)
        load, bytes_of, floor, before, after, time = measure(plugin, name)
        for way, planned in bytes_of.items():
            logs[way].append(math.log(planned / load))
        say("")
        print(LINE.format(
            name, f"{load:,}", *(f"{bytes_of[way]:,}" for way in WAYS), "-" if floor is None else f"{floor:,}",
            f"{bytes_of['both'] / load:.3f}", f"{before[0]} > {after[0]}", f"{before[1]:,} > {after[1]:,}",
            f"{time:.2f}"), flush=True)
    means = {way: math.exp(statistics.fmean(ratios)) for way, ratios in logs.items()}
    print(LINE.format("geometric mean", "1.000", *(f"{means[way]:.3f}" for way in WAYS), "", f"{means['both']:.3f}",
                      "", "", ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
