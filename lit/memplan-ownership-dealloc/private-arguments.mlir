// Private functions that return arguments, without an option: nothing is copied where all calls are known.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -verify-diagnostics | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir 2> %t.warnings
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. A result that always is an argument stays the caller's: it is borrowed, and freed as that argument.
// CHECK-LABEL: func private @same(
// CHECK-SAME:    -> (memref<8xf32> {memplan.borrowed}, f32) {
// CHECK-NEXT:    return
func.func private @same(%a: memref<8xf32>, %x: f32) -> (memref<8xf32>, f32) {
  return %a, %x : memref<8xf32>, f32
}

// CHECK-LABEL: func @same_used(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    %[[R:.*]]:2 = call @same(%[[A]]
// CHECK-NEXT:    memref.load %[[R]]#0
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @same_used(%x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  %r:2 = call @same(%a, %x) : (memref<8xf32>, f32) -> (memref<8xf32>, f32)
  %v = memref.load %r#0[%i] : memref<8xf32>
  return %v : f32
}

// 2. The function's own memory that went through such a call is returned without a copy, and freed where the program
// does.
// CHECK-LABEL: func @same_returned(
// CHECK-NEXT:    %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    %[[R:.*]]:2 = call @same(%[[A]]
// CHECK-NEXT:    return %[[R]]#0
func.func @same_returned(%x: f32) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %r:2 = call @same(%a, %x) : (memref<8xf32>, f32) -> (memref<8xf32>, f32)
  return %r#0 : memref<8xf32>
}

// CHECK-LABEL: func @same_freed(
// CHECK-NEXT:    %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    call @same(%[[A]]
// CHECK-NEXT:    memref.dealloc
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @same_freed(%x: f32) {
  %a = memref.alloc() : memref<8xf32>
  %r:2 = call @same(%a, %x) : (memref<8xf32>, f32) -> (memref<8xf32>, f32)
  memref.dealloc %r#0 : memref<8xf32>
  return
}

// 3. One argument or another, and through another such function: both live as long as the result.
// CHECK-LABEL: func private @one_of(
// CHECK-SAME:    -> (memref<8xf32> {memplan.borrowed}) {
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func private @one_of(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %x: f32) -> memref<8xf32> {
  %s = arith.select %c, %a, %b : memref<8xf32>
  %r:2 = call @same(%s, %x) : (memref<8xf32>, f32) -> (memref<8xf32>, f32)
  return %r#0 : memref<8xf32>
}

// CHECK-LABEL: func @one_of_used(
// CHECK:         memref.load
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func @one_of_used(%c: i1, %x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r = call @one_of(%a, %b, %c, %x) : (memref<8xf32>, memref<8xf32>, i1, f32) -> memref<8xf32>
  %v = memref.load %r[%i] : memref<8xf32>
  return %v : f32
}

// 4. The argument, or memory that replaces it: a flag says which.
// CHECK-LABEL: func private @grown(
// CHECK-SAME:    -> (memref<?xf32>, i1) attributes {memplan.owned_results} {
// CHECK-NOT:     memref.copy %{{.*}}, %{{.*}} : memref<?xf32> to memref<?xf32>{{$}}
// CHECK:         return %{{.*}}, %{{.*}} : memref<?xf32>, i1
func.func private @grown(%a: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %d = memref.dim %a, %c0 : memref<?xf32>
  %c = arith.cmpi ult, %d, %n : index
  %r = scf.if %c -> memref<?xf32> {
    %b = memref.alloc(%n) : memref<?xf32>
    %s = memref.subview %b[0] [%d] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
    memref.copy %a, %s : memref<?xf32> to memref<?xf32, strided<[1]>>
    scf.yield %b : memref<?xf32>
  } else {
    scf.yield %a : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// CHECK-LABEL: func @grown_used(
// CHECK:         call @grown({{.*}}) {memplan.owned_results} : (memref<?xf32>, index) -> (memref<?xf32>, i1)
func.func @grown_used(%n: index, %m: index, %i: index) -> f32 {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = call @grown(%a, %m) : (memref<?xf32>, index) -> memref<?xf32>
  %v = memref.load %r[%i] : memref<?xf32>
  return %v : f32
}

// 5. A view that starts elsewhere needs a flag: where it starts goes with that.
// CHECK-LABEL: func private @part(
// CHECK-SAME:    -> (memref<4xf32>, i1) attributes {memplan.owned_results} {
func.func private @part(%a: memref<64xi8>) -> memref<4xf32> {
  %c16 = arith.constant 16 : index
  %v = memref.view %a[%c16][] : memref<64xi8> to memref<4xf32>
  return %v : memref<4xf32>
}

// CHECK-LABEL: func @part_used(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         memref.load
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @part_used(%i: index) -> f32 {
  %a = memref.alloc() : memref<64xi8>
  %r = call @part(%a) : (memref<64xi8>) -> memref<4xf32>
  %v = memref.load %r[%i] : memref<4xf32>
  return %v : f32
}

// 6. Functions that call each other.
// CHECK-LABEL: func private @even(
// CHECK-SAME:    -> (memref<8xf32> {memplan.borrowed}) {
// CHECK-NOT:     memref.copy
// CHECK-LABEL: func private @odd(
// CHECK-SAME:    -> (memref<8xf32> {memplan.borrowed}) {
// CHECK-NOT:     memref.copy
// CHECK-LABEL: func @even_used(
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
func.func private @odd(%a: memref<8xf32>, %n: index) -> memref<8xf32> {
  %q = call @even(%a, %n) : (memref<8xf32>, index) -> memref<8xf32>
  return %q : memref<8xf32>
}
func.func @even_used(%a: memref<8xf32>, %n: index, %i: index) -> f32 {
  %q = call @even(%a, %n) : (memref<8xf32>, index) -> memref<8xf32>
  %v = memref.load %q[%i] : memref<8xf32>
  return %v : f32
}

// 7. The rule holds for what may be memory that is no argument, even if callees return that.
memref.global @table : memref<8xf32>
// CHECK-LABEL: func private @table_or(
// CHECK-SAME:    -> memref<8xf32> {
// CHECK:         memref.copy
func.func private @table_or(%a: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %t = memref.get_global @table : memref<8xf32>
  %s = arith.select %c, %a, %t : memref<8xf32>
  // expected-warning @+1 {{returns memory that the function does not own: the caller receives a copy, and does not see later writes to the original [memplan-W302]}}
  return %s : memref<8xf32>
}
// CHECK-LABEL: func @table_or_used(
// CHECK:         %[[R:.*]] = call @table_or(
// CHECK-NEXT:    memref.load %[[R]]
// CHECK-NEXT:    memref.dealloc %[[R]]
func.func @table_or_used(%a: memref<8xf32>, %c: i1, %i: index) -> f32 {
  %q = call @table_or(%a, %c) : (memref<8xf32>, i1) -> memref<8xf32>
  %v = memref.load %q[%i] : memref<8xf32>
  return %v : f32
}

// 8. It holds for what public functions return, and those whose address is taken.
// CHECK-LABEL: func @public(
// CHECK:         memref.copy
func.func @public(%a: memref<8xf32>) -> memref<8xf32> {
  // expected-warning @+1 {{returns memory that the function does not own: the caller receives a copy, and does not see later writes to the original [memplan-W302]}}
  return %a : memref<8xf32>
}
// CHECK-LABEL: func private @taken(
// CHECK:         memref.copy
func.func private @taken(%a: memref<8xf32>) -> memref<8xf32> {
  // expected-warning @+1 {{returns memory that the function does not own: the caller receives a copy, and does not see later writes to the original [memplan-W302]}}
  return %a : memref<8xf32>
}
func.func @takes(%a: memref<8xf32>, %i: index) -> f32 {
  %f = func.constant @taken : (memref<8xf32>) -> memref<8xf32>
  %r = func.call_indirect %f(%a) : (memref<8xf32>) -> memref<8xf32>
  %q = call @taken(%r) : (memref<8xf32>) -> memref<8xf32>
  %p = call @public(%q) : (memref<8xf32>) -> memref<8xf32>
  %v = memref.load %p[%i] : memref<8xf32>
  return %v : f32
}

// 9. A result that is always new needs no flag; next to a borrowed one it is the caller's.
// CHECK-LABEL: func private @both(
// CHECK-SAME:    -> (memref<8xf32>, memref<8xf32> {memplan.borrowed}) {
// CHECK-NEXT:    %[[N:.*]] = memref.alloc()
// CHECK-NEXT:    return %[[N]], %{{.*}}
func.func private @both(%a: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %n = memref.alloc() : memref<8xf32>
  return %n, %a : memref<8xf32>, memref<8xf32>
}
// CHECK-LABEL: func @both_used(
// CHECK-NEXT:    %[[R:.*]]:2 = call @both(
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc %[[R]]#0
// CHECK-NEXT:    return
func.func @both_used(%a: memref<8xf32>, %i: index) -> f32 {
  %q:2 = call @both(%a) : (memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
  %v = memref.load %q#0[%i] : memref<8xf32>
  return %v : f32
}

// 10. A loop that runs once forwards nothing to itself: memory that would come around does not matter for borrowed
// results.
// CHECK-LABEL: func private @once(
// CHECK-SAME:    -> (memref<8xf32> {memplan.borrowed}) {
// CHECK:         return
func.func private @once(%a: memref<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %r:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a, %y = %a) -> (memref<8xf32>, memref<8xf32>) {
    // expected-warning @+1 {{is not freed: no operation can be inserted where it is dead [memplan-W301]}}
    %new = memref.alloc() : memref<8xf32>
    memref.store %one, %new[%c0] : memref<8xf32>
    scf.yield %new, %x : memref<8xf32>, memref<8xf32>
  }
  // expected-note @+1 {{between this and a successor block}}
  return %r#1 : memref<8xf32>
}
func.func @calls_once(%a: memref<8xf32>) {
  %x = call @once(%a) : (memref<8xf32>) -> memref<8xf32>
  return
}
