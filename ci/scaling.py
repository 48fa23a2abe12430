#!/usr/bin/env python3
"""Measures how deallocation grows with the number of buffers: scaling.py PLUGIN [KIND]...

The functions are those of lit/memplan-dealloc-pipeline/Inputs/scale.sh, of 1,000 to 100,000 buffers. Times are mlir-opt's
own (--mlir-timing without parsing and printing) of memplan-dealloc-pipeline, and of upstream's
buffer-deallocation-pipeline up to the first size at which that exceeds the limit. The exponent is the slope of a line
through the logarithms, by least squares.
"""
import math
import os
import subprocess
import tempfile

from networks import arguments, say
from timing import seconds

OURS, UPSTREAM = "memplan-dealloc-pipeline", "buffer-deallocation-pipeline"
GENERATOR = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lit", "memplan-dealloc-pipeline",
                         "Inputs", "scale.sh")
KINDS = ["origins", "merges", "copies", "passed", "rotating", "blocks", "carried"]
# Upstream takes loops of regions only.
OURS_ONLY = ["blocks"]
SIZES = [1_000, 3_000, 10_000, 30_000, 100_000]
# The time limit of one run in seconds.
LIMIT = 20
LINE = "{:<20}" + "{:>10}" * (len(SIZES) + 1)


def exponent(times):
    """The slope of the logarithm of the time by that of the size."""
    points = [(math.log(size), math.log(time)) for size, time in zip(SIZES, times) if time]
    if len(points) < 2:
        return "-"
    x_mean, y_mean = (sum(column) / len(points) for column in zip(*points))
    slope = sum((x - x_mean) * (y - y_mean) for x, y in points) / sum((x - x_mean) ** 2 for x, _ in points)
    return f"{slope:.2f}"


def measure(plugin, kind, pipeline, folder):
    """The seconds for each size, up to the first one that exceeds the limit."""
    times = []
    for size in SIZES:
        say(f"{kind}, {size}, {pipeline}")
        path = os.path.join(folder, f"{kind}-{size}.mlir")
        if not os.path.exists(path):
            with open(path, "w", encoding="utf-8") as file:
                subprocess.run(["bash", GENERATOR, kind, str(size)], check=True, stdout=file)
        time = seconds(plugin, path, pipeline, LIMIT)
        if time is None:
            break
        # Small times are noisy.
        times.append(min([time] + [seconds(plugin, path, pipeline) for _ in range(2 if time < 0.2 else 0)]))
    return times + [None] * (len(SIZES) - len(times))


def main():
    plugin, names = arguments(__doc__)
    print(LINE.format(f"seconds (-: > {LIMIT} s)", *(f"{size:,}" for size in SIZES), "exponent"), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for kind in [kind for kind in KINDS if not names or kind in names]:
            for name, pipeline in (("memplan", OURS), ("upstream", UPSTREAM)):
                if pipeline == UPSTREAM and kind in OURS_ONLY:
                    continue
                times = measure(plugin, kind, pipeline, folder)
                cells = [f"{time:.3f}" if time else "-" for time in times]
                say("")
                print(LINE.format(f"{kind}, {name}", *cells, exponent(times)), flush=True)


if __name__ == "__main__":
    main()
