// The results of simplification, rule by rule.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-simplify-dealloc)' | FileCheck %s
// Once is enough.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-simplify-dealloc)' > %t.once
// RUN: %memplan-opt %t.once --pass-pipeline='builtin.module(memplan-simplify-dealloc)' | diff %t.once -

func.func private @use(memref<8xf32>)

// 1. Memrefs that are known to be the same become one, freed if any of the conditions holds.
// CHECK-LABEL: @duplicates
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<8xf32>, %[[B:[a-z0-9]+]]: memref<8xf32>, %[[C:[a-z0-9]+]]: i1, %[[D:[a-z0-9]+]]: i1
// CHECK: %[[ANY:.*]] = arith.ori %[[C]], %[[D]] : i1
// CHECK: %[[R:.*]] = bufferization.dealloc (%[[A]] : memref<8xf32>) if (%[[ANY]]) retain (%[[B]] : memref<8xf32>)
// CHECK: return %[[R]], %[[R]] : i1, i1
func.func @duplicates(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %d: i1) -> (i1, i1) {
  %r:2 = bufferization.dealloc (%a, %a : memref<8xf32>, memref<8xf32>) if (%c, %d) retain (%b, %b : memref<8xf32>, memref<8xf32>)
  return %r#0, %r#1 : i1, i1
}

// 2. Also if the first one's condition never holds: the other's counts.
// CHECK-LABEL: @any_alias
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<8xf32>
// CHECK: bufferization.dealloc (%[[A]] : memref<8xf32>) if (%true
func.func @any_alias(%a: memref<8xf32>) {
  %false = arith.constant false
  %true = arith.constant true
  bufferization.dealloc (%a, %a : memref<8xf32>, memref<8xf32>) if (%false, %true)
  return
}

// 3. A memref that is never freed is removed; nothing to free: all results are false.
// CHECK-LABEL: @never
// CHECK-NOT: bufferization.dealloc
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: return %{{false.*}} : i1
func.func @never(%a: memref<8xf32>, %b: memref<8xf32>) -> i1 {
  %false = arith.constant false
  %r = bufferization.dealloc (%a : memref<8xf32>) if (%false) retain (%b : memref<8xf32>)
  return %r : i1
}

// 4. A memref that is known to be retained is not freed; its condition is the result.
// CHECK-LABEL: @retained
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1
// CHECK-NOT: bufferization.dealloc
// CHECK: return %[[C]] : i1
func.func @retained(%c: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  func.call @use(%a) : (memref<8xf32>) -> ()
  %r = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%a : memref<8xf32>)
  return %r : i1
}

// 5. Not if another retained one may be the same, and its ownership is used.
// CHECK-LABEL: @asked
// CHECK: bufferization.dealloc (%[[A:[a-z0-9]+]] : memref<8xf32>) if (%{{.*}}) retain (%[[A]], %{{.*}} : memref<8xf32>, memref<8xf32>)
// CHECK-LABEL: @unasked
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1
// CHECK-NOT: bufferization.dealloc
// CHECK: return %[[C]] : i1
func.func @asked(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> (i1, i1) {
  %r:2 = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%a, %b : memref<8xf32>, memref<8xf32>)
  return %r#0, %r#1 : i1, i1
}
func.func @unasked(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> i1 {
  %r:2 = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%a, %b : memref<8xf32>, memref<8xf32>)
  return %r#0 : i1
}

// 6. Retained memrefs that no memref may be go: an argument is none of what the function allocates.
// CHECK-LABEL: @not_retained
// CHECK: bufferization.dealloc (%{{.*}} : memref<8xf32>) if (%{{.*}}){{$}}
// CHECK: return %false
func.func @not_retained(%a: memref<8xf32>, %c: i1) -> i1 {
  %b = memref.alloc() : memref<8xf32>
  func.call @use(%b) : (memref<8xf32>) -> ()
  %r = bufferization.dealloc (%b : memref<8xf32>) if (%c) retain (%a : memref<8xf32>)
  return %r : i1
}

// 7. Memrefs that cannot be the same part, two by two here.
// CHECK-LABEL: @parts
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[S:.*]] = arith.select
// CHECK: %[[X:.*]] = memref.alloc
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: %[[T:.*]] = arith.select
// CHECK: bufferization.dealloc (%[[A]], %[[S]] : memref<8xf32>, memref<8xf32>) if
// CHECK: bufferization.dealloc (%[[X]], %[[T]] : memref<8xf32>, memref<8xf32>) if
func.func @parts(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  %x = memref.alloc() : memref<8xf32>
  %y = memref.alloc() : memref<8xf32>
  %t = arith.select %c, %x, %y : memref<8xf32>
  func.call @use(%b) : (memref<8xf32>) -> ()
  func.call @use(%y) : (memref<8xf32>) -> ()
  bufferization.dealloc (%a, %x, %s, %t : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %d, %d)
  return
}

// 8. A result is any of those of the parts.
// CHECK-LABEL: @results
// CHECK: %[[ONE:.*]] = bufferization.dealloc (%{{[a-z0-9_]+}} : memref<8xf32>) if
// CHECK: %[[OTHER:.*]] = bufferization.dealloc (%{{[a-z0-9_]+}} : memref<8xf32>) if
// CHECK: %[[ANY:.*]] = arith.ori %[[ONE]], %[[OTHER]]
// CHECK: return %[[ANY]]
func.func @results(%c: i1, %d: i1) -> i1 {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  func.call @use(%s) : (memref<8xf32>) -> ()
  %r = bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%c, %d) retain (%s : memref<8xf32>)
  return %r : i1
}

// 9. A memref that always owns its memory makes the result true; one that may be the same is not freed, and not
// compared.
// CHECK-LABEL: @owned
// CHECK: bufferization.dealloc (%[[S:.*]] : memref<8xf32>) if (%{{.*}}) retain (%[[A:.*]] : memref<8xf32>)
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: return %[[TRUE]]
func.func @owned(%c: i1, %d: i1) -> i1 {
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  func.call @use(%s) : (memref<8xf32>) -> ()
  %r = bufferization.dealloc (%a, %s : memref<8xf32>, memref<8xf32>) if (%true, %d) retain (%a : memref<8xf32>)
  return %r : i1
}

// 10. Conditions are followed from one dealloc to the next: the second one frees nothing.
// CHECK-LABEL: @conditions
// CHECK: bufferization.dealloc
// CHECK-NOT: bufferization.dealloc
func.func @conditions(%a: memref<8xf32>, %c: i1, %d: i1) {
  %b = memref.alloc() : memref<8xf32>
  func.call @use(%b) : (memref<8xf32>) -> ()
  %r = bufferization.dealloc (%b : memref<8xf32>) if (%c) retain (%a : memref<8xf32>)
  %s = arith.andi %r, %d : i1
  %false = arith.constant false
  %t = arith.select %c, %s, %false : i1
  bufferization.dealloc (%a : memref<8xf32>) if (%t)
  return
}

// 11. An allocation that is only freed goes, with its views.
// CHECK-LABEL: @unused
// CHECK-NEXT: return
func.func @unused(%n: index, %c: i1, %d: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  %p = memref.subview %a[0] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1]>>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : memref<?xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%base : memref<f32>) if (%c)
  bufferization.dealloc (%p : memref<4xf32, strided<[1]>>) if (%d)
  return
}

// 12. Not if a number of a view, or its ownership, is used.
// CHECK-LABEL: @used
// CHECK: memref.alloc
// CHECK: bufferization.dealloc
func.func @used(%n: index, %c: i1) -> index {
  %a = memref.alloc(%n) : memref<?xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : memref<?xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%base : memref<f32>) if (%c)
  return %size : index
}

// 13. Unreachable code stays.
// CHECK-LABEL: @unreachable
// CHECK: ^bb1:
// CHECK: bufferization.dealloc (%[[A:.*]], %[[A]] : memref<8xf32>, memref<8xf32>)
func.func @unreachable(%a: memref<8xf32>, %c: i1) {
  return
^bb1:
  bufferization.dealloc (%a, %a : memref<8xf32>, memref<8xf32>) if (%c, %c)
  return
}
