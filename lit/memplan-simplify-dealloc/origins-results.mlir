// Which results of one call may be the same memory.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-simplify-dealloc)' \
// RUN:   | FileCheck %s

func.func private @use(memref<8xf32>)

// 1. Of three results the last may be either of the others, by a select or by paths: each of these is compared with
// it, and not with the other. A memref that is the same on all paths is compared with that alone.
func.func private @selects(%c: i1) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  return %a, %b, %s : memref<8xf32>, memref<8xf32>, memref<8xf32>
}
func.func private @returns_twice(%c: i1) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^one, ^other
^one:
  return %a, %b, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>
^other:
  return %a, %b, %b : memref<8xf32>, memref<8xf32>, memref<8xf32>
}
func.func private @returns_pair(%c: i1) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  return %a, %b, %b : memref<8xf32>, memref<8xf32>, memref<8xf32>
}
// CHECK-LABEL: @either_of_two
// CHECK: %[[R:.*]]:3 = call @selects
// CHECK: bufferization.dealloc (%[[R]]#0, %[[R]]#1, %[[R]]#2 : memref<8xf32>, memref<8xf32>, memref<8xf32>) if (
func.func @either_of_two(%c: i1) {
  %r:3 = func.call @selects(%c) : (i1) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>)
  func.call @use(%r#2) : (memref<8xf32>) -> ()
  bufferization.dealloc (%r#0, %r#1, %r#2 : memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %c)
  return
}
// CHECK-LABEL: @either_by_paths
// CHECK: %[[R:.*]]:3 = call @returns_twice
// CHECK: %[[K:.*]] = bufferization.dealloc (%[[R]]#1 : memref<8xf32>) if (%{{.*}}) retain (%[[R]]#2 : memref<8xf32>)
// CHECK: %[[L:.*]] = bufferization.dealloc (%[[R]]#0 : memref<8xf32>) if (%{{.*}}) retain (%[[R]]#2 : memref<8xf32>)
func.func @either_by_paths(%c: i1) -> (i1, i1) {
  %r:3 = func.call @returns_twice(%c) : (i1) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>)
  %k = bufferization.dealloc (%r#1 : memref<8xf32>) if (%c) retain (%r#2 : memref<8xf32>)
  %l = bufferization.dealloc (%r#0 : memref<8xf32>) if (%c) retain (%r#2 : memref<8xf32>)
  func.call @use(%r#2) : (memref<8xf32>) -> ()
  return %k, %l : i1, i1
}
// CHECK-LABEL: @apart_and_a_pair
// CHECK: %[[R:.*]]:3 = call @returns_pair
// CHECK: bufferization.dealloc (%[[R]]#0 : memref<8xf32>) if (%{{.*}}){{$}}
// CHECK: bufferization.dealloc (%[[R]]#1 : memref<8xf32>) if (%{{.*}}) retain (%[[R]]#2 : memref<8xf32>)
func.func @apart_and_a_pair(%c: i1) -> (i1, i1) {
  %r:3 = func.call @returns_pair(%c) : (i1) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>)
  %l = bufferization.dealloc (%r#0 : memref<8xf32>) if (%c) retain (%r#2 : memref<8xf32>)
  %k = bufferization.dealloc (%r#1 : memref<8xf32>) if (%c) retain (%r#2 : memref<8xf32>)
  func.call @use(%r#2) : (memref<8xf32>) -> ()
  return %k, %l : i1, i1
}

// 2. Results that a loop or paths swap are never the same memory, in callees of callees, too.
func.func private @swaps(%n: index) -> (memref<8xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    scf.yield %q, %p : memref<8xf32>, memref<8xf32>
  }
  return %r#0, %r#1 : memref<8xf32>, memref<8xf32>
}
func.func private @swaps_by_paths(%n: index, %c: i1) -> (memref<8xf32>, memref<8xf32>) {
  %r:2 = func.call @swaps(%n) : (index) -> (memref<8xf32>, memref<8xf32>)
  cf.cond_br %c, ^one, ^other
^one:
  return %r#0, %r#1 : memref<8xf32>, memref<8xf32>
^other:
  return %r#1, %r#0 : memref<8xf32>, memref<8xf32>
}
// CHECK-LABEL: @swapped_by_callees
// CHECK-COUNT-2: bufferization.dealloc (%{{[0-9a-z#]+}} : memref<8xf32>) if
func.func @swapped_by_callees(%n: index, %c: i1) {
  %r:2 = func.call @swaps_by_paths(%n, %c) : (index, i1) -> (memref<8xf32>, memref<8xf32>)
  bufferization.dealloc (%r#0, %r#1 : memref<8xf32>, memref<8xf32>) if (%c, %c)
  return
}

// 3. The second of three results may be either of the others, which are apart.
func.func private @between(%c: i1) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  return %a, %s, %b : memref<8xf32>, memref<8xf32>, memref<8xf32>
}
// CHECK-LABEL: @either_of_neighbors
// CHECK: %[[R:.*]]:3 = call @between
// CHECK: bufferization.dealloc (%[[R]]#2 : memref<8xf32>) if (%{{.*}}) retain (%[[R]]#1 : memref<8xf32>)
// CHECK: bufferization.dealloc (%[[R]]#2 : memref<8xf32>) if (%{{[a-z0-9]+}}){{$}}
func.func @either_of_neighbors(%c: i1) -> (i1, i1) {
  %r:3 = func.call @between(%c) : (i1) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>)
  %k = bufferization.dealloc (%r#2 : memref<8xf32>) if (%c) retain (%r#1 : memref<8xf32>)
  %l = bufferization.dealloc (%r#2 : memref<8xf32>) if (%c) retain (%r#0 : memref<8xf32>)
  func.call @use(%r#1) : (memref<8xf32>) -> ()
  return %k, %l : i1, i1
}
