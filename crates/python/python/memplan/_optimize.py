"""MLIR programs: memplan's passes, in a process of their own.

So an import of another MLIR, such as torch-mlir's, shares nothing with memplan's, and a crash ends that process alone.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Mapping, TypeVar

from ._errors import Diagnostic, MemplanError, PassError, parse_diagnostics
from ._files import program

# Passes and pipelines that write plans, and such that emit remarks.
_WITH_REPORT = frozenset(
    [
        "memplan",
        "memplan-assign-spaces",
        "memplan-bounded-pipeline",
        "memplan-check-bounded",
        "memplan-explain",
        "memplan-merge-alloc",
        "memplan-merge-workgroup",
        "memplan-regions",
        "memplan-reorder",
        "memplan-tree-scan",
    ]
)
_BYTECODE = b"ML\xefR"

Text = TypeVar("Text", str, bytes)


@dataclass(frozen=True)
class Result(Generic[Text]):
    """A planned program."""

    module: Text
    """The program, in the form in which it was given: text, bytes of text, or bytecode."""
    plans: list[dict[str, Any]]
    """The plan of each function, as in the report (``memplan help report-fields``); sizes are in bytes."""
    remarks: list[Diagnostic]
    """Warnings and remarks, with ids and locations; remarks are there with ``remarks=True``."""
    _report: str = field(repr=False, compare=False)

    def table(self) -> str:
        """The plans as a table: allocations and bytes before and after."""
        return self._shown(["table", "-"])

    def plot(self) -> str:
        """The plans as SVG."""
        return self._shown(["plot", "-", "-o", "-"])

    def _repr_html_(self) -> str | None:
        return self.plot() if any(plan["scopes"] for plan in self.plans) else None

    def _shown(self, arguments: list[str]) -> str:
        command = [str(program("memplan")), *arguments]
        done = subprocess.run(command, input=self._report, capture_output=True, text=True)
        if done.returncode:
            raise MemplanError(done.stderr.strip())
        return done.stdout


def _value(name: str, value: Any) -> str:
    """The value of an option, as pipelines write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        value = ",".join(f"{key}={one}" for key, one in value.items())
    elif isinstance(value, (list, tuple)):
        value = ",".join(str(one) for one in value)
    text = str(value)
    if any(character in text for character in "{}\"'\n"):
        raise ValueError(f"the value of {name} has a brace, a quote or a line end: {text!r}")
    return f"{{{text}}}" if " " in text else text


def optimize(
    module: Text,
    pipeline: str = "memplan",
    *,
    allow_unregistered_dialects: bool = False,
    generic: bool = False,
    timeout: float | None = None,
    **options: Any,
) -> Result[Text]:
    """Runs a pass or a pipeline of memplan on a program.

    Args:
        module: MLIR as text, as bytes of text, or as bytecode of the same version of LLVM.
        pipeline: the name of a pass or a pipeline (``memplan help``), which takes ``options``; or a whole pipeline as
            ``mlir-opt --pass-pipeline`` takes it, such as ``"builtin.module(canonicalize,memplan)"``.
        allow_unregistered_dialects: whether operations of dialects that MLIR does not know are accepted.
        generic: whether the program comes back in MLIR's generic form, which other versions of MLIR, and xDSL, read best.
        timeout: seconds after which ``subprocess.TimeoutExpired`` is raised.
        options: options of the pass, with ``_`` in place of ``-``: ``alignment=128, results="off", remarks=True``.
            Lists become values with commas.

    Raises:
        PassError: the program could not be read, or a pass failed; ``diagnostics`` has ids, locations and messages.
        ValueError: ``options`` beside a whole pipeline.
    """
    is_whole = any(character in pipeline for character in "(){,")
    if is_whole and options:
        raise ValueError("options are for the name of a pass; write those of a whole pipeline into it")
    given = module.encode() if isinstance(module, str) else bytes(module)
    with tempfile.TemporaryDirectory(prefix="memplan-") as folder:
        report = Path(folder) / "report.json"
        if is_whole:
            passes = pipeline
        else:
            values = {name.replace("_", "-"): _value(name, value) for name, value in options.items()}
            if pipeline in _WITH_REPORT and "report" not in values:
                values["report"] = str(report)
            text = " ".join(f"{name}={value}" for name, value in values.items())
            passes = f"builtin.module({pipeline}{{{text}}})"
        command = [str(program("memplan-opt")), "-", f"--pass-pipeline={passes}"]
        if allow_unregistered_dialects:
            command.append("--allow-unregistered-dialect")
        if generic:
            command.append("--mlir-print-op-generic")
        if given.startswith(_BYTECODE):
            command.append("--emit-bytecode")
        done = subprocess.run(command, input=given, capture_output=True, timeout=timeout)
        said = done.stderr.decode(errors="replace")
        diagnostics = parse_diagnostics(said)
        if done.returncode:
            raise PassError(diagnostics, said)
        written = report.read_text() if report.exists() else '{"version":1,"functions":[]}'
    output = done.stdout.decode() if isinstance(module, str) else done.stdout
    remarks = [one for one in diagnostics if one.severity != "error"]
    return Result(output, json.loads(written)["functions"], remarks, written)
