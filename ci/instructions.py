"""Counts the instructions that mlir-opt executes for a pipeline on one thread, with valgrind. The counts are the same in
every run, whatever the load of the machine."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

from networks import MLIR_OPT

# The function of the pass manager that runs passes, their initialization and the verifier.
MANAGER = "mlir::PassManager::run(mlir::Operation*)"
LINE = re.compile(r"^\s*([0-9,]+) \(\s*[0-9.]+%\)\s+(.*)$")
OURS = re.compile(r"<memplan_\w+(?:::\w+)*::(\w+) as memplan_mlir::pass::Pass>::run")
VERIFIER = ":mlir::verify(mlir::Operation*, bool)"


@dataclass
class Counted:
    """Instructions: the total, those of the verifier, and those of each of memplan's passes without the verifier."""
    total: int
    verifier: int = 0
    passes: dict = field(default_factory=dict)


def count(plugin, path, pipeline):
    """The instructions of a pipeline on a module."""
    if not shutil.which("callgrind_annotate"):
        sys.exit("counting instructions needs valgrind")
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "callgrind.out")
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", f"--toggle-collect={MANAGER}", MLIR_OPT, path,
             f"--load-pass-plugin={plugin}", f"--pass-pipeline=builtin.module({pipeline})", "--mlir-disable-threading",
             "-o", os.devnull], capture_output=True, text=True)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode or not found:
            sys.exit(f"{path}: mlir-opt failed ({done.returncode}): {done.stderr[:2000]}")
        annotated = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", out],
                                   check=True, capture_output=True, text=True)
    counted = Counted(int(found[1]))
    for line in annotated.stdout.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        number, name = int(match[1].replace(",", "")), match[2]
        if VERIFIER in name:
            counted.verifier = max(counted.verifier, number)
        # A function that is in several object files is listed once for each.
        elif ours := OURS.search(name):
            counted.passes[ours[1]] = max(counted.passes.get(ours[1], 0), number)
    return counted
