#!/usr/bin/env python3
"""Measures `memplan compile`: translate.py MEMPLAN PLUGIN [FUNCTIONS]... | --networks [NAME]... | --determinism | --races | --join

Measures modules of functions of mixed sizes (by default 1,000 and 4,000 functions) with one and two threads, alternately
with `mlir-opt | mlir-translate | llc` and the same passes. Also measures the memory for 1,000 and 10,000 functions, and
derives from the times of the phases the elapsed time of more threads, at which the reader or the writer is the bottleneck.

--networks compiles the networks, links each with its driver, and compares the output with the expected one.
--determinism compiles modules of 1 to 10,000 functions, including failing ones, 20 times with 1, 2, 3, 4 and 8 threads
each, and compares objects, plans and messages.
--join joins the objects of units as `memplan link` does, and by linkers with -r, after which llvm-objcopy makes private symbols
local. It compares time, memory, bytes, symbols, and what is left when each is linked.
--races runs 4 threads under valgrind's drd. MEMPLAN must be built with support for it.
"""
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from networks import MLIR_OPT, bufferized, chosen
from programs import generate_functions
from timing import table

BIN = os.path.dirname(MLIR_OPT)
HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "..", "tests", "models")
ROUNDS = 5


def run(command, **more):
    done = subprocess.run(command, capture_output=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stderr.decode(errors='replace')[:2000]}")
    return done


def seconds(command, **more):
    start = time.perf_counter()
    run(command, **more)
    return time.perf_counter() - start


def lowering():
    """The lowering passes of `memplan compile`, read from its source."""
    source = open(os.path.join(HERE, "../crates/translate/src/settings.rs")).read()
    text = re.search(r'LOWER: &str = "\\\n(.*?)";', source, re.S)[1]
    return text.replace("\\\n", "")


def piped(plugin, path, out):
    """Compiles with a pipe of LLVM's tools."""
    passes = f"builtin.module(memplan,{lowering()})"
    return (f"{BIN}/mlir-opt {path} --load-pass-plugin={plugin} --pass-pipeline='{passes}' --mlir-disable-threading |"
            f" {BIN}/mlir-translate --mlir-to-llvmir | {BIN}/llc -O2 --relocation-model=pic --filetype=obj -o {out}")


def phases(memplan, path, jobs):
    """The seconds of each phase, and elapsed."""
    done = run([memplan, "compile", path, "-o", os.devnull, f"-j{jobs}", "--time-report"])
    rows = re.findall(r"^(\S.*?)  +(?:\d+ +)?(\d+\.\d+)", done.stderr.decode(), re.M)
    return {name: float(time) for name, time in rows}


def speed(memplan, plugin, counts):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "in.mlir"), os.path.join(folder, "out.o")
        for count in counts:
            generate_functions(path, count)
            samples = []
            for _ in range(ROUNDS):
                one = seconds([memplan, "compile", path, "-o", out, "-j1"])
                two = seconds([memplan, "compile", path, "-o", out, "-j2"])
                tools = seconds(["bash", "-o", "pipefail", "-c", piped(plugin, path, out)])
                samples.append((one, two, tools, one / two, one / tools, two / tools))
            middle = [statistics.median(column) for column in zip(*samples)]
            rows.append([f"{count:,}", *(f"{value:.2f}" for value in middle), f"{middle[0] / count * 1e3:.2f}"])
        table(["functions", "-j 1 s", "-j 2 s", "tools s", "-j 1 / -j 2", "-j 1 / tools", "-j 2 / tools",
               "-j 1 ms a function"], rows)
        print()
        generate_functions(path, counts[0])
        model(phases(memplan, path, 1), counts[0])
        print()
        memory(memplan, folder)


def model(times, count):
    """The estimated time of a pipeline of one reader, `count` workers and one writer: that of its slowest stage."""
    reader = times["cut"]
    writer = times["join"]
    before, after = times["parse"], times["write"]
    work = times["all threads"] - reader - writer - before - after
    print(f"A model of {count:,} functions: {before:.3f} s to parse, then {reader:.3f} s to cut, {work:.3f} s of work and "
          f"{writer:.3f} s to join side by side, then {after:.3f} s to write.")
    rows = []
    whole = before + work + after
    for threads in (1, 2, 4, 8, 16, 32, 64):
        shares = {"workers": work / threads, "reader": reader, "writer": writer}
        slowest = max(shares, key=shares.get)
        takes = before + shares[slowest] + after
        rows.append([f"{threads}", f"{takes:.3f}", f"{whole / takes:.1f}", slowest, f"{before / takes * 100:.0f}%"])
    table(["threads", "s", "times as fast", "all wait for", "parsing"], rows)


def memory(memplan, folder):
    """Measures resident memory in addition to the parsed module and the output."""
    rows, beyond = [], []
    for count in (1_000, 10_000):
        path = os.path.join(folder, "small.mlir")
        generate_functions(path, count, small=True)
        done = run([memplan, "compile", path, "-o", os.path.join(folder, "small.o"), "-j2", "--mem-report"])
        report = done.stderr.decode()
        read = {name: int(re.search(f"{name} +(\\d+)", report)[1]) for name in
                ("resident when parsed", "resident at the peak", "beyond these and the output", "output")}
        beyond.append(read["beyond these and the output"])
        rows.append([f"{count:,} small"] + [f"{value / 1e6:.1f}" for value in read.values()])
    rows.append(["10,000 / 1,000", "", "", f"{beyond[1] / beyond[0]:.2f}", ""])
    table(["functions", "parsed MB", "peak MB", "beyond MB", "output MB"], rows)


def networks(memplan, names):
    """Compiles each network with its driver to one object, and compares its output."""
    rows, wrong = [], 0
    with tempfile.TemporaryDirectory() as folder:
        where = {name: os.path.join(folder, name) for name in ("in.mlir", "in.o", "main.c", "program")}
        open(where["main.c"], "w").write("void driver(void);\nint main(void) { driver(); return 0; }\n")
        for name in chosen(names):
            driver = os.path.join(MODELS, "run", f"{name}.driver.mlir")
            if not os.path.exists(driver):
                continue
            text = open(bufferized(name)).read()
            end = text.rindex("\n}")
            open(where["in.mlir"], "w").write(f"{text[:end]}\n{open(driver).read().replace('@main', '@driver')}\n}}\n")
            took = seconds([memplan, "compile", where["in.mlir"], "-o", where["in.o"], "-j2", "--llvm-passes",
                            "default<O2>"])
            run(["cc", "-O1", where["main.c"], where["in.o"], os.path.join(MODELS, "runtime.c"), "-lm", "-o",
                 where["program"]])
            start = time.perf_counter()
            printed = run([where["program"]]).stdout.decode().split()
            ran = time.perf_counter() - start
            expected = open(os.path.join(MODELS, "run", f"{name}.expected")).read().split()
            is_right = printed == expected
            wrong += not is_right
            size = os.path.getsize(where["in.o"])
            rows.append([name, f"{took:.2f}", f"{size / 1e6:.2f}", f"{ran:.2f}", "as expected" if is_right else
                         f"WRONG: {' '.join(printed[:4])}, not {' '.join(expected[:4])}"])
            print(f"{name}: {rows[-1][-1]}", file=sys.stderr)
    rows.append([f"{len(rows)} networks", "", "", "", f"{wrong} wrong"])
    table(["network", "compile s", "object MB", "run s", "prints"], rows)
    sys.exit(bool(wrong))


def outcome(memplan, path, folder, jobs):
    """All outputs of a run."""
    out, report = os.path.join(folder, "out.o"), os.path.join(folder, "out.json")
    for file in (out, report):
        if os.path.exists(file):
            os.remove(file)
    done = subprocess.run([memplan, "compile", path, "-o", out, f"-j{jobs}", "--report", report], capture_output=True)
    files = [open(file, "rb").read() if os.path.exists(file) else None for file in (out, report)]
    return done.returncode, done.stderr, *files


def determinism(memplan):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in.mlir")
        for count, failing, runs in ((1, (), 20), (10, (), 20), (10, (3, 9), 20), (300, (7, 8, 120, 299), 20),
                                     (1_000, (), 20), (10_000, (), 2)):
            generate_functions(path, count, failing)
            start = time.perf_counter()
            first = outcome(memplan, path, folder, 1)
            if (first[0] == 0) != (not failing):
                sys.exit(f"{count} functions: {first[0]}\n{first[1][:2000].decode()}")
            for jobs in (1, 2, 3, 4, 8):
                for _ in range(runs):
                    if outcome(memplan, path, folder, jobs) != first:
                        sys.exit(f"{count} functions, {len(failing)} failing: -j {jobs} gives something else")
            rows.append([f"{count:,}", f"{len(failing)}", f"{5 * runs}", "the same", f"{time.perf_counter() - start:.0f}"])
            print(f"{count:,} functions: the same", file=sys.stderr)
    table(["functions", "failing", "runs", "objects, plans, messages", "s"], rows)


MAGIC = b"memplan shard 1 "


def units(path):
    """The objects of a shard, in the order of the module, and the symbols that only they refer to."""
    data = open(path, "rb").read()
    if not data.startswith(MAGIC):
        sys.exit(f"{path}: no shard")
    at, outcomes, private = data.index(b"\n") + 1, [], set()
    while at < len(data):
        text, code = (int.from_bytes(data[at + skip:at + skip + 8], "little") for skip in (0, 8))
        at += 16
        about = json.loads(data[at:at + text])
        outcomes.append(((about["unit"], about["part"]), data[at + text:at + text + code]))
        private.update(about["private"])
        at += text + code
    return [code for _, code in sorted(outcomes)], private


def measured(*commands):
    """The seconds of commands one after the other, the least of three, and the largest memory of one in MB."""
    taken, most = [], 0
    for _ in range(3):
        start = time.perf_counter()
        for command in commands:
            child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            _, said = child.communicate()
            if child.returncode:
                return None, said.decode(errors="replace")[:200].strip()
        taken.append(time.perf_counter() - start)
    for command in commands:
        peak = run(["/usr/bin/env", "python3", "-c", "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
                    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)", *command]).stdout.split()
        most = max(most, int(peak[-1]) / 1e3)
    return min(taken), most


def private_globals(path, private):
    """How many private symbols are not local in an object."""
    listed = run([f"{BIN}/llvm-nm", "--extern-only", "--defined-only", "--format=just-symbols", path]).stdout.decode().split()
    return len(private.intersection(listed))


def linked(path, folder):
    """The bytes of constants in a shared library of an object."""
    out = os.path.join(folder, "linked.so")
    run([f"{BIN}/ld.lld", "-shared", "-O2", "-z", "notext", path, "-o", out])
    sections = run([f"{BIN}/llvm-size", "-A", out]).stdout.decode().splitlines()
    return sum(int(line.split()[1]) for line in sections if line.startswith(".rodata"))


def join(memplan):
    rows = []
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        place = lambda name: os.path.join(folder, name)
        for count in (1_000, 10_000):
            generate_functions(place("in.mlir"), count)
            run([memplan, "compile", place("in.mlir"), "--shard", "0/1", "-o", place("in.shard"), "-j2"])
            objects, private = units(place("in.shard"))
            for number, code in enumerate(objects):
                open(place(f"{number}.o"), "wb").write(code)
            with open(place("list"), "w") as listed:
                listed.write("".join(place(f"{number}.o") + "\n" for number in range(len(objects))))
            with open(place("private"), "w") as names:
                names.write("".join(f"{name}\n" for name in sorted(private)))
            local = [f"{BIN}/llvm-objcopy", f"--localize-symbols={place('private')}"]
            joiners = {
                "memplan link": [[memplan, "link", place("in.shard"), "-o", place("out.o")]],
                "ld.lld -r": [[f"{BIN}/ld.lld", "-r", "@" + place("list"), "-o", place("out.o")], local + [place("out.o")]],
                "ld -r": [["ld", "-r", "@" + place("list"), "-o", place("out.o")], local + [place("out.o")]],
            }
            given = sum(map(len, objects))
            for joiner, commands in joiners.items():
                taken, most = measured(*commands)
                if taken is None:
                    rows.append([f"{count:,}", joiner, most, "", "", "", ""])
                    continue
                size, left = os.path.getsize(place("out.o")), private_globals(place("out.o"), private)
                rows.append([f"{count:,}", joiner, f"{taken:.3f}", f"{most:.0f}", f"{size / given:.3f}", f"{left}",
                             f"{linked(place('out.o'), folder):,}"])
    table(["functions", "joined by", "s", "MB", "of the bytes", "private, global", "constants, linked"], rows)


def races(memplan):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in.mlir")
        generate_functions(path, 60)
        done = subprocess.run(
            ["valgrind", "--tool=drd", "--check-stack-var=no", "--first-race-only=yes", "--error-exitcode=9",
             f"--suppressions={os.path.join(HERE, 'drd.supp')}", "--gen-suppressions=all",
             memplan, "compile", path, "-o", os.path.join(folder, "out.o"), "-j4"], capture_output=True, text=True)
        print(done.stderr)
        sys.exit(done.returncode)


def main():
    memplan, plugin, *rest = sys.argv[1:]
    match rest:
        case ["--networks", *names]:
            networks(memplan, names)
        case ["--determinism"]:
            determinism(memplan)
        case ["--races"]:
            races(memplan)
        case ["--join"]:
            join(memplan)
        case counts:
            speed(memplan, plugin, [int(count) for count in counts] or [1_000, 4_000])


main()
