// Memory that callees capture and free, through addresses, nested memrefs and views.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.err

// 1. A callee makes a memref of an address, and frees that.
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

// 2. An address leaves a region, and is stored after it; or is stored under a mask.
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

// 3. A callee that reads at an address captures nothing, nor does a comparison of two addresses.
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

// 4. A callee stores its argument in a memref of memrefs that it allocates in some iterations, and reads it there: it
// captures nothing.
// CHECK-LABEL: func @stored_in_some_iterations(
// CHECK:         call @stores_in_some_iterations
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    memref.dealloc
func.func @stored_in_some_iterations(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @stores_in_some_iterations(%a, %b, %c) : (memref<4xf32>, memref<4xf32>, i1) -> ()
  return
}
func.func private @stores_in_some_iterations(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  scf.while (%x = %a) : (memref<4xf32>) -> memref<4xf32> {
    scf.condition(%c) %x : memref<4xf32>
  } do {
  ^bb0(%y: memref<4xf32>):
    scf.if %c {
      %nested = memref.alloc() : memref<1xmemref<4xf32>>
      memref.store %y, %nested[%c0] : memref<1xmemref<4xf32>>
      %z = memref.load %nested[%c0] : memref<1xmemref<4xf32>>
    }
    scf.yield %b : memref<4xf32>
  }
  return
}

// 5. Where the memref of memrefs outlives the iteration, it may hold memory that an earlier iteration knew by that
// name.
// SAYS: warning: is not freed: it escapes
// CHECK-LABEL: func @nested_outlives(
// CHECK-NOT:     memref.dealloc %{{.*}} : memref<4xf32>
// CHECK-LABEL: func private @last
func.func @nested_outlives(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nested = memref.alloc() : memref<1xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    scf.if %c {
      memref.store %a, %nested[%c0] : memref<1xmemref<4xf32>>
    }
    %z = memref.load %nested[%c0] : memref<1xmemref<4xf32>>
    memref.copy %z, %a : memref<4xf32> to memref<4xf32>
  }
  return
}
func.func private @last()

// 6. A callee frees its argument through a view.
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
