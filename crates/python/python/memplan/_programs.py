"""The command lines: the process becomes the executable of the package."""

import os
import sys

from ._files import program


def _become(name: str) -> None:
    path = os.fspath(program(name))
    os.execv(path, [path, *sys.argv[1:]])


def memplan() -> None:
    _become("memplan")


def memplan_opt() -> None:
    _become("memplan-opt")


def memplan_lsp() -> None:
    _become("memplan-lsp")
