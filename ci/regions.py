#!/usr/bin/env python3
"""Compares regions with malloc in compiled networks: regions.py PLUGIN RUNTIME [NETWORK]...

Without names, it measures the networks with dynamic sizes and those with loops. There are two configurations: only
allocations of dynamic size in regions, and all allocations in regions. Each is compared with the heap, in alternating
runs. The time is the CPU time of a call, the median over the rounds. The peak of malloc is the memory that a call has
allocated and not freed. The peak of regions is the memory in regions, without free blocks kept for reuse, plus the heap.
"""
import math
import os
import statistics
import sys
import tempfile

from executed import Executable
from networks import bufferized, chosen
from timing import table

DYNAMIC = ["resnet18_dynbatch", "tiny_transformer_dynseq", "greedy_decode", "lstm_while", "lstm_for"]
CONFIGURATIONS = [
    ("dynamic", "memplan{dynamic=malloc}", "memplan{dynamic=regions}"),
    ("all", "memplan-dealloc-pipeline", "memplan-regions{sizes=all},memplan-dealloc-pipeline"),
]
ROUNDS = 15
# The least duration of a round in seconds.
LEAST_SECONDS = 0.05


def measure(plugin, runtime, name, pipelines):
    """The median seconds and the peak bytes with the heap and with regions."""
    libraries = [runtime, f"-Wl,-rpath,{os.path.dirname(runtime)}"]
    with tempfile.TemporaryDirectory() as folder:
        both = [Executable(plugin, name, bufferized(name), pipeline, folder, libraries) for pipeline in pipelines]
        # With a limit, the runtime keeps no free blocks for reuse.
        counts = [one.count(MEMPLAN_REGION_LIMIT="64G") for one in both]
        if counts[0].printed != counts[1].printed:
            sys.exit(f"{name}: {pipelines[1]} prints something else")
        once = max(one.time(1) for one in both)
        calls = max(1, math.ceil(LEAST_SECONDS / once))
        times = [[one.time(calls) for one in both] for _ in range(ROUNDS if once < 1 else 3)]
        return [statistics.median(column) for column in zip(*times)], [one.most for one in counts]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    plugin, runtime, names = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
    networks = chosen(names) if names else DYNAMIC
    rows, products, all_times, all_peaks = [], [0.0, 0.0], [0.0, 0.0], [0, 0]
    for name in networks:
        for configuration, *pipelines in CONFIGURATIONS:
            times, peaks = measure(plugin, runtime, name, pipelines)
            rows.append(row(f"{name}, {configuration}", times, peaks))
            products[0] += math.log(times[1] / times[0])
            products[1] += math.log(peaks[1] / peaks[0])
            all_times = [one + other for one, other in zip(all_times, times)]
            all_peaks = [one + other for one, other in zip(all_peaks, peaks)]
    rows.append(row("total", all_times, all_peaks))
    means = [math.exp(product / (len(rows) - 1)) for product in products]
    rows.append(["geometric mean", "", "", f"{means[0]:.2f}", "", "", f"{means[1]:.2f}"])
    table(["network, sizes", "malloc, us", "regions, us", "ratio", "malloc, bytes", "regions, bytes", "ratio"], rows)


def row(name, times, peaks):
    return [name, *(f"{time * 1e6:.1f}" for time in times), f"{times[1] / times[0]:.2f}", *(f"{most:,}" for most in peaks),
            f"{peaks[1] / peaks[0]:.2f}"]


if __name__ == "__main__":
    main()
