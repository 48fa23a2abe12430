"""Finds tests under lit/ that are too long to read."""
import glob
import os
import re

LINES = 250
COLUMNS = 120

# Files that may have more lines, each with its reason.
LONGER = {}

RUN = re.compile(r"(?<![\w-])RUN:")


def tests(root):
    """The lines of each test, by its path below `root`."""
    for pattern in ("lit/**/*.mlir", "lit/**/*.test"):
        for file in sorted(glob.glob(pattern, root_dir=root, recursive=True)):
            with open(os.path.join(root, file), encoding="utf-8") as opened:
                yield file, opened.read().splitlines()


def long_files(root):
    """Files of more than LINES lines, as texts."""
    return [f"{file}: {len(lines)} lines" for file, lines in tests(root) if len(lines) > LINES and file not in LONGER]


def long_runs(root):
    """RUN lines of more than COLUMNS characters, as texts."""
    return [f"{file}:{number}: {len(line)} characters" for file, lines in tests(root)
            for number, line in enumerate(lines, 1) if len(line) > COLUMNS and RUN.search(line)]
