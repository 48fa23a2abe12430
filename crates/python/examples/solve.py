"""Offsets for buffers that are given as arrays."""

import memplan
import numpy as np

# Three buffers: the first time at which each is live, the first one after it, bytes.
lower = np.array([0, 1, 3])
upper = np.array([2, 4, 5])
size = np.array([64, 32, 64])

plan = memplan.solve(lower, upper, size, alignment=16)
print(plan.offsets, plan.peak, plan.lower_bound, plan.optimal)

# Whoever doubts the bound checks its proof.
assert memplan.check(lower, upper, size, alignment=16, proof=plan.proof) == plan.lower_bound

# No plan fits into 80 bytes.
try:
    memplan.solve(lower, upper, size, alignment=16, capacity=80)
except memplan.Infeasible as error:
    print(error)
