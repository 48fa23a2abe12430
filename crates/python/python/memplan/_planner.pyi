import numpy as np
from numpy.typing import NDArray

def solve(
    lower: NDArray[np.int64],
    upper: NDArray[np.int64],
    size: NDArray[np.int64],
    alignment: NDArray[np.int64] | None,
    offset: NDArray[np.int64] | None,
    gaps: NDArray[np.int64] | None,
    capacity: int | None,
    planner: str,
    effort: str | None,
    seed: int,
    time_limit: float | None,
) -> tuple[NDArray[np.uint64] | None, int, int, str, str, bool, bool]: ...
def check(
    lower: NDArray[np.int64],
    upper: NDArray[np.int64],
    size: NDArray[np.int64],
    alignment: NDArray[np.int64] | None,
    offset: NDArray[np.int64] | None,
    gaps: NDArray[np.int64] | None,
    proof: str,
) -> int: ...
