//! `memplan-explain`.

pub mod codes;

use memplan_interface::{Declaration, Example, OptionDeclaration, OptionKind};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-explain",
    summary: "Plan copies of a program with other options of memplan, and report what each gives",
    description: "\
Runs the pipeline `memplan` on copies of the program: with its `options`, and then with one of them changed each time. \
The report has the bytes of each function: those with `options` in `explained`, and a list of `measures` with the option to \
write, the bytes, and whether the pipeline failed. `memplan explain FILE` shows them, the best first. `memplan{explain=true \
report=FILE}` is this pass and the pipeline after it, with the same options.

The program does not change. Diagnostics of copies are dropped. The pass takes as long as the pipeline for each \
measure: elided copies, strips, another order, memory of callers, recomputation, in-place reuse, results, hoisting, alignment \
and effort. It runs on the module that all others are in.",
    example: Example {
        before: "\
func.func @f(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}",
        after: "\
func.func @f(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}",
    },
    options: &[
        OptionDeclaration {
            name: "options",
            description: "Options of memplan, as between its braces",
            kind: OptionKind::Text {
                default: "",
                placeholder: "OPTIONS",
            },
        },
        OptionDeclaration {
            name: "report",
            description: "Write what each measure gives as JSON to a file; - is standard error",
            kind: OptionKind::Text {
                default: "",
                placeholder: "FILE",
            },
        },
    ],
    statistics: &[],
    codes: &[codes::ALL],
    dialects: &[
        "arith",
        "bufferization",
        "cf",
        "func",
        "gpu",
        "linalg",
        "llvm",
        "math",
        "memref",
        "scf",
        "vector",
    ],
    module_only: true,
};
