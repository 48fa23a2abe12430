// Passes run where there is an operation of the name, at any depth, and else not.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-where{op=memref.realloc passes=cse,canonicalize})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-where{op=memref.realloc passes=cse,canonicalize}))' \
// RUN:   | FileCheck %s
// The pipeline frees memory that the program reallocates, with what upstream has.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s --check-prefix=FREED
// It is written as it is read.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-where{op=memref.realloc \
// RUN:   passes=expand-realloc{emit-deallocs=false},cse})' --dump-pass-pipeline 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=DUMP
// Of a type: the passes do not run where only others are.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-where{op=memref.realloc type=i8,f64 passes=cse,canonicalize})' \
// RUN:   | FileCheck %s --check-prefix=OTHER-TYPE
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-where{passes=cse})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-OP
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-where{op=scf.if passes=cse,none-such})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-PASS

// Several names, and all of a dialect.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-where{op=scf.if,memref.realloc passes=cse,canonicalize})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-where{op=tensor.*,memref.* passes=cse,canonicalize})' \
// RUN:   | FileCheck %s
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-where{op=scf.if, passes=cse})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-OP

// DUMP: memplan-where{op=memref.realloc passes=expand-realloc{emit-deallocs=false},cse{{ ?}}}
// NO-OP: memplan-where: option 'op' takes the name of an operation [memplan-E002]
// NO-PASS: memplan-where: option 'passes' takes passes as in a pipeline [memplan-E002]
// NO-PASS: none-such

// OTHER-TYPE-LABEL: @there
// OTHER-TYPE: arith.addi
// CHECK-LABEL: @there
// CHECK-NOT: arith.addi
// FREED-LABEL: @there
// FREED-NOT: memref.realloc
// FREED: memref.dealloc
func.func @there(%a: index, %c: i1, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %unused = arith.addi %a, %a : index
  %m = memref.alloc(%n) : memref<?xf32>
  %f = arith.constant 1.0 : f32
  memref.store %f, %m[%zero] : memref<?xf32>
  %r = memref.realloc %m(%a) : memref<?xf32> to memref<?xf32>
  %v = memref.load %r[%zero] : memref<?xf32>
  return %v : f32
}

// -----

// OTHER-TYPE-LABEL: @not_there
// OTHER-TYPE: arith.addi
// CHECK-LABEL: @not_there
// CHECK: arith.addi
func.func @not_there(%a: index) {
  %unused = arith.addi %a, %a : index
  return
}
