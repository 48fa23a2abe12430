#!/usr/bin/env python3
"""What limited fast memory costs on each network: budgets.py PLUGIN BUDGETS [--run] [NETWORK]...

Two memory spaces: a byte costs 1 in the fast one, and 10 in the default one. BUDGETS is the executable of memplan-placement's
example. Two budgets for the fast space: 0.6 of the bytes of a plan without strips, and 0.8 of one with strips. A row says what
all accesses and copies cost, of what they cost without strips and without a limit, and what they cost at least for the program
that memplan chose. "of memplan" is that cost, of what the program costs that memplan makes without a limit. Arguments,
constants and results are in the default space, and count. Beside it are the costs of the form with the fewest bytes, and of the
one without strips, where spaces are assigned likewise. Bytes moved are those that uses and copies read and write in the default
space, beside those of eviction by the furthest next use, of whole buffers that are placed all together, and of whole buffers
that are moved one after another. All yardsticks are on the program as memplan gives it to them: with strips, and with
arguments, constants and results where they are.

With --run, networks whose call takes at most 5 s are executed, with the budget and without one, in turns. The last column
is the ratio of the medians of CPU time. A CPU has no such memory: the types lose their memory spaces, so that both spaces are
one memory, and what is measured is what the copies take. Both must print what is expected. Networks that update donated
arguments cannot be called again, and are not measured.
"""
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

from executed import Executable
from networks import MLIR_OPT, MODELS, arguments, bufferized, chosen, repeats, say, total
from timing import table

# The form that takes the fewest bytes, as without a limit.
STRIPS_FIRST = "memplan-results-to-out-params,memplan-split{below=forms},"
MACHINE = """version = 1
[[space]]
name = "fast"
memory_space = 1
slower = "default"
[[space]]
name = "default"
memory_space = "default"
read = 10
write = 10
"""
# Options of memplan.
OPTIONS = "promote=true recompute=cheap"
# A memref in memory space 1.
FAST = re.compile(r"(memref<(?:[^<>]|strided<[^<>]*>|affine_map<(?:[^<>]|->)*>)*?), 1>")
# The longest call that is measured, the least duration of a run, and that of all runs, in seconds; the most pairs of runs.
LONGEST, LEAST_SECONDS, TOTAL_SECONDS, MOST_PAIRS = 5, 0.1, 10, 15


def in_one_space(text):
    """The program with all memory in the default space."""
    return FAST.sub(r"\1>", text)


class Timed:
    """A network without a budget, to compare with; `call` is the seconds of a call, None if it is not measured."""

    def __init__(self, plugin, name, folder, options):
        self.plugin, self.name, self.folder, self.call = plugin, name, folder, None
        expected = os.path.join(MODELS, "run", name + ".expected")
        if not os.path.exists(expected) or not repeats(name):
            return
        with open(expected, encoding="utf-8") as file:
            self.expected = file.read().split()
        self.free = self.built(options)
        call = self.seconds(self.free)
        self.call = call if call <= LONGEST else None

    def built(self, options):
        path = bufferized(self.name)
        return Executable(self.plugin, self.name, path, f"memplan{{{options}}}", self.folder, edited=in_one_space)

    def seconds(self, executable):
        """The seconds of a call, which must print what is expected and leave no memory."""
        measured = executable.count()
        if measured.printed != self.expected or measured.left:
            sys.exit(f"{self.name}: prints {measured.printed}, {measured.left} bytes are left")
        return measured.seconds

    def ratio(self, options):
        """The ratio of run times with these options and without a budget."""
        if self.call is None:
            return "-"
        limited = self.built(options)
        once = max(self.call, self.seconds(limited))
        calls = max(1, math.ceil(LEAST_SECONDS / once))
        pairs = max(3, min(MOST_PAIRS, int(TOTAL_SECONDS / (2 * calls * once))))
        times = [[one.time(calls) for one in (limited, self.free)] for _ in range(pairs)]
        with_budget, without = (statistics.median(column) for column in zip(*times))
        return f"{with_budget / without:.3f}"


def run(plugin, path, pipeline, output=os.devnull):
    return subprocess.run(
        [MLIR_OPT, path, f"--load-pass-plugin={plugin}", f"--pass-pipeline=builtin.module({pipeline})", "-o", output],
        capture_output=True, text=True)


def planned(plugin, path, folder, options):
    """The bytes that a plan holds at once, all functions together; None without one, or where sizes are known only at run time."""
    report = os.path.join(folder, "report.json")
    if run(plugin, path, f"memplan{{{options} report={report}}}").returncode:
        return None
    with open(report, encoding="utf-8") as file:
        functions = json.load(file)["functions"]
    if any(function.get("dimensions") for function in functions):
        return None
    return total(functions, "planned_bytes")


def with_budget(machine, budget):
    return f"machine={machine} {OPTIONS} verify=true budget=1:{budget}"


def at_budget(plugin, budgets, path, folder, budget):
    """What the functions of a network cost with so many bytes, all together; a text if there is no plan."""
    machine = os.path.join(folder, "machine.toml")
    curve = os.path.join(folder, "curve.json")
    options = with_budget(machine, budget)
    done = run(plugin, path, f"memplan{{{options}}}")
    if done.returncode:
        error = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr[:200])
        return error.split("error: ")[-1]
    done = run(plugin, path, f"memplan{{{options} search=quick curve={curve}}}")
    if done.returncode:
        return done.stderr[:200]
    rows = json.loads(subprocess.run([budgets, curve, str(budget)], capture_output=True, text=True, check=True).stdout)
    found = {"others": 0, "bound": 0, "seconds": 0, "cost": 0, "moved": 0, "whole": 0, "furthest": 0, "cheapest": 0}
    for row in rows:
        if not row["assigned"]:
            return "no plan"
        for key in ("others", "bound", "seconds"):
            found[key] += row[key]
        found["cost"] += row["assigned"]["cost"]
        found["moved"] += row["assigned"]["moved"]
        for key in ("whole", "furthest", "cheapest"):
            if found[key] is not None:
                found[key] = found[key] + row[key]["moved"] if row[key] else None
    return found


def in_form(plugin, budgets, path, folder, budget, before):
    """What a network costs with so many bytes in a form that does not depend on them: after the passes `before`, without strips."""
    curve = os.path.join(folder, "curve.json")
    options = f"{with_budget(os.path.join(folder, 'machine.toml'), budget)} split=none search=quick curve={curve}"
    if run(plugin, path, f"{before}memplan{{{options}}}").returncode:
        return None
    rows = json.loads(subprocess.run([budgets, curve, str(budget)], capture_output=True, text=True, check=True).stdout)
    if not all(row["assigned"] for row in rows):
        return None
    return sum(row["assigned"]["cost"] + row["others"] for row in rows)


def unlimited(plugin, budgets, path, folder, options):
    """What the functions of a network cost with these options and without limits, arguments, constants and results included."""
    machine = os.path.join(folder, "machine.toml")
    curve = os.path.join(folder, "curve.json")
    done = run(plugin, path, f"memplan{{machine={machine} {options} search=quick curve={curve}}}")
    if done.returncode:
        sys.exit(done.stderr[:200])
    rows = json.loads(subprocess.run([budgets, curve, "0"], capture_output=True, text=True, check=True).stdout)
    return sum(row["free"] + row["others"] for row in rows)


def main():
    plugin, rest = arguments("usage: budgets.py PLUGIN BUDGETS [--run] [NETWORK]...")
    budgets, names = rest[0], [name for name in rest[1:] if name != "--run"]
    head = ["network", "budget", "bytes", "cost", "at least", "of memplan", "smallest strips", "no strips", "moved", "furthest use", "whole", "one by one", "s"]
    runs = "--run" in rest
    if runs:
        head.append("run time")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        machine = os.path.join(folder, "machine.toml")
        with open(machine, "w", encoding="utf-8") as file:
            file.write(MACHINE)
        for name in chosen(names):
            say(name)
            path = bufferized(name)
            today = planned(plugin, path, folder, "split=none")
            strips = planned(plugin, path, folder, "")
            if not today or not strips:
                continue
            free = unlimited(plugin, budgets, path, folder, "promote=true split=none")
            default = unlimited(plugin, budgets, path, folder, OPTIONS)
            timed = Timed(plugin, name, folder, f"machine={machine} {OPTIONS}") if runs else None
            for text, budget in (("0.6 of no strips", int(0.6 * today)), ("0.8 of strips", int(0.8 * strips))):
                found = at_budget(plugin, budgets, path, folder, budget)
                row = [name, text, f"{budget:,}"]
                if isinstance(found, str):
                    row.append(found[:60])
                    rows.append(row + [""] * (len(head) - len(row)))
                    continue
                costs = [f"{(found[key] + found['others']) / free:.3f}" for key in ("cost", "bound")]
                costs.append(f"{(found['cost'] + found['others']) / default:.3f}")
                for before in (STRIPS_FIRST, ""):
                    other = in_form(plugin, budgets, path, folder, budget, before)
                    costs.append("-" if other is None else f"{other / free:.3f}")
                keys = ("moved", "furthest", "whole", "cheapest")
                moved = ["-" if found[key] is None else f"{found[key]:,.0f}" for key in keys]
                row += costs + moved + [f"{found['seconds']:.2f}"]
                if timed:
                    row.append(timed.ratio(with_budget(machine, budget)))
                rows.append(row)
    say("")
    table(head, rows)


if __name__ == "__main__":
    main()
