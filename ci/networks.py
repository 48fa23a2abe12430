"""The arguments of the measurements, and the networks of tests/models."""
import os
import sys

MODELS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "models")
MLIR_OPT = os.path.join(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"), "bin", "mlir-opt")


def arguments(usage):
    """Parses PLUGIN [NETWORK]...; exits with the usage if there is no plugin."""
    if len(sys.argv) < 2:
        sys.exit(usage)
    return sys.argv[1], sys.argv[2:]


def chosen(names):
    """The networks to measure: all, or those whose names contain one of `names`."""
    files = sorted(os.listdir(os.path.join(MODELS, "bufferized")))
    all_names = [file.removesuffix(".mlir") for file in files if file.endswith(".mlir")]
    return [name for name in all_names if not names or any(part in name for part in names)]


def bufferized(name):
    """The path of a bufferized network."""
    return os.path.join(MODELS, "bufferized", name + ".mlir")


def repeats(name):
    """Whether a network can be called again with the same arguments: not if it updates donated ones."""
    with open(bufferized(name), encoding="utf-8") as file:
        return "memplan.donated" not in file.read()


def total(functions, field):
    """The bytes of all functions of a report. One whose arenas are not all held at once has a number of its own."""
    return sum(function.get(field, sum(scope[field] for scope in function["scopes"])) for function in functions)


def say(text):
    """Shows progress, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
