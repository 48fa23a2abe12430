"""Memory planning: offsets for buffers, and smaller memory for MLIR programs.

``solve`` places buffers that are given as arrays. ``optimize`` runs memplan's passes on MLIR. The command lines
``memplan``, ``memplan-opt`` and ``memplan-lsp`` come with the package, and ``plugin`` is the path of the plugin for
another ``mlir-opt`` of the same version of LLVM.
"""

from importlib.metadata import PackageNotFoundError, version as _version

from ._errors import Diagnostic, DoesNotFit, Infeasible, MemplanError, PassError
from ._files import headers, plugin, program, runtime
from ._optimize import Result, optimize
from ._solve import Plan, check, solve

try:
    __version__ = _version("memplan")
except PackageNotFoundError:  # pragma: no cover - the package runs from its source folder
    __version__ = "0"

__all__ = [
    "Diagnostic",
    "DoesNotFit",
    "Infeasible",
    "MemplanError",
    "PassError",
    "Plan",
    "Result",
    "check",
    "headers",
    "optimize",
    "plugin",
    "program",
    "runtime",
    "solve",
]
