"""The files that come with the package."""

from __future__ import annotations

import os
from pathlib import Path

_TREE = Path(__file__).resolve().parent / "tree"


def _of_environment(name: str) -> Path | None:
    value = os.environ.get(name)
    return Path(value) if value else None


def program(name: str) -> Path:
    """The path of an executable: ``memplan``, ``memplan-opt`` or ``memplan-lsp``.

    The environment variable ``MEMPLAN_PROGRAMS`` names another folder of executables.
    """
    folder = _of_environment("MEMPLAN_PROGRAMS") or _TREE / "bin"
    path = folder / name
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing: this package was built without LLVM, and has the planner alone; "
            "MEMPLAN_PROGRAMS may name the folder of another build"
        )
    return path


def plugin() -> Path:
    """The path of the plugin, for ``mlir-opt --load-pass-plugin=PATH`` of LLVM 22.1 with a shared library of MLIR."""
    return _TREE / "lib" / "libmemplan.so"


def runtime() -> Path:
    """The path of the runtime library for programs with memory regions (``dynamic=regions``)."""
    return _TREE / "lib" / "libmemplan_runtime.so"


def headers() -> Path:
    """The folder of the headers for C and C++."""
    return _TREE / "include"
