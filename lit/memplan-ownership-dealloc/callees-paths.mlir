// Memory that callees free and return, found along the longest paths.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.err

// 1. A function calls itself with its arguments rotated, and frees the first: any may be freed.
// CHECK-LABEL: func @rotated(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func private @rotates(
// A remark about all 24 at the same place appears once.
// SAYS: callees-paths.mlir:[[#@LINE+27]]:3: warning: {{is not freed|frees an argument}}
// SAYS-NOT: callees-paths.mlir:[[#@LINE+26]]:3: warning:
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

// 3. Of two memrefs that are returned, the function owns what either may be: none is copied, in either order.
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

// 4. A function without a body declares that a result is borrowed.
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

// 5. A function that frees its argument and returns new memory, or returns the argument, owns it: nothing is copied,
// and the caller frees the result alone.
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
