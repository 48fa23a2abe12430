#!/usr/bin/env python3
"""Measures how close the code is to one model of operations: structure.py [--list | --check | --at COMMIT]

Counts the places that name one operation, outside crates/semantics, the building of IR, the C++ shim and tests; casts
to one operation in the shim; cycles of `use` among the modules of a crate; lines of the crates that analyze IR; tests
under lit/ that are too long. --list prints each place, --check fails where a number is above its limit, --at counts a
commit, too, and shows both.
"""
import argparse
import collections
import glob
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import lit_files
import module_cycles
from operation_places import in_rust, in_shim
from rust_source import Reader
from timing import table

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclass(frozen=True)
class Number:
    """`limit`: the most that --check allows, which is never raised; None for no limit. `goal`: the final value."""
    text: str
    limit: int | None
    goal: int


NUMBERS = {
    "places": Number("places that name an operation", 11, 80),
    "casts": Number("casts to one operation in the shim", 10, 10),
    "uses": Number("uses in cycles of modules", 0, 0),
    "lit_files": Number(f"lit files of more than {lit_files.LINES} lines", 0, 0),
    "lit_runs": Number(f"RUN lines of more than {lit_files.COLUMNS} characters", 0, 0),
    # No limit: a replacement is written before what it replaces is deleted.
    "lines": Number("lines of the crates that analyze IR", None, 56_298),
}

# The folders that may refer to operations: the model of operations, and the building of IR.
MODEL = ("crates/semantics/", "crates/interface/src/attributes.rs", "crates/mlir/src/build.rs", "crates/mlir/src/build/")
# The parts of the shim that replace operations, and so must name them.
LOWERING = ("mlir-plugin/ExpandCoroutines.cpp", "mlir-plugin/ExpandMasks.cpp", "mlir-plugin/ExpandOps.cpp")
# The crates whose lines count, and tables and samples, whose lines are counted separately.
ANALYSES = ("semantics", "flow", "summaries", "verify", "passes", "lifetimes", "ownership", "bounded", "mlir")
BESIDE = ("crates/semantics/src/dialects/", "crates/semantics/src/dialects.rs", "crates/semantics/src/samples/",
          "crates/semantics/src/samples.rs", "crates/semantics/samples/")


@dataclass
class Counts:
    """`cycles`: by crate, each as its edges. `lines`: by crate. `beside`: lines of tables and samples.
    `lit_files`, `lit_runs`: tests that are too long."""
    places: list
    casts: list
    cycles: dict
    lines: dict
    beside: int
    lit_files: list
    lit_runs: list

    def numbers(self):
        uses = sum(len(edges) for cycles in self.cycles.values() for edges in cycles)
        return {"places": len(self.places), "casts": len(self.casts), "uses": uses,
                "lit_files": len(self.lit_files), "lit_runs": len(self.lit_runs), "lines": sum(self.lines.values())}


def crates(root):
    """The crates of a tree: name, folder of the source, root files of the targets."""
    for folder in sorted(glob.glob("crates/*/src", root_dir=root)):
        targets = [name for pattern in ("lib.rs", "main.rs", "bin/*.rs", "bin/*/main.rs")
                   for name in sorted(glob.glob(os.path.join(folder, pattern), root_dir=root))]
        yield folder.split("/")[1], folder, targets
    targets = [name for pattern in ("mlir-plugin/lib.rs", "mlir-plugin/shared/*.rs")
               for name in sorted(glob.glob(pattern, root_dir=root))]
    if targets:
        yield "plugin", "mlir-plugin", targets


def targets_of(root, folder, files):
    """The root modules of a crate. A file that no module declares stands alone."""
    reader = Reader(root)
    found = [reader.read(file) for file in files]
    for file in sorted(glob.glob(f"{folder}/**/*.rs", root_dir=root, recursive=True)):
        if file not in reader.files and file not in reader.test_files:
            found.append(reader.read(file))
    return [target for target in found if target]


def lines_beside(root):
    """Lines of tables and samples, in all languages."""
    patterns = (path + "**" if path.endswith("/") else path for path in BESIDE)
    files = {file for pattern in patterns for file in glob.glob(os.path.join(root, pattern), recursive=True)}
    found = 0
    for file in filter(os.path.isfile, files):
        with open(file, encoding="utf-8") as opened:
            found += sum(1 for _ in opened)
    return found


def count(root):
    """All numbers of the tree in the folder `root`."""
    modules, cycles, lines = [], {}, dict.fromkeys(ANALYSES, 0)
    for crate, folder, files in crates(root):
        targets = targets_of(root, folder, files)
        cycles[crate] = [cycle for target in targets for cycle in module_cycles.cycles(crate, target)]
        here = [module for target in targets for module in target.walk()]
        modules += here
        if crate in lines:
            lines[crate] = sum(module.lines for module in here if module.is_file and not module.file.startswith(BESIDE))
    casts = []
    for pattern in ("mlir-plugin/*.cpp", "mlir-plugin/*.h", "mlir-plugin/include/**/*.h"):
        for file in sorted(glob.glob(pattern, root_dir=root, recursive=True)):
            if file in LOWERING:
                continue
            with open(os.path.join(root, file), encoding="utf-8") as opened:
                casts += in_shim(file, opened.read())
    places = in_rust(modules, lambda file: not file.startswith(MODEL))
    return Counts(places, casts, cycles, lines, lines_beside(root),
                  lit_files.long_files(root), lit_files.long_runs(root))


def count_at(commit):
    """All numbers of a commit."""
    done = subprocess.run(["git", "-C", HERE, "archive", commit, "crates", "mlir-plugin", "lit"], capture_output=True)
    if done.returncode:
        sys.exit(f"ci/bench structure: {done.stderr.decode().strip()}")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=done.stdout, check=True)
        return count(folder)


def group(file):
    """The crate of a file, or the pass."""
    parts = file.split("/")
    if parts[0] != "crates":
        return "plugin"
    if parts[1] != "passes" or parts[3] == "lib.rs":
        return parts[1]
    return f"passes/{parts[3].removesuffix('.rs')}"


def number(value):
    return f"{value:,}"


def change(before, now):
    return f"{now - before:+,}" if now != before else "="


def rows_beside(before, now, total="all"):
    """Rows of one or two tallies: names, numbers and their change."""
    names = sorted(set(now) | set(before or ()))
    rows = [[name, *([number(before.get(name, 0))] if before is not None else []), number(now.get(name, 0)),
             *([change(before.get(name, 0), now.get(name, 0))] if before is not None else [])] for name in names]
    sums = [sum(tally.values()) for tally in (before, now) if tally is not None]
    return rows + [[total, *map(number, sums), *([change(*sums)] if before is not None else [])]]


def show_places(now):
    tally = collections.Counter((group(place.file), place.kind) for place in now.places)
    kinds = ("variant", "name", "predicate")
    rows = [[name, *(number(tally[name, kind]) for kind in kinds), number(sum(tally[name, kind] for kind in kinds))]
            for name in sorted({name for name, _ in tally})]
    sums = [sum(tally[name, kind] for name, _ in {key for key in tally if key[1] == kind}) for kind in kinds]
    table(["places", "variants", "names", "predicates", "all"], rows + [["all", *map(number, [*sums, sum(sums)])]])


def by_group(places):
    return collections.Counter(group(place.file) for place in places)


def by_file(places):
    return collections.Counter(os.path.basename(place.file) for place in places)


def in_cycles(counts):
    return {crate: sum(map(len, cycles)) for crate, cycles in counts.cycles.items() if cycles}


def show(now, before, commit):
    """Prints the tables of one tree, and of a commit for comparison."""
    columns = [commit[:12], "now", "change"] if before else ["now"]

    def beside(head, tally):
        table([head, *columns], rows_beside(tally(before) if before else None, tally(now)))
        print()

    if before:
        beside("places", lambda counts: by_group(counts.places))
    else:
        show_places(now)
        print()
    beside("casts in the shim", lambda counts: by_file(counts.casts))
    beside("uses in cycles", in_cycles)
    for crate, cycles in now.cycles.items():
        for edges in cycles:
            print(f"{crate}: a cycle of {len({edge.user for edge in edges})} modules")
            for edge in edges:
                print(f"  {edge.user} uses {edge.used} ({edge.file}:{edge.line})")
    print()
    beside("lines", lambda counts: counts.lines)
    beside("beside: lines of tables and samples", lambda counts: {"semantics": counts.beside})
    show_numbers(now, before, columns)


def show_numbers(now, before, columns):
    found, earlier = now.numbers(), before.numbers() if before else None
    rows = []
    for name, about in NUMBERS.items():
        row = [about.text, number(found[name]), "" if about.limit is None else number(about.limit), number(about.goal)]
        if earlier:
            row[1:2] = [number(earlier[name]), number(found[name]), change(earlier[name], found[name])]
        rows.append(row)
    table(["", *columns, "limit", "goal"], rows)


def check(now):
    """Prints the numbers above and below their limits. Returns True if none is above."""
    passed = True
    for name, value in now.numbers().items():
        about = NUMBERS[name]
        if about.limit is None:
            continue
        if value > about.limit:
            passed = False
            print(f"FAILED: {about.text}: {value}, and the limit is {about.limit} (ci/bench structure --list)")
        elif value < about.limit:
            print(f"{about.text}: {value}; lower the limit of {about.limit} in ci/structure.py")
    return passed


def show_list(now):
    for place in now.places + now.casts:
        print(f"{place.file}:{place.line}: {place.kind} {place.text}")
    for text in now.lit_files + now.lit_runs:
        print(text)
    for cycles in now.cycles.values():
        for edge in sorted(edge for edges in cycles for edge in edges):
            print(f"{edge.file}:{edge.line}: cycle {edge.user} uses {edge.used}")


def main():
    parser = argparse.ArgumentParser(prog="ci/bench structure", description=__doc__.split("\n\n")[1])
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--list", action="store_true", help="print each place as file:line")
    only.add_argument("--check", action="store_true", help="fail where a number is above its limit")
    only.add_argument("--at", metavar="COMMIT", help="count a commit as well")
    options = parser.parse_args()
    before = count_at(options.at) if options.at else None
    now = count(HERE)
    if options.list:
        show_list(now)
    elif options.check:
        sys.exit(not check(now))
    else:
        show(now, before, options.at)


if __name__ == "__main__":
    main()
