// The lowered form of deallocs.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-lower-dealloc)' | FileCheck %s

// 1. Nothing is freed: no value owns memory.
// CHECK-LABEL: @nothing
// CHECK-NEXT: %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT: return %[[FALSE]] : i1
func.func @nothing(%a: memref<8xf32>) -> i1 {
  %r = bufferization.dealloc retain (%a : memref<8xf32>)
  return %r : i1
}

// 2. One memref: always, never, or if its condition holds.
// CHECK-LABEL: @always
// CHECK: memref.dealloc %arg0 : memref<8xf32>
// CHECK-NEXT: return
func.func @always(%a: memref<8xf32>) {
  %true = arith.constant true
  bufferization.dealloc (%a : memref<8xf32>) if (%true)
  return
}
// CHECK-LABEL: @never
// CHECK-NOT: dealloc
// CHECK: return
func.func @never(%a: memref<8xf32>) {
  %false = arith.constant false
  bufferization.dealloc (%a : memref<8xf32>) if (%false)
  return
}
// CHECK-LABEL: @conditional
// CHECK-NEXT: scf.if %arg1 {
// CHECK-NEXT:   memref.dealloc %arg0 : memref<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @conditional(%a: memref<8xf32>, %c: i1) {
  bufferization.dealloc (%a : memref<8xf32>) if (%c)
  return
}

// 3. One memref, and retained ones; a result without uses is not computed. Arguments may be views, so memory is
// identified by the first field of the descriptor.
// CHECK-LABEL: @retained
// CHECK: %[[STACK:.*]] = memref.alloca() {alignment = 16 : i64} : memref<24xi8>
// CHECK: %[[CELL:.*]] = memref.view %[[STACK]]{{.*}} to memref<memref<f32>>
// CHECK: %[[WORD:.*]] = memref.view %[[STACK]]{{.*}} to memref<index>
// CHECK: memref.store %{{.*}}, %[[CELL]][] : memref<memref<f32>>
// CHECK: %[[A:.*]] = memref.load %[[WORD]][] : memref<index>
// CHECK: memref.reinterpret_cast %arg1 to offset: [0], sizes: [], strides: [] : memref<?xf32, strided<[?], offset: ?>> to memref<f32>
// CHECK: %[[B:.*]] = memref.load %[[WORD]][] : memref<index>
// CHECK: memref.reinterpret_cast %arg2 to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32>
// CHECK: %[[U:.*]] = memref.load %[[WORD]][] : memref<index>
// CHECK: %[[IS_B:.*]] = arith.cmpi eq, %[[A]], %[[B]] : index
// CHECK: %[[OWNS:.*]] = arith.andi %[[IS_B]], %arg3 : i1
// CHECK: %[[IS_U:.*]] = arith.cmpi eq, %[[A]], %[[U]] : index
// CHECK: %[[KEPT:.*]] = arith.ori %[[IS_B]], %[[IS_U]] : i1
// CHECK-NOT: arith.andi %[[IS_U]]
// CHECK: %[[NOT:.*]] = arith.xori %[[KEPT]], %true
// CHECK: %[[FREE:.*]] = arith.andi %arg3, %[[NOT]] : i1
// CHECK: scf.if %[[FREE]] {
// CHECK-NEXT: memref.dealloc %arg0
// CHECK: return %[[OWNS]] : i1
func.func @retained(%a: memref<8xf32>, %b: memref<?xf32, strided<[?], offset: ?>>, %u: memref<*xf32>, %c: i1) -> i1 {
  %r:2 = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%b, %u : memref<?xf32, strided<[?], offset: ?>>, memref<*xf32>)
  return %r#0 : i1
}

// 4. Where all starts where it was allocated, addresses of data are enough.
// CHECK-LABEL: @addresses
// CHECK-NOT: memref.alloca
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: return
func.func @addresses(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  %t = arith.select %d, %a, %b : memref<8xf32>
  bufferization.dealloc (%s, %t : memref<8xf32>, memref<8xf32>) if (%c, %d)
  return
}

// 5. Not where a view that starts elsewhere is among them, unless what it is a view of can be named.
// CHECK-LABEL: @moved
// CHECK-NOT: memref.extract_aligned_pointer_as_index
// CHECK: memref<memref<i8>>
// CHECK-LABEL: @moved_here
// CHECK-NOT: memref<memref
// CHECK: memref.extract_aligned_pointer_as_index %[[S:.*]] : memref<64xi8>
// CHECK: memref.extract_aligned_pointer_as_index %[[A:.*]] : memref<64xi8>
// CHECK: memref.dealloc %[[S]] : memref<64xi8>
// CHECK: memref.dealloc %[[A]] : memref<64xi8>
func.func @moved(%c: i1, %d: i1) {
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %v = memref.view %a[%c8][] : memref<64xi8> to memref<32xi8>
  %w = memref.view %b[%c8][] : memref<64xi8> to memref<32xi8>
  %s = arith.select %c, %v, %w : memref<32xi8>
  bufferization.dealloc (%s, %a : memref<32xi8>, memref<64xi8>) if (%c, %d)
  return
}
func.func @moved_here(%c: i1, %d: i1) {
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %s = arith.select %c, %a, %b : memref<64xi8>
  %v = memref.view %s[%c8][] : memref<64xi8> to memref<32xi8>
  bufferization.dealloc (%v, %a : memref<32xi8>, memref<64xi8>) if (%c, %d)
  return
}

// 6. Several memrefs: what an alias before it freed is done, what it only might have freed is not.
// CHECK-LABEL: @several
// CHECK: %[[SAME:.*]] = arith.cmpi eq
// CHECK: %[[DONE:.*]] = arith.andi %[[SAME]], %arg2 : i1
// CHECK: %[[NOT:.*]] = arith.xori %[[DONE]], %true
// CHECK: %[[FREE:.*]] = arith.andi %arg3, %[[NOT]] : i1
// CHECK: scf.if %arg2 {
// CHECK-NEXT: memref.dealloc %arg0
// CHECK: scf.if %[[FREE]] {
// CHECK-NEXT: memref.dealloc %arg1
func.func @several(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %d: i1) {
  bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%c, %d)
  return
}

// 7. Memory of gpu.alloc is freed by gpu.dealloc, also through blocks.
// CHECK-LABEL: @gpu
// CHECK: ^bb1(%[[P:.*]]: memref<8xf32>):
// CHECK: gpu.dealloc %[[P]] : memref<8xf32>
func.func @gpu(%c: i1) {
  %a = gpu.alloc() : memref<8xf32>
  cf.br ^bb1(%a : memref<8xf32>)
^bb1(%p: memref<8xf32>):
  bufferization.dealloc (%p : memref<8xf32>) if (%c)
  return
}

// 8. Unreachable code is lowered, too.
// CHECK-LABEL: @unreachable
// CHECK-NOT: bufferization.dealloc
// CHECK: return
// CHECK: ^bb1
// CHECK: scf.if
// CHECK: }
func.func @unreachable(%a: memref<8xf32>, %c: i1) {
  return
^bb1:
  bufferization.dealloc (%a : memref<8xf32>) if (%c)
  return
}

// 9. Memrefs that are known to be the same or different are not compared at run time.
// CHECK-LABEL: func.func @known(
// CHECK-NOT:     arith.cmpi
// CHECK:         memref.dealloc
// CHECK-NOT:     arith.cmpi
// CHECK:         memref.dealloc
// CHECK-NEXT:    return
func.func @known(%c: i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  bufferization.dealloc (%a, %b, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%true, %true, %c)
  return
}
