"""Passes on MLIR programs."""

import os
import re
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

import memplan

PROGRAM = """func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}
"""


class Optimize(unittest.TestCase):
    def test_text_is_planned_and_the_plan_comes_with_it(self):
        result = memplan.optimize(PROGRAM)
        self.assertIn("memref<256xi8>", result.module)
        self.assertEqual([plan["name"] for plan in result.plans], ["f"])
        self.assertEqual(result.plans[0]["scopes"][0]["planned_bytes"], 256)
        self.assertIn("256 B instead of 512 B", result.table())
        self.assertTrue(result._repr_html_().startswith("<svg "))

    def test_bytes_stay_bytes_and_bytecode_bytecode(self):
        text = memplan.optimize(PROGRAM.encode()).module
        self.assertEqual(text.decode(), memplan.optimize(PROGRAM).module)
        opt = os.fspath(memplan.program("memplan-opt"))
        bytecode = subprocess.run([opt, "-", "--emit-bytecode"], input=PROGRAM.encode(), capture_output=True).stdout
        planned = memplan.optimize(bytecode).module
        self.assertTrue(planned.startswith(b"ML\xefR"))
        back = subprocess.run([opt, "-"], input=planned, capture_output=True).stdout
        self.assertIn(b"memref<256xi8>", back)

    def test_options_are_those_of_the_pass(self):
        result = memplan.optimize(PROGRAM, "memplan-merge-alloc", alignment=128, arena="arg", remarks=True)
        self.assertIn("@f_arena_size", result.module)
        self.assertEqual(result.plans[0]["scopes"][0]["alignment"], 128)
        self.assertTrue(any(remark.id == "memplan-R101" for remark in result.remarks), result.remarks)
        # Lists, and options with a hyphen.
        result = memplan.optimize(PROGRAM, capacity=["default:4096"], in_place=False)
        self.assertEqual(len(result.plans), 1)

    def test_whole_pipelines_run(self):
        result = memplan.optimize(PROGRAM, "builtin.module(canonicalize,memplan-merge-alloc{alignment=128})")
        self.assertIn("alignment = 128", result.module)
        self.assertEqual(result.plans, [])
        with self.assertRaises(ValueError):
            memplan.optimize(PROGRAM, "builtin.module(memplan)", alignment=128)
        with self.assertRaises(ValueError):
            memplan.optimize(PROGRAM, report="a}b")

    def test_errors_carry_diagnostics(self):
        with self.assertRaises(memplan.PassError) as caught:
            memplan.optimize("func.func @f( {")
        (error,) = caught.exception.diagnostics
        self.assertEqual((error.severity, error.location, error.id), ("error", "<stdin>:1:14", None))
        with self.assertRaises(memplan.PassError) as caught:
            memplan.optimize(PROGRAM, alignment=3)
        self.assertEqual(caught.exception.diagnostics[0].id, "memplan-E002")
        self.assertIn("power of two", str(caught.exception))
        unknown = 'func.func @f() {\n  "a.b"() : () -> ()\n  return\n}'
        with self.assertRaises(memplan.PassError):
            memplan.optimize(unknown)
        self.assertIn('"a.b"', memplan.optimize(unknown, allow_unregistered_dialects=True).module)

    def test_passes_that_write_plans_are_known(self):
        from memplan._optimize import _WITH_REPORT

        def page_of(*topic):
            command = [os.fspath(memplan.program("memplan")), "help", *topic]
            environment = {**os.environ, "COLUMNS": "200"}
            return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

        listed = page_of()
        names = re.findall(r"^  (memplan(?:-[a-z]+)*) ", listed.split("Passes:")[1], re.M)
        having = set()
        for name in names:
            if re.search(r"^report +none +text ", page_of(name), re.M):
                having.add(name)
        self.assertEqual(having, set(_WITH_REPORT))

    def test_threads_plan_beside_each_other(self):
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(memplan.optimize, [PROGRAM] * 8))
        self.assertEqual({result.module for result in results}, {memplan.optimize(PROGRAM).module})


if __name__ == "__main__":
    unittest.main()
