// The allocations that a memref may come from: through callees.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-simplify-dealloc)' \
// RUN:   | FileCheck %s
// On functions, nothing is known of others.
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-simplify-dealloc))' \
// RUN:   | FileCheck %s --check-prefix=ALONE

func.func private @use(memref<8xf32>)
func.func private @make() -> memref<8xf32>

// 1. A call of an unknown function may return its argument, or memory that escaped before; not memory that is
// allocated later.
// CHECK-LABEL: @unknown
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[R:.*]] = call @make
// CHECK: %[[B:.*]] = memref.alloc
// CHECK-DAG: bufferization.dealloc (%[[A]] : memref<8xf32>) if (%{{.*}}) retain (%[[R]] : memref<8xf32>)
// CHECK-DAG: bufferization.dealloc (%[[B]] : memref<8xf32>) if (%{{[a-z0-9]+}}){{$}}
func.func @unknown(%c: i1) -> (i1, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  func.call @use(%a) : (memref<8xf32>) -> ()
  %r = func.call @make() : () -> memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  func.call @use(%b) : (memref<8xf32>) -> ()
  %s = bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%c, %c) retain (%r : memref<8xf32>)
  return %s, %r : i1, memref<8xf32>
}

// 2. Callees that return an argument, or one of two, or new memory; one that captures its argument.
func.func private @first(%a: memref<8xf32>, %b: memref<8xf32>) -> memref<8xf32> {
  %v = memref.cast %a : memref<8xf32> to memref<8xf32>
  return %v : memref<8xf32>
}
func.func private @either(%c: i1, %a: memref<8xf32>, %b: memref<8xf32>) -> memref<8xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : memref<8xf32>
^bb2:
  %r = func.call @first(%b, %a) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  return %r : memref<8xf32>
}
func.func private @two(%x: f32) -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  return %a, %b : memref<8xf32>, memref<8xf32>
}
func.func private @twice(%x: f32) -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  return %a, %a : memref<8xf32>, memref<8xf32>
}
func.func private @keep(%a: memref<8xf32>, %m: memref<memref<8xf32>>) {
  memref.store %a, %m[] : memref<memref<8xf32>>
  return
}

// CHECK-LABEL: @calls
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[D:.*]] = memref.alloc
// CHECK: %[[E:.*]] = call @either
// The first one is what it was given; the third one is none of two.
// CHECK-DAG: bufferization.dealloc (%[[A]] : memref<8xf32>) if (%[[C]]) retain (%[[E]] : memref<8xf32>)
// CHECK-DAG: bufferization.dealloc (%[[D]] : memref<8xf32>) if (%[[C]]){{$}}
// ALONE-LABEL: @calls
// ALONE: bufferization.dealloc (%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} : memref<8xf32>
func.func @calls(%c: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  memref.copy %a, %d : memref<8xf32> to memref<8xf32>
  %f = func.call @first(%a, %d) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  %e = func.call @either(%c, %a, %b) : (i1, memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  memref.copy %e, %d : memref<8xf32> to memref<8xf32>
  %r = bufferization.dealloc (%f, %a, %d : memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %c) retain (%e : memref<8xf32>)
  return %r : i1
}

// CHECK-LABEL: @results
// CHECK: %[[P:.*]]:2 = call @two
// CHECK: %[[Q:.*]]:2 = call @twice
// CHECK-DAG: bufferization.dealloc (%[[P]]#0 : memref<8xf32>) if
// CHECK-DAG: bufferization.dealloc (%[[P]]#1 : memref<8xf32>) if
// CHECK-DAG: bufferization.dealloc (%[[Q]]#0, %[[Q]]#1 : memref<8xf32>, memref<8xf32>) if
func.func @results(%x: f32, %c: i1) {
  %p:2 = func.call @two(%x) : (f32) -> (memref<8xf32>, memref<8xf32>)
  %q:2 = func.call @twice(%x) : (f32) -> (memref<8xf32>, memref<8xf32>)
  bufferization.dealloc (%p#0, %p#1, %q#0, %q#1 : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %c, %c)
  return
}

// CHECK-LABEL: @kept
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[L:.*]] = memref.load
// CHECK-DAG: bufferization.dealloc (%[[A]] : memref<8xf32>) if (%{{.*}}) retain (%[[L]] : memref<8xf32>)
// CHECK-DAG: bufferization.dealloc (%[[B]] : memref<8xf32>) if (%{{[a-z0-9]+}}){{$}}
func.func @kept(%m: memref<memref<8xf32>>, %c: i1) -> (i1, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  func.call @keep(%a, %m) : (memref<8xf32>, memref<memref<8xf32>>) -> ()
  %f = func.call @first(%b, %a) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  memref.copy %a, %f : memref<8xf32> to memref<8xf32>
  %l = memref.load %m[] : memref<memref<8xf32>>
  %r = bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%c, %c) retain (%l : memref<8xf32>)
  return %r, %l : i1, memref<8xf32>
}

// 3. A function that calls itself is looked into together with what it calls: this one returns its argument.
func.func private @again(%c: i1, %a: memref<8xf32>) -> memref<8xf32> {
  %r = scf.if %c -> (memref<8xf32>) {
    %s = func.call @again(%c, %a) : (i1, memref<8xf32>) -> memref<8xf32>
    scf.yield %s : memref<8xf32>
  } else {
    scf.yield %a : memref<8xf32>
  }
  return %r : memref<8xf32>
}
// CHECK-LABEL: @recursive
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1
// CHECK-NOT: bufferization.dealloc
// CHECK: return %[[C]]
func.func @recursive(%c: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  %r = func.call @again(%c, %a) : (i1, memref<8xf32>) -> memref<8xf32>
  %s = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  return %s : i1
}

// 4. The result of a function is new memory where its other return is unreachable.
// CHECK-LABEL: @never_returned
// CHECK: bufferization.dealloc (%{{.*}} : memref<8xf32>) if (%{{.*}}){{$}}
// ALONE-LABEL: @never_returned
// ALONE: bufferization.dealloc (%{{.*}} : memref<8xf32>) if (%{{.*}}) retain (%{{.*}} : memref<8xf32>)
func.func private @returns_nowhere(%a: memref<8xf32>) -> memref<8xf32> {
  %b = memref.alloc() : memref<8xf32>
  return %b : memref<8xf32>
^never:
  return %a : memref<8xf32>
}
func.func @never_returned(%c: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  %r = func.call @returns_nowhere(%a) : (memref<8xf32>) -> memref<8xf32>
  %s = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  func.call @use(%r) : (memref<8xf32>) -> ()
  return %s : i1
}

// 5. New memory that a callee captures may come back by a load, but is no global.
memref.global "private" constant @zeros : memref<8xf32> = dense<0.0>
func.func private @stores_new(%m: memref<memref<8xf32>>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  memref.store %a, %m[] : memref<memref<8xf32>>
  return %a : memref<8xf32>
}
func.func private @gives_global() -> memref<8xf32> {
  %g = memref.get_global @zeros : memref<8xf32>
  return %g : memref<8xf32>
}
func.func private @gives_global_too() -> memref<8xf32> {
  %g = func.call @gives_global() : () -> memref<8xf32>
  return %g : memref<8xf32>
}
// CHECK-LABEL: @captured_by_callee
// CHECK: %[[R:.*]] = call @stores_new
// CHECK: %[[L:.*]] = memref.load
// CHECK: bufferization.dealloc (%[[R]] : memref<8xf32>) if (%{{.*}}) retain (%[[L]] : memref<8xf32>)
// CHECK: bufferization.dealloc (%[[R]] : memref<8xf32>) if (%{{[a-z0-9]+}}){{$}}
func.func @captured_by_callee(%m: memref<memref<8xf32>>, %c: i1) -> (i1, i1) {
  %r = func.call @stores_new(%m) : (memref<memref<8xf32>>) -> memref<8xf32>
  %l = memref.load %m[] : memref<memref<8xf32>>
  %g = func.call @gives_global_too() : () -> memref<8xf32>
  %s = bufferization.dealloc (%r : memref<8xf32>) if (%c) retain (%l : memref<8xf32>)
  %t = bufferization.dealloc (%r : memref<8xf32>) if (%c) retain (%g : memref<8xf32>)
  func.call @use(%l) : (memref<8xf32>) -> ()
  return %s, %t : i1, i1
}

// 6. A result that is borrowed may be an argument, which callers free.
func.func private @returns_borrowed(%a: memref<8xf32>, %b: memref<8xf32>) -> (memref<8xf32> {memplan.borrowed}) {
  return %a : memref<8xf32>
}
func.func private @passes_on(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = func.call @returns_borrowed(%a, %b) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  %s = arith.select %c, %r, %b : memref<8xf32>
  return %s : memref<8xf32>
}
// CHECK-LABEL: @borrowed
// CHECK: bufferization.dealloc (%{{.*}} : memref<8xf32>) if (%{{.*}}) retain (%{{.*}} : memref<8xf32>)
func.func @borrowed(%c: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r = func.call @passes_on(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %s = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  func.call @use(%b) : (memref<8xf32>) -> ()
  return %s : i1
}

// 7. Memory is followed through memrefs of memrefs of a callee; a clone is a copy.
func.func private @through_nested(%a: memref<8xf32>, %b: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %nested = memref.alloca() : memref<memref<8xf32>>
  memref.store %a, %nested[] : memref<memref<8xf32>>
  %l = memref.load %nested[] : memref<memref<8xf32>>
  %k = bufferization.clone %b : memref<8xf32> to memref<8xf32>
  return %l, %k : memref<8xf32>, memref<8xf32>
}
// CHECK-LABEL: @nested_by_callee
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[R:.*]]:2 = call @through_nested
// CHECK: bufferization.dealloc (%[[B]] : memref<8xf32>) if (%{{[a-z0-9]+}}){{$}}
func.func @nested_by_callee(%c: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r:2 = func.call @through_nested(%a, %b) : (memref<8xf32>, memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
  func.call @use(%r#0) : (memref<8xf32>) -> ()
  %s:2 = bufferization.dealloc (%b : memref<8xf32>) if (%c) retain (%r#0, %r#1 : memref<8xf32>, memref<8xf32>)
  return %s#1 : i1
}
