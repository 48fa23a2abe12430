#!/usr/bin/env python3
"""Ends commands of memplan early: ended.py MEMPLAN PLUGIN [--times N] [--seed N] [COMMAND]...

Each command is killed (SIGKILL) at N random moments, finds a full disk after N random numbers of bytes, and writes to a
pipe that nobody reads. Afterwards, each input is as it was, or replaced by the complete output where that is asked for;
each other output is absent, as it was, or complete; and no exit code is 0 without all outputs. As root, the disk is a
small tmpfs; otherwise, it is a limit of the size of files.
"""
import argparse
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MLIR_OPT = os.path.join(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"), "bin/mlir-opt")
NETWORK = os.path.join(HERE, "tests/models/bufferized/lenet.mlir")
OLD = b"as it was\n"
READINGS = re.compile(rb'"functions_read":\d+')


class Command:
    """A command: its arguments, the files it reads, those it writes, and whether it prints what it makes."""

    def __init__(self, name, arguments, inputs, outputs=(), prints=False):
        self.name, self.arguments, self.inputs = name, arguments, inputs
        self.outputs, self.prints = list(outputs), prints


def commands(memplan, plugin):
    """All commands that write something. Paths are relative to the folder in which they run."""
    opt = [MLIR_OPT, f"--load-pass-plugin={plugin}"]
    plan = "--pass-pipeline=builtin.module(memplan{report=report.json})"
    return [
        Command("solve, in place", [memplan, "solve", "in.csv", "-o", "in.csv", "--certificate", "proof"],
                ["in.csv"], ["in.csv", "proof"]),
        Command("solve, printed", [memplan, "solve", "in.csv", "--json"], ["in.csv"], prints=True),
        Command("bound", [memplan, "bound", "in.csv"], ["in.csv"], prints=True),
        Command("check", [memplan, "check", "plan.csv"], ["plan.csv"], prints=True),
        Command("table", [memplan, "table", "plan.json"], ["plan.json"], prints=True),
        Command("plot", [memplan, "plot", "plan.json", "-o", "map.svg"], ["plan.json"], ["map.svg"]),
        Command("plot --html", [memplan, "plot", "--html", "plan.json", "-o", "map.html"], ["plan.json"], ["map.html"]),
        Command("plot --trace, printed", [memplan, "plot", "--trace", "plan.json", "-o", "-"], ["plan.json"], prints=True),
        Command("compile", [memplan, "compile", "in.mlir", "-o", "out.o", "--report", "report.json"],
                ["in.mlir"], ["out.o", "report.json"]),
        Command("compile --shard", [memplan, "compile", "in.mlir", "--shard", "0/1", "-o", "shard"], ["in.mlir"], ["shard"]),
        Command("link", [memplan, "link", "given.shard", "-o", "out.o"], ["given.shard"], ["out.o"]),
        Command("header", [memplan, "header", "planned.mlir", "-o", "out.h"], ["planned.mlir"], ["out.h"]),
        Command("help, printed", [memplan, "help", "memplan-merge-alloc"], [], prints=True),
        Command("report of a pass", [*opt, "in.mlir", plan, "-o", os.devnull], ["in.mlir"], ["report.json"]),
    ]


def prepare(folder, memplan, plugin):
    """Writes all inputs."""
    def run(*arguments):
        subprocess.run(arguments, cwd=folder, check=True, capture_output=True)
    state = random.Random(3)
    rows = ["id,lower,upper,size"]
    for number in range(400):
        start = state.randrange(300)
        rows.append(f"{number},{start},{start + 1 + state.randrange(80)},{16 * (1 + state.randrange(900))}")
    with open(os.path.join(folder, "in.csv"), "w", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")
    shutil.copy(NETWORK, os.path.join(folder, "in.mlir"))
    run(memplan, "solve", "in.csv", "-o", "plan.csv")
    opt = [MLIR_OPT, f"--load-pass-plugin={plugin}", "in.mlir"]
    run(*opt, "--pass-pipeline=builtin.module(memplan{report=plan.json})", "-o", os.devnull)
    run(*opt, "--pass-pipeline=builtin.module(memplan{arena=arg})", "-o", "planned.mlir")
    run(memplan, "compile", "in.mlir", "--shard", "0/1", "-o", "given.shard")


def content(path):
    """The bytes of a file; None without one."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def is_same(one, other):
    """Whether two contents are equal. Reports are written again where later passes read functions again."""
    texts = [None if text is None else READINGS.sub(b"", text) for text in (one, other)]
    return texts[0] == texts[1]


class Trial:
    """One command, what it reads, and what it writes if nothing ends it."""

    def __init__(self, command, given, folder):
        self.command, self.given, self.folder = command, given, folder
        self.before = {name: content(os.path.join(given, name)) for name in command.inputs}
        self.fill()
        start = time.monotonic()
        done = self.start(stdout=subprocess.PIPE).communicate()
        self.seconds = time.monotonic() - start
        self.printed = done[0]
        self.after = {name: content(os.path.join(folder, name)) for name in command.outputs}
        if any(text is None for text in self.after.values()) or command.prints and not self.printed:
            sys.exit(f"{command.name}: has no output even if nothing ends it")

    def fill(self):
        """Empties the folder, and puts the inputs there, and something in the place of outputs."""
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))
        for name, text in self.before.items():
            with open(os.path.join(self.folder, name), "wb") as file:
                file.write(text)
        for name in self.command.outputs:
            if name not in self.before:
                with open(os.path.join(self.folder, name), "wb") as file:
                    file.write(OLD)

    def start(self, **how):
        """Starts the command."""
        how.setdefault("stdout", subprocess.DEVNULL)
        return subprocess.Popen(self.command.arguments, cwd=self.folder, stderr=subprocess.DEVNULL, **how)

    def check(self, code, how):
        """What is there after the command ended with a code; a message if something is lost."""
        for name in {*self.before, *self.after}:
            found = content(os.path.join(self.folder, name))
            old = self.before.get(name, OLD)
            may = [old, self.after[name]] if name in self.after else [old]
            if not any(is_same(found, one) for one in may):
                size = "nothing" if found is None else f"{len(found)} bytes"
                return f"{self.command.name}, {how}: {name} has {size}, which is neither what was there nor what is written"
            if code == 0 and name in self.after and not is_same(found, self.after[name]):
                return f"{self.command.name}, {how}: exit code 0, and {name} is not written"
        return None


def killed(trial, chance):
    """Kills the command at a random moment."""
    trial.fill()
    process = trial.start()
    time.sleep(chance.random() * trial.seconds * 1.1)
    process.kill()
    return trial.check(process.wait(), "killed")


def full(trial, chance):
    """Runs the command where no more than a random number of bytes can be written."""
    most = max([1, *(len(text) for text in trial.after.values())])
    limit = chance.randrange(most)
    if trial.on_tmpfs:
        return on_full_disk(trial, limit)
    trial.fill()

    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    process = trial.start(preexec_fn=limited)
    return trial.check(process.wait(), f"{limit} bytes on the disk")


def on_full_disk(trial, left):
    """The same on a tmpfs that a file fills up to so many bytes."""
    trial.fill()
    filler = os.path.join(trial.folder, "filler")
    page = 4096
    with open(filler, "wb") as file:
        free = os.statvfs(trial.folder)
        pages = free.f_bavail - left // page
        try:
            file.write(b"\0" * (max(pages, 0) * page))
        except OSError:
            pass
    process = trial.start()
    code = process.wait()
    os.remove(filler)
    return trial.check(code, f"{left} bytes on the disk")


def unread(trial, _chance):
    """Runs the command with a standard output that nobody reads."""
    trial.fill()
    reader, writer = os.pipe()
    os.close(reader)
    process = trial.start(stdout=writer)
    os.close(writer)
    code = process.wait()
    if code == 0 and trial.command.prints:
        return f"{trial.command.name}, unread: exit code 0, and nobody has its output"
    return trial.check(code, "unread")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("memplan", type=os.path.abspath)
    parser.add_argument("plugin", type=os.path.abspath)
    parser.add_argument("--times", type=int, default=200, help="how often each command is ended by each kind of end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("command", nargs="*", help="parts of the names of commands")
    given = parser.parse_intermixed_args()
    chance = random.Random(given.seed)
    failures, total = [], 0
    with tempfile.TemporaryDirectory() as base:
        folder, disk = (os.path.join(base, name) for name in ("given", "disk"))
        os.mkdir(folder)
        os.mkdir(disk)
        prepare(folder, given.memplan, given.plugin)
        on_tmpfs = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk], capture_output=True).returncode == 0
        try:
            print(f"{'command':24} {'ms':>6} {'killed':>8} {'full disk':>10} {'unread':>8} {'lost':>6}")
            for command in commands(given.memplan, given.plugin):
                if given.command and not any(part in command.name for part in given.command):
                    continue
                trial = Trial(command, folder, disk)
                trial.on_tmpfs = on_tmpfs
                ends = [(killed, given.times), (full, given.times if command.outputs else 0),
                        (unread, min(given.times, 20))]
                found = []
                for end, times in ends:
                    found += [one for one in (end(trial, chance) for _ in range(times)) if one]
                counts = [times for _, times in ends]
                total += sum(counts)
                print(f"{command.name:24} {trial.seconds * 1000:6.0f} {counts[0]:8} {counts[1]:10} {counts[2]:8} "
                      f"{len(found):6}", flush=True)
                failures += found
        finally:
            if on_tmpfs:
                subprocess.run(["umount", "-l", disk], check=False)
    for one in failures[:20]:
        print(one)
    print(f"{total - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
