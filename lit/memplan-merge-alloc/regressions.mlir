// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true},\
// RUN:   func.func(convert-linalg-to-loops),convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)' \
// RUN:   | %runner -O0 | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=plain alignment=1 verify=true},\
// RUN:   func.func(convert-linalg-to-loops),convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)' \
// RUN:   | %runner -O0 | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{planner=plain alignment=1 \
// RUN:   verify=true}),func.func(convert-linalg-to-loops),convert-scf-to-cf,convert-to-llvm,\
// RUN:   reconcile-unrealized-casts)' \
// RUN:   | %runner -O0 | FileCheck %s

// Programs that were planned wrongly once. They are executed.

func.func private @printI64(i64)
func.func private @printF32(f32)
func.func private @printNewline()

// 1. A callee that frees its argument: the caller's buffer must not be a slice.
func.func private @sink(%m: memref<4xi64>) {
  memref.dealloc %m : memref<4xi64>
  return
}
func.func private @sink_or_free(%m: memref<4xi64>, %p: i1) {
  %cast = memref.cast %m : memref<4xi64> to memref<?xi64>
  %same = memref.cast %cast : memref<?xi64> to memref<4xi64>
  cf.cond_br %p, ^sink(%same : memref<4xi64>), ^free
^sink(%x: memref<4xi64>):
  call @sink(%x) : (memref<4xi64>) -> ()
  return
^free:
  memref.dealloc %m : memref<4xi64>
  return
}
func.func @callee_frees(%p: i1) {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i64
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  %c = memref.alloc() : memref<4xi64>
  memref.store %k, %a[%c0] : memref<4xi64>
  memref.store %k, %b[%c0] : memref<4xi64>
  memref.store %k, %c[%c0] : memref<4xi64>
  %x = memref.load %a[%c0] : memref<4xi64>
  %y = memref.load %b[%c0] : memref<4xi64>
  %z = memref.load %c[%c0] : memref<4xi64>
  %xy = arith.addi %x, %y : i64
  %xyz = arith.addi %xy, %z : i64
  call @printI64(%xyz) : (i64) -> ()
  call @printNewline() : () -> ()
  call @sink(%b) : (memref<4xi64>) -> ()
  call @sink_or_free(%a, %p) : (memref<4xi64>, i1) -> ()
  memref.dealloc %c : memref<4xi64>
  return
}

// 2. Bytes that are viewed as vectors are aligned for vectors, whatever the least alignment.
func.func @wider_view() {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %k = arith.constant 3 : i8
  %v = arith.constant dense<2.5> : vector<4xf32>
  %byte = memref.alloc() : memref<1xi8>
  %bytes = memref.alloc() : memref<48xi8>
  %vectors = memref.view %bytes[%c16][] : memref<48xi8> to memref<2xvector<4xf32>>
  memref.store %k, %byte[%c0] : memref<1xi8>
  memref.store %v, %vectors[%c0] : memref<2xvector<4xf32>>
  %w = memref.load %vectors[%c0] : memref<2xvector<4xf32>>
  %l = memref.load %byte[%c0] : memref<1xi8>
  %x = vector.extract %w[3] : f32 from vector<4xf32>
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  %e = arith.extsi %l : i8 to i64
  call @printI64(%e) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// 3. Vectors without dimensions have a size.
func.func @vector_without_dimensions() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<1.5> : vector<f32>
  %w = arith.constant dense<4.0> : vector<f32>
  %a = memref.alloc() : memref<2xvector<f32>>
  memref.store %v, %a[%c0] : memref<2xvector<f32>>
  memref.store %w, %a[%c1] : memref<2xvector<f32>>
  %x = memref.load %a[%c0] : memref<2xvector<f32>>
  %y = vector.extract %x[] : f32 from vector<f32>
  call @printF32(%y) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK: 21
  call @callee_frees(%true) : (i1) -> ()
  // CHECK-NEXT: 21
  call @callee_frees(%false) : (i1) -> ()
  // CHECK-NEXT: 2.5
  // CHECK-NEXT: 3
  call @wider_view() : () -> ()
  // CHECK-NEXT: 1.5
  call @vector_without_dimensions() : () -> ()
  return
}
