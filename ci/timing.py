#!/usr/bin/env python3
"""How long planning takes, next to canonicalize on the same program: timing.py PLUGIN [NETWORK]...

Over the networks of tests/models (those whose name holds one of the arguments), and, where none is named, over
generated programs of 10,000 to 1,000,000 ops, in one block and in up to 10,000. Times are mlir-opt's own (--mlir-timing), the median of the runs.
"""
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MLIR_OPT = os.path.join(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"), "bin", "mlir-opt")
PIPELINE = "builtin.module(func.func(canonicalize,memplan-merge-alloc))"
LINE = re.compile(r"^\s*([0-9.]+) \(\s*[0-9.]+%\)\s+(.*\S)\s*$")


def times(plugin, path):
    """Seconds of canonicalize and of memplan-merge-alloc, in one run."""
    done = subprocess.run(
        [MLIR_OPT, path, f"--load-pass-plugin={plugin}", f"--pass-pipeline={PIPELINE}", "-o", os.devnull,
         "--mlir-timing", "--mlir-timing-display=list", "--mlir-disable-threading"],
        capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path}: mlir-opt failed ({done.returncode}): {done.stderr[:2000]}")
    canonicalize = planning = None
    for line in done.stderr.splitlines():
        match = LINE.match(line)
        if match and "canonicalize" in match[2].lower():
            canonicalize = float(match[1])
        elif match and "memplan" in match[2].lower():
            planning = float(match[1])
    if canonicalize is None or planning is None:
        sys.exit(f"{path}: mlir-opt's timing names no such pass:\n{done.stderr}")
    return canonicalize, planning


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


def count_ops(path):
    """As many as lines that begin an op."""
    with open(path) as file:
        return sum(1 for line in file if re.match(r'\s+(%|"?[a-z_]+\.[a-z_]+)', line))


def networks(plugin, names):
    folder = os.path.join(ROOT, "tests", "models", "bufferized")
    rows = []
    for file in sorted(os.listdir(folder)):
        if not names or any(name in file for name in names):
            path = os.path.join(folder, file)
            rows.append(row(file.removesuffix(".mlir"), count_ops(path), *measure(plugin, path, 5)))
    table(HEAD, rows)


def generate(path, ops):
    """One function of buffers, five ops each: a buffer reads the one before it and one from further back."""
    choice = random.Random(ops)
    sizes = [choice.choice([16, 64, 256, 1024, 4096]) for _ in range(ops // 5)]
    with open(path, "w") as file:
        file.write("func.func @forward(%x: f32) -> f32 {\n  %c0 = arith.constant 0 : index\n"
                   f"  %b0 = memref.alloc() : memref<{sizes[0]}xf32>\n"
                   f"  memref.store %x, %b0[%c0] : memref<{sizes[0]}xf32>\n")
        for i in range(1, len(sizes)):
            far = max(0, i - 1 - int(choice.expovariate(1 / 8)))
            file.write(f"  %b{i} = memref.alloc() : memref<{sizes[i]}xf32>\n"
                       f"  %n{i} = memref.load %b{i - 1}[%c0] : memref<{sizes[i - 1]}xf32>\n"
                       f"  %f{i} = memref.load %b{far}[%c0] : memref<{sizes[far]}xf32>\n"
                       f"  %s{i} = arith.addf %n{i}, %f{i} : f32\n"
                       f"  memref.store %s{i}, %b{i}[%c0] : memref<{sizes[i]}xf32>\n")
        last = len(sizes) - 1
        file.write(f"  %r = memref.load %b{last}[%c0] : memref<{sizes[last]}xf32>\n  return %r : f32\n}}\n")


def generate_blocks(path, ops):
    """One function of blocks of 100 ops, in loops of eight and these in loops of 64: of five ops an allocation, a store
    to it, and three loads, one in ten of them from a buffer of an earlier block, most of a near one."""
    choice = random.Random(ops)
    blocks, buffers = ops // 100, []
    with open(path, "w") as file:
        file.write("func.func @forward(%x: f32, %again: i1) -> f32 {\n  %c0 = arith.constant 0 : index\n  cf.br ^b0\n")
        for block in range(blocks):
            file.write(f"^b{block}:\n")
            mine = []
            for _ in range(19 if block + 1 < blocks else 1):
                size = choice.choice([16, 64, 256, 1024])
                name = f"%b{block}_{len(mine)}"
                mine.append((name, size))
                file.write(f"  {name} = memref.alloc() : memref<{size}xf32>\n"
                           f"  memref.store %x, {name}[%c0] : memref<{size}xf32>\n")
                for load in range(3):
                    far = 1 + int(choice.expovariate(1 / 16))
                    if far <= len(buffers) and choice.random() < 0.1:
                        source, elements = choice.choice(buffers[-far])
                    else:
                        source, elements = mine[max(0, len(mine) - 1 - int(choice.expovariate(1 / 4)))]
                    file.write(f"  {name}_{load} = memref.load {source}[%c0] : memref<{elements}xf32>\n")
            buffers.append(mine)
            length = 64 if block % 64 == 63 else 8 if block % 8 == 7 else 0
            if block + 1 == blocks:
                file.write("  return %x : f32\n}\n")
            elif length:
                file.write(f"  cf.cond_br %again, ^b{block + 1 - length}, ^b{block + 1}\n")
            else:
                file.write(f"  cf.br ^b{block + 1}\n")


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
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    plugin, names = sys.argv[1], sys.argv[2:]
    networks(plugin, names)
    if not names:
        print()
        scaling(plugin)


main()
