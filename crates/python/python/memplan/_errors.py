"""Errors, and the messages that they carry."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._solve import Plan

# A line of MLIR: a location, a severity, a message, and memplan's id.
_LINE = re.compile(
    r"^(?P<location>.+?): (?P<severity>error|warning|remark|note): (?P<message>.*?)(?: \[(?P<id>memplan-[EWR]\d+)\])?$"
)


@dataclass(frozen=True)
class Diagnostic:
    """A message about a program."""

    severity: str
    """``error``, ``warning``, ``remark`` or ``note``."""
    location: str
    """Where it is: ``file:line:column``, or another location of MLIR. The input is ``<stdin>``."""
    message: str
    """In words."""
    id: str | None
    """The stable id, such as ``memplan-E101``; ``memplan help ID`` explains it. Messages of MLIR have none."""

    def __str__(self) -> str:
        end = f" [{self.id}]" if self.id else ""
        return f"{self.location}: {self.severity}: {self.message}{end}"


def parse_diagnostics(text: str) -> list[Diagnostic]:
    """The messages among the lines that MLIR printed; the lines of source that it quotes are dropped."""
    lines = (_LINE.match(line) for line in text.splitlines())
    return [
        Diagnostic(line["severity"], line["location"], line["message"], line["id"])
        for line in lines
        if line
    ]


class MemplanError(Exception):
    """What all errors of this package are."""


class PassError(MemplanError):
    """A program could not be read, or a pass failed."""

    def __init__(self, diagnostics: list[Diagnostic], output: str) -> None:
        self.diagnostics = diagnostics
        """All messages: of the error, and of what came before it."""
        self.output = output
        """What was printed on standard error."""
        errors = [str(one) for one in diagnostics if one.severity == "error"]
        super().__init__("\n".join(errors) or output.strip() or "memplan-opt failed")


class Infeasible(MemplanError):
    """No plan fits into the capacity."""

    def __init__(self, lower_bound: int, capacity: int, proof: str) -> None:
        self.lower_bound = lower_bound
        """Bytes that each plan needs."""
        self.capacity = capacity
        """Bytes that there are."""
        self.proof = proof
        """The proof, for ``check`` or ``memplan check``."""
        super().__init__(f"at least {lower_bound} bytes are needed, and the capacity is {capacity}")


class DoesNotFit(MemplanError):
    """The best plan that was found does not fit into the capacity; a better one may exist."""

    def __init__(self, plan: Plan, capacity: int) -> None:
        self.plan = plan
        """That plan."""
        self.capacity = capacity
        """Bytes that there are."""
        super().__init__(f"the best plan found needs {plan.peak} bytes, and the capacity is {capacity}")
