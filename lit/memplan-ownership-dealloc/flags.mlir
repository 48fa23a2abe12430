// A callee frees, by a flag of its own, memory that may be its argument.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.err

// 1. The flag is the caller's, where a second one holds: the caller does not free.
// CHECK-LABEL: func @gives_both(
// CHECK:         call @by_both(
// CHECK-NEXT:    return
// SAYS: flags.mlir:[[#@LINE+4]]:3: warning: frees an argument, but perhaps not on all paths
func.func @gives_both(%x: i1, %y: i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  call @by_both(%a, %true, %x, %y) : (memref<4xf32>, i1, i1, i1) -> ()
  return
}
func.func private @by_both(%a: memref<4xf32>, %c: i1, %x: i1, %y: i1) {
  %new = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %m = arith.select %x, %a, %new : memref<4xf32>
  %both = arith.andi %c, %y : i1
  bufferization.dealloc (%m : memref<4xf32>) if (%both)
  return
}

// 2. It compares numbers, or negates the caller's.
// CHECK-LABEL: func @gives_others(
// CHECK:         call @by_number(
// CHECK-NEXT:    call @by_negation(
// CHECK-NEXT:    return
// SAYS: flags.mlir:[[#@LINE+5]]:3: warning: frees an argument, but perhaps not on all paths
// SAYS: flags.mlir:[[#@LINE+5]]:3: warning: frees an argument, but perhaps not on all paths
func.func @gives_others(%x: i1, %y: i1, %n: index) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @by_number(%a, %x, %n) : (memref<4xf32>, i1, index) -> ()
  call @by_negation(%b, %x, %y) : (memref<4xf32>, i1, i1) -> ()
  return
}
func.func private @by_number(%a: memref<4xf32>, %x: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %new = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %m = arith.select %x, %a, %new : memref<4xf32>
  %is_zero = arith.cmpi eq, %n, %c0 : index
  bufferization.dealloc (%m : memref<4xf32>) if (%is_zero)
  return
}
func.func private @by_negation(%a: memref<4xf32>, %x: i1, %y: i1) {
  %true = arith.constant true
  %new = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %m = arith.select %x, %a, %new : memref<4xf32>
  %no = arith.xori %y, %true : i1
  bufferization.dealloc (%m : memref<4xf32>) if (%no)
  return
}

// 3. It says which one was selected, alone or with others: what it frees is no argument.
// CHECK-LABEL: func @gives_selected(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    call @by_selection(%[[A]],
// CHECK-NEXT:    call @by_selection_of_two(%[[A]],
// CHECK-NEXT:    call @by_selected_flag(%[[A]],
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @gives_selected(%x: i1, %y: i1, %z: i1) {
  %a = memref.alloc() : memref<4xf32>
  call @by_selection(%a, %x, %y) : (memref<4xf32>, i1, i1) -> ()
  call @by_selection_of_two(%a, %x, %y, %z) : (memref<4xf32>, i1, i1, i1) -> ()
  call @by_selected_flag(%a, %x, %y) : (memref<4xf32>, i1, i1) -> ()
  return
}
func.func private @by_selection(%a: memref<4xf32>, %x: i1, %y: i1) {
  %true = arith.constant true
  %new = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %m = arith.select %x, %a, %new : memref<4xf32>
  %no = arith.xori %x, %true : i1
  %both = arith.andi %y, %no : i1
  bufferization.dealloc (%m : memref<4xf32>) if (%both)
  return
}
func.func private @by_selection_of_two(%a: memref<4xf32>, %x: i1, %y: i1, %z: i1) {
  %true = arith.constant true
  %new = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %newer = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %m = arith.select %x, %a, %new : memref<4xf32>
  %n = arith.select %y, %m, %newer : memref<4xf32>
  %either = arith.ori %x, %z : i1
  %no = arith.xori %either, %true : i1
  %view = memref.cast %n : memref<4xf32> to memref<?xf32>
  bufferization.dealloc (%view : memref<?xf32>) if (%no)
  return
}
func.func private @by_selected_flag(%a: memref<4xf32>, %x: i1, %y: i1) {
  %false = arith.constant false
  %new = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %m = arith.select %x, %a, %new : memref<4xf32>
  %c = arith.select %x, %false, %y : i1
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return
}

// 4. Memory that a function names in a bufferization.dealloc is the program's to free; the rest is freed as usual, and
// a result that it does not own is copied.
// CHECK-LABEL: func @frees_one_of_two(
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         %[[B:.*]] = memref.alloc
// CHECK:         call @reads(
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    %[[D:.*]] = memref.alloc
// CHECK-NEXT:    memref.dealloc %[[D]]
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<4xf32>) if
// CHECK-NEXT:    return
// SAYS: flags.mlir:[[#@LINE+3]]:8: warning: is freed only if a flag of the program is true
// SAYS: flags.mlir:[[#@LINE+8]]:3: note: freed under a flag here
func.func @frees_one_of_two(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  call @by_selection(%a, %c, %c) : (memref<4xf32>, i1, i1) -> ()
  %b = memref.alloc() : memref<4xf32>
  %view = memref.cast %b : memref<4xf32> to memref<?xf32>
  %x = call @reads(%view) : (memref<?xf32>) -> f32
  %d = memref.alloc() : memref<4xf32>
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  memref.dealloc %d : memref<4xf32>
  return
}
// CHECK-LABEL: func private @returns_argument(
// CHECK-SAME:    %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %[[C:.*]]: i1)
// CHECK-NEXT:    %[[N:.*]] = memref.alloc
// CHECK-NEXT:    memref.copy %[[A]], %[[N]]
// CHECK-NEXT:    memref.dealloc %[[N]]
// CHECK-NEXT:    bufferization.dealloc (%[[B]] : memref<4xf32>) if (%[[C]])
// CHECK-NEXT:    %[[R:.*]] = memref.alloc
// CHECK-NEXT:    memref.copy %[[A]], %[[R]]
// CHECK-NEXT:    return %[[R]]
// SAYS: flags.mlir:[[#@LINE+5]]:3: warning: returns memory that the function does not own
func.func private @returns_argument(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %a, %n : memref<4xf32> to memref<4xf32>
  bufferization.dealloc (%b : memref<4xf32>) if (%c)
  return %a : memref<4xf32>
}
// CHECK-LABEL: func private @returns_only(
// CHECK-SAME:    %[[A:.*]]: memref<4xf32>, %{{.*}}: memref<4xf32>
// CHECK:         bufferization.dealloc
// CHECK-NEXT:    %[[R:.*]] = memref.alloc
// CHECK-NEXT:    memref.copy %[[A]], %[[R]]
// CHECK-NEXT:    return %[[R]]
// SAYS: flags.mlir:[[#@LINE+3]]:3: warning: returns memory that the function does not own
func.func private @returns_only(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> memref<4xf32> {
  bufferization.dealloc (%b : memref<4xf32>) if (%c)
  return %a : memref<4xf32>
}

// 5. One that calls a function which returns flags has been through deallocation: nothing is added.
// CHECK-LABEL: func @calls_owned(
// CHECK-NOT:     dealloc
// CHECK:         return
// SAYS: flags.mlir:[[#@LINE+3]]:8: warning: is not freed: the function has been through deallocation
// SAYS: flags.mlir:[[#@LINE+4]]:12: note: has flags
func.func @calls_owned(%x: memref<4xf32>) -> (memref<4xf32>, i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %r, %f = call @owned_flag(%x) {memplan.owned_results} : (memref<4xf32>) -> (memref<4xf32>, i1)
  return %r, %f : memref<4xf32>, i1
}
func.func private @owned_flag(%a: memref<4xf32>) -> (memref<4xf32>, i1) attributes {memplan.owned_results} {
  %false = arith.constant false
  return %a, %false : memref<4xf32>, i1
}

// 6. No callee has freed the memory that a function returns.
// CHECK-LABEL: func @returns_after(
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    call @frees_perhaps(%[[A]],
// CHECK-NEXT:    return %[[A]]
// SAYS-NOT: flags.mlir:[[#@LINE+3]]
func.func @returns_after(%c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  call @frees_perhaps(%a, %c) : (memref<4xf32>, i1) -> ()
  return %a : memref<4xf32>
}
func.func private @frees_perhaps(%a: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  return
}

// 7. Memory that a bufferization.dealloc retains stays owned: it is returned as it is, and the rest is freed.
// CHECK-LABEL: func private @retains(
// CHECK-NOT:     memref.copy
// CHECK:         %[[T:.*]] = memref.alloc() : memref<8xf32>
// CHECK:         memref.load %[[T]]
// CHECK-NEXT:    memref.dealloc %[[T]]
// CHECK-NEXT:    %[[R:.*]] = arith.select
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    return %[[R]]
func.func private @retains(%c: i1) -> (memref<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<8xf32>
  %x = memref.load %t[%c0] : memref<8xf32>
  %r = arith.select %c, %a, %b : memref<4xf32>
  %o = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%true, %true) retain (%r : memref<4xf32>)
  return %r, %x : memref<4xf32>, f32
}

func.func private @reads(%a: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<?xf32>
  return %x : f32
}
