// Private functions that say of each memref that they return whether the caller becomes its owner.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership})' \
// RUN:   | FileCheck %s
// A second run changes nothing, with or without the option.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership})' \
// RUN:   -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership})' \
// RUN:   | diff %t.once.mlir -
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. An argument that is returned is the caller's still: no copy, and nothing to free for the result.
// CHECK-LABEL: func private @argument(
// CHECK-SAME:    -> (memref<8xf32>, i1) attributes {memplan.owned_results} {
// CHECK-NEXT:    %[[NO:.*]] = arith.constant false
// CHECK-NEXT:    return %{{.*}}, %[[NO]] : memref<8xf32>, i1
func.func private @argument(%a: memref<8xf32>) -> memref<8xf32> {
  return %a : memref<8xf32>
}

// CHECK-LABEL: func @argument_used(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    %[[R:.*]]:2 = call @argument(%[[A]]) {memplan.owned_results} : (memref<8xf32>) -> (memref<8xf32>, i1)
// CHECK-NEXT:    memref.store %{{.*}}, %[[R]]#0
// CHECK-NEXT:    %[[V:.*]] = memref.load %[[A]]
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return %[[V]]
func.func @argument_used(%x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  %r = call @argument(%a) : (memref<8xf32>) -> memref<8xf32>
  memref.store %x, %r[%i] : memref<8xf32>
  %v = memref.load %a[%i] : memref<8xf32>
  return %v : f32
}

// 2. A result that is always new is freed without a flag.
// CHECK-LABEL: func private @new(
// CHECK:         return %{{.*}}, %true : memref<8xf32>, i1
func.func private @new() -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  return %a : memref<8xf32>
}

// CHECK-LABEL: func @new_used(
// CHECK-NEXT:    %[[R:.*]]:2 = call @new()
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc %[[R]]#0
func.func @new_used(%i: index) -> f32 {
  %r = call @new() : () -> memref<8xf32>
  %v = memref.load %r[%i] : memref<8xf32>
  return %v : f32
}

// 3. One or the other: the caller takes the flag, and the argument lives as long as the result. Other results come
// before the flags.
// CHECK-LABEL: func private @either(
// CHECK-SAME:    -> (memref<8xf32>, f32, i1)
// CHECK:         %[[N:.*]] = memref.alloc()
// CHECK-NEXT:    %[[S:.*]] = arith.select
// CHECK-NEXT:    %[[F:.*]] = bufferization.dealloc (%[[N]] : memref<8xf32>) if (%true) retain (%[[S]] : memref<8xf32>)
// CHECK-NEXT:    return %[[S]], %{{.*}}, %[[F]]
func.func private @either(%a: memref<8xf32>, %c: i1, %x: f32) -> (memref<8xf32>, f32) {
  %n = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %n : memref<8xf32>
  return %s, %x : memref<8xf32>, f32
}

// CHECK-LABEL: func @either_used(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    %[[R:.*]]:3 = call @either(%[[A]]
// CHECK-NEXT:    memref.load %[[R]]#0
// CHECK-DAG:     memref.dealloc %[[A]]
// CHECK-DAG:     bufferization.dealloc (%[[R]]#0 : memref<8xf32>) if (%[[R]]#2)
// CHECK:         return
func.func @either_used(%c: i1, %x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  %r:2 = call @either(%a, %c, %x) : (memref<8xf32>, i1, f32) -> (memref<8xf32>, f32)
  %v = memref.load %r#0[%i] : memref<8xf32>
  return %v : f32
}

// 4. One buffer twice: exactly one result owns it.
// CHECK-LABEL: func private @twice(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    return %[[A]], %[[A]], %true, %false
func.func private @twice() -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  return %a, %a : memref<8xf32>, memref<8xf32>
}

// CHECK-LABEL: func @twice_used(
// CHECK:         %[[R:.*]]:4 = call @twice()
// CHECK-NEXT:    memref.load %[[R]]#0
// CHECK-NEXT:    memref.load %[[R]]#1
// CHECK-NEXT:    memref.dealloc %[[R]]#0
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @twice_used(%i: index) -> f32 {
  %r:2 = call @twice() : () -> (memref<8xf32>, memref<8xf32>)
  %v = memref.load %r#0[%i] : memref<8xf32>
  %w = memref.load %r#1[%i] : memref<8xf32>
  %s = arith.addf %v, %w : f32
  return %s : f32
}

// 5. Functions that call each other: what comes back is new or the argument.
// CHECK-LABEL: func private @even(
// CHECK-SAME:    -> (memref<8xf32>, i1)
// CHECK:         scf.yield %{{.*}}, %false : memref<8xf32>, i1
// CHECK:         func.call @odd(%{{.*}}) {memplan.owned_results} : (memref<8xf32>, index) -> (memref<8xf32>, i1)
func.func private @even(%a: memref<8xf32>, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> memref<8xf32> {
    scf.yield %a : memref<8xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %q = func.call @odd(%a, %m) : (memref<8xf32>, index) -> memref<8xf32>
    scf.yield %q : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// CHECK-LABEL: func private @odd(
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK:         %[[Q:.*]]:2 = call @even(%[[B]]
// CHECK-NEXT:    %[[F:.*]] = bufferization.dealloc (%[[B]] : memref<8xf32>) if (%true) retain (%[[Q]]#0 : memref<8xf32>)
// CHECK-NEXT:    %[[G:.*]] = arith.ori %[[F]], %[[Q]]#1
// CHECK-NEXT:    return %[[Q]]#0, %[[G]]
func.func private @odd(%a: memref<8xf32>, %n: index) -> memref<8xf32> {
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %q = call @even(%b, %n) : (memref<8xf32>, index) -> memref<8xf32>
  return %q : memref<8xf32>
}

// 6. The rules hold for functions whose address is taken, that are called from where nothing changes, that are only
// declared, or that are public.
// CHECK-LABEL: func private @taken(
// CHECK-SAME:    -> memref<8xf32> {
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    memref.copy
func.func private @taken(%a: memref<8xf32>) -> memref<8xf32> {
  return %a : memref<8xf32>
}

// CHECK-LABEL: func @takes(
// CHECK:         call_indirect {{.*}} : (memref<8xf32>) -> memref<8xf32>
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    call @taken({{.*}} : (memref<8xf32>) -> memref<8xf32>
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    call @declared({{.*}} : (memref<8xf32>) -> memref<8xf32>
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    call @public({{.*}} : (memref<8xf32>) -> memref<8xf32>
// CHECK-NEXT:    memref.dealloc
func.func @takes(%a: memref<8xf32>) {
  %f = constant @taken : (memref<8xf32>) -> memref<8xf32>
  %0 = call_indirect %f(%a) : (memref<8xf32>) -> memref<8xf32>
  %1 = call @taken(%a) : (memref<8xf32>) -> memref<8xf32>
  %2 = call @declared(%a) : (memref<8xf32>) -> memref<8xf32>
  %3 = call @public(%a) : (memref<8xf32>) -> memref<8xf32>
  return
}
func.func private @declared(memref<8xf32>) -> memref<8xf32>

// CHECK-LABEL: func @public(
// CHECK-SAME:    -> memref<8xf32> {
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    memref.copy
func.func @public(%a: memref<8xf32>) -> memref<8xf32> {
  return %a : memref<8xf32>
}

// CHECK-LABEL: func private @called_from_done(
// CHECK-SAME:    -> memref<8xf32> {
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    memref.copy
func.func private @called_from_done(%a: memref<8xf32>) -> memref<8xf32> {
  return %a : memref<8xf32>
}

// CHECK-LABEL: func @done(
// CHECK:         call @called_from_done({{.*}} : (memref<8xf32>) -> memref<8xf32>
func.func @done(%a: memref<8xf32>) {
  %true = arith.constant true
  %0 = call @called_from_done(%a) : (memref<8xf32>) -> memref<8xf32>
  bufferization.dealloc (%0 : memref<8xf32>) if (%true)
  return
}

// 7. Attributes of results stay with theirs.
// CHECK-LABEL: func private @attributes(
// CHECK-SAME:    -> (memref<8xf32> {test.attribute}, i1)
func.func private @attributes(%a: memref<8xf32>) -> (memref<8xf32> {test.attribute}) {
  return %a : memref<8xf32>
}

// 8. A call in a loop: the old buffer goes where the flag holds.
// CHECK-LABEL: func @loop(
// CHECK:         scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[F:.*]] = %{{.*}}) -> (memref<8xf32>, i1)
// CHECK:           %[[R:.*]]:3 = func.call @either(%[[P]]
// CHECK:           scf.yield
func.func @loop(%c: i1, %x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<8xf32>) {
    %q:2 = func.call @either(%p, %c, %x) : (memref<8xf32>, i1, f32) -> (memref<8xf32>, f32)
    scf.yield %q#0 : memref<8xf32>
  }
  %v = memref.load %r[%c0] : memref<8xf32>
  return %v : f32
}

// 9. Callers of any kind.
gpu.module @device {
  // CHECK-LABEL: func private @on_device(
  // CHECK-SAME:    -> (memref<8xf32>, i1)
  func.func private @on_device(%a: memref<8xf32>) -> memref<8xf32> {
    return %a : memref<8xf32>
  }
  // CHECK-LABEL: gpu.func @kernel(
  // CHECK-NEXT:    call @on_device({{.*}}) {memplan.owned_results} : (memref<8xf32>) -> (memref<8xf32>, i1)
  // CHECK-NOT:     dealloc
  // CHECK:         gpu.return
  gpu.func @kernel(%a: memref<8xf32>, %i: index, %x: f32) kernel {
    %r = func.call @on_device(%a) : (memref<8xf32>) -> memref<8xf32>
    memref.store %x, %r[%i] : memref<8xf32>
    gpu.return
  }
}

// 10. Never returns: there is nothing to say.
// CHECK-LABEL: func private @endless(
// CHECK-SAME:    -> memref<8xf32>
func.func private @endless() -> memref<8xf32> {
  cf.br ^bb1
^bb1:
  cf.br ^bb1
}

// CHECK-LABEL: func @calls_endless(
// CHECK-NEXT:    call @endless() : () -> memref<8xf32>
func.func @calls_endless() {
  %r = call @endless() : () -> memref<8xf32>
  return
}
