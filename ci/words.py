#!/usr/bin/env python3
"""Checks the terminology: words.py [--list] [PATH ...]

Finds words in names, comments, messages and texts for which the field has other terms (ci/words.txt), sentences of more
than 30 words in the strings that programs print, and a README of more than 200 lines. Fails if it finds any. Hits in the
folders of ci/words_pending.txt are only counted.
"""
import argparse
import fnmatch
import os
import re
import subprocess
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LONGEST_SENTENCE = 30
LONGEST_README = 200
# What shows that a text is code, a table or a style sheet.
CODE = re.compile(r"    |memref<|;fill:")
KINDS = (".rs", ".md", ".mlir", ".py", ".sh", ".cpp", ".h", ".hpp", ".c", ".toml", ".cfg", ".td", ".css", ".js")
# The patterns themselves, and third-party programs.
LEFT_OUT = ("ci/words.txt", "ci/words.py", "ci/words_test.py", "tests/models/", "tests/networks/models/")


@dataclass(frozen=True)
class Rule:
    """`instead`: the preferred terms. `outside`: globs of paths to which the rule does not apply."""
    pattern: re.Pattern
    instead: str
    outside: tuple


@dataclass(frozen=True)
class Hit:
    """`line`: from 1."""
    path: str
    line: int
    text: str
    instead: str


def rules(text):
    """The rules of a file of patterns, and the names that stay."""
    found, kept = [], []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("keep "):
            kept.append(line[len("keep "):])
            continue
        pattern, rest = line.split(" => ", 1)
        instead, _, outside = rest.partition(" | not in ")
        found.append(Rule(re.compile(rf"\b(?:{pattern})(?!\w)"), instead.strip(), tuple(outside.split())))
    return found, kept


def without(line, kept):
    """The line without names that a file format or an earlier version fixes."""
    for name in kept:
        line = line.replace(name, "")
    return line


def words(line):
    """A line in lower case, its names split into words."""
    line = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", line)
    return re.sub(r"\s+", " ", line.replace("_", " ")).lower().strip()


def sentences(text):
    """The sentences of a text. They end at punctuation, an empty line, or an escaped line break."""
    return [part for part in re.split(r"(?<=[.!?;])\s+|\n\s*\n|\\n", text) if part.strip()]


def strings(source):
    """The string literals of Rust: the offset of each, and its text with continuation lines joined."""
    for match in re.finditer(r'//[^\n]*|\'(?:\\.|[^\\\'])\'|r(#*)"(.*?)"\1|"((?:\\.|[^"\\])*)"', source, re.S):
        text = match.group(2) if match.group(2) is not None else match.group(3)
        if text is not None:
            yield match.start(), re.sub(r"\\\n\s*", "", text)


def is_test(path):
    return "/tests/" in path or path.startswith("tests/") or "/benches/" in path or "/examples/" in path


def long_sentences(path, source):
    """Sentences in printed strings that exceed the limit."""
    if not path.endswith(".rs") or is_test(path):
        return
    tests = source.find("#[cfg(test)]")
    for start, text in strings(source if tests < 0 else source[:tests]):
        if text.count(" ") < LONGEST_SENTENCE:
            continue
        for sentence in sentences(text):
            # Only prose counts, not tables, code and lists of names.
            count = len(re.findall(r"[A-Za-z][\w'’-]*", re.sub(r"`[^`]*`", "name", sentence)))
            if count > LONGEST_SENTENCE and not CODE.search(sentence):
                line = source.count("\n", 0, start) + 1
                yield Hit(path, line, " ".join(sentence.split()), f"{count} words: at most {LONGEST_SENTENCE}")


def hits(path, source, all_rules, kept):
    """All hits in a file."""
    found = list(long_sentences(path, source))
    holds = [rule for rule in all_rules if not any(fnmatch.fnmatch(path, glob) for glob in rule.outside)]
    for number, line in enumerate(source.splitlines(), 1):
        said = words(without(line, kept))
        for rule in holds:
            if rule.pattern.search(said):
                found.append(Hit(path, number, line.strip(), rule.instead))
        if line.strip() == "/// It.":
            found.append(Hit(path, number, line.strip(), "say what the item is"))
    if path == "README.md" and source.count("\n") > LONGEST_README:
        found.append(Hit(path, LONGEST_README, f"{source.count(chr(10))} lines", f"at most {LONGEST_README} lines"))
    return found


def files(paths):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *paths], cwd=HERE,
                            check=True, capture_output=True, text=True)
    for path in listed.stdout.splitlines():
        is_text = path.endswith(KINDS) or ("/" in path and "." not in os.path.basename(path) and path.startswith("ci/"))
        if is_text and not path.startswith(LEFT_OUT) and os.path.isfile(os.path.join(HERE, path)):
            yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="do not fail")
    parser.add_argument("paths", nargs="*", help="only these files and folders")
    arguments = parser.parse_args()
    with open(os.path.join(HERE, "ci/words.txt")) as file:
        all_rules, kept = rules(file.read())
    wrong = []
    for path in files(arguments.paths):
        with open(os.path.join(HERE, path), errors="replace") as file:
            wrong += hits(path, file.read(), all_rules, kept)
    for hit in wrong:
        print(f"{hit.path}:{hit.line}: {hit.text[:160]}  ({hit.instead})")
    if wrong:
        print(f"{len(wrong)} lines are to be put in the field's words (ci/words.txt)", file=sys.stderr)
    return 1 if wrong and not arguments.list else 0


if __name__ == "__main__":
    sys.exit(main())
