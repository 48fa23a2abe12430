#!/usr/bin/env python3
"""Networks with their memory in regions next to malloc, executed: regions.py PLUGIN RUNTIME [NETWORK]...

Without names, the networks with sizes that only the run knows, and those with loops; each twice: what the run knows in
regions, beside all of it on the heap, and with all sizes in regions. Runs of both take turns. The time is that of the CPU for
a call, the median of the turns; the peak of malloc is what a call asks for and has not freed, that of regions all that regions
hold, without what is kept to be used again, and what is still on the heap.
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
WAYS = [
    ("dynamic", "memplan{dynamic=malloc}", "memplan{dynamic=regions}"),
    ("all", "memplan-dealloc-pipeline", "memplan-regions{sizes=all},memplan-dealloc-pipeline"),
]
TURNS = 15
# So long a turn takes at least, in seconds.
LEAST = 0.05


def measure(plugin, runtime, name, pipelines):
    """Medians of both ways' seconds, and their peaks."""
    libraries = [runtime, f"-Wl,-rpath,{os.path.dirname(runtime)}"]
    with tempfile.TemporaryDirectory() as folder:
        both = [Executable(plugin, name, bufferized(name), pipeline, folder, libraries) for pipeline in pipelines]
        # With a limit, nothing is kept to be used again.
        counts = [one.count(MEMPLAN_REGION_LIMIT="64G") for one in both]
        if counts[0].printed != counts[1].printed:
            sys.exit(f"{name}: {pipelines[1]} prints something else")
        once = max(one.time(1) for one in both)
        calls = max(1, math.ceil(LEAST / once))
        times = [[one.time(calls) for one in both] for _ in range(TURNS if once < 1 else 3)]
        return [statistics.median(column) for column in zip(*times)], [one.most for one in counts]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    plugin, runtime, names = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
    networks = chosen(names) if names else DYNAMIC
    rows, products, all_times, all_peaks = [], [0.0, 0.0], [0.0, 0.0], [0, 0]
    for name in networks:
        for way, *pipelines in WAYS:
            times, peaks = measure(plugin, runtime, name, pipelines)
            rows.append(row(f"{name}, {way}", times, peaks))
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
