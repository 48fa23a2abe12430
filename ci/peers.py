#!/usr/bin/env python3
"""Planned bytes beside those of LLVM 24's planner, on the networks of tests/models: peers.py PLUGIN PYTHON [NETWORK]...

PYTHON has PyPI's torch-mlir wheel, whose MLIR carries static-memory-planner-analysis. That planner wants deallocations
and no memref results, so its input goes through out-params, deallocation and optimize-allocation-liveness first.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NETWORKS = os.path.join(ROOT, "tests", "models", "bufferized")
MLIR_OPT = os.path.join(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"), "bin", "mlir-opt")
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


def ours(plugin, path, folder):
    """Planned, lower-bound bytes and allocations left."""
    report = os.path.join(folder, os.path.basename(path) + ".json")
    subprocess.run([MLIR_OPT, path, f"--load-pass-plugin={plugin}", "-o", os.devnull,
                    f"--pass-pipeline=builtin.module(func.func(memplan-merge-alloc{{report={report}}}))"], check=True)
    with open(report) as file:
        functions = json.load(file)["functions"]
    scopes = [scope for function in functions for scope in function["scopes"]]
    return (sum(scope["planned_bytes"] for scope in scopes), sum(scope["lower_bound_bytes"] for scope in scopes),
            len(scopes) + sum(len(function["skipped"]) for function in functions))


def theirs(python, path):
    """Bytes of the one arena; or why there is none."""
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
    names = names or sorted(file[:-5] for file in os.listdir(NETWORKS) if file.endswith(".mlir"))
    row = "{:<26}{:>14}{:>14}{:>8}{:>20}{:>8}"
    print(row.format("network", "lower bound", "memplan", "ratio", "LLVM 24 planner", "ratio"))
    logs, total = [], [0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = os.path.join(NETWORKS, name + ".mlir")
            planned, bound, _ = ours(plugin, path, folder)
            peer = theirs(python, path)
            ratio = planned / bound if bound else 1.0
            if isinstance(peer, int):
                logs.append((math.log(ratio), math.log(peer / bound)))
                total = [total[0] + bound, total[1] + planned, total[2] + peer]
                print(row.format(name, f"{bound:,}", f"{planned:,}", f"{ratio:.3f}", f"{peer:,}", f"{peer / bound:.3f}"))
            else:
                print(row.format(name, f"{bound:,}", f"{planned:,}", f"{ratio:.3f}", peer, ""))
            sys.stdout.flush()
    if logs:
        mean = [math.exp(sum(log[which] for log in logs) / len(logs)) for which in (0, 1)]
        print(row.format("both: total, geom. mean", f"{total[0]:,}", f"{total[1]:,}", f"{mean[0]:.3f}", f"{total[2]:,}",
                         f"{mean[1]:.3f}"))
    print("bytes; ratio to the lower bound on the lifetimes that memplan finds")


if __name__ == "__main__":
    main()
