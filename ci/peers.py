#!/usr/bin/env python3
"""Compares planned bytes with LLVM 24's planner on the networks of tests/models: peers.py PLUGIN PYTHON [NETWORK]...

PYTHON has PyPI's torch-mlir wheel, whose MLIR contains static-memory-planner-analysis. That planner requires
deallocations and functions without memref results. So its input runs through out-params, deallocation and
optimize-allocation-liveness first.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

from networks import MLIR_OPT, bufferized, chosen, total

BEFORE = ("builtin.module(buffer-results-to-out-params{hoist-static-allocs=true modify-public-functions=true},"
          "buffer-deallocation-pipeline,func.func(optimize-allocation-liveness))")
PEER = """
import sys
from torch_mlir.ir import Context, Location, Module
from torch_mlir.passmanager import PassManager
with Context(), Location.unknown():
    module = Module.parse(sys.stdin.read())
    PassManager.parse("builtin.module(func.func(static-memory-planner-analysis{algorithm=best-fit}))").run(
        module.operation)
    print(module)
"""
ALLOCATION = re.compile(r"memref\.alloc\(")
ARENA = re.compile(r"memref\.alloc\(\)[^\n]*memref<(\d+)xi8")


def ours(plugin, path, folder, in_place):
    """Planned and lower-bound bytes."""
    report = os.path.join(folder, os.path.basename(path) + ".json")
    options = f"report={report} in-place={in_place}"
    subprocess.run([MLIR_OPT, path, f"--load-pass-plugin={plugin}", "-o", os.devnull,
                    f"--pass-pipeline=builtin.module(func.func(memplan-merge-alloc{{{options}}}))"], check=True)
    with open(report) as file:
        functions = json.load(file)["functions"]
    return total(functions, "planned_bytes"), total(functions, "lower_bound_bytes")


def theirs(python, path):
    """The bytes of the arena, or the reason why there is no single arena."""
    before = subprocess.run([MLIR_OPT, path, f"--pass-pipeline={BEFORE}"], capture_output=True, text=True)
    if before.returncode:
        return "not deallocated"
    done = subprocess.run([python, "-c", PEER], input=before.stdout, capture_output=True, text=True)
    if done.returncode:
        return "crashes" if done.returncode < 0 else "fails"
    allocations = len(ALLOCATION.findall(done.stdout))
    arenas = ARENA.findall(done.stdout)
    if allocations != 1 or len(arenas) != 1:
        return f"leaves {allocations} allocs"
    return int(arenas[0])


def main():
    plugin, python, *names = sys.argv[1:]
    row = "{:<26}{:>14}{:>14}{:>8}{:>20}{:>8}{:>14}{:>8}"
    print(row.format("network", "lower bound", "memplan", "ratio", "LLVM 24 planner", "ratio", "in place", "less"))
    logs, total = [], [0, 0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen(names):
            path = bufferized(name)
            planned, bound = ours(plugin, path, folder, "false")
            in_place, _ = ours(plugin, path, folder, "true")
            peer = theirs(python, path)
            ratio = planned / bound if bound else 1.0
            cells = [name, f"{bound:,}", f"{planned:,}", f"{ratio:.3f}"]
            if isinstance(peer, int):
                logs.append((math.log(ratio), math.log(peer / bound)))
                total = [sum(pair) for pair in zip(total, (bound, planned, peer, in_place))]
                cells += [f"{peer:,}", f"{peer / bound:.3f}", f"{in_place:,}", less(in_place, peer)]
            else:
                cells += [peer, "", f"{in_place:,}", ""]
            print(row.format(*cells), flush=True)
    if logs:
        bound, planned, peer, in_place = total
        mean = [math.exp(sum(log[which] for log in logs) / len(logs)) for which in (0, 1)]
        print(row.format("both: total, geom. mean", f"{bound:,}", f"{planned:,}", f"{mean[0]:.3f}", f"{peer:,}",
                         f"{mean[1]:.3f}", f"{in_place:,}", less(in_place, peer)))
    print("bytes; lower bound, memplan and ratio with in-place=false, as LLVM 24 has no such thing; ratio to the\n"
          "lower bound on the lifetimes that memplan finds; in place: with buffers in place; less: than LLVM 24's\n"
          "planner")


def less(ours, theirs):
    return f"{100 * (1 - ours / theirs):.1f}%"


if __name__ == "__main__":
    main()
