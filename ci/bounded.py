"""Measures bounded programs: the time of expansion and layout, and of virtual layout, which follows paths without
expansion. Prints seconds of CPU time, which depend little on other load, and of elapsed time.

Usage: bounded.py PLUGIN
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

plugin = pathlib.Path(sys.argv[1]).resolve()
opt = pathlib.Path(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22")) / "bin/mlir-opt"


def loops(iterations):
    """A loop with about ten operations in an iteration, two of them allocations."""
    return f"""func.func @loops(%x: memref<8xi64>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {iterations} : index
  scf.for %i = %c0 to %n step %c1 {{
    %a = memref.alloc() : memref<8xi64>
    %b = memref.alloc() : memref<4xi64>
    %u = memref.load %x[%c1] : memref<8xi64>
    memref.store %u, %a[%c0] : memref<8xi64>
    %v = memref.load %a[%c0] : memref<8xi64>
    %w = arith.addi %u, %v : i64
    memref.store %w, %b[%c1] : memref<4xi64>
    %y = memref.load %b[%c1] : memref<4xi64>
    %z = arith.muli %y, %w : i64
    memref.store %z, %x[%c1] : memref<8xi64>
  }}
  return
}}
"""


def consecutive_branches(branches):
    """Consecutive branches, each with local buffers in both arms, and a buffer that it yields to the next."""
    text = """func.func @row(%c: i1, %v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %r0 = memref.alloc() : memref<8xi64>
  memref.store %v, %r0[%c0] : memref<8xi64>
"""
    for at in range(1, branches + 1):
        text += f"  %r{at} = scf.if %c -> (memref<8xi64>) {{\n"
        for arm, size in enumerate((4, 6)):
            text += f"""    %o{at}_{arm} = memref.alloc() : memref<{size}xi64>
    memref.store %v, %o{at}_{arm}[%c0] : memref<{size}xi64>
    %g{at}_{arm} = memref.alloc() : memref<8xi64>
    %x{at}_{arm} = memref.load %r{at - 1}[%c0] : memref<8xi64>
    %y{at}_{arm} = memref.load %o{at}_{arm}[%c0] : memref<{size}xi64>
    memref.store %x{at}_{arm}, %g{at}_{arm}[%c0] : memref<8xi64>
    scf.yield %g{at}_{arm} : memref<8xi64>
"""
            text += "  } else {\n" if arm == 0 else "  }\n"
    return text + f"""  %x = memref.load %r{branches}[%c0] : memref<8xi64>
  return %x : i64
}}
"""


def timed(text, pipeline):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "in.mlir"
        path.write_text(text)
        start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [opt, path, f"--load-pass-plugin={plugin}", f"--pass-pipeline=builtin.module({pipeline})",
             "--emit-bytecode", "-o", path.with_suffix(".out")],
            check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return f"{used:7.2f} s  {time.monotonic() - start:7.2f} s"


for operations in (10_000, 100_000, 1_000_000):
    for options in ("mode=scan fit=first", "mode=defrag fit=planner effort=quick"):
        pipeline = f"memplan-bounded-pipeline{{max-ops=2000000 {options}}}"
        seconds = timed(loops(operations // 10), pipeline)
        print(f"{operations:>9} operations after expansion, {options:<36} {seconds}")
for branches in (10, 40, 400):
    seconds = timed(consecutive_branches(branches), "memplan-tree-scan{virtual=true}")
    print(f"{branches:>9} consecutive branches, virtual=true {'':<25} {seconds}")
