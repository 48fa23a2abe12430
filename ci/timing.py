#!/usr/bin/env python3
"""Compares the time of planning with canonicalize on the same program: timing.py PLUGIN [NETWORK]...

Measures the networks of tests/models; the arguments select networks by parts of their names. Without arguments, it also
measures generated programs of 10,000 to 1,000,000 ops, in one block and in up to 10,000. Times are the medians of
mlir-opt's own (--mlir-timing).
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

from networks import MLIR_OPT, arguments, bufferized, chosen
from programs import count_ops, generate, generate_blocks

PIPELINE = "builtin.module(func.func(canonicalize,memplan-merge-alloc))"
LINE = re.compile(r"^\s*([0-9.]+) \(\s*[0-9.]+%\)  (\s*)(\S.*?)\s*$")
NO_PASSES = {"Parser", "Output", "Rest", "Total"}


def run_timed(plugin, path, pipeline, limit=None):
    """The passes of a run, as (depth, name, seconds); None if the run exceeds the limit."""
    try:
        done = subprocess.run(
            [MLIR_OPT, path, f"--load-pass-plugin={plugin}", f"--pass-pipeline={pipeline}", "-o", os.devnull,
             "--mlir-timing", "--mlir-timing-display=tree", "--mlir-disable-threading"],
            capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        sys.exit(f"{path}: mlir-opt failed ({done.returncode}): {done.stderr[:2000]}")
    lines = (LINE.match(line) for line in done.stderr.splitlines())
    return [(len(line[2]) // 2, line[3], float(line[1])) for line in lines if line and line[3] not in NO_PASSES]


def seconds(plugin, path, pipeline, limit=None):
    """The seconds of all passes of a pipeline on a module; None if the run exceeds the limit."""
    passes = run_timed(plugin, path, f"builtin.module({pipeline})", limit)
    # A pass that another one runs is listed again at a greater depth.
    return passes and sum(time for depth, name, time in passes if depth == 0 and name != "'any' Pipeline")


def times(plugin, path):
    """The seconds of canonicalize and of memplan-merge-alloc in one run."""
    passes = {name.lower(): time for _, name, time in run_timed(plugin, path, PIPELINE)}
    return passes["canonicalizer"], passes["memplan-merge-alloc"]


def measure(plugin, path, runs):
    samples = [times(plugin, path) for _ in range(runs)]
    return [statistics.median(column) for column in zip(*samples)]


def table(head, rows):
    rows = [head] + rows
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  ".join(cells).rstrip(), flush=True)


def row(name, ops, canonicalize, planning):
    ratio = f"{planning / canonicalize:.2f}" if canonicalize else "-"
    return [name, f"{ops}", f"{canonicalize * 1e3:.1f}", f"{planning * 1e3:.1f}", ratio,
            f"{planning / ops * 1e6:.2f}"]


HEAD = ["program", "ops", "canonicalize ms", "planning ms", "planning/canonicalize", "us an op"]


def networks(plugin, names):
    paths = [(name, bufferized(name)) for name in chosen(names)]
    table(HEAD, [row(name, count_ops(path), *measure(plugin, path, 5)) for name, path in paths])


def scaling(plugin):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, write in (("one block", generate), ("blocks of 100 ops", generate_blocks)):
            for ops, runs in ((10_000, 5), (30_000, 5), (100_000, 3), (300_000, 3), (1_000_000, 1)):
                path = os.path.join(folder, "generated.mlir")
                write(path, ops)
                rows.append(row(name, ops, *measure(plugin, path, runs)))
    table(HEAD, rows)


def main():
    plugin, names = arguments(__doc__)
    networks(plugin, names)
    if not names:
        print()
        scaling(plugin)


if __name__ == "__main__":
    main()
