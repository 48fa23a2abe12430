#!/usr/bin/env python3
"""MobileNetV2 with activations of one byte, planned whole and in strips, for a comparison with published figures:
published.py PLUGIN

tests/models has the network in f32, for images of 224x224. Its text is rewritten: i8 in place of f32, integer operations in place
of those on floats, and rounded constants. That program has the shapes of a quantized network, so it needs the memory of one.
It computes nothing useful: scales are missing, and sums overflow. Divisions become multiplications: the network asserts that
divisors are not zero, and no pass may move a division of integers before such an assertion. In "i8", sums of convolutions are i8
as well: a kernel that keeps sums in registers holds no more. In "i8, sums i32", a convolution writes i32, and the operation that
reads it narrows.

Bytes are those of the arenas: arguments (image, weights) and the result are not in them. "split" is `memplan`, "cost=none" is
`memplan` with strip-cost=none; each has its ratio to the program without strips. Each planned program is executed, on arguments
that are all 1, and counts its multiplications on elements: "again" is how many more there are than without strips.
"""
import json
import os
import re
import sys
import tempfile

from executed import run, transformed
from networks import MLIR_OPT, MODELS, arguments, bufferized, say, total

NETWORK = "mobilenet_v2"
LLVM = os.path.dirname(os.path.dirname(MLIR_OPT))
REWRITTEN = {"f32": "i8", "f64": "i32", "arith.addf": "arith.addi", "arith.subf": "arith.subi", "arith.mulf": "arith.muli",
             "arith.divf": "arith.muli", "arith.truncf": "arith.trunci", "arith.cmpf one": "arith.cmpi ne",
             "arith.cmpf ogt": "arith.cmpi sgt", "arith.cmpf olt": "arith.cmpi slt", "math.sqrt": "math.absi"}
TYPE = re.compile(r"memref<[^<>]*(?:<[^<>]*>)?>")
PLANS = {"whole": "split=none", "split": "", "cost=none": "strip-cost=none"}
LINE = "{:<28}{:>13}{:>13}{:>8}{:>8}{:>13}{:>8}{:>8}{:>18}"
HEAD = [NETWORK, "whole", "split", "ratio", "again", "cost=none", "ratio", "again", "multiplications"]


def with_bytes(text):
    """The program with integers of one byte in place of floats."""
    text = re.sub(r"(arith\.constant )(\S+)(?= : f\d)", lambda match: match.group(1) + str(round(float(match.group(2)))), text)
    for floats, integers in REWRITTEN.items():
        text = text.replace(floats, integers)
    return text


def wide(types, at):
    """A list of types with i32 elements in one of them."""
    found = list(TYPE.finditer(types))[at]
    return types[:found.start()] + found.group(0).replace("xi8", "xi32") + types[found.end():]


def with_wide_sums(text):
    """The program of bytes in which convolutions write i32, and each operation that reads such a sum narrows it first."""
    sums = set(re.findall(r"linalg\.\w*conv.* outs\((%\w+) :", text))
    lines, narrowed = [], None
    for line in text.splitlines():
        made = re.match(r" *(%\w+) = memref\.alloc\(", line)
        filled = re.match(r" *linalg\.fill .* outs\((%\w+) :", line)
        read = re.match(r" *linalg\.generic .*? ins\(([^:]*) : ", line)
        if made and made.group(1) in sums:
            line = wide(line, 0)
        elif filled and filled.group(1) in sums:
            line = wide(re.sub(r"ins\(.*? : i8\)", "ins(%no_sum : i32)", line), 0)
        elif re.match(r" *linalg\.\w*conv", line):
            line = wide(line, -1)
        elif read and sums.intersection(read.group(1).split(", ")):
            narrowed = [name in sums for name in read.group(1).split(", ")].index(True)
            line = line[:read.end()] + wide(line[read.end():], narrowed)
        elif narrowed is not None:
            # The first line of the body of the operation that reads a sum: its arguments.
            name = re.findall(r"%\w+(?=: i8)", line)[narrowed]
            line = line.replace(f"{name}: i8", "%sum: i32") + f"\n{name} = arith.trunci %sum : i32 to i8"
            narrowed = None
        lines.append(line)
        if "func.func @forward(" in line:
            lines.append("%no_sum = arith.constant 0 : i32")
    return "\n".join(lines) + "\n"


def planned_bytes(plugin, path, options, out):
    """The bytes of the arenas of a program; the planned program goes to `out`."""
    report = out + ".json"
    transformed(plugin, path, f"memplan{{report={report} verify=true {options}}}", out)
    with open(report, encoding="utf-8") as file:
        return total(json.load(file)["functions"], "planned_bytes")


def driver(text):
    """A main function that calls @forward of a program on arguments that are all 1, and prints how often it multiplies."""
    given, result = re.search(r"func\.func @forward\((.*?)\) -> (memref<[^<>]*>)", text).groups()
    lines = ["func.func private @printI64(i64)",
             'memref.global "private" @multiplications : memref<i64> = dense<0>',
             "func.func private @multiplied() {",
             "%count = memref.get_global @multiplications : memref<i64>",
             "%one = arith.constant 1 : i64",
             "%before = memref.load %count[] : memref<i64>",
             "%after = arith.addi %before, %one : i64",
             "memref.store %after, %count[] : memref<i64>",
             "return", "}",
             "func.func @main() {"]
    kinds = TYPE.findall(given)
    for at, kind in enumerate(kinds):
        element = re.search(r"x([a-z]\d+)>", kind).group(1)
        lines += [f"%one{at} = arith.constant {'1.0' if element[0] == 'f' else '1'} : {element}",
                  f"%a{at} = memref.alloc() : {kind}",
                  f"linalg.fill ins(%one{at} : {element}) outs(%a{at} : {kind})"]
    lines += [f"%result = func.call @forward({', '.join(f'%a{at}' for at in range(len(kinds)))})"
              f" : ({', '.join(kinds)}) -> {result}",
              "%count = memref.get_global @multiplications : memref<i64>",
              "%all = memref.load %count[] : memref<i64>",
              "func.call @printI64(%all) : (i64) -> ()",
              "return", "}"]
    return "\n".join(lines) + "\n"


def multiplications(plugin, path):
    """How often a planned program multiplies elements in a call."""
    bodies, main = path + ".bodies.mlir", path + ".driver.mlir"
    transformed(plugin, path, "func.func(linalg-generalize-named-ops)", bodies)
    with open(bodies, encoding="utf-8") as file:
        text = file.read()
    with open(main, "w", encoding="utf-8") as file:
        file.write(driver(text))
    with open(bodies, "w", encoding="utf-8") as file:
        file.write(re.sub(r"^(?=.* = arith\.mul[fi] .* : [fi]\d+$)", "func.call @multiplied() : () -> ()\n", text,
                          flags=re.MULTILINE))
    lowered = run([os.path.join(MODELS, "lower"), NETWORK, bodies], env=os.environ | {"DRIVER": main}).stdout
    # With a call in each body, optimizing takes longer than executing.
    return int(run([f"{LLVM}/bin/mlir-runner", "-O0", "-e", "main", "--entry-point-result=void",
                    f"--shared-libs={LLVM}/lib/libmlir_c_runner_utils.so"], input=lowered).stdout)


def main():
    plugin, _ = arguments(__doc__)
    with open(bufferized(NETWORK), encoding="utf-8") as file:
        floats = file.read()
    integers = with_bytes(floats)
    print(LINE.format(*HEAD))
    for name, text in {"f32": floats, "i8": integers, "i8, sums i32": with_wide_sums(integers)}.items():
        sizes, counts = [], []
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "network.mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            for plan, options in PLANS.items():
                say(f"{name}: {plan}")
                out = os.path.join(folder, plan + ".mlir")
                sizes.append(planned_bytes(plugin, path, options, out))
                counts.append(multiplications(plugin, out))
        say("")
        cells = [f"{sizes[0]:,}"]
        for size, count in zip(sizes[1:], counts[1:]):
            cells += [f"{size:,}", f"{sizes[0] / size:.1f}", f"{count - counts[0]:,}"]
        print(LINE.format(name, *cells, f"{counts[0]:,}"), flush=True)


if __name__ == "__main__":
    main()
