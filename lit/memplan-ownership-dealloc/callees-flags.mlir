// Callees that free an argument by a flag.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.err

// 1. A callee frees by bufferization.dealloc: its argument is freed, where the operand is that argument alone.
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

// 2. A callee frees by a flag of the caller: the argument is freed where the flag is true, and nowhere else.
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
// CHECK-NEXT:    call @passes_flag_on(%{{.*}}, %[[A]])
// CHECK-NEXT:    call @passes_flag_on(%{{.*}}, %[[B]])
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    return
func.func @gives_flags_on() {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @passes_flag_on(%true, %a) : (i1, memref<4xf32>) -> ()
  call @passes_flag_on(%false, %b) : (i1, memref<4xf32>) -> ()
  return
}
// A flag that the caller does not know: it may hold.
// CHECK-LABEL: func @gives_any_flag(
// CHECK:         call @by_own_flag
// CHECK-NEXT:    return
// SAYS: callees-flags.mlir:[[#@LINE+3]]:3: warning: frees an argument, but perhaps not on all paths
func.func @gives_any_flag(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  call @by_own_flag(%a, %c) : (memref<4xf32>, i1) -> ()
  return
}
// Where it does not, the memory is read.
// CHECK-LABEL: func @reads_if_left(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func private @by_own_flag(
// SAYS: callees-flags.mlir:[[#@LINE+5]]:3: warning: frees an argument, but perhaps not on all paths
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
func.func private @passes_flag_on(%c: i1, %a: memref<4xf32>) {
  call @by_own_flag(%a, %c) : (memref<4xf32>, i1) -> ()
  return
}

// 3. Either of two arguments, by a flag of the caller, or by a flag that a callee is given.
// CHECK-LABEL: func @gives_two(
// CHECK:         call @frees_one
// CHECK-NEXT:    return
// CHECK-LABEL: func @gives_two_on(
// CHECK:         call @frees_one_by_callee
// CHECK-NEXT:    return
// SAYS: callees-flags.mlir:[[#@LINE+4]]:3: warning: frees an argument, but perhaps not on all paths
func.func @gives_two(%x: i1, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @frees_one(%a, %b, %x, %c) : (memref<4xf32>, memref<4xf32>, i1, i1) -> ()
  return
}
// SAYS: callees-flags.mlir:[[#@LINE+4]]:3: warning: frees an argument, but perhaps not on all paths
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

// 4. By a flag on some paths only, by another flag on each, and except for retained memory.
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

// 5. A flag that is a constant of another dialect is known, too: where it is false, the caller frees.
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
