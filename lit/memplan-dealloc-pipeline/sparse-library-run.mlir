// A sparse tensor of MLIR's runtime library, executed: the memory of its values, positions and coordinates is the
// library's. The last line: what is shown before, allocations, most bytes held at once, bytes left, wrong frees.
// RUN: cat %s %S/../memplan-ownership-dealloc/Inputs/strict-heap.mlir > %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' -o %t.freed.mlir
// RUN: bash %S/Inputs/sparse.sh %mlir_lib_dir %t.freed.mlir | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan)' -o %t.planned.mlir
// RUN: bash %S/Inputs/sparse.sh %mlir_lib_dir %t.planned.mlir | FileCheck %s
// CHECK: 1
// CHECK-NEXT: 2
// CHECK-NEXT: 2
// CHECK-NEXT: 3
// CHECK-NEXT: 2, {{[12]}}, {{24|136}}, 0, 0{{$}}

func.func private @newSparseTensor(memref<?xindex>, memref<?xindex>, memref<?xi64>, memref<?xindex>, memref<?xindex>, i32, i32, i32, i32, !llvm.ptr) -> !llvm.ptr attributes {llvm.emit_c_interface}
func.func private @lexInsertF64(!llvm.ptr, memref<?xindex>, memref<f64>) attributes {llvm.emit_c_interface}
func.func private @endLexInsert(!llvm.ptr)
func.func private @sparseValuesF64(!llvm.ptr) -> memref<?xf64> attributes {llvm.emit_c_interface}
func.func private @sparsePositions0(!llvm.ptr, index) -> memref<?xindex> attributes {llvm.emit_c_interface}
func.func private @sparseCoordinates0(!llvm.ptr, index) -> memref<?xindex> attributes {llvm.emit_c_interface}
func.func private @delSparseTensor(!llvm.ptr)
func.func private @printF64(f64)
func.func private @printU64(index)

func.func @show(%i: index) {
  call @printU64(%i) : (index) -> ()
  call @printNewline() : () -> ()
  return
}

// Two entries of 3x3, by rows. The inserted entry is written to the heap.
func.func @tensor() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %f1 = arith.constant 1.0 : f64
  %f2 = arith.constant 2.0 : f64
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %dense = arith.constant 65536 : i64
  %compressed = arith.constant 262144 : i64
  %levels = memref.alloca(%c2) : memref<?xi64>
  memref.store %dense, %levels[%c0] : memref<?xi64>
  memref.store %compressed, %levels[%c1] : memref<?xi64>
  %sizes = memref.alloca(%c2) : memref<?xindex>
  memref.store %c3, %sizes[%c0] : memref<?xindex>
  memref.store %c3, %sizes[%c1] : memref<?xindex>
  %map = memref.alloca(%c2) : memref<?xindex>
  memref.store %c0, %map[%c0] : memref<?xindex>
  memref.store %c1, %map[%c1] : memref<?xindex>
  %null = llvm.mlir.zero : !llvm.ptr
  %t = call @newSparseTensor(%sizes, %sizes, %levels, %map, %map, %none, %none, %one, %none, %null) : (memref<?xindex>, memref<?xindex>, memref<?xi64>, memref<?xindex>, memref<?xindex>, i32, i32, i32, i32, !llvm.ptr) -> !llvm.ptr
  %at = memref.alloc(%c2) : memref<?xindex>
  %value = memref.alloc() : memref<f64>
  memref.store %c0, %at[%c0] : memref<?xindex>
  memref.store %c0, %at[%c1] : memref<?xindex>
  memref.store %f1, %value[] : memref<f64>
  call @lexInsertF64(%t, %at, %value) : (!llvm.ptr, memref<?xindex>, memref<f64>) -> ()
  memref.store %c1, %at[%c0] : memref<?xindex>
  memref.store %c2, %at[%c1] : memref<?xindex>
  memref.store %f2, %value[] : memref<f64>
  call @lexInsertF64(%t, %at, %value) : (!llvm.ptr, memref<?xindex>, memref<f64>) -> ()
  call @endLexInsert(%t) : (!llvm.ptr) -> ()
  %values = call @sparseValuesF64(%t) : (!llvm.ptr) -> memref<?xf64>
  scf.for %i = %c0 to %c2 step %c1 {
    %v = memref.load %values[%i] : memref<?xf64>
    func.call @printF64(%v) : (f64) -> ()
    func.call @printNewline() : () -> ()
  }
  %positions = call @sparsePositions0(%t, %c1) : (!llvm.ptr, index) -> memref<?xindex>
  %end = memref.load %positions[%c3] : memref<?xindex>
  call @show(%end) : (index) -> ()
  %coordinates = call @sparseCoordinates0(%t, %c1) : (!llvm.ptr, index) -> memref<?xindex>
  %j = memref.load %coordinates[%c1] : memref<?xindex>
  %k = arith.addi %j, %c1 : index
  call @show(%k) : (index) -> ()
  call @delSparseTensor(%t) : (!llvm.ptr) -> ()
  return
}
func.func @main() {
  %f2 = arith.constant 2.0 : f32
  llvm.call @heap_start() : () -> ()
  call @tensor() : () -> ()
  call @heap_show(%f2) : (f32) -> ()
  return
}
