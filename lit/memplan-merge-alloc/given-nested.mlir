// What an analysis says of nested arenas: which of them each iteration of a loop allocates. The plan of its attributes is
// the same.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module analyse-only=true})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module})' > %t.once
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module analyse-only=true},\
// RUN:   memplan-merge-alloc{scope=module})' | diff %t.once -

// CHECK: func.call @g
// CHECK-SAME: {memplan.each_iteration = array<i64: 1, 1>, memplan.nested_offsets = array<i64: 0, 0>}
func.func @f(%x: memref<64xf32>, %y: memref<64xf32, 7>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @g(%x, %y) : (memref<64xf32>, memref<64xf32, 7>) -> ()
    %a = memref.alloc() : memref<256xf32>
    %z = arith.constant 1.0 : f32
    linalg.fill ins(%z : f32) outs(%a : memref<256xf32>)
    %r = memref.load %a[%i] : memref<256xf32>
    memref.store %r, %x[%c0] : memref<64xf32>
    func.call @h(%x) : (memref<64xf32>) -> ()
  }
  return
}
func.func private @g(%x: memref<64xf32>, %y: memref<64xf32, 7>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32, 7>
  linalg.transpose ins(%x : memref<64xf32>) outs(%a : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%x : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%y : memref<64xf32, 7>) outs(%b : memref<64xf32, 7>) permutation = [0]
  linalg.transpose ins(%b : memref<64xf32, 7>) outs(%y : memref<64xf32, 7>) permutation = [0]
  return
}
func.func @h(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<512xf32>
  %z = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  linalg.fill ins(%z : f32) outs(%a : memref<512xf32>)
  %r = memref.load %a[%c0] : memref<512xf32>
  memref.store %r, %x[%c0] : memref<64xf32>
  return
}
