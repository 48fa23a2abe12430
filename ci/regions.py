#!/usr/bin/env python3
"""Networks with their memory in regions next to malloc, executed: regions.py PLUGIN RUNTIME [NETWORK]...

Without names, the networks with sizes that only the run knows, and those with loops; each twice: what the run knows in
regions, beside all of it on the heap, and with all sizes in regions. Runs of both take turns. The time is that of one call, the
median of the turns; the peak of malloc is what was asked for and not freed, that of regions all that regions hold, without
what is kept to be used again, and what is still on the heap.
"""
import math
import os
import statistics
import subprocess
import sys
import tempfile

from networks import MLIR_OPT, MODELS, bufferized, chosen
from timing import table

DYNAMIC = ["resnet18_dynbatch", "tiny_transformer_dynseq", "greedy_decode", "lstm_while", "lstm_for"]
WAYS = [
    ("dynamic", "memplan{dynamic=malloc}", "memplan{dynamic=regions}"),
    ("all", "memplan-dealloc-pipeline", "memplan-regions{sizes=all},memplan-dealloc-pipeline"),
]
TURNS = 15
# So long a turn takes at least, in seconds.
LEAST = 0.05
HARNESS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
void driver(void);
#ifdef COUNT
#include <malloc.h>
#include <stdint.h>
int64_t memplan_region_most_held(void);
static size_t now, most;
void *__real_malloc(size_t);
void __real_free(void *);
void *__wrap_malloc(size_t size) {
  size_t *block = __real_malloc(size + 16);
  *block = size;
  now += size;
  if (now > most)
    most = now;
  return block + 2;
}
void __wrap_free(void *memory) {
  if (memory) {
    size_t *block = (size_t *)memory - 2;
    now -= *block;
    __real_free(block);
  }
}
#endif
int main(int count, char **words) {
  long turns = count > 1 ? atol(words[1]) : 1;
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (long turn = 0; turn < turns; turn++)
    driver();
  clock_gettime(CLOCK_MONOTONIC, &to);
#ifdef COUNT
  fprintf(stderr, "%zu\n", most + (size_t)memplan_region_most_held());
#else
  fprintf(stderr, "%.9f\n", (to.tv_sec - from.tv_sec) + (to.tv_nsec - from.tv_nsec) * 1e-9);
#endif
  return 0;
}
"""


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{command}: failed ({done.returncode}): {done.stderr[:2000]}")
    return done


def compiled(plugin, runtime, name, pipeline, folder):
    """The executables of a network: one that is timed, and one that counts."""
    llvm = os.path.dirname(MLIR_OPT)
    base = os.path.join(folder, "program")
    run([MLIR_OPT, bufferized(name), f"--load-pass-plugin={plugin}", f"--pass-pipeline=builtin.module({pipeline})",
         "-o", base + ".mlir"])
    run(["bash", "-o", "pipefail", "-c",
         f"'{MODELS}/lower' {name} {base}.mlir | {llvm}/mlir-translate --mlir-to-llvmir | sed 's/@main(/@driver(/' |"
         f" {llvm}/opt -O2 | {llvm}/llc -O2 --relocation-model=pic --filetype=obj -o {base}.o"])
    with open(base + ".c", "w", encoding="utf-8") as file:
        file.write(HARNESS)
    made = []
    for kind, flags in (("timed", []), ("counts", ["-DCOUNT", "-Wl,--wrap=malloc,--wrap=free"])):
        made.append(os.path.join(folder, f"{len(os.listdir(folder))}.{kind}"))
        run(["cc", "-O1", *flags, base + ".c", base + ".o", os.path.join(MODELS, "runtime.c"), "-o", made[-1], runtime,
             f"-Wl,-rpath,{os.path.dirname(runtime)}", "-lm"])
    return made


def seconds(executable, turns):
    return float(run([executable, str(turns)]).stderr) / turns


def peak(executable):
    """With a limit, nothing is kept to be used again."""
    return int(run([executable], env=os.environ | {"MEMPLAN_REGION_LIMIT": "64G"}).stderr)


def measure(plugin, runtime, name, pipelines):
    with tempfile.TemporaryDirectory() as folder:
        both = [compiled(plugin, runtime, name, pipeline, folder) for pipeline in pipelines]
        printed = [run([timed]).stdout for timed, _ in both]
        if printed[0] != printed[1]:
            sys.exit(f"{name}: {pipelines[1]} prints something else")
        once = max(seconds(timed, 3) for timed, _ in both)
        turns = max(1, math.ceil(LEAST / once))
        times = [[seconds(timed, turns) for timed, _ in both] for _ in range(TURNS if once < 1 else 3)]
        return [statistics.median(column) for column in zip(*times)], [peak(counts) for _, counts in both]


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
