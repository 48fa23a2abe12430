// 1. A module in another one.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(builtin.module(memplan-explain{report=%t.json}))'
// 2. Options that memplan does not take.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-explain{options={alignment=3}})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION
// OPTION: option 'options': {{.*}}'alignment' takes a power of two
// OPTION-SAME: [memplan-E002]
// 3. A program on which the pipeline fails: it says why itself.
// RUN: split-file %s %t
// RUN: not %memplan-opt %t/large.mlir 2>&1 \
// RUN:   --pass-pipeline='builtin.module(memplan{explain=true capacity=default:1 report=%t/r.json})' \
// RUN:   | FileCheck %s --check-prefix=FAILS
// FAILS: warning: not explained: memplan fails on the program with these options [memplan-W106]
// FAILS: error: {{.*}}[memplan-E
// 4. A report that cannot be written.
// RUN: not %memplan-opt %t/large.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan{explain=true report=/no/such/r.json})' \
// RUN:   2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRITE
// WRITE: cannot write report '/no/such/r.json'

//--- nested.mlir
// expected-error @below {{memplan-explain: it runs on the outermost module, and this one is in another [memplan-E127]}}
module {
}

//--- large.mlir
func.func @f(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
