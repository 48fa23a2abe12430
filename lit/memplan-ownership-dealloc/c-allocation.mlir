// Memrefs that are made of pointers.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership})' \
// RUN:   -verify-diagnostics -o /dev/null
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-ownership-dealloc{placement=block-end}))' \
// RUN:   -verify-diagnostics -o /dev/null

// 1. Of a pointer that malloc gave and that is used for nothing else: new memory, which is returned, replaced and
// freed.
llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-LABEL: func.func @made(
// CHECK-NOT:     memref.{{alloc|copy|dealloc}}
// CHECK:         return
func.func @made(%v: i64) -> memref<i64> {
  %c0 = arith.constant 0 : i64
  %n8 = arith.constant 8 : i64
  %a = llvm.call @malloc(%n8) : (i64) -> !llvm.ptr
  %u = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64)>
  %s1 = llvm.insertvalue %a, %u[0] : !llvm.struct<(ptr, ptr, i64)>
  %s2 = llvm.insertvalue %a, %s1[1] : !llvm.struct<(ptr, ptr, i64)>
  %s3 = llvm.insertvalue %c0, %s2[2] : !llvm.struct<(ptr, ptr, i64)>
  %n = builtin.unrealized_conversion_cast %s3 : !llvm.struct<(ptr, ptr, i64)> to memref<i64>
  memref.store %v, %n[] : memref<i64>
  return %n : memref<i64>
}
// CHECK-LABEL: func.func @replaces(
// CHECK:         %[[R:.*]] = scf.for
// CHECK:           memref.dealloc
// CHECK-NEXT:      %[[N:.*]] = func.call @made
// CHECK-NEXT:      scf.yield %[[N]]
// CHECK:         memref.load %[[R]]
// CHECK-NEXT:    memref.dealloc %[[R]]
// CHECK-NOT:     memref.{{alloc|copy|dealloc}}
// CHECK:         return
func.func @replaces(%v: i64, %c: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @made(%v) : (i64) -> memref<i64>
  %r = scf.for %i = %c0 to %c step %c1 iter_args(%x = %a) -> memref<i64> {
    %y = memref.load %x[] : memref<i64>
    %n = func.call @made(%y) : (i64) -> memref<i64>
    memref.dealloc %x : memref<i64>
    scf.yield %n : memref<i64>
  }
  %y = memref.load %r[] : memref<i64>
  memref.dealloc %r : memref<i64>
  return %y : i64
}
// CHECK-LABEL: func.func @not_freed(
// CHECK:         memref.load %[[N:.*]][]
// CHECK-NEXT:    memref.dealloc %[[N]]
// CHECK-NEXT:    return
func.func @not_freed() -> i64 {
  %c0 = arith.constant 0 : i64
  %n8 = arith.constant 8 : i64
  %a = llvm.call @malloc(%n8) : (i64) -> !llvm.ptr
  %u = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64)>
  %s1 = llvm.insertvalue %a, %u[0] : !llvm.struct<(ptr, ptr, i64)>
  %s2 = llvm.insertvalue %a, %s1[1] : !llvm.struct<(ptr, ptr, i64)>
  %s3 = llvm.insertvalue %c0, %s2[2] : !llvm.struct<(ptr, ptr, i64)>
  %n = builtin.unrealized_conversion_cast %s3 : !llvm.struct<(ptr, ptr, i64)> to memref<i64>
  %y = memref.load %n[] : memref<i64>
  return %y : i64
}

// -----

// 2. The pointer has other uses, too, or is another one: the program frees it, or other code.
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
// CHECK-LABEL: func.func @freed_by_pointer(
// CHECK-NOT:     memref.dealloc
// CHECK:         llvm.call @free
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @freed_by_pointer() -> i64 {
  %c0 = arith.constant 0 : i64
  %n8 = arith.constant 8 : i64
  %a = llvm.call @malloc(%n8) : (i64) -> !llvm.ptr
  %u = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64)>
  %s1 = llvm.insertvalue %a, %u[0] : !llvm.struct<(ptr, ptr, i64)>
  %s2 = llvm.insertvalue %a, %s1[1] : !llvm.struct<(ptr, ptr, i64)>
  %s3 = llvm.insertvalue %c0, %s2[2] : !llvm.struct<(ptr, ptr, i64)>
  %n = builtin.unrealized_conversion_cast %s3 : !llvm.struct<(ptr, ptr, i64)> to memref<i64>
  %y = memref.load %n[] : memref<i64>
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  return %y : i64
}
// CHECK-LABEL: func.func @given(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @given(%a: !llvm.ptr) -> i64 {
  %c0 = arith.constant 0 : i64
  %u = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64)>
  %s1 = llvm.insertvalue %a, %u[0] : !llvm.struct<(ptr, ptr, i64)>
  %s2 = llvm.insertvalue %a, %s1[1] : !llvm.struct<(ptr, ptr, i64)>
  %s3 = llvm.insertvalue %c0, %s2[2] : !llvm.struct<(ptr, ptr, i64)>
  %n = builtin.unrealized_conversion_cast %s3 : !llvm.struct<(ptr, ptr, i64)> to memref<i64>
  %y = memref.load %n[] : memref<i64>
  return %y : i64
}
// CHECK-LABEL: func.func @two_memrefs(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @two_memrefs() -> i64 {
  %c0 = arith.constant 0 : i64
  %n8 = arith.constant 8 : i64
  %a = llvm.call @malloc(%n8) : (i64) -> !llvm.ptr
  %u = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64)>
  %s1 = llvm.insertvalue %a, %u[0] : !llvm.struct<(ptr, ptr, i64)>
  %s2 = llvm.insertvalue %a, %s1[1] : !llvm.struct<(ptr, ptr, i64)>
  %s3 = llvm.insertvalue %c0, %s2[2] : !llvm.struct<(ptr, ptr, i64)>
  %n = builtin.unrealized_conversion_cast %s3 : !llvm.struct<(ptr, ptr, i64)> to memref<i64>
  %m = builtin.unrealized_conversion_cast %s3 : !llvm.struct<(ptr, ptr, i64)> to memref<i64>
  %y = memref.load %n[] : memref<i64>
  %z = memref.load %m[] : memref<i64>
  %s = arith.addi %y, %z : i64
  return %s : i64
}

// -----

// 3. A buffer's address comes back as another memref, which the program frees: that may be the buffer, which is left
// to it.
// CHECK-LABEL: func.func @comes_back(
// CHECK:         builtin.unrealized_conversion_cast
// CHECK-NOT:     memref.dealloc %alloc
// CHECK:         memref.dealloc %{{[0-9]+}}
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @comes_back(%v: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %m = memref.alloc() : memref<i64>
  memref.store %v, %m[] : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %m : memref<i64> -> index
  %i = arith.index_cast %p : index to i64
  %a = llvm.inttoptr %i : i64 to !llvm.ptr
  %u = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64)>
  %s1 = llvm.insertvalue %a, %u[0] : !llvm.struct<(ptr, ptr, i64)>
  %s2 = llvm.insertvalue %a, %s1[1] : !llvm.struct<(ptr, ptr, i64)>
  %s3 = llvm.insertvalue %c0, %s2[2] : !llvm.struct<(ptr, ptr, i64)>
  %n = builtin.unrealized_conversion_cast %s3 : !llvm.struct<(ptr, ptr, i64)> to memref<i64>
  %y = memref.load %n[] : memref<i64>
  // expected-warning @below {{frees an argument, but perhaps not on all paths: on the others, only the deallocations of this function free it}}
  memref.dealloc %n : memref<i64>
  return %y : i64
}
