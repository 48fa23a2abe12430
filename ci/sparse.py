#!/usr/bin/env python3
"""Upstream's tests of sparse tensors, executed: sparse.py PLUGIN RUNTIME CACHE [--tests FOLDER] [--pipeline PIPELINE]... [TEST]...

Executes each RUN line of the tests with --sparsifier twice: unchanged, and with PIPELINE after sparse-storage-specifier-to-llvm. By
default, there are three pipelines. All other steps are the same. A test that passes unchanged must pass FileCheck with PIPELINE, print
the same, have no invalid frees, and leak no more bytes. The program's own calls of malloc and free go to a counting heap. It fills
freed memory and does not reuse it while the program runs. The tests are from Debian's source package, cached in CACHE, or from a
folder. A TEST is a part of a file's name.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from typing import NamedTuple

from networks import MLIR_OPT, say
from upstream_tests import FOLDERS, run_lines, sources

PIPELINES = ["memplan-dealloc-pipeline", "memplan", "memplan{dynamic=regions}"]
# The last step before memplan's.
BEFORE = "sparse-storage-specifier-to-llvm"
HEAP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "jit_heap.c")
# The time limit of a step in seconds.
LIMIT = 120
# The byte that fills new memory; zero for programs that read uninitialized memory.
FILLS = [0x5a, 0]


class NotRun(Exception):
    """Why a RUN line is not run, or fails without memplan."""


class Refused(Exception):
    """The error of mlir-opt with memplan's passes."""


class Counts(NamedTuple):
    """Allocations, peak bytes, leaked bytes, invalid frees, and blocks that were written to after they were freed."""
    allocations: int
    most: int
    left: int
    wrong: int
    overwritten: int


class Ran(NamedTuple):
    """An execution: whether the command and FileCheck pass, its output, its heap counts, and its error."""
    passes: bool
    printed: str
    counts: Counts
    errors: str


class Line(NamedTuple):
    """The result of a RUN line: its file and number, the reason if it is not run, and its executions without and with memplan."""
    name: str
    number: int
    missing: str
    stock: Ran = None
    ours: tuple = ()


class Heap(NamedTuple):
    """The preloaded libraries: the counting heap, and the runtime of regions."""
    library: str
    runtime: str


def bash(command, folder, **environment):
    llvm = os.path.dirname(MLIR_OPT)
    environment = os.environ | {"PATH": f"{llvm}:{os.environ['PATH']}"} | environment
    try:
        return subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True,
                              errors="replace", timeout=LIMIT, env=environment)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"takes more than {LIMIT} s")


def stages(command):
    """The commands of a pipe that compile, run and check."""
    words = shlex.shlex(command, posix=False, punctuation_chars="|;&<>")
    words.whitespace_split = True
    parts = [[]]
    for word in words:
        if word == "|":
            parts.append([])
        elif set(word) <= set(";&<>"):
            raise NotRun("more than a pipe")
        else:
            parts[-1].append(word)
    commands = [" ".join(part) for part in parts]
    if len(commands) < 3 or not re.match(r"mlir-opt\s", commands[0]) or "FileCheck" not in commands[-1]:
        raise NotRun("is not compiled, run and checked")
    first, *runs, check = commands
    if not re.search(r"--?sparsifier\b", first):
        raise NotRun("has no --sparsifier")
    return first, " | ".join(runs), check


def compiled(command, folder):
    """Compiles a program with --sparsifier. Returns the file, the file before the last steps, and these steps."""
    out, steps = os.path.join(folder, "stock.mlir"), os.path.join(folder, "steps")
    done = bash(f"{command} --mlir-print-ir-after={BEFORE} --mlir-print-ir-tree-dir={steps} --dump-pass-pipeline -o {out}", folder)
    if done.returncode:
        raise NotRun("does not compile: " + first_error(done))
    files = [os.path.join(root, file) for root, _, names in os.walk(steps) for file in names]
    listed = re.search(r"^builtin\.module\((.*?)^\)$", done.stderr, re.MULTILINE | re.DOTALL)
    head, found, rest = (listed[1] if listed else "").partition(BEFORE + ",")
    if len(files) != 1 or not found:
        raise NotRun(f"has no step {BEFORE}")
    return out, files[0], " ".join(rest.split())


def transformed(given, pipeline, out, folder, flags=""):
    done = bash(f"mlir-opt {shlex.quote(given)} {flags} --pass-pipeline={shlex.quote(f'builtin.module({pipeline})')} -o {out}", folder)
    if done.returncode:
        raise Refused(first_error(done))


def first_error(done):
    """The first error of a failed process, without names that differ between tests."""
    lines = [line for line in done.stderr.splitlines() if "error:" in line]
    if not lines:
        lines = ["crashes" if done.returncode < 0 or done.returncode > 128 else (done.stderr.splitlines() or ["says nothing"])[0]]
    return re.sub(r"^.*?(?=error:)", "", lines[0])[:120]


def executed(program, run, check, heap, fill, folder):
    counts = program + ".counts"
    with open(program, encoding="utf-8") as file:
        text = re.sub(r"@(malloc|aligned_alloc|free)\b", r"@jit_heap_\1", file.read())
    program += ".counted"
    with open(program, "w", encoding="utf-8") as file:
        file.write(text)
    if os.path.exists(counts):
        os.remove(counts)
    preload = f"env LD_PRELOAD={heap.library}:{heap.runtime} HEAP_COUNTS={counts} HEAP_FILL={fill}"
    run = re.sub(r"(?<![\w/.-])(mlir-runner|mlir-cpu-runner|lli)(?= )", rf"{preload} \1", run, count=1)
    done = bash(f"cat {program} | {run}", folder)
    checked = subprocess.run(["bash", "-c", f'PATH={os.path.dirname(MLIR_OPT)}:$PATH; {check}'], cwd=folder, input=done.stdout,
                             capture_output=True, text=True)
    counters = []
    if os.path.exists(counts):
        with open(counts, encoding="utf-8") as file:
            counters = file.read().split()
    passes = done.returncode == 0 and checked.returncode == 0 and len(counters) == len(Counts._fields)
    # Printed addresses differ in each run.
    printed = re.sub(r"base@ = 0x[0-9a-f]+", "base@", done.stdout)
    return Ran(passes, printed, Counts(*map(int, counters)) if passes else None,
               "" if passes else first_error(done if done.returncode else checked))


def stock_run(program, run, check, heap, folder):
    """A passing execution without memplan, and the byte that fills its memory."""
    for fill in FILLS:
        ran = executed(program, run, check, heap, fill, folder)
        if ran.passes:
            return ran, fill
    raise NotRun("does not pass before: " + ran.errors)


def line_of(path, line, plugin, heap, pipelines):
    """Executes a RUN line without memplan and with each pipeline."""
    name = os.path.basename(path).removesuffix(".mlir")
    with tempfile.TemporaryDirectory() as folder:
        try:
            if line.missing:
                raise NotRun(line.missing)
            compile_command, run, check = stages(line.command)
            stock, before, rest = compiled(compile_command, folder)
            # Splitting the pipeline must not change the result.
            again = os.path.join(folder, "again.mlir")
            transformed(before, rest, again, folder)
            if not same(stock, again):
                raise NotRun("is not the same compiled in two parts")
            ran, fill = stock_run(stock, run, check, heap, folder)
        except (NotRun, Refused) as why:
            return Line(name, line.number, str(why))
        ours = []
        for pipeline in pipelines:
            out = os.path.join(folder, "ours.mlir")
            try:
                transformed(before, f"{pipeline},{rest}", out, folder, f"--load-pass-plugin={shlex.quote(plugin)}")
                ours.append(executed(out, run, check, heap, fill, folder))
            except Refused as why:
                ours.append(why)
        return Line(name, line.number, "", ran, tuple(ours))


def same(one, other):
    with open(one, encoding="utf-8") as left, open(other, encoding="utf-8") as right:
        return left.read() == right.read()


def faults(line, pipelines):
    """The faults of a RUN line with memplan's passes: (pipeline, kind, text)."""
    for pipeline, ran in zip(pipelines, line.ours):
        if isinstance(ran, Refused):
            yield pipeline, "refused", str(ran)
        elif not ran.passes:
            yield pipeline, "fails", ran.errors
        else:
            now, then = ran.counts, line.stock.counts
            if ran.printed != line.stock.printed:
                yield pipeline, "unequal", "prints something else"
            if now.wrong > then.wrong or now.overwritten > then.overwritten:
                yield pipeline, "bad free", f"{now.wrong} wrong frees, {now.overwritten} writes to freed memory"
            if now.left > then.left:
                yield pipeline, "leaves", f"{now.left:,} bytes where {then.left:,} were left"


class Sums:
    """Sums over RUN lines: their number, those that run, leaks without memplan, and the results of each pipeline."""
    LINE = "{:<36}{:>7}{:>6}{:>11}{:>13}"
    OURS = "{:>8}{:>9}{:>7}{:>10}{:>11}{:>13}"

    def __init__(self, pipelines):
        self.pipelines = pipelines
        self.lines = self.run = 0
        self.stock = [0, 0]
        self.ours = [[0] * 6 for _ in pipelines]

    def add(self, line):
        self.lines += 1
        if line.missing:
            return
        self.run += 1
        self.stock = [self.stock[0] + line.stock.counts.left, self.stock[1] + line.stock.counts.allocations]
        wrong = collections.defaultdict(set)
        for pipeline, kind, _ in faults(line, self.pipelines):
            wrong[pipeline].add(kind)
        for pipeline, ran, sums in zip(self.pipelines, line.ours, self.ours):
            kinds = wrong[pipeline]
            sums[0] += not kinds & {"refused", "fails", "unequal"}
            sums[1] += "refused" in kinds
            sums[2] += bool(kinds & {"fails", "unequal"})
            sums[3] += "bad free" in kinds
            if isinstance(ran, Ran) and ran.passes:
                sums[4] += ran.counts.left
                sums[5] += ran.counts.allocations

    def show(self, name):
        cells = [self.LINE.format(name, self.lines, self.run, *(f"{one:,}" for one in self.stock))]
        cells += [self.OURS.format(*(f"{one:,}" for one in sums)) for sums in self.ours]
        say("")
        print("".join(cells).rstrip(), flush=True)


def show_heads(pipelines):
    width = len(Sums.OURS.format(*[""] * 6))
    print(Sums.LINE.format("", "", "", "stock", "") + "".join(f"{pipeline:>{width}}" for pipeline in pipelines))
    ours = Sums.OURS.format("equal", "refused", "wrong", "bad frees", "left", "allocations")
    print(Sums.LINE.format("test", "lines", "run", "left", "allocations") + ours * len(pipelines), flush=True)


def shared_library(cache):
    """The path of jit_heap.c, compiled to a shared library."""
    with open(HEAP, "rb") as file:
        name = hashlib.sha256(file.read()).hexdigest()[:16]
    library = os.path.join(cache, f"jit_heap-{name}.so")
    if not os.path.exists(library):
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", HEAP, "-o", library + ".part"], check=True)
        os.rename(library + ".part", library)
    return library


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("plugin", "runtime", "cache"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--tests", type=os.path.abspath, help="a folder of tests, in place of Debian's")
    parser.add_argument("--pipeline", action="append", help=f"passes; by default each of {', '.join(PIPELINES)}")
    parser.add_argument("names", nargs="*", help="parts of the names of files; all where there are none")
    return parser.parse_intermixed_args()


def main():
    given = arguments()
    os.makedirs(given.cache, exist_ok=True)
    pipelines = given.pipeline or PIPELINES
    heap = Heap(shared_library(given.cache), given.runtime)
    folder = given.tests or os.path.join(sources(given.cache), FOLDERS[0], "CPU")
    files = [file for file in sorted(os.listdir(folder)) if file.endswith(".mlir")]
    files = [os.path.join(folder, file) for file in files if not given.names or any(part in file for part in given.names)]
    if not files:
        sys.exit(f"{folder}: no tests")
    show_heads(pipelines)
    total, wrong, reasons = Sums(pipelines), [], collections.Counter()
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(path, [pool.submit(line_of, path, line, given.plugin, heap, pipelines)
                        for line in run_lines(path, os.path.join(temporary, "t"))]) for path in files]
        for at, (path, lines) in enumerate(jobs):
            say(f"{at + 1} of {len(jobs)}: {os.path.basename(path)}")
            sums = Sums(pipelines)
            for job in lines:
                line = job.result()
                sums.add(line)
                total.add(line)
                if line.missing:
                    reasons[line.missing] += 1
                wrong += [f"{line.name}:{line.number}: {fault[0]}: {fault[1]}: {fault[2]}" for fault in faults(line, pipelines)]
            sums.show(os.path.basename(path).removesuffix(".mlir"))
    total.show("total")
    for reason, count in sorted(reasons.items(), key=lambda one: (-one[1], one[0])):
        print(f"{count} not run: {reason}")
    print(f"{total.run} of {total.lines} RUN lines run before: {len(wrong)} faults after")
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
