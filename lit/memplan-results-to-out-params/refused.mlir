// Results that stay results.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-results-to-out-params)' \
// RUN:   | FileCheck %s

// 1. Of functions that others may call, or that have donated arguments.
// CHECK-NOT: memplan.noalias
func.func @public(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func private @named(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func private @from_c(%x: memref<8xf32>) -> memref<8xf32> attributes {llvm.emit_c_interface} {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func private @donated(%x: memref<8xf32> {memplan.donated}) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func private @declared(%x: memref<8xf32>) -> memref<8xf32>
func.func @calls(%x: memref<8xf32>) -> ((memref<8xf32>) -> memref<8xf32>) {
  %a = call @public(%x) : (memref<8xf32>) -> memref<8xf32>
  %b = call @named(%x) : (memref<8xf32>) -> memref<8xf32>
  %c = call @from_c(%x) : (memref<8xf32>) -> memref<8xf32>
  %d = call @declared(%x) : (memref<8xf32>) -> memref<8xf32>
  %e = call @donated(%c) : (memref<8xf32>) -> memref<8xf32>
  %f = constant @named : (memref<8xf32>) -> memref<8xf32>
  return %f : (memref<8xf32>) -> memref<8xf32>
}

// -----

// 2. An argument; one of two buffers; one buffer twice; part of one; of dynamic size; merged; stored; asserted; kept.
// CHECK-NOT: memplan.noalias
func.func private @argument(%x: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
func.func private @one_of_two(%x: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  cf.cond_br %c, ^one, ^other
^one:
  return %r : memref<8xf32>
^other:
  %s = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%s : memref<8xf32>)
  return %s : memref<8xf32>
}
func.func private @twice(%x: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r, %r : memref<8xf32>, memref<8xf32>
}
func.func private @part(%x: memref<8xf32>) -> memref<4xf32, strided<[1]>> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  %s = memref.subview %r[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  return %s : memref<4xf32, strided<[1]>>
}
func.func private @dynamic(%n: index, %z: f32) -> memref<?xf32> {
  %r = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}
func.func private @merged(%x: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %r, %x : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%s : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func private @stored(%x: memref<8xf32>, %cell: memref<memref<8xf32>>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  memref.store %r, %cell[] : memref<memref<8xf32>>
  return %r : memref<8xf32>
}
func.func private @asserted(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  %s = memref.assume_alignment %r, 256 : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%s : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func private @kept(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() {memplan.keep} : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func @others(%x: memref<8xf32>, %c: i1, %n: index, %z: f32, %cell: memref<memref<8xf32>>) {
  %a = call @argument(%x) : (memref<8xf32>) -> memref<8xf32>
  %b = call @one_of_two(%x, %c) : (memref<8xf32>, i1) -> memref<8xf32>
  %d:2 = call @twice(%x) : (memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
  %e = call @part(%x) : (memref<8xf32>) -> memref<4xf32, strided<[1]>>
  %f = call @dynamic(%n, %z) : (index, f32) -> memref<?xf32>
  %g = call @merged(%x, %c) : (memref<8xf32>, i1) -> memref<8xf32>
  %h = call @stored(%x, %cell) : (memref<8xf32>, memref<memref<8xf32>>) -> memref<8xf32>
  %i = call @asserted(%x) : (memref<8xf32>) -> memref<8xf32>
  %j = call @kept(%x) : (memref<8xf32>) -> memref<8xf32>
  return
}

// -----

// 3. The function would hold more at its peak: %t is larger than the result, and dead before it.
// CHECK-NOT: memplan.noalias
func.func private @larger(%z: f32, %y: memref<64xf32>) -> memref<8xf32> {
  %t = memref.alloc() : memref<64xf32>
  linalg.fill ins(%z : f32) outs(%t : memref<64xf32>)
  linalg.add ins(%t, %y : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func @call_larger(%z: f32, %y: memref<64xf32>) -> memref<8xf32> {
  %r = call @larger(%z, %y) : (f32, memref<64xf32>) -> memref<8xf32>
  return %r : memref<8xf32>
}

// -----

// 4. It is not known how much a call before the allocation holds.
// CHECK-NOT: memplan.noalias
func.func private @after_call(%f: () -> (), %z: f32) -> memref<8xf32> {
  call_indirect %f() : () -> ()
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func @call_after(%f: () -> (), %z: f32) -> memref<8xf32> {
  %r = call @after_call(%f, %z) : (() -> (), f32) -> memref<8xf32>
  return %r : memref<8xf32>
}
