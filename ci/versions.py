#!/usr/bin/env python3
"""Checks that programs of another version of MLIR go through memplan-opt as text: versions.py MEMPLAN_OPT [NETWORK]...

Runs in a Python with torch-mlir's wheel, whose MLIR is newer. It reads each network, prints it, in the custom and in the generic
form; memplan-opt plans it; and it reads the result again. Attributes that memplan does not know come back as they were.
Bytecode of the newer version is refused, with words that say what to do.
"""
import io
import subprocess
import sys

from torch_mlir.ir import Context, Module

from networks import bufferized, chosen, say
from timing import table

FORMS = {"custom": [], "generic": ["--mlir-print-op-generic"]}
UNKNOWN = 'module attributes {test.of_module = {a = 1 : i64}} {\n  func.func @f(%x: memref<4xf32> {test.of_argument}) {\n' \
          '    linalg.exp {test.of_op = "b"} ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)\n    return\n  }\n}\n'


def planned(memplan_opt, text, options):
    done = subprocess.run([memplan_opt, "-", "--memplan", *options], input=text, capture_output=True)
    return done.stdout, done.stderr.decode(errors="replace") if done.returncode else None


def read_again(text):
    """Why the newer version does not read a program, if so."""
    try:
        Module.parse(text.decode()).operation.verify()
        return None
    except Exception as error:  # the bindings raise several kinds
        return str(error).replace("\n", " ")


def main():
    memplan_opt, *names = sys.argv[1:]
    rows, wrong = [], 0
    with Context():
        for name in chosen(names):
            say(name)
            with open(bufferized(name), encoding="utf-8") as file:
                module = Module.parse(file.read())
            row = [name]
            for form, options in FORMS.items():
                given = module.operation.get_asm(print_generic_op_form=form == "generic").encode()
                result, why = planned(memplan_opt, given, options)
                why = why or read_again(result)
                wrong += why is not None
                row.append(f"WRONG: {why[:100]}" if why else f"{len(given):,}")
            rows.append(row)
        result, why = planned(memplan_opt, UNKNOWN.encode(), [])
        kept = why is None and all(name in result.decode() for name in ("test.of_module", "test.of_argument", "test.of_op"))
        wrong += not kept
        bytecode = io.BytesIO()
        Module.parse(UNKNOWN).operation.write_bytecode(bytecode)
        _, why = planned(memplan_opt, bytecode.getvalue(), [])
        is_refused = why is not None and "pass the program as text" in why
        wrong += not is_refused
    say("")
    table(["network", *(f"{form}, characters" for form in FORMS)], rows)
    print(f"{len(rows)} networks, {wrong} wrong; unknown attributes {'kept' if kept else 'LOST'};"
          f" bytecode {'refused' if is_refused else 'NOT REFUSED'}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
