// Effects of operations on memrefs, where no interface gives them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-simplify-dealloc)' | FileCheck %s

func.func private @use(memref<8xf32>)

// 1. A transposed memref is the same memory.
// CHECK-LABEL: @transpose
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1
// CHECK-NEXT: return %[[C]] : i1
func.func @transpose(%a: memref<4x4xf32>, %c: i1) -> i1 {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  %r = bufferization.dealloc (%a : memref<4x4xf32>) if (%c) retain (%t : memref<4x4xf32, strided<[1, 4]>>)
  return %r : i1
}

// 2. affine.load from memory of memrefs returns a stored memref: not that memory, nor an allocation that does not
// escape.
// CHECK-LABEL: @affine_load
// CHECK-NOT: retain
// CHECK: return %false
func.func @affine_load(%c: i1, %x: memref<8xf32>) -> i1 {
  %nested = memref.alloc() : memref<1xmemref<8xf32>>
  %a = memref.alloc() : memref<8xf32>
  affine.store %x, %nested[0] : memref<1xmemref<8xf32>>
  %l = affine.load %nested[0] : memref<1xmemref<8xf32>>
  func.call @use(%l) : (memref<8xf32>) -> ()
  %r = bufferization.dealloc (%nested, %a : memref<1xmemref<8xf32>>, memref<8xf32>) if (%c, %c) retain (%l : memref<8xf32>)
  return %r : i1
}

// 3. A token is no memory: what an asynchronous operation uses is not known elsewhere.
// CHECK-LABEL: @token
// CHECK-NOT: retain
// CHECK: return %false
func.func @token(%c: i1, %x: memref<8xf32>, %nested: memref<memref<8xf32>>) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<8xf32>, memref<8xf32>
  gpu.wait [%t1]
  %l = memref.load %nested[] : memref<memref<8xf32>>
  %r = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%l : memref<8xf32>)
  return %r : i1
}

// 4. A memref that is stored in memory of memrefs may be loaded from there, whichever operations do it.
// CHECK-LABEL: @affine_store
// CHECK: retain
// CHECK-NOT: return %false
func.func @affine_store(%c: i1, %nested: memref<1xmemref<8xf32>>, %i: index) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  affine.store %a, %nested[0] : memref<1xmemref<8xf32>>
  %l = memref.load %nested[%i] : memref<1xmemref<8xf32>>
  %r = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%l : memref<8xf32>)
  return %r : i1
}

// 5. A callee that is not there may return what it is given.
// CHECK-LABEL: @declared
// CHECK: bufferization.dealloc (%[[A:.*]] : memref<8xf32>) if (%{{.*}}) retain (%{{.*}} : memref<8xf32>)
// CHECK-NOT: return %false
func.func private @id(memref<8xf32>) -> memref<8xf32>
func.func @declared(%c: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  %l = func.call @id(%a) : (memref<8xf32>) -> memref<8xf32>
  %r = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%l : memref<8xf32>)
  return %r : i1
}

// 6. An operation that writes to memory that it does not name among its operands may store them there, and another one
// may load them.
// CHECK-LABEL: @somewhere
// CHECK: bufferization.dealloc (%{{.*}} : memref<8xf32>) if (%{{.*}}) retain (%{{.*}} : memref<8xf32>)
// CHECK-NOT: return %false
ml_program.global private mutable @cell : memref<8xf32>
func.func @somewhere(%c: i1, %nested: memref<memref<8xf32>>) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  ml_program.global_store @cell = %a : memref<8xf32>
  %l = memref.load %nested[] : memref<memref<8xf32>>
  %r = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%l : memref<8xf32>)
  return %r : i1
}
