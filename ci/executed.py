"""Compiles networks to executables that measure their calls."""
import os
import re
import subprocess
import sys
from typing import NamedTuple

from copies import COUNTER, counted
from networks import MLIR_OPT, MODELS

CALLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "calls.c")


class Measurement(NamedTuple):
    """A call: CPU seconds, allocations, peak and leaked bytes, executed copies and the bytes that they write, and the
    words that the network prints."""
    seconds: float
    allocations: int
    most: int
    left: int
    copies: int
    moved: int
    printed: list


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{command}: failed ({done.returncode}): {done.stderr[:2000]}")
    return done


def transformed(plugin, path, pipeline, out):
    """Runs passes on a program, and writes the result to a file."""
    run([MLIR_OPT, path, f"--load-pass-plugin={plugin}", f"--pass-pipeline=builtin.module({pipeline})", "-o", out])


def machine_code(name, path, out):
    """Compiles a network to an object file, and renames its driver's `main` to `driver`."""
    llvm = os.path.dirname(MLIR_OPT)
    run(["bash", "-o", "pipefail", "-c",
         f"'{MODELS}/lower' {name} '{path}' | {llvm}/mlir-translate --mlir-to-llvmir |"
         # The call that counts copies must not prevent optimizations.
         f" sed 's/@main(/@driver(/; s/^declare void @{COUNTER}(i64.*/& memory(inaccessiblemem: readwrite) nounwind/' |"
         f" {llvm}/opt -O2 | {llvm}/llc -O2 --relocation-model=pic --filetype=obj -o '{out}'"])


def measured(text):
    """A network whose @forward calls the original one repeatedly, frees the results, and returns copies of the last ones."""
    arguments, results = re.search(r"func\.func @forward\((.*?)\) -> ([^{]*?)(?: attributes \{.*\})? \{\n", text).groups()
    names = ", ".join(re.findall(r"%\w+(?=:)", arguments))
    types = ", ".join(re.split(r",? ?%\w+: ", arguments)[1:])
    given = list(enumerate(re.findall(r"memref<[^<>]*>", results)))
    call = f":{len(given)} = func.call @network({names}) : ({types}) -> {results}"
    body = text.replace("func.func @forward(", "func.func private @network(", 1).rstrip().removesuffix("}")
    lines = [f"func.func @forward({arguments}) -> {results} {{",
             "%one = arith.constant 1 : index",
             "%count = func.call @calls_count() : () -> index",
             "func.call @calls_start() : () -> ()",
             "scf.for %i = %one to %count step %one {",
             "%r" + call,
             *(f"memref.dealloc %r#{at} : {kind}" for at, kind in given),
             "}",
             "%last" + call,
             "func.call @calls_over() : () -> ()"]
    for at, kind in given:
        sizes = []
        for axis in range(kind.count("x")):
            if kind.removeprefix("memref<").split("x")[axis] == "?":
                lines += [f"%axis{at}_{axis} = arith.constant {axis} : index",
                          f"%size{at}_{axis} = memref.dim %last#{at}, %axis{at}_{axis} : {kind}"]
                sizes.append(f"%size{at}_{axis}")
        lines += [f"%copy{at} = memref.alloc({', '.join(sizes)}) : {kind}",
                  f"memref.copy %last#{at}, %copy{at} : {kind} to {kind}"]
    lines += ["func.call @calls_copied() : () -> ()",
              *(f"memref.dealloc %last#{at} : {kind}" for at, kind in given),
              "func.call @calls_stop() : () -> ()",
              f"return {', '.join(f'%copy{at}' for at, _ in given)} : {', '.join(kind for _, kind in given)}",
              "}"]
    declared = [f"func.func private @calls_{name}()" for name in ("start", "over", "copied", "stop")]
    declared.append(f"func.func private @{COUNTER}(index)")
    return "\n".join([body, "func.func private @calls_count() -> index", *declared, *lines, "}\n"])


class Executable:
    """A network after passes, compiled by LLVM's tools at -O2: one executable for timing, and one for counting. `edited` changes
    the text after the passes."""

    def __init__(self, plugin, name, path, pipeline, folder, libraries=(), edited=None):
        base = os.path.join(folder, str(len(os.listdir(folder))))
        transformed(plugin, path, pipeline, base + ".mlir")
        with open(base + ".mlir", encoding="utf-8") as file:
            text = file.read()
        if edited:
            text = edited(text)
        text = measured(counted(text))
        with open(base + ".mlir", "w", encoding="utf-8") as file:
            file.write(text)
        machine_code(name, base + ".mlir", base + ".o")
        self.timed, self.counts = base + ".timed", base + ".counts"
        for out, flags in ((self.timed, []), (self.counts, ["-Wl,--wrap=malloc,--wrap=free"])):
            run(["cc", "-O1", *flags, CALLS, base + ".o", os.path.join(MODELS, "runtime.c"), "-o", out, *libraries, "-lm"])

    def time(self, calls):
        """The seconds of one call, averaged over `calls` calls."""
        return measure(self.timed, CALLS=str(calls)).seconds

    def count(self, **environment):
        """The measurement of one call, with counts of allocations and copies."""
        return measure(self.counts, **environment)


def measure(executable, **environment):
    done = run([executable], env=os.environ | environment)
    seconds, *counts = done.stderr.split()
    return Measurement(float(seconds), *map(int, counts), done.stdout.split())
