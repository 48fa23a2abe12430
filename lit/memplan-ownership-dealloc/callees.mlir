// What callees do, found along the longest ways.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.err

// 1. A function calls itself with its arguments rotated, and frees the first: any may be freed.
// CHECK-LABEL: func @rotated(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func private @rotates(
// What is said of all 24 in the same words at the same place is said once.
// SAYS: callees.mlir:[[#@LINE+27]]:3: warning: {{is not freed|frees memory that it is given}}
// SAYS-NOT: callees.mlir:[[#@LINE+26]]:3: warning:
func.func @rotated(%k: index) {
  %a0 = memref.alloc() : memref<4xf32>
  %a1 = memref.alloc() : memref<4xf32>
  %a2 = memref.alloc() : memref<4xf32>
  %a3 = memref.alloc() : memref<4xf32>
  %a4 = memref.alloc() : memref<4xf32>
  %a5 = memref.alloc() : memref<4xf32>
  %a6 = memref.alloc() : memref<4xf32>
  %a7 = memref.alloc() : memref<4xf32>
  %a8 = memref.alloc() : memref<4xf32>
  %a9 = memref.alloc() : memref<4xf32>
  %a10 = memref.alloc() : memref<4xf32>
  %a11 = memref.alloc() : memref<4xf32>
  %a12 = memref.alloc() : memref<4xf32>
  %a13 = memref.alloc() : memref<4xf32>
  %a14 = memref.alloc() : memref<4xf32>
  %a15 = memref.alloc() : memref<4xf32>
  %a16 = memref.alloc() : memref<4xf32>
  %a17 = memref.alloc() : memref<4xf32>
  %a18 = memref.alloc() : memref<4xf32>
  %a19 = memref.alloc() : memref<4xf32>
  %a20 = memref.alloc() : memref<4xf32>
  %a21 = memref.alloc() : memref<4xf32>
  %a22 = memref.alloc() : memref<4xf32>
  %a23 = memref.alloc() : memref<4xf32>
  call @rotates(%k, %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16, %a17, %a18, %a19, %a20, %a21, %a22, %a23) : (index, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @rotates(%k: index, %m0: memref<4xf32>, %m1: memref<4xf32>, %m2: memref<4xf32>, %m3: memref<4xf32>, %m4: memref<4xf32>, %m5: memref<4xf32>, %m6: memref<4xf32>, %m7: memref<4xf32>, %m8: memref<4xf32>, %m9: memref<4xf32>, %m10: memref<4xf32>, %m11: memref<4xf32>, %m12: memref<4xf32>, %m13: memref<4xf32>, %m14: memref<4xf32>, %m15: memref<4xf32>, %m16: memref<4xf32>, %m17: memref<4xf32>, %m18: memref<4xf32>, %m19: memref<4xf32>, %m20: memref<4xf32>, %m21: memref<4xf32>, %m22: memref<4xf32>, %m23: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %k, %c0 : index
  cf.cond_br %z, ^end, ^on
^end:
  memref.dealloc %m0 : memref<4xf32>
  return
^on:
  %l = arith.subi %k, %c1 : index
  call @rotates(%l, %m1, %m2, %m3, %m4, %m5, %m6, %m7, %m8, %m9, %m10, %m11, %m12, %m13, %m14, %m15, %m16, %m17, %m18, %m19, %m20, %m21, %m22, %m23, %m0) : (index, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}

// 2. The same by calls of values.
// CHECK-LABEL: func @rotated_by_value(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func private @first(
func.func @rotated_by_value(%k: index, %c: i1) {
  %a0 = memref.alloc() : memref<4xf32>
  %a1 = memref.alloc() : memref<4xf32>
  %a2 = memref.alloc() : memref<4xf32>
  %a3 = memref.alloc() : memref<4xf32>
  call @rotate(%k, %c, %a0, %a1, %a2, %a3) : (index, i1, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @first(%k: index, %c: i1, %m0: memref<4xf32>, %m1: memref<4xf32>, %m2: memref<4xf32>, %m3: memref<4xf32>) {
  memref.dealloc %m0 : memref<4xf32>
  return
}
func.func private @rotate(%k: index, %c: i1, %m0: memref<4xf32>, %m1: memref<4xf32>, %m2: memref<4xf32>, %m3: memref<4xf32>) {
  %f = func.constant @first : (index, i1, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  %g = func.constant @rotate : (index, i1, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  %h = arith.select %c, %f, %g : (index, i1, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  func.call_indirect %h(%k, %c, %m1, %m2, %m3, %m0) : (index, i1, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}

// 3. A callee makes a memref of an address, and frees that.
// CHECK-LABEL: func @by_address(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func private @frees_address(
// CHECK:         memref.dealloc
func.func @by_address() {
  %a = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  call @frees_address(%p) : (index) -> ()
  return
}
func.func private @frees_address(%p: index) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %s0 = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %s1 = llvm.insertvalue %q, %s0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %s2 = llvm.insertvalue %q, %s1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %s3 = llvm.insertvalue %c0, %s2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %s4 = llvm.insertvalue %c4, %s3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %s5 = llvm.insertvalue %c1, %s4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %m = builtin.unrealized_conversion_cast %s5 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}

// 4. An address leaves a region, and is stored behind it; or is stored under a mask.
// CHECK-LABEL: func @kept_address(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func private @keeps_address(
memref.global "private" @slot : memref<index>
memref.global "private" @slots : memref<4xindex>
func.func @kept_address(%c: i1, %mask: vector<4xi1>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<4xf32> -> index
  call @keeps_address(%p, %c) : (index, i1) -> ()
  call @keeps_masked(%q, %mask) : (index, vector<4xi1>) -> ()
  return
}
func.func private @keeps_address(%p: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %q = scf.if %c -> index {
    scf.yield %p : index
  } else {
    scf.yield %c0 : index
  }
  %g = memref.get_global @slot : memref<index>
  memref.store %q, %g[] : memref<index>
  return
}
func.func private @keeps_masked(%p: index, %mask: vector<4xi1>) {
  %c0 = arith.constant 0 : index
  %v = vector.broadcast %p : index to vector<4xindex>
  %g = memref.get_global @slots : memref<4xindex>
  vector.maskedstore %g[%c0], %mask, %v : memref<4xindex>, vector<4xi1>, vector<4xindex>
  return
}

// 5. What a callee reads at an address holds nothing, nor does whether two addresses are the same.
// CHECK-LABEL: func @read_number(
// CHECK:         call @reads_number
// CHECK-NEXT:    memref.dealloc
// CHECK:         memref.store
// CHECK:         memref.store
func.func @read_number(%n: memref<f32>, %f: memref<i1>) {
  %a = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %x, %same = call @reads_number(%p, %p) : (index, index) -> (f32, i1)
  memref.store %x, %n[] : memref<f32>
  memref.store %same, %f[] : memref<i1>
  return
}
func.func private @reads_number(%p: index, %q: index) -> (f32, i1) {
  %same = arith.cmpi eq, %p, %q : index
  %i = arith.index_cast %p : index to i64
  %r = llvm.inttoptr %i : i64 to !llvm.ptr
  %x = llvm.load %r : !llvm.ptr -> f32
  return %x, %same : f32, i1
}

// 6. Of two memrefs that are returned, the function owns what either may be: none is copied, in either order.
// CHECK-LABEL: func @one_of_two_first(
// CHECK-NOT:     {{memref.copy|bufferization.clone}}
// CHECK:         return
// SAYS-NOT:    may return memory that the function does not own
func.func @one_of_two_first(%c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %v = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  %x = arith.select %c, %v, %o : memref<4xf32>
  return %x, %v : memref<4xf32>, memref<4xf32>
}

// 7. A callee puts its argument in a box that it makes in some turns, and reads it there: it keeps nothing.
// CHECK-LABEL: func @boxed_in_some_turns(
// CHECK:         call @boxes_in_some_turns
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    memref.dealloc
func.func @boxed_in_some_turns(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @boxes_in_some_turns(%a, %b, %c) : (memref<4xf32>, memref<4xf32>, i1) -> ()
  return
}
func.func private @boxes_in_some_turns(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  scf.while (%x = %a) : (memref<4xf32>) -> memref<4xf32> {
    scf.condition(%c) %x : memref<4xf32>
  } do {
  ^bb0(%y: memref<4xf32>):
    scf.if %c {
      %box = memref.alloc() : memref<1xmemref<4xf32>>
      memref.store %y, %box[%c0] : memref<1xmemref<4xf32>>
      %z = memref.load %box[%c0] : memref<1xmemref<4xf32>>
    }
    scf.yield %b : memref<4xf32>
  }
  return
}

// 8. Where the box stays, it may hold what a turn before had by that name.
// SAYS: warning: is not freed: something else may hold on to it
// CHECK-LABEL: func @box_stays(
// CHECK-NOT:     memref.dealloc %{{.*}} : memref<4xf32>
// CHECK-LABEL: func private @last
func.func @box_stays(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %box = memref.alloc() : memref<1xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    scf.if %c {
      memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
    }
    %z = memref.load %box[%c0] : memref<1xmemref<4xf32>>
    memref.copy %z, %a : memref<4xf32> to memref<4xf32>
  }
  return
}
func.func private @last()

// 9. What a callee frees by bufferization.dealloc is freed, where it is an argument and nothing else.
// CHECK-LABEL: func @frees_by_flag(
// CHECK:         call @by_flag
// CHECK-NEXT:    return
func.func @frees_by_flag(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  call @by_flag(%a) : (memref<4xf32>) -> ()
  return
}
func.func private @by_flag(%a: memref<4xf32>) {
  %true = arith.constant true
  bufferization.dealloc (%a : memref<4xf32>) if (%true)
  return
}

// 10. A function without a body says that a result stays somebody else's.
// CHECK-LABEL: func @looks(
// CHECK:         memref.load
// CHECK-NEXT:    return
func.func private @peek(!llvm.ptr) -> (memref<?xf64> {memplan.borrowed})
func.func @looks(%p: !llvm.ptr) -> f64 {
  %c0 = arith.constant 0 : index
  %m = call @peek(%p) : (!llvm.ptr) -> memref<?xf64>
  %v = memref.load %m[%c0] : memref<?xf64>
  return %v : f64
}

// 11. What a callee frees through a view of its argument is freed.
// CHECK-LABEL: func @frees_through_view(
// CHECK:         call @frees_view
// CHECK-NEXT:    return
func.func @frees_through_view() {
  %a = memref.alloc() : memref<4xf32>
  call @frees_view(%a) : (memref<4xf32>) -> ()
  return
}
func.func private @frees_view(%a: memref<4xf32>) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  return
}

// 12. What a callee frees by a flag of the caller is freed where that is true, and nowhere else.
// CHECK-LABEL: func @gives_flags(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    call @by_own_flag(%[[A]],
// CHECK-NEXT:    call @by_own_flag(%[[B]],
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    return
func.func @gives_flags() {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @by_own_flag(%a, %true) : (memref<4xf32>, i1) -> ()
  call @by_own_flag(%b, %false) : (memref<4xf32>, i1) -> ()
  return
}
// Through another callee.
// CHECK-LABEL: func @gives_flags_on(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    call @hands_flag_on(%{{.*}}, %[[A]])
// CHECK-NEXT:    call @hands_flag_on(%{{.*}}, %[[B]])
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    return
func.func @gives_flags_on() {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @hands_flag_on(%true, %a) : (i1, memref<4xf32>) -> ()
  call @hands_flag_on(%false, %b) : (i1, memref<4xf32>) -> ()
  return
}
// A flag that the caller does not know: it may hold.
// CHECK-LABEL: func @gives_any_flag(
// CHECK:         call @by_own_flag
// CHECK-NEXT:    return
// SAYS: callees.mlir:[[#@LINE+3]]:3: warning: frees memory that it is given, but perhaps not on all ways
func.func @gives_any_flag(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  call @by_own_flag(%a, %c) : (memref<4xf32>, i1) -> ()
  return
}
// Where it does not, the memory is read.
// CHECK-LABEL: func @reads_if_left(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func private @by_own_flag(
// SAYS: callees.mlir:[[#@LINE+5]]:3: warning: frees memory that it is given, but perhaps not on all ways
func.func @reads_if_left(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  call @by_own_flag(%a, %c) : (memref<4xf32>, i1) -> ()
  %x = scf.if %c -> f32 {
    scf.yield %zero : f32
  } else {
    %y = memref.load %a[%c0] : memref<4xf32>
    scf.yield %y : f32
  }
  return %x : f32
}
func.func private @by_own_flag(%a: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  return
}
func.func private @hands_flag_on(%c: i1, %a: memref<4xf32>) {
  call @by_own_flag(%a, %c) : (memref<4xf32>, i1) -> ()
  return
}

// 13. Either of two arguments, by a flag of the caller, or by a flag that a callee is given.
// CHECK-LABEL: func @gives_two(
// CHECK:         call @frees_one
// CHECK-NEXT:    return
// CHECK-LABEL: func @gives_two_on(
// CHECK:         call @frees_one_by_callee
// CHECK-NEXT:    return
// SAYS: callees.mlir:[[#@LINE+4]]:3: warning: frees memory that it is given, but perhaps not on all ways
func.func @gives_two(%x: i1, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @frees_one(%a, %b, %x, %c) : (memref<4xf32>, memref<4xf32>, i1, i1) -> ()
  return
}
// SAYS: callees.mlir:[[#@LINE+4]]:3: warning: frees memory that it is given, but perhaps not on all ways
func.func @gives_two_on(%x: i1, %n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @frees_one_by_callee(%a, %b, %x, %n) : (memref<4xf32>, memref<4xf32>, i1, index) -> ()
  return
}
func.func private @frees_one(%a: memref<4xf32>, %b: memref<4xf32>, %x: i1, %c: i1) {
  %s = arith.select %x, %a, %b : memref<4xf32>
  bufferization.dealloc (%s : memref<4xf32>) if (%c)
  return
}
func.func private @frees_one_by_callee(%a: memref<4xf32>, %b: memref<4xf32>, %x: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c = arith.cmpi eq, %n, %c0 : index
  %s = arith.select %x, %a, %b : memref<4xf32>
  call @by_own_flag(%s, %c) : (memref<4xf32>, i1) -> ()
  return
}

// 14. By a flag on some paths only, by another flag on each, and but for what is retained.
// CHECK-LABEL: func @gives_flags_for_paths(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func private @by_flag_in_block(
func.func @gives_flags_for_paths(%x: i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  call @by_flag_in_block(%a, %true, %x) : (memref<4xf32>, i1, i1) -> ()
  call @by_either_flag(%b, %true, %true, %x) : (memref<4xf32>, i1, i1, i1) -> ()
  call @but_retained(%c, %c, %true) : (memref<4xf32>, memref<4xf32>, i1) -> ()
  return
}
func.func private @by_flag_in_block(%a: memref<4xf32>, %c: i1, %x: i1) {
  cf.cond_br %x, ^frees, ^end
^frees:
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  cf.br ^end
^end:
  return
}
func.func private @by_either_flag(%a: memref<4xf32>, %c: i1, %d: i1, %x: i1) {
  cf.cond_br %x, ^one, ^other
^one:
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  return
^other:
  bufferization.dealloc (%a : memref<4xf32>) if (%d)
  return
}
func.func private @but_retained(%a: memref<4xf32>, %r: memref<4xf32>, %c: i1) {
  %o = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%r : memref<4xf32>)
  return
}

// 15. A flag that is a constant of another dialect is known, too: where it is false, the caller frees.
// CHECK-LABEL: func private @by_constant_flag(
func.func private @by_constant_flag(%a: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  return
}
// CHECK-LABEL: func @foreign_constants(
// CHECK: %[[KEPT:.+]] = memref.alloc
// CHECK: call @by_constant_flag(%[[KEPT]]
// CHECK-NEXT: memref.dealloc %[[KEPT]]
// CHECK: %[[GIVEN:.+]] = memref.alloc
// CHECK: call @by_constant_flag(%[[GIVEN]]
// CHECK-NEXT: return
func.func @foreign_constants() {
  %false = llvm.mlir.constant(false) : i1
  %true = llvm.mlir.constant(true) : i1
  %a = memref.alloc() : memref<4xf32>
  call @by_constant_flag(%a, %false) : (memref<4xf32>, i1) -> ()
  %b = memref.alloc() : memref<4xf32>
  call @by_constant_flag(%b, %true) : (memref<4xf32>, i1) -> ()
  return
}

// 16. A function that frees its argument and returns new memory, or returns the argument, owns it: nothing is copied, and the
// caller frees the result alone.
// CHECK-LABEL: func private @replaces(
// CHECK-NOT: memref.copy
// CHECK: return
func.func private @replaces(%x: memref<4xf32>, %k: i1) -> memref<4xf32> {
  %r = scf.if %k -> memref<4xf32> {
    %n = memref.alloc() : memref<4xf32>
    memref.dealloc %x : memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// CHECK-LABEL: func @replaced(
// CHECK: %[[R:.+]] = call @replaces(
// CHECK: memref.load %[[R]]
// CHECK-NEXT: memref.dealloc %[[R]]
// CHECK-NEXT: return
func.func @replaced(%k: i1, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %r = call @replaces(%a, %k) : (memref<4xf32>, i1) -> memref<4xf32>
  %x = memref.load %r[%i] : memref<4xf32>
  return %x : f32
}
