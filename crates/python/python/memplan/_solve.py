"""The planner: offsets for buffers that are given as arrays."""

from __future__ import annotations

import csv
import io
import subprocess
from dataclasses import dataclass, field
from typing import Any, Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _planner
from ._errors import DoesNotFit, Infeasible, MemplanError
from ._files import program


def _integers(name: str, values: ArrayLike, dimensions: int) -> NDArray[np.int64]:
    """The array itself where it is of 64-bit integers with sign, else a copy."""
    array = np.asarray(values)
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must have whole numbers, not {array.dtype}")
    if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{name} has a number above 2**63 - 1")
    if array.ndim != dimensions:
        raise ValueError(f"{name} has {array.ndim} dimensions, and needs {dimensions}")
    return array.astype(np.int64, copy=False)


@dataclass(frozen=True)
class _Problem:
    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    size: NDArray[np.int64]
    alignment: NDArray[np.int64] | None
    offset: NDArray[np.int64] | None
    gaps: NDArray[np.int64] | None

    @staticmethod
    def of(
        lower: ArrayLike,
        upper: ArrayLike,
        size: ArrayLike,
        alignment: ArrayLike | None,
        offset: ArrayLike | None,
        gaps: ArrayLike | None,
    ) -> _Problem:
        lower = _integers("lower", lower, 1)
        if alignment is not None and np.ndim(alignment) == 0:
            alignment = np.full(len(lower), alignment)
        if gaps is not None and np.size(gaps) == 0:
            gaps = None
        return _Problem(
            lower,
            _integers("upper", upper, 1),
            _integers("size", size, 1),
            None if alignment is None else _integers("alignment", alignment, 1),
            None if offset is None else _integers("offset", offset, 1),
            None if gaps is None else _integers("gaps", gaps, 2),
        )

    def csv(self, offsets: Iterable[Any]) -> str:
        """The problem and its plan, as ``memplan plot`` reads them."""
        count = len(self.lower)
        gaps: list[list[str]] = [[] for _ in range(count)]
        for row in [] if self.gaps is None else sorted(self.gaps.tolist(), key=lambda row: row[1]):
            bytes_in_use = f"@{row[3]}:{row[4]}" if len(row) == 5 else ""
            gaps[row[0]].append(f"{row[1]}-{row[2]}{bytes_in_use}")
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(["id", "lower", "upper", "size", "alignment", "gaps", "offset"])
        alignment = [1] * count if self.alignment is None else self.alignment.tolist()
        columns = (self.lower.tolist(), self.upper.tolist(), self.size.tolist(), alignment)
        for number, (start, end, size, align) in enumerate(zip(*columns)):
            rows.writerow([number, start, end, size, align, " ".join(gaps[number]), ""])
        lines = text.getvalue().splitlines()
        return "\n".join([lines[0], *(f"{line}{offset}" for line, offset in zip(lines[1:], offsets))]) + "\n"


@dataclass(frozen=True)
class Plan:
    """Offsets of buffers in one memory. All sizes are in bytes."""

    offsets: NDArray[np.uint64]
    """The offset of each buffer; shape ``(n,)``."""
    peak: int
    """The size of the memory: the largest end of a buffer."""
    lower_bound: int
    """What no plan is below."""
    proof: str
    """The proof of the lower bound, for ``check`` or ``memplan check``."""
    planner: str
    """The planner that found the plan."""
    interrupted: bool
    """Whether Ctrl-C ended the search: the plan is valid, and the best so far."""
    _problem: _Problem = field(repr=False, compare=False)

    @property
    def optimal(self) -> bool:
        """Whether no plan is smaller."""
        return self.peak == self.lower_bound

    def plot(self) -> str:
        """The plan as SVG: time across, address up, a box for each buffer, the peak marked."""
        return self._drawn([])

    def to_html(self) -> str:
        """The plan as a page for a browser, with zoom, search, and what is live at each time."""
        return self._drawn(["--html"])

    def to_csv(self) -> str:
        """The buffers and their offsets, as ``memplan solve`` and ``memplan plot`` read them."""
        return self._problem.csv(self.offsets.tolist())

    def _drawn(self, options: list[str]) -> str:
        command = [str(program("memplan")), "plot", "-", "-o", "-", *options]
        done = subprocess.run(command, input=self.to_csv(), capture_output=True, text=True)
        if done.returncode:
            raise MemplanError(done.stderr.strip())
        return done.stdout

    def _repr_html_(self) -> str | None:
        try:
            return self.plot()
        except FileNotFoundError:
            return None


def solve(
    lower: ArrayLike,
    upper: ArrayLike,
    size: ArrayLike,
    alignment: ArrayLike | None = None,
    capacity: int | None = None,
    gaps: ArrayLike | None = None,
    *,
    offset: ArrayLike | None = None,
    planner: str = "auto",
    effort: str | int | None = None,
    seed: int = 0,
    time_limit: float | None = None,
) -> Plan:
    """Places buffers in one memory, so that its size is as small as possible.

    Buffers that are live at the same time share no byte. Arrays of ``numpy.int64`` are read where they are, others are
    converted. The search releases the interpreter's lock, and gives the same plan each time, unless ``time_limit`` or
    Ctrl-C ends it. Ctrl-C gives the best plan so far (``Plan.interrupted``).

    Args:
        lower: the first time at which each buffer is live; shape ``(n,)``; any whole numbers.
        upper: the first time after that; shape ``(n,)``. A buffer whose ``upper`` is its ``lower`` is never live.
        size: bytes of each buffer; shape ``(n,)``.
        alignment: what each offset is a multiple of, in bytes; shape ``(n,)``, or one number for all; 1 by default.
        capacity: bytes that there are; no limit by default.
        gaps: times in between at which buffers are not live; shape ``(k, 3)``: index of the buffer, first time of the gap,
            first time after it. With shape ``(k, 5)``, the last two columns are the bytes of the buffer that stay in use
            meanwhile, from and up to.
        offset: fixed offsets in bytes, -1 where there is none; shape ``(n,)``.
        planner: a planner of ``memplan solve --planner``.
        effort: ``quick``, ``normal``, ``thorough``, or a number of steps.
        seed: start of the pseudo-random numbers in the search.
        time_limit: seconds after which the search ends with the best plan so far.

    Raises:
        ValueError: an array is wrong; the message says which entry.
        TypeError: an array has other values than whole numbers.
        Infeasible: no plan fits, with the proof.
        DoesNotFit: no plan that fits was found, with the best one.
    """
    problem = _Problem.of(lower, upper, size, alignment, offset, gaps)
    steps = None if effort is None else str(effort)
    offsets, peak, lower_bound, proof, name, fits, interrupted = _planner.solve(
        problem.lower,
        problem.upper,
        problem.size,
        problem.alignment,
        problem.offset,
        problem.gaps,
        capacity,
        planner,
        steps,
        seed,
        time_limit,
    )
    if offsets is None:
        raise Infeasible(lower_bound, capacity or 0, proof)
    plan = Plan(offsets, peak, lower_bound, proof, name, interrupted, problem)
    if not fits:
        raise DoesNotFit(plan, capacity or 0)
    return plan


def check(
    lower: ArrayLike,
    upper: ArrayLike,
    size: ArrayLike,
    alignment: ArrayLike | None = None,
    gaps: ArrayLike | None = None,
    *,
    offset: ArrayLike | None = None,
    proof: str,
) -> int:
    """The bytes that no plan of these buffers is below, as a proof shows.

    The check shares no code with the search. The arrays are those of ``solve``.

    Raises:
        ValueError: the proof shows nothing about these buffers, or an array is wrong.
    """
    problem = _Problem.of(lower, upper, size, alignment, offset, gaps)
    return _planner.check(
        problem.lower,
        problem.upper,
        problem.size,
        problem.alignment,
        problem.offset,
        problem.gaps,
        proof,
    )
