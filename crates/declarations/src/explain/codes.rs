//! Diagnostics of `memplan-explain`.

use memplan_interface::codes;

codes! {
    NESTED_MODULE = "memplan-E127" {
        summary: "A module in another one is to be explained",
        meaning: "`memplan-explain` runs the whole pipeline on copies of a module, and drops what they report. In a module that \
                  is in another one, other threads may report at the same time.",
        advice: "Schedule it on the outermost module: `builtin.module(memplan{explain=true report=FILE})`.",
        example: "builtin.module(memplan-explain{report=-})" => "module {\n  module {\n  }\n}",
    }
    NOT_EXPLAINED = "memplan-W106" {
        summary: "A program is not explained",
        meaning: "The pipeline `memplan` fails on the program with the options of `memplan-explain`, so there is nothing to compare with. \
                  The report has no measures.",
        advice: "Run `memplan` with the same options: it reports what is wrong.",
        example: "memplan-explain{options={capacity=default:1} report=-}" => "\
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.add ins(%a, %x : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}",
    }
}
