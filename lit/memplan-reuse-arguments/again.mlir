// What the pass has donated and placed is not refused by another run of the pipeline.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reuse-arguments,memplan-elide-copies)' -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan,memplan)' -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' | FileCheck %s

// 1. After the call, the memory is written anew: here for an out-param.
// CHECK-LABEL: func private @last
// CHECK-SAME:    {memplan.donated}
func.func private @last(%x: memref<8xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %u = memref.load %x[%c0] : memref<8xi64>
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%u : i64) outs(%a : memref<8xi64>)
  %v = memref.load %a[%c0] : memref<8xi64>
  return %v : i64
}
func.func @written(%k: i64, %y: memref<8xi64> {memplan.noalias}) {
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%b : memref<8xi64>)
  %r = call @last(%b) : (memref<8xi64>) -> i64
  linalg.fill ins(%r : i64) outs(%y : memref<8xi64>)
  return
}

// 2. The call passes two slices of one arena.
// CHECK-LABEL: func private @two
// CHECK-SAME:    {memplan.donated}
func.func private @two(%x: memref<8xi64>, %y: memref<8xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %u = memref.load %x[%c0] : memref<8xi64>
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%u : i64) outs(%a : memref<8xi64>)
  %v = memref.load %a[%c0] : memref<8xi64>
  %w = memref.load %y[%c0] : memref<8xi64>
  %s = arith.addi %v, %w : i64
  return %s : i64
}
func.func @slices(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%b : memref<8xi64>)
  %d = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%d : memref<8xi64>)
  memref.store %k, %d[%c0] : memref<8xi64>
  %r = call @two(%b, %d) : (memref<8xi64>, memref<8xi64>) -> i64
  return %r : i64
}

// 3. C may call a private function.
// CHECK-LABEL: func private @from_c
// CHECK-NOT:     memplan.donated
func.func private @from_c(%x: memref<8xi64>) -> i64 attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %u = memref.load %x[%c0] : memref<8xi64>
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%u : i64) outs(%a : memref<8xi64>)
  %v = memref.load %a[%c0] : memref<8xi64>
  return %v : i64
}
func.func @calls_it(%k: i64) -> i64 {
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%b : memref<8xi64>)
  %r = call @from_c(%b) : (memref<8xi64>) -> i64
  return %r : i64
}
