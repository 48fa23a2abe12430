// The allocations that a memref may come from: through views, branches, loops and memory.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-simplify-dealloc)' \
// RUN:   | FileCheck %s

func.func private @use(memref<8xf32>)

// 1. A view is replaced by its base.
// CHECK-LABEL: @views
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<64xi8>
// CHECK-NEXT: bufferization.dealloc (%[[A]] : memref<64xi8>) if
func.func @views(%a: memref<64xi8>, %c: i1, %n: index) {
  %v = memref.view %a[%n][] : memref<64xi8> to memref<8xf32>
  %w = memref.cast %v : memref<8xf32> to memref<*xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %v : memref<8xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%base, %w : memref<f32>, memref<*xf32>) if (%c, %c)
  return
}

// 2. A block argument is each of its operands.
// CHECK-LABEL: @block
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1
// CHECK: return %[[C]] : i1
func.func @block(%c: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^bb1(%a : memref<8xf32>), ^bb1(%a : memref<8xf32>)
^bb1(%p: memref<8xf32>):
  func.call @use(%p) : (memref<8xf32>) -> ()
  %r = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%p : memref<8xf32>)
  return %r : i1
}

// 3. One of two, and a third.
// CHECK-LABEL: @branch
// CHECK: bufferization.dealloc (%{{.*}} : memref<8xf32>) if (%{{.*}}){{$}}
// CHECK: return %false
func.func @branch(%c: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  %p = scf.if %c -> (memref<8xf32>) {
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %b : memref<8xf32>
  }
  func.call @use(%p) : (memref<8xf32>) -> ()
  func.call @use(%d) : (memref<8xf32>) -> ()
  %r = bufferization.dealloc (%d : memref<8xf32>) if (%c) retain (%p : memref<8xf32>)
  return %r : i1
}

// 4. Memory that is allocated in a loop is none that the loop carries, though the iteration before allocated that.
// CHECK-LABEL: @iteration
// CHECK: scf.for
// CHECK: bufferization.dealloc (%{{.*}} : memref<8xf32>) if (%{{.*}}){{$}}
// CHECK: scf.yield
func.func @iteration(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<8xf32>) {
    %t = memref.alloc() : memref<8xf32>
    func.call @use(%t) : (memref<8xf32>) -> ()
    %s = bufferization.dealloc (%p : memref<8xf32>) if (%true) retain (%t : memref<8xf32>)
    scf.yield %t : memref<8xf32>
  }
  bufferization.dealloc (%r : memref<8xf32>) if (%true)
  return
}

// 5. Two that a loop swaps stay apart.
// CHECK-LABEL: @swapped
// CHECK-COUNT-2: bufferization.dealloc (%{{[0-9a-z#]+}} : memref<8xf32>) if
func.func @swapped(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    func.call @use(%p) : (memref<8xf32>) -> ()
    scf.yield %q, %p : memref<8xf32>, memref<8xf32>
  }
  bufferization.dealloc (%r#0, %r#1 : memref<8xf32>, memref<8xf32>) if (%c, %c)
  return
}

// 6. A loaded memref may be one that was stored in some memory, and no other allocation of this function.
// CHECK-LABEL: @loaded
// CHECK: %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK: %[[B:.*]] = memref.alloc() : memref<8xf32>
// CHECK: %[[L:.*]] = memref.load
// CHECK-DAG: bufferization.dealloc (%[[A]] : memref<8xf32>) if (%{{.*}}) retain (%[[L]] : memref<8xf32>)
// CHECK-DAG: bufferization.dealloc (%[[B]] : memref<8xf32>) if (%{{[a-z0-9]+}}){{$}}
func.func @loaded(%m: memref<memref<8xf32>>, %c: i1) -> (i1, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.store %a, %m[] : memref<memref<8xf32>>
  %l = memref.load %m[] : memref<memref<8xf32>>
  %r = bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%c, %c) retain (%l : memref<8xf32>)
  return %r, %l : i1, memref<8xf32>
}

// 7. A memref that is hidden in a value of another type may come back.
// CHECK-LABEL: @hidden
// CHECK: bufferization.dealloc (%{{.*}} : memref<8xf32>) if (%{{.*}}) retain (%{{.*}} : memref<8xf32>)
func.func @hidden(%c: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  %p = builtin.unrealized_conversion_cast %a : memref<8xf32> to !llvm.ptr
  %b = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<8xf32>
  %r = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%b : memref<8xf32>)
  return %r : i1
}

// 8. Regions of what does not say when they run.
// CHECK-LABEL: @region
// CHECK: bufferization.dealloc (%{{.*}} : memref<8xf32>) if (%{{.*}}) retain (%{{.*}} : memref<8xf32>)
func.func @region(%c: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  %b = "test.region"() ({
    "test.end"(%a) : (memref<8xf32>) -> ()
  }) : () -> memref<8xf32>
  %r = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%b : memref<8xf32>)
  return %r : i1
}
