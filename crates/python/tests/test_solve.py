"""The planner for arrays."""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import memplan
import numpy as np


def random_problem(seed, count):
    random = np.random.default_rng(seed)
    lower = random.integers(-20, 50, count)
    return lower, lower + random.integers(0, 12, count), random.integers(0, 1000, count)


def overlaps(one, other, lower, upper):
    return lower[one] < upper[other] and lower[other] < upper[one]


class Solve(unittest.TestCase):
    def test_buffers_that_are_live_at_once_share_no_byte(self):
        for seed in range(20):
            lower, upper, size = random_problem(seed, 30)
            plan = memplan.solve(lower, upper, size, alignment=8)
            ends = plan.offsets + size.astype(np.uint64)
            self.assertEqual(plan.offsets.dtype, np.uint64)
            self.assertFalse((plan.offsets % 8).any())
            self.assertGreaterEqual(plan.peak, plan.lower_bound)
            live = [n for n in range(30) if size[n] and lower[n] < upper[n]]
            self.assertEqual(plan.peak, max(int(ends[n]) for n in live))
            for one in live:
                for other in live:
                    if one < other and overlaps(one, other, lower, upper):
                        self.assertTrue(ends[one] <= plan.offsets[other] or ends[other] <= plan.offsets[one])

    def test_a_proof_shows_the_lower_bound_and_nothing_of_other_buffers(self):
        lower, upper, size = random_problem(1, 30)
        plan = memplan.solve(lower, upper, size)
        self.assertEqual(memplan.check(lower, upper, size, proof=plan.proof), plan.lower_bound)
        with self.assertRaises(ValueError):
            memplan.check(lower, upper, size // 2, proof=plan.proof)

    def test_any_integers_are_taken_and_arrays_are_not_written(self):
        lower, upper, size = random_problem(2, 30)
        expected = memplan.solve(lower, upper, size).offsets.tolist()
        wide = np.stack([lower, upper, size], axis=1)
        columns = (wide[:, 0], wide[:, 1], wide[:, 2])
        self.assertEqual(memplan.solve(*columns).offsets.tolist(), expected)
        narrow = (lower.astype(np.int8), upper.tolist(), size.astype(np.uint16))
        self.assertEqual(memplan.solve(*narrow).offsets.tolist(), expected)
        for array in (lower, upper, size):
            array.flags.writeable = False
        self.assertEqual(memplan.solve(lower, upper, size).offsets.tolist(), expected)

    def test_gaps_and_bytes_that_stay_in_use(self):
        whole = memplan.solve([0, 1], [9, 2], [8, 8])
        self.assertEqual(whole.peak, 16)
        gap = memplan.solve([0, 1], [9, 2], [8, 8], gaps=[[0, 1, 2]])
        self.assertEqual((gap.peak, gap.optimal), (8, True))
        part = memplan.solve([0, 1], [9, 2], [8, 8], gaps=[[0, 1, 2, 0, 4]])
        self.assertEqual(part.peak, 12)

    def test_fixed_offsets_stay(self):
        plan = memplan.solve([0, 0], [1, 1], [8, 8], offset=[-1, 16])
        self.assertEqual(plan.offsets.tolist(), [0, 16])

    def test_what_does_not_fit_is_an_error_with_its_proof(self):
        with self.assertRaises(memplan.Infeasible) as caught:
            memplan.solve([0, 0], [1, 1], [8, 8], capacity=15)
        self.assertEqual((caught.exception.lower_bound, caught.exception.capacity), (16, 15))
        proven = memplan.check([0, 0], [1, 1], [8, 8], proof=caught.exception.proof)
        self.assertEqual(proven, 16)
        self.assertEqual(memplan.solve([0, 0], [1, 1], [8, 8], capacity=16).peak, 16)

    def test_a_plan_that_does_not_fit_comes_with_the_error(self):
        lower, upper, size = random_problem(3, 60)
        least = memplan.solve(lower, upper, size).lower_bound
        with self.assertRaises(memplan.DoesNotFit) as caught:
            memplan.solve(lower, upper, size, capacity=least, planner="plain")
        self.assertGreater(caught.exception.plan.peak, least)

    def test_wrong_arrays_are_named(self):
        for arguments, error, words in [
            (([1.5], [2], [3]), TypeError, "lower"),
            (([3], [2], [3]), ValueError, "upper[0] is 2"),
            (([1, 2], [2], [3]), ValueError, "upper has 1 entries"),
            (([1], [2], [-3]), ValueError, "size[0] is -3"),
            (([[1]], [2], [3]), ValueError, "dimensions"),
            (([1], [2], [1 << 62]), ValueError, "bytes"),
        ]:
            with self.assertRaises(error) as caught:
                memplan.solve(*arguments)
            self.assertIn(words, str(caught.exception))
        for options, words in [
            ({"gaps": [[0, 4, 3]]}, "gaps[0]"),
            ({"gaps": [[7, 4, 5]]}, "gaps[0]"),
            ({"gaps": [[0, 4]]}, "columns"),
            ({"alignment": 0}, "alignment"),
            ({"planner": "x"}, "'x'"),
            ({"effort": "x"}, "'x'"),
            ({"time_limit": -1}, "time_limit"),
        ]:
            with self.assertRaises(ValueError) as caught:
                memplan.solve([0], [9], [3], **options)
            self.assertIn(words, str(caught.exception))

    def test_no_buffers_need_no_memory(self):
        plan = memplan.solve([], [], [])
        self.assertEqual((plan.peak, plan.offsets.shape, plan.optimal), (0, (0,), True))

    def test_ctrl_c_gives_the_best_plan_so_far(self):
        random = np.random.default_rng(0)
        lower = random.integers(0, 2000, 3000)
        upper, size = lower + random.integers(1, 400, 3000), random.integers(1, 100_000, 3000)
        # Where the tests run in the background, the shell lets the process ignore it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        start = time.monotonic()
        plan = memplan.solve(lower, upper, size, time_limit=60)
        timer.join()
        self.assertLess(time.monotonic() - start, 30)
        self.assertTrue(plan.interrupted)
        self.assertGreater(plan.peak, plan.lower_bound)

    def test_threads_solve_beside_each_other(self):
        expected = memplan.solve(*random_problem(5, 200)).offsets.tolist()
        found = [None] * 4

        def work(place):
            found[place] = memplan.solve(*random_problem(5, 200)).offsets.tolist()

        threads = [threading.Thread(target=work, args=[place]) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 4)

    def test_a_forked_process_solves(self):
        memplan.solve(*random_problem(6, 50))
        child = os.fork()
        if child == 0:
            try:
                memplan.solve(*random_problem(6, 50))
                os._exit(0)
            finally:
                os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_the_planner_loads_no_llvm(self):
        program = "import memplan; memplan.solve([0], [1], [8]); print('LLVM' in open('/proc/self/maps').read())"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), "False")

    def test_a_plan_is_drawn(self):
        plan = memplan.solve([0, 1, -2], [9, 2, 5], [8, 8, 7], gaps=[[0, 1, 2, 0, 4]])
        self.assertTrue(plan.plot().startswith("<svg "))
        self.assertEqual(plan._repr_html_(), plan.plot())
        self.assertIn("<html", plan.to_html())
        self.assertEqual(len(plan.to_csv().splitlines()), 4)


if __name__ == "__main__":
    unittest.main()
