#!/usr/bin/env python3
"""Plans of networks with a dimension that is known only at run time: dynamic.py PLUGIN [NETWORK]...

tests/models/dynamic makes the networks from their static forms. For some values of the dimension, the bytes of
merge-alloc's arena stand beside those of other strategies on the same buffers with the same lifetimes, without reuse in place,
and the bytes of the arena of `memplan` beside those for the static form at that value. The networks are executed at the values
that take little time, beside upstream's deallocation: peak of the heap and allocations of a call, with its results.
"""
import json
import math
import os
import re
import sys
import tempfile

from executed import Executable, run
from networks import MLIR_OPT, MODELS, arguments, bufferized, say

BATCHES, LENGTHS = (1, 2, 3, 8, 16), (1, 7, 16, 64, 128)
BY_BATCH = ("alexnet", "lenet", "mlp", "mobilenet_v2", "resnet18", "resnet50", "squeezenet1_1", "tiny_transformer",
            "unet_tiny", "vgg16")
# Made from the same definitions, with a dynamic dimension from the start, and their drivers' values.
AS_THEY_ARE = {"resnet18_dynbatch": BATCHES, "tiny_transformer_dynseq": LENGTHS}
NETWORKS = {"bert_base": LENGTHS} | {name: BATCHES for name in BY_BATCH} | AS_THEY_ARE
# The largest values that are executed: others take minutes.
EXECUTED = {"alexnet": 2, "bert_base": 7, "mobilenet_v2": 2, "resnet18": 2, "resnet50": 1, "squeezenet1_1": 2, "vgg16": 1}
UPSTREAM = "buffer-deallocation-pipeline,func.func(optimize-allocation-liveness)"
# An arena may take this much of that of the static form.
MOST, ALIGNMENT = 1.02, 64
RUNNER = os.path.join(os.path.dirname(MLIR_OPT), "mlir-runner")
LIBRARY = os.path.join(os.path.dirname(os.path.dirname(MLIR_OPT)), "lib", "libmlir_c_runner_utils.so")
LINE = "{:<24}{:>6}{:>15}{:>15}{:>15}{:>15}{:>15}{:>7}{:>15}{:>15}{:>7}{:>15}{:>15}{:>7}{:>7}{:>6}"
HEADS = [["", "", "without reuse in", "place", "", "", "", "", "arena", "", "", "peak of", "the heap", "", "alloca-", "tions"],
         ["network", "value", "lower bound", "equal sizes", "upper bounds", "slots", "memplan", "ratio", "static form",
          "memplan", "ratio", "upstream", "memplan", "ratio", "upstr.", "ours"]]


def made(name, *options):
    return run([os.path.join(MODELS, "dynamic"), name, *options]).stdout


def optimized(plugin, path, pipeline):
    """The text after passes."""
    return run([MLIR_OPT, path, f"--load-pass-plugin={plugin}", f"--pass-pipeline=builtin.module({pipeline})"]).stdout


def arena_sizes(text, values):
    """The bytes that @forward_arena_size gives for some values of all dimensions."""
    start = text.index("func.func @forward_arena_size")
    function = text[start:text.index("\n  }\n", start) + 5]
    count = len(re.findall(r"%arg\d+: index", function))
    main = ["func.func private @printI64(i64)", "func.func private @printNewline()", "func.func @main() {"]
    for at, value in enumerate(values):
        main += [f"%v{at} = arith.constant {value} : index",
                 f"%s{at}, %a{at} = func.call @forward_arena_size({', '.join([f'%v{at}'] * count)})"
                 f" : ({', '.join(['index'] * count)}) -> (index, index)",
                 f"%i{at} = arith.index_cast %s{at} : index to i64",
                 f"func.call @printI64(%i{at}) : (i64) -> ()", "func.call @printNewline() : () -> ()"]
    program = "\n".join(["module {", function, *main, "return", "}", "}"])
    passes = "builtin.module(convert-arith-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)"
    lowered = run([MLIR_OPT, f"--pass-pipeline={passes}"], input=program).stdout
    printed = run([RUNNER, "-e", "main", "--entry-point-result=void", f"--shared-libs={LIBRARY}"], input=lowered).stdout
    return [int(line) for line in printed.split()]


class Buffers:
    """The buffers of a network with their lifetimes and sizes."""

    def __init__(self, plugin, path, folder):
        report = os.path.join(folder, "report.json")
        optimized(plugin, path, f"memplan-merge-alloc{{in-place=false report={report}}}")
        with open(report, encoding="utf-8") as file:
            scopes = json.load(file)["functions"][0]["scopes"]
        self.all = []
        for scope in scopes:
            self.all += [(str(buffer["size"]), buffer["live"]) for buffer in scope["buffers"]]
            for slot in scope["slots"]:
                for buffer in slot["buffers"]:
                    inside = buffer.get("inside")
                    self.all.append((inside["size"] if inside else slot["size"][0], buffer["live"]))
        self.all = [(size, live) for size, live in self.all if live]

    def at(self, value):
        """The bytes of each at a value of all dimensions."""
        text = [re.sub(r"d\d+", str(value), size) for size, _ in self.all]
        return [math.prod(map(int, product.split("*"))) for product in text]

    def load(self, value):
        """The most bytes that are live at once."""
        return most(zip(self.at(value), (live for _, live in self.all)))

    def equal_sizes(self, value):
        """Each buffer takes the bytes of a dead one of the same size, as IREE's stream allocation does."""
        classes = {}
        for (size, live), number in zip(self.all, self.at(value)):
            classes.setdefault(size, (number, []))[1].append((1, live))
        return sum(number * most(lives) for number, lives in classes.values())

    def upper_bounds(self, largest):
        """Storage that is reused by the size at the largest value: the smallest dead one that is large enough, or the largest
        one that then grows, or a new one, as in TVM's static memory planning."""
        return self.reused(largest, largest)

    def slots(self, value, largest):
        """Slots: each buffer goes to the first one that is free, from the largest size down."""
        at = self.at(largest)
        own = self.at(value)
        slots = []
        for place in sorted(range(len(at)), key=lambda place: -at[place]):
            live = self.all[place][1]
            for slot in slots:
                if not any(meet(live, other) for _, other in slot):
                    slot.append((own[place], live))
                    break
            else:
                slots.append([(own[place], live)])
        return sum(max(size for size, _ in slot) for slot in slots)

    def reused(self, value, largest):
        at = self.at(largest)
        own = self.at(value)
        tokens = []
        for place in sorted(range(len(at)), key=lambda place: self.all[place][1][0]):
            live = self.all[place][1]
            free = [token for token in tokens if token["end"] <= live[0][0]]
            fitting = [token for token in free if token["size"] >= at[place]]
            if fitting:
                token = min(fitting, key=lambda token: token["size"])
            elif free:
                token = max(free, key=lambda token: token["size"])
            else:
                token = {"size": 0, "bytes": 0}
                tokens.append(token)
            token["size"] = max(token["size"], at[place])
            token["bytes"] = max(token["bytes"], own[place])
            token["end"] = live[-1][1]
        return sum(token["bytes"] for token in tokens)


def most(lives):
    """The most that is live at once."""
    events = []
    for size, live in lives:
        for start, end in live:
            events += [(start, 1, size), (end, 0, -size)]
    now = largest = 0
    for _, _, change in sorted(events):
        now += change
        largest = max(largest, now)
    return largest


def meet(one, other):
    return any(max(a, c) < min(b, d) for a, b in one for c, d in other)


def executed(plugin, name, path, driver, folder):
    """Peak and allocations of a call by upstream's pipeline and by ours, which print the same."""
    os.environ["DRIVER"] = driver
    both = [Executable(plugin, name, path, pipeline, folder).count() for pipeline in (UPSTREAM, "memplan{split=none}")]
    wrong = []
    if both[0].printed != both[1].printed:
        wrong.append(f"{name}: prints {both[1].printed}, not {both[0].printed}")
    wrong += [f"{name}: {measured.left} bytes are left" for measured in both if measured.left]
    if both[1].most > both[0].most + both[1].allocations * ALIGNMENT:
        wrong.append(f"{name}: the peak is {both[1].most} bytes, upstream's {both[0].most}")
    return both, wrong


def rows(plugin, name, values, folder):
    """A row for each value, its ratios, and what is wrong."""
    path, wrong, all_rows = os.path.join(folder, name + ".mlir"), [], []
    is_made = name not in AS_THEY_ARE
    with open(bufferized(name), encoding="utf-8") as file:
        text = made(name) if is_made else file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    planned = optimized(plugin, path, "memplan{arena=arg split=none}")
    sizes = arena_sizes(planned, values)
    alone = arena_sizes(optimized(plugin, path, "memplan-merge-alloc{in-place=false arena=arg}"), values)
    results = len(re.findall(r"-> \(?(memref.*?)\{", planned.split("@forward(")[1].split("\n")[0])[0].split(", memref"))
    if planned.count("memref.alloc(") > results:
        wrong.append(f"{name}: allocates within")
    buffers = Buffers(plugin, path, folder)
    for value, size, own in zip(values, sizes, alone):
        say(f"{name} {value}")
        bound = max(buffers.load(value), 1)
        cells = [bound, buffers.equal_sizes(value), buffers.upper_bounds(values[-1]), buffers.slots(value, values[-1]), own,
                 own / bound]
        if is_made:
            fixed = os.path.join(folder, "fixed.mlir")
            with open(fixed, "w", encoding="utf-8") as file:
                file.write(made(name, "--static", str(value)))
            static = arena_sizes(optimized(plugin, fixed, "memplan{arena=arg split=none}"), (1,))[0]
            cells += [static, size, size / max(static, 1)]
            if size > static * MOST + ALIGNMENT:
                wrong.append(f"{name} at {value}: {size} bytes, the static form takes {static}")
        else:
            cells += [None, size, None]
        if is_made and value <= EXECUTED.get(name, values[-1]):
            driver = os.path.join(folder, "driver.mlir")
            with open(driver, "w", encoding="utf-8") as file:
                file.write(made(name, "--driver", str(value)))
            (theirs, ours), errors = executed(plugin, name, path, driver, folder)
            wrong += errors
            cells += [theirs.most, ours.most, ours.most / theirs.most, theirs.allocations, ours.allocations]
        all_rows.append((value, cells))
    return all_rows, wrong


def text(cell):
    return "" if cell is None else f"{cell:.3f}" if isinstance(cell, float) else f"{cell:,}"


def main():
    plugin, names = arguments("dynamic.py PLUGIN [NETWORK]...")
    for head in HEADS:
        print(LINE.format(*head))
    wrong, logs, totals = [], {}, [0] * 9
    for name, values in sorted(NETWORKS.items()):
        if names and not any(part in name for part in names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            found, errors = rows(plugin, name, values, folder)
        wrong += errors
        say("")
        for value, cells in found:
            for column, cell in enumerate(cells):
                if isinstance(cell, float):
                    logs.setdefault(column, []).append(math.log(cell))
            print(LINE.format(name, value, *(text(cell) for cell in cells), *[""] * (14 - len(cells))), flush=True)
            compared = [0 if cells[6] is None and column > 5 else cell or 0 for column, cell in enumerate(cells[:9])]
            totals = [total + cell for total, cell in zip(totals, compared)]
    means = {column: math.exp(sum(all_logs) / len(all_logs)) for column, all_logs in logs.items()}
    cells = [text(means[column]) if column in means else text(totals[column]) if column < 9 else "" for column in range(14)]
    print(LINE.format("total, geometric mean", "", *cells))
    print("bytes; value: of the dimension; ratio to the lower bound (the most bytes live at once), to the static form, and to\n"
          "upstream's peak; equal sizes: only buffers of the same size reuse bytes; upper bounds: planned for the largest value")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
