// Addresses that travel as numbers, and numbers that are none.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. A callee gives an address: its use is one of the memory.
// CHECK-LABEL: func @uses_address(
// CHECK:         llvm.load
// CHECK-NEXT:    memref.dealloc
func.func private @address(%a: memref<8xf32>) -> i64 {
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %j = arith.index_cast %i : index to i64
  return %j : i64
}
func.func @uses_address() -> f32 {
  %a = memref.alloc() : memref<8xf32>
  %j = call @address(%a) : (memref<8xf32>) -> i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}

// 2. An address travels through a callee as a floating-point number: memory that is read through it is freed after
// that. A function without a body may free memory whose address it receives.
// CHECK-LABEL: func @address_as_float(
// CHECK:         llvm.load
// CHECK-NEXT:    memref.dealloc
// CHECK-LABEL: func @number_of_memory(
// CHECK:         call @norm
// CHECK-NEXT:    return
func.func private @bits_as_float(%i: index) -> f64 {
  %k = arith.index_cast %i : index to i64
  %f = arith.bitcast %k : i64 to f64
  return %f : f64
}
func.func private @norm(%i: index) -> f64
func.func @address_as_float() -> f32 {
  %a = memref.alloc() : memref<16xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %f = call @bits_as_float(%i) : (index) -> f64
  %k = arith.bitcast %f : f64 to i64
  %p = llvm.inttoptr %k : i64 to !llvm.ptr
  %y = llvm.load %p : !llvm.ptr -> f32
  return %y : f32
}
func.func @number_of_memory() -> f64 {
  %a = memref.alloc() : memref<16xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %f = call @norm(%i) : (index) -> f64
  return %f : f64
}

// 3. The comparison of base addresses that an earlier run wrote captures nothing: a second run leaves callers as they
// are.
// CHECK-LABEL: func @asks_where_memory_starts(
// CHECK-SAME:      %[[C:[^:]*]]: i1, %[[B:[^:]*]]: memref<4xf32>)
// CHECK:         memref.store %{{.*}}, %{{.*}}[] : memref<memref<f32>>
// CHECK:         bufferization.dealloc
// CHECK-LABEL: func @passes_on_what_is_asked(
// CHECK-LABEL: func @gives_what_is_asked(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %[[OTHER:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %[[X:.*]] = call @passes_on_what_is_asked(%{{.*}}, %[[A]], %[[OTHER]])
// CHECK-NEXT:    memref.dealloc %[[A]] :
// CHECK-NEXT:    memref.dealloc %[[OTHER]] :
// CHECK-NEXT:    memref.dealloc %[[X]] :
// CHECK-NEXT:    return
func.func @asks_where_memory_starts(%c: i1, %b: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %c16 = arith.constant 16 : index
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<64xi8>
    %v = memref.view %a[%c16][] : memref<64xi8> to memref<4xf32>
    scf.yield %v : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  return %b, %r : memref<4xf32>, memref<4xf32>
}
func.func @passes_on_what_is_asked(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
  %r:2 = call @asks_where_memory_starts(%c, %b) : (i1, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  %x = memref.alloc() : memref<4xf32>
  return %x : memref<4xf32>
}
func.func @gives_what_is_asked(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %x = call @passes_on_what_is_asked(%c, %a, %b) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  return
}

// 4. A descriptor field that is read from a memref is an address: a read there uses its memory. Where such memory
// holds more than memrefs and their fields, or escapes, all its uses are unknown.
// CHECK-LABEL: func @word(
// CHECK-LABEL: func @uses_word(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<f32>
// CHECK-NEXT:    %[[W:.*]] = call @word(%[[A]])
// CHECK-NEXT:    call @reads_there(%[[W]])
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-LABEL: func @another_word(
// CHECK:         %[[B:.*]] = memref.alloc() : memref<f32>
// CHECK-NOT:     memref.dealloc %[[B]]
// CHECK-LABEL: func @field_after(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func @read_elsewhere(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func @others_get_it(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func private @reads_there(%w: index) -> f32 {
  %i = arith.index_cast %w : index to i64
  %p = llvm.inttoptr %i : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}
func.func private @keeps_there(memref<memref<f32>>)
func.func @word(%b: memref<f32>) -> index {
  %c0 = arith.constant 0 : index
  %stack = memref.alloca() : memref<24xi8>
  %cell = memref.view %stack[%c0][] : memref<24xi8> to memref<memref<f32>>
  %words = memref.view %stack[%c0][] : memref<24xi8> to memref<index>
  memref.store %b, %cell[] : memref<memref<f32>>
  %w = memref.load %words[] : memref<index>
  return %w : index
}
func.func @uses_word() {
  %a = memref.alloc() : memref<f32>
  %w = call @word(%a) : (memref<f32>) -> index
  %x = call @reads_there(%w) : (index) -> f32
  return
}
func.func @another_word(%w: index) -> f32 {
  %c0 = arith.constant 0 : index
  %stack = memref.alloca() : memref<24xi8>
  %cell = memref.view %stack[%c0][] : memref<24xi8> to memref<memref<f32>>
  %words = memref.view %stack[%c0][] : memref<24xi8> to memref<index>
  %b = memref.alloc() : memref<f32>
  memref.store %b, %cell[] : memref<memref<f32>>
  memref.store %w, %words[] : memref<index>
  %l = memref.load %cell[] : memref<memref<f32>>
  %x = memref.load %l[] : memref<f32>
  return %x : f32
}
func.func @field_after(%d: memref<f32>) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %stack = memref.alloca() : memref<32xi8>
  %cell = memref.view %stack[%c0][] : memref<32xi8> to memref<memref<f32>>
  %words = memref.view %stack[%c0][] : memref<32xi8> to memref<4xindex>
  %b = memref.alloc() : memref<f32>
  memref.store %b, %cell[] : memref<memref<f32>>
  %w = memref.load %words[%c0] : memref<4xindex>
  memref.store %w, %words[%c3] : memref<4xindex>
  memref.store %d, %cell[] : memref<memref<f32>>
  %l = memref.load %words[%c3] : memref<4xindex>
  return %l : index
}
func.func @read_elsewhere(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %stack = memref.alloca() : memref<24xi8>
  %cell = memref.view %stack[%c0][] : memref<24xi8> to memref<memref<f32>>
  %b = memref.alloc() : memref<f32>
  memref.store %b, %cell[] : memref<memref<f32>>
  scf.if %c {
    %d = memref.alloc() : memref<f32>
    memref.store %d, %cell[] : memref<memref<f32>>
  }
  %l = memref.load %cell[] : memref<memref<f32>>
  %x = memref.load %l[] : memref<f32>
  return %x : f32
}
func.func @others_get_it() {
  %c0 = arith.constant 0 : index
  %stack = memref.alloca() : memref<24xi8>
  %cell = memref.view %stack[%c0][] : memref<24xi8> to memref<memref<f32>>
  %b = memref.alloc() : memref<f32>
  memref.store %b, %cell[] : memref<memref<f32>>
  call @keeps_there(%cell) : (memref<memref<f32>>) -> ()
  return
}

// 5. Memory that a callee makes as large as an argument is none of it, also where the module takes addresses.
// CHECK-LABEL: func @calls_measured(
// CHECK:         %[[M:.*]] = memref.alloc(
// CHECK:         memref.load %[[M]]
// CHECK-NEXT:    memref.dealloc %[[M]]
func.func @as_large(%x: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %r = memref.alloc(%d) : memref<?xf32>
  memref.copy %x, %r : memref<?xf32> to memref<?xf32>
  return %r : memref<?xf32>
}
func.func @measured(%x: memref<?xf32>, %c: i1) {
  cf.cond_br %c, ^make, ^out
^make:
  %r = call @as_large(%x) : (memref<?xf32>) -> memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  cf.br ^out
^out:
  return
}
func.func @calls_measured(%n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  call @measured(%m, %c) : (memref<?xf32>, i1) -> ()
  cf.br ^next
^next:
  %x = memref.load %m[%c0] : memref<?xf32>
  return %x : f32
}

// 6. A callee that stores the size of its argument does not capture it.
// CHECK-LABEL: func @calls_noted(
// CHECK:         %[[M:.*]] = memref.alloc(
// CHECK:         call @noted(%[[M]])
// CHECK-NEXT:    memref.dealloc %[[M]]
memref.global "private" @sizes : memref<1xindex>
func.func @notes(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %g = memref.get_global @sizes : memref<1xindex>
  memref.store %d, %g[%c0] : memref<1xindex>
  return
}
func.func @noted(%x: memref<?xf32>) {
  %r = call @as_large(%x) : (memref<?xf32>) -> memref<?xf32>
  call @notes(%r) : (memref<?xf32>) -> ()
  return
}
func.func @calls_noted(%n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  call @noted(%m) : (memref<?xf32>) -> ()
  return
}
