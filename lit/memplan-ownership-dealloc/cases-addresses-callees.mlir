// Addresses as sizes, strides and offsets of the memrefs of callees, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- metadata_of_callees.mlir
// 1. Callees read them, return them, and make them.
// CHECK: 5, 6, {{[0-9]+}}, 0, 0
// UPSTREAM: {{.*}}
func.func private @at(%i: index) -> f32 attributes {no_inline} {
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}
func.func private @size(%v: memref<?xi8, strided<[1]>>) -> index attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %q = memref.dim %v, %c0 : memref<?xi8, strided<[1]>>
  return %q : index
}
func.func private @same(%v: memref<?xi8, strided<[1]>>) -> (memref<?xi8, strided<[1]>> {memplan.borrowed}) attributes {no_inline} {
  return %v : memref<?xi8, strided<[1]>>
}
func.func private @view(%d: memref<1xi8>, %p: index) -> (memref<?xi8, strided<[1]>> {memplan.borrowed}) attributes {no_inline} {
  %v = memref.reinterpret_cast %d to offset: [0], sizes: [%p], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
  return %v : memref<?xi8, strided<[1]>>
}
func.func private @view_of(%d: memref<1xi8>, %a: memref<16xf32>) -> (memref<?xi8, strided<[1]>> {memplan.borrowed}) attributes {no_inline} {
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %v = memref.reinterpret_cast %d to offset: [0], sizes: [%p], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
  return %v : memref<?xi8, strided<[1]>>
}
func.func private @new(%v: memref<?xi8, strided<[1]>>) -> memref<?x0xi8> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %q = memref.dim %v, %c0 : memref<?xi8, strided<[1]>>
  %new = memref.alloc(%q) : memref<?x0xi8>
  return %new : memref<?x0xi8>
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.alloca() : memref<1xi8>
  %a0 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a0 : memref<16xf32>)
  %a1 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a1 : memref<16xf32>)
  %a2 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a2 : memref<16xf32>)
  %a3 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a3 : memref<16xf32>)
  %a4 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a4 : memref<16xf32>)
  %p0 = memref.extract_aligned_pointer_as_index %a0 : memref<16xf32> -> index
  %p1 = memref.extract_aligned_pointer_as_index %a1 : memref<16xf32> -> index
  %p2 = memref.extract_aligned_pointer_as_index %a2 : memref<16xf32> -> index
  %p4 = memref.extract_aligned_pointer_as_index %a4 : memref<16xf32> -> index
  %v0 = memref.reinterpret_cast %d to offset: [0], sizes: [%p0], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
  %v1 = memref.reinterpret_cast %d to offset: [0], sizes: [%p1], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
  %v4 = memref.reinterpret_cast %d to offset: [0], sizes: [%p4], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
  %w1 = call @same(%v1) : (memref<?xi8, strided<[1]>>) -> memref<?xi8, strided<[1]>>
  %w2 = call @view(%d, %p2) : (memref<1xi8>, index) -> memref<?xi8, strided<[1]>>
  %w3 = call @view_of(%d, %a3) : (memref<1xi8>, memref<16xf32>) -> memref<?xi8, strided<[1]>>
  %w4 = call @new(%v4) : (memref<?xi8, strided<[1]>>) -> memref<?x0xi8>
  %q0 = call @size(%v0) : (memref<?xi8, strided<[1]>>) -> index
  %q1 = memref.dim %w1, %c0 : memref<?xi8, strided<[1]>>
  %q2 = memref.dim %w2, %c0 : memref<?xi8, strided<[1]>>
  %q3 = memref.dim %w3, %c0 : memref<?xi8, strided<[1]>>
  %q4 = memref.dim %w4, %c0 : memref<?x0xi8>
  %y0 = call @at(%q0) : (index) -> f32
  %y1 = call @at(%q1) : (index) -> f32
  %y2 = call @at(%q2) : (index) -> f32
  %y3 = call @at(%q3) : (index) -> f32
  %y4 = call @at(%q4) : (index) -> f32
  %s1 = arith.addf %y0, %y1 : f32
  %s2 = arith.addf %s1, %y2 : f32
  %s3 = arith.addf %s2, %y3 : f32
  %s4 = arith.addf %s3, %y4 : f32
  return %s4 : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}
