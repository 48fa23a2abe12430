// Functions of MLIR's runtime library for sparse tensors: what they return stays memory of the object that they
// receive, and they copy what they read. Their declarations do not say so.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc)' --split-input-file --verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-ownership-dealloc))' --split-input-file 2> %t.alone \
// RUN:   | FileCheck %s --check-prefix=ALONE

func.func private @sparseValuesF64(!llvm.ptr) -> memref<?xf64> attributes {llvm.emit_c_interface}
func.func private @sparsePositions0(!llvm.ptr, index) -> memref<?xindex> attributes {llvm.emit_c_interface}
func.func private @sparseCoordinates32(!llvm.ptr, index) -> memref<?xi32> attributes {llvm.emit_c_interface}
func.func private @sparseCoordinatesBuffer0(!llvm.ptr, index) -> memref<?xindex> attributes {llvm.emit_c_interface}
func.func private @getSparseTensorReaderDimSizes(!llvm.ptr) -> memref<?xindex> attributes {llvm.emit_c_interface}

// 1. Nothing is freed.
// CHECK-LABEL: func @accessed
// CHECK-NOT: dealloc
// ALONE-LABEL: func @accessed
// ALONE-NOT: dealloc
func.func @accessed(%t: !llvm.ptr, %x: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %v = call @sparseValuesF64(%t) : (!llvm.ptr) -> memref<?xf64>
  %p = call @sparsePositions0(%t, %c0) : (!llvm.ptr, index) -> memref<?xindex>
  %c = call @sparseCoordinates32(%t, %c0) : (!llvm.ptr, index) -> memref<?xi32>
  %b = call @sparseCoordinatesBuffer0(%t, %c0) : (!llvm.ptr, index) -> memref<?xindex>
  %s = call @getSparseTensorReaderDimSizes(%t) : (!llvm.ptr) -> memref<?xindex>
  %i = memref.load %p[%c0] : memref<?xindex>
  %j = memref.load %b[%i] : memref<?xindex>
  %k = memref.load %s[%j] : memref<?xindex>
  %l = memref.load %v[%k] : memref<?xf64>
  memref.store %l, %x[%c0] : memref<8xf64>
  %m = memref.load %c[%k] : memref<?xi32>
  %n = arith.index_cast %m : i32 to index
  memref.store %l, %x[%n] : memref<8xf64>
  return
}

// 2. One of two, of which one is new: only that is freed.
// CHECK-LABEL: func @one_of
// CHECK: %[[V:.*]] = call @sparseValuesF64
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[S:.*]] = arith.select %{{.*}}, %[[V]], %[[A]]
// CHECK: memref.load %[[S]]
// CHECK: dealloc {{.*}}%[[A]]
// CHECK-NOT: dealloc {{.*}}%[[V]]
// ALONE-LABEL: func @one_of
// ALONE-NOT: dealloc {{.*}}%{{[0-9]+}} :
func.func @one_of(%t: !llvm.ptr, %i: i1, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f64
  %v = call @sparseValuesF64(%t) : (!llvm.ptr) -> memref<?xf64>
  %a = memref.alloc(%n) : memref<?xf64>
  memref.store %f, %a[%c0] : memref<?xf64>
  %s = arith.select %i, %v, %a : memref<?xf64>
  %l = memref.load %s[%c0] : memref<?xf64>
  return %l : f64
}

// 3. A function that returns it: callers free what they receive, which is a copy.
// CHECK-LABEL: func.func private @values
// CHECK: %[[V:.*]] = call @sparseValuesF64
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: memref.copy %[[V]], %[[C]]
// CHECK-NOT: dealloc
// CHECK: return %[[C]]
// ALONE-LABEL: func.func private @values
// ALONE: memref.copy
func.func private @values(%t: !llvm.ptr) -> memref<?xf64> {
  %v = call @sparseValuesF64(%t) : (!llvm.ptr) -> memref<?xf64>
  // expected-warning @below {{returns memory that the function does not own}}
  return %v : memref<?xf64>
}
// CHECK-LABEL: func @first
// CHECK: memref.dealloc
// ALONE-LABEL: func @first
// ALONE: memref.dealloc
func.func @first(%t: !llvm.ptr) -> f64 {
  %c0 = arith.constant 0 : index
  %v = call @values(%t) : (!llvm.ptr) -> memref<?xf64>
  %l = memref.load %v[%c0] : memref<?xf64>
  return %l : f64
}

// -----

// 4. Buffers that the library reads or fills: freed after the call.
func.func private @getSparseTensorReaderReadToBuffers0F64(!llvm.ptr, memref<?xindex>, memref<?xindex>, memref<?xindex>, memref<?xf64>) -> i1 attributes {llvm.emit_c_interface}
func.func private @lexInsertF64(!llvm.ptr, memref<?xindex>, memref<f64>) attributes {llvm.emit_c_interface}
func.func private @expInsertC32(!llvm.ptr, memref<?xindex>, memref<?xcomplex<f32>>, memref<?xi1>, memref<?xindex>, index) attributes {llvm.emit_c_interface}
// CHECK-LABEL: func @filled
// CHECK: call @getSparseTensorReaderReadToBuffers0F64
// CHECK-COUNT-6: memref.dealloc
// ALONE-LABEL: func @filled
// ALONE-COUNT-6: memref.dealloc
func.func @filled(%r: !llvm.ptr, %t: !llvm.ptr, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %maps = memref.alloc(%n) : memref<?xindex>
  %coordinates = memref.alloc(%n) : memref<?xindex>
  %values = memref.alloc(%n) : memref<?xf64>
  %value = memref.alloc() : memref<f64>
  %row = memref.alloc(%n) : memref<?xcomplex<f32>>
  %filled = memref.alloc(%n) : memref<?xi1>
  %sorted = call @getSparseTensorReaderReadToBuffers0F64(%r, %maps, %maps, %coordinates, %values) : (!llvm.ptr, memref<?xindex>, memref<?xindex>, memref<?xindex>, memref<?xf64>) -> i1
  call @lexInsertF64(%t, %coordinates, %value) : (!llvm.ptr, memref<?xindex>, memref<f64>) -> ()
  call @expInsertC32(%t, %coordinates, %row, %filled, %maps, %n) : (!llvm.ptr, memref<?xindex>, memref<?xcomplex<f32>>, memref<?xi1>, memref<?xindex>, index) -> ()
  return %sorted : i1
}

// -----

// 5. Functions of other names, other types, or called otherwise: as of every declaration, what they return is new.
func.func private @sparseValuesOf(!llvm.ptr) -> memref<?xf64> attributes {llvm.emit_c_interface}
func.func private @sparseValuesF32(!llvm.ptr) -> memref<?xf32>
func.func private @sparseValuesI8(index) -> memref<?xi8> attributes {llvm.emit_c_interface}
// CHECK-LABEL: func @others
// CHECK-COUNT-3: memref.dealloc
// ALONE-LABEL: func @others
// ALONE-COUNT-3: memref.dealloc
func.func @others(%t: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %a = call @sparseValuesOf(%t) : (!llvm.ptr) -> memref<?xf64>
  %b = call @sparseValuesF32(%t) : (!llvm.ptr) -> memref<?xf32>
  %c = call @sparseValuesI8(%c0) : (index) -> memref<?xi8>
  return
}

// 6. A function with a body says itself what it returns.
// CHECK-LABEL: func.func private @sparseValuesF16
// CHECK-NOT: memplan.borrowed
// CHECK: return
func.func private @sparseValuesF16(%t: !llvm.ptr) -> memref<?xf16> attributes {llvm.emit_c_interface} {
  %c8 = arith.constant 8 : index
  %a = memref.alloc(%c8) : memref<?xf16>
  return %a : memref<?xf16>
}
// CHECK-LABEL: func @calls_it
// CHECK: memref.dealloc
// ALONE-LABEL: func @calls_it
// ALONE: memref.dealloc
func.func @calls_it(%t: !llvm.ptr) {
  %a = call @sparseValuesF16(%t) : (!llvm.ptr) -> memref<?xf16>
  return
}

// -----

// 7. Objects hold no memref that they are made of, though what a function computes from them is the size of another.
func.func private @newSparseTensor(memref<?xindex>, !llvm.ptr) -> !llvm.ptr attributes {llvm.emit_c_interface}
func.func private @createCheckedSparseTensorReader(!llvm.ptr, memref<?xindex>, i32) -> !llvm.ptr attributes {llvm.emit_c_interface}
func.func private @getSparseTensorReaderNSE(!llvm.ptr) -> index
func.func private @getSparseTensorReaderReadToBuffers0F64(!llvm.ptr, memref<?xindex>, memref<?xindex>, memref<?xindex>, memref<?xf64>) -> i1 attributes {llvm.emit_c_interface}
func.func private @delSparseTensor(!llvm.ptr)
// CHECK-LABEL: func @sized
// CHECK-COUNT-2: memref.dealloc
// ALONE-LABEL: func @sized
// ALONE-COUNT-2: memref.dealloc
func.func @sized(%name: !llvm.ptr, %n: index, %kind: i32) -> i1 {
  %c0 = arith.constant 0 : index
  %sizes = memref.alloc(%n) : memref<?xindex>
  memref.store %c0, %sizes[%c0] : memref<?xindex>
  %r = call @createCheckedSparseTensorReader(%name, %sizes, %kind) : (!llvm.ptr, memref<?xindex>, i32) -> !llvm.ptr
  %e = call @getSparseTensorReaderNSE(%r) : (!llvm.ptr) -> index
  %values = memref.alloc(%e) : memref<?xf64>
  %sorted = call @getSparseTensorReaderReadToBuffers0F64(%r, %sizes, %sizes, %sizes, %values) : (!llvm.ptr, memref<?xindex>, memref<?xindex>, memref<?xindex>, memref<?xf64>) -> i1
  return %sorted : i1
}
// CHECK-LABEL: func @made
// CHECK: call @newSparseTensor
// CHECK-NEXT: memref.dealloc
// ALONE-LABEL: func @made
// ALONE: memref.dealloc
func.func @made(%null: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %sizes = memref.alloc(%n) : memref<?xindex>
  memref.store %c0, %sizes[%c0] : memref<?xindex>
  %t = call @newSparseTensor(%sizes, %null) : (memref<?xindex>, !llvm.ptr) -> !llvm.ptr
  call @delSparseTensor(%t) : (!llvm.ptr) -> ()
  return
}

// -----

// 8. A function of such a name with a body, which keeps the address: as its body says.
func.func private @sink(!llvm.ptr)
func.func private @newSparseTensor(%m: memref<?xindex>, %p: !llvm.ptr) -> !llvm.ptr attributes {llvm.emit_c_interface} {
  %i = memref.extract_aligned_pointer_as_index %m : memref<?xindex> -> index
  %j = arith.index_cast %i : index to i64
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  return %q : !llvm.ptr
}
// CHECK-LABEL: func @address
// CHECK-NOT: memref.dealloc
// CHECK: return
// ALONE-LABEL: func @address
// ALONE-NOT: memref.dealloc
func.func @address(%null: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  // expected-warning @below {{is not freed}}
  %a = memref.alloc(%n) : memref<?xindex>
  memref.store %c0, %a[%c0] : memref<?xindex>
  %t = call @newSparseTensor(%a, %null) : (memref<?xindex>, !llvm.ptr) -> !llvm.ptr
  // expected-note @below {{it escapes here}}
  call @sink(%t) : (!llvm.ptr) -> ()
  return
}
