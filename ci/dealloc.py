#!/usr/bin/env python3
"""Compares deallocation with upstream's: dealloc.py PLUGIN [NETWORK]...

Each program runs through memplan-dealloc-pipeline and buffer-deallocation-pipeline alternately. Times are the medians of
mlir-opt's own (--mlir-timing without parsing and printing), and the ratio is the median of the pairs' ratios. Compiled
programs are measured, too: the networks that run in seconds, and a loop that swaps two buffers 10^6 times.
The arguments select networks by parts of their names. Without them, generated programs are measured, too.
"""
import math
import os
import statistics
import subprocess
import tempfile

from executed import Executable, transformed
from networks import MLIR_OPT, MODELS, arguments, bufferized, chosen, repeats, say
from programs import (count_ops, generate, generate_blocks, generate_branches, generate_diamonds, generate_nasnet,
                      generate_selects, swap_main, SWAP)
from timing import seconds

OURS, UPSTREAM = "memplan-dealloc-pipeline", "buffer-deallocation-pipeline"
HEAP = os.path.join(MODELS, "..", "..", "lit", "memplan-merge-alloc", "Inputs", "counting-heap.mlir")
RUNS = 5
# The time limit of one run in seconds.
LIMIT = 120
SLOW = {"bert_base", "densenet121", "googlenet", "gpt2_small", "mobilenet_v2", "resnet50", "swin_t", "unet", "vgg16",
        "whisper_tiny_encoder"}


class Rows:
    """Prints the rows of a table one by one, and computes the mean of the ratios."""

    LINE = "{:<24}{:>12}{:>14}{:>14}{:>8}"

    def __init__(self, program, count):
        self.totals, self.logs = [0.0, 0.0], []
        print(self.LINE.format(program, count, "upstream ms", "memplan ms", "ratio"), flush=True)

    def add(self, name, count, pairs):
        """Adds a row. `pairs` are upstream's and our seconds; upstream's are None if it exceeds the limit."""
        ours = statistics.median(pair[1] for pair in pairs)
        pairs = [pair for pair in pairs if pair[0] is not None]
        upstream_ms = ratio_text = "-"
        if pairs:
            upstream = statistics.median(pair[0] for pair in pairs)
            ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
            self.totals = [self.totals[0] + upstream, self.totals[1] + ours]
            self.logs.append(math.log(ratio))
            upstream_ms, ratio_text = f"{upstream * 1e3:,.2f}", f"{ratio:.3f}"
        say("")
        print(self.LINE.format(name, f"{count:,}", upstream_ms, f"{ours * 1e3:,.2f}", ratio_text), flush=True)

    def end(self):
        if self.logs:
            upstream, ours = self.totals
            mean = math.exp(sum(self.logs) / len(self.logs))
            print(self.LINE.format("total of both", "", f"{upstream * 1e3:,.2f}", f"{ours * 1e3:,.2f}",
                                   f"{ours / upstream:.3f}"))
            print(self.LINE.format("geometric mean", "", "", "", f"{mean:.3f}"))
        print(flush=True)


def pairs_of(plugin, path, runs, with_upstream=True):
    pairs = []
    for _ in range(runs):
        upstream = seconds(plugin, path, UPSTREAM, LIMIT) if with_upstream else None
        with_upstream = upstream is not None
        pairs.append((upstream, seconds(plugin, path, OURS, LIMIT)))
    return pairs


def networks(plugin, names):
    rows = Rows("passes in mlir-opt", "ops")
    for name in chosen(names):
        say(name)
        rows.add(name, count_ops(bufferized(name)), pairs_of(plugin, bufferized(name), RUNS))
    rows.end()


def generated(plugin):
    programs = [
        ("NASNet-like", generate_nasnet, 16_700, 1, True),
        ("one block", generate, 10_000, 3, True),
        ("one block", generate, 100_000, 1, True),
        ("blocks in loops", generate_blocks, 10_000, 3, False),
        ("blocks in loops", generate_blocks, 100_000, 1, False),
        ("scf.if, scf.for", generate_branches, 3_000, 3, True),
        ("scf.if, scf.for", generate_branches, 10_000, 1, True),
        ("scf.if, scf.for", generate_branches, 100_000, 1, True),
        ("selects in a chain", generate_selects, 200, 3, True),
        ("selects in a chain", generate_selects, 2_000, 1, True),
        ("selects in a chain", generate_selects, 20_000, 1, True),
        ("diamonds, 20", generate_diamonds, 20, 3, True),
        ("diamonds, 24", generate_diamonds, 24, 1, True),
        ("diamonds, 1,000", generate_diamonds, 1_000, 3, False),
        ("diamonds, 10,000", generate_diamonds, 10_000, 3, False),
    ]
    rows = Rows(f"generated (-: > {LIMIT} s)", "ops")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "generated.mlir")
        for name, write, size, runs, with_upstream in programs:
            write(path, size)
            say(f"{name}, {size}")
            rows.add(name, count_ops(path), pairs_of(plugin, path, runs, with_upstream))
    rows.end()


def compiled(plugin, names):
    """The time of one call of compiled networks."""
    rows = Rows("compiled, one call", "calls")
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen(names):
            if name in SLOW and not names or not repeats(name):
                continue
            say(name)
            both = [Executable(plugin, name, bufferized(name), pipeline, folder) for pipeline in (UPSTREAM, OURS)]
            calls = max(1, min(10_000, int(0.2 / both[1].time(1))))
            rows.add(name, calls, [tuple(one.time(calls) for one in both) for _ in range(RUNS)])
    rows.end()


def swap(plugin):
    """A loop that swaps two buffers: its time, and the number of allocations executed."""
    iterations = 1_000_000
    with open(HEAP) as file:
        heap = file.read()
    lower = subprocess.run([os.path.join(MODELS, "lower"), "--passes"], check=True, capture_output=True, text=True)
    lower = lower.stdout.strip().replace("finalize-memref-to-llvm",
                                         "finalize-memref-to-llvm{use-generic-functions=true}")
    rows = Rows("a loop that swaps", "iterations")
    allocations_of = {}
    with tempfile.TemporaryDirectory() as folder:
        path, freed = os.path.join(folder, "swap.mlir"), os.path.join(folder, "freed.mlir")
        with open(path, "w") as file:
            file.write(SWAP + swap_main(iterations) + heap)

        def once(pipeline):
            transformed(plugin, path, pipeline + "," + lower, freed)
            bin_folder, lib = os.path.dirname(MLIR_OPT), os.path.join(os.path.dirname(MLIR_OPT), "..", "lib")
            done = subprocess.run(
                [os.path.join(bin_folder, "mlir-runner"), freed, "-e", "main", "-entry-point-result=void", "-O2",
                 f"-shared-libs={lib}/libmlir_runner_utils.so,{lib}/libmlir_c_runner_utils.so"],
                check=True, capture_output=True, text=True)
            time, _, allocations = done.stdout.split()
            allocations_of[pipeline] = int(allocations)
            return float(time)

        rows.add("swap", iterations, [(once(UPSTREAM), once(OURS)) for _ in range(RUNS)])
    upstream, ours = allocations_of[UPSTREAM], allocations_of[OURS]
    print(f"allocations executed: {upstream:,} upstream, {ours:,} memplan, 2 in the program itself\n")


def main():
    plugin, names = arguments(__doc__)
    networks(plugin, names)
    if not names:
        generated(plugin)
    compiled(plugin, names)
    swap(plugin)


if __name__ == "__main__":
    main()
