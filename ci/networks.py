"""What the measurements are given, and the networks of tests/models."""
import os
import sys

MODELS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "models")
MLIR_OPT = os.path.join(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"), "bin", "mlir-opt")


def arguments(usage):
    """PLUGIN [NETWORK]...; ends the script where there is no plugin."""
    if len(sys.argv) < 2:
        sys.exit(usage)
    return sys.argv[1], sys.argv[2:]


def chosen(names):
    """The networks to measure: all, or those whose name holds one of these."""
    files = sorted(os.listdir(os.path.join(MODELS, "bufferized")))
    all_names = [file.removesuffix(".mlir") for file in files if file.endswith(".mlir")]
    return [name for name in all_names if not names or any(part in name for part in names)]


def bufferized(name):
    """The file of a network."""
    return os.path.join(MODELS, "bufferized", name + ".mlir")


def say(text):
    """Progress, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
