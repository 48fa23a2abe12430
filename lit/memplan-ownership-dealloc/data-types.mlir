// Types of nothing but numbers hold no memory; an address that travels in them as a number is followed.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -verify-diagnostics | FileCheck %s

func.func private @use(memref<4xi64>)

// 1. Structs, arrays and vectors of numbers that a call gives beside a memref.
// CHECK-LABEL: func @aggregate(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    call @counted(
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    llvm.extractvalue
func.func private @counted(%m: memref<4xi64>, %s: !llvm.struct<(array<2 x i64>, struct<"pair", (f32, vector<2xf64>)>)>) -> !llvm.struct<(array<2 x i64>, struct<"pair", (f32, vector<2xf64>)>)> {
  %c0 = arith.constant 0 : index
  %n = memref.load %m[%c0] : memref<4xi64>
  %t = llvm.insertvalue %n, %s[0, 1] : !llvm.struct<(array<2 x i64>, struct<"pair", (f32, vector<2xf64>)>)>
  return %t : !llvm.struct<(array<2 x i64>, struct<"pair", (f32, vector<2xf64>)>)>
}
func.func @aggregate(%s: !llvm.struct<(array<2 x i64>, struct<"pair", (f32, vector<2xf64>)>)>) -> i64 {
  %a = memref.alloc() : memref<4xi64>
  %t = call @counted(%a, %s) : (memref<4xi64>, !llvm.struct<(array<2 x i64>, struct<"pair", (f32, vector<2xf64>)>)>) -> !llvm.struct<(array<2 x i64>, struct<"pair", (f32, vector<2xf64>)>)>
  %n = llvm.extractvalue %t[0, 1] : !llvm.struct<(array<2 x i64>, struct<"pair", (f32, vector<2xf64>)>)>
  return %n : i64
}

// 2. A struct that a loop carries with a memref.
// CHECK-LABEL: func @carried(
// CHECK:         memref.dealloc
// CHECK:         return
func.func @carried(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = llvm.mlir.undef : !llvm.struct<(i64)>
  %a = memref.alloc() : memref<4xi64>
  func.call @use(%a) : (memref<4xi64>) -> ()
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %s = %u) -> (memref<4xi64>, !llvm.struct<(i64)>) {
    %x = memref.load %m[%c0] : memref<4xi64>
    %t = llvm.insertvalue %x, %s[0] : !llvm.struct<(i64)>
    scf.yield %m, %t : memref<4xi64>, !llvm.struct<(i64)>
  }
  %y = llvm.extractvalue %r#1[0] : !llvm.struct<(i64)>
  return %y : i64
}

// 3. A storage specifier of a sparse tensor, and tuples.
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
// CHECK-LABEL: func private @specified(
// CHECK-SAME:    -> (memref<?xf64> {memplan.borrowed}, !sparse_tensor.storage_specifier<#{{.*}}>, tuple<i32, tuple<index>>)
// CHECK-LABEL: func @specifier(
// CHECK:         call @specified(
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func private @specified(%m: memref<?xf64>, %s: !sparse_tensor.storage_specifier<#csr>, %t: tuple<i32, tuple<index>>, %n: index)
    -> (memref<?xf64>, !sparse_tensor.storage_specifier<#csr>, tuple<i32, tuple<index>>) {
  %r = sparse_tensor.storage_specifier.set %s val_mem_sz with %n : !sparse_tensor.storage_specifier<#csr>
  return %m, %r, %t : memref<?xf64>, !sparse_tensor.storage_specifier<#csr>, tuple<i32, tuple<index>>
}
func.func @specifier(%s: !sparse_tensor.storage_specifier<#csr>, %t: tuple<i32, tuple<index>>, %n: index) -> f64 {
  %a = memref.alloc(%n) : memref<?xf64>
  %r:3 = call @specified(%a, %s, %t, %n) : (memref<?xf64>, !sparse_tensor.storage_specifier<#csr>, tuple<i32, tuple<index>>, index)
      -> (memref<?xf64>, !sparse_tensor.storage_specifier<#csr>, tuple<i32, tuple<index>>)
  %v = memref.load %r#0[%n] : memref<?xf64>
  return %v : f64
}

// 4. An address as a number in a struct: the memory is used until the struct is not.
// CHECK-LABEL: func @address(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK:         call @same(
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK:         llvm.load
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func private @packed(%m: memref<4xi64>) -> !llvm.struct<(i64, array<2 x i64>)> {
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %u = llvm.mlir.undef : !llvm.struct<(i64, array<2 x i64>)>
  %s = llvm.insertvalue %i, %u[1, 0] : !llvm.struct<(i64, array<2 x i64>)>
  return %s : !llvm.struct<(i64, array<2 x i64>)>
}
func.func private @same(%m: memref<4xi64>, %s: !llvm.struct<(i64, array<2 x i64>)>) -> (memref<4xi64>, !llvm.struct<(i64, array<2 x i64>)>) {
  return %m, %s : memref<4xi64>, !llvm.struct<(i64, array<2 x i64>)>
}
func.func @address() -> i64 {
  %a = memref.alloc() : memref<4xi64>
  func.call @use(%a) : (memref<4xi64>) -> ()
  %s = call @packed(%a) : (memref<4xi64>) -> !llvm.struct<(i64, array<2 x i64>)>
  %b = memref.alloc() : memref<4xi64>
  %r:2 = call @same(%b, %s) : (memref<4xi64>, !llvm.struct<(i64, array<2 x i64>)>) -> (memref<4xi64>, !llvm.struct<(i64, array<2 x i64>)>)
  %i = llvm.extractvalue %r#1[1, 0] : !llvm.struct<(i64, array<2 x i64>)>
  %p = llvm.inttoptr %i : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> i64
  return %x : i64
}

// 5. A struct with a pointer, even deep inside, may hold memory, and so may an unknown type.
// CHECK-LABEL: func @pointer(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func private @deep(memref<4xi64>) -> !llvm.struct<(i64, array<1 x struct<"deep", (ptr)>>)>
func.func @pointer() -> !llvm.struct<(i64, array<1 x struct<"deep", (ptr)>>)> {
  // expected-warning @+1 {{is not freed}}
  %a = memref.alloc() : memref<4xi64>
  // expected-note @+1 {{it escapes here}}
  %s = call @deep(%a) : (memref<4xi64>) -> !llvm.struct<(i64, array<1 x struct<"deep", (ptr)>>)>
  return %s : !llvm.struct<(i64, array<1 x struct<"deep", (ptr)>>)>
}
