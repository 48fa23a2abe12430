// Addresses as sizes, strides and offsets of memrefs, executed: such a memref holds the memory.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- metadata.mlir
// 1. Addresses are sizes, strides and offsets of memrefs, and read from there.
// CHECK: 6, 6, {{[0-9]+}}, 0, 0
// UPSTREAM: {{.*}}
func.func private @at(%i: index) -> f32 attributes {no_inline} {
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.alloca() : memref<1xi8>
  %a0 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a0 : memref<16xf32>)
  %p0 = memref.extract_aligned_pointer_as_index %a0 : memref<16xf32> -> index
  %a1 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a1 : memref<16xf32>)
  %p1 = memref.extract_aligned_pointer_as_index %a1 : memref<16xf32> -> index
  %a2 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a2 : memref<16xf32>)
  %p2 = memref.extract_aligned_pointer_as_index %a2 : memref<16xf32> -> index
  %a3 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a3 : memref<16xf32>)
  %p3 = memref.extract_aligned_pointer_as_index %a3 : memref<16xf32> -> index
  %a4 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a4 : memref<16xf32>)
  %p4 = memref.extract_aligned_pointer_as_index %a4 : memref<16xf32> -> index
  %a5 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a5 : memref<16xf32>)
  %p5 = memref.extract_aligned_pointer_as_index %a5 : memref<16xf32> -> index
  %v0 = memref.reinterpret_cast %d to offset: [0], sizes: [%p0], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
  %v1 = memref.reinterpret_cast %d to offset: [0], sizes: [1], strides: [%p1] : memref<1xi8> to memref<1xi8, strided<[?]>>
  %v2 = memref.subview %d[%p2] [1] [1] : memref<1xi8> to memref<1xi8, strided<[1], offset: ?>>
  %v3 = memref.view %d[%c0][%p3] : memref<1xi8> to memref<?xi8>
  %v4 = memref.alloc(%p4) : memref<?x0xi8>
  %w5 = memref.reinterpret_cast %d to offset: [0], sizes: [%p5], strides: [1] : memref<1xi8> to memref<?xi8>
  %u5 = memref.cast %w5 : memref<?xi8> to memref<*xi8>
  %q0 = memref.dim %v0, %c0 : memref<?xi8, strided<[1]>>
  %b1, %o1, %z1, %q1 = memref.extract_strided_metadata %v1 : memref<1xi8, strided<[?]>> -> memref<i8>, index, index, index
  %b2, %q2, %z2, %t2 = memref.extract_strided_metadata %v2 : memref<1xi8, strided<[1], offset: ?>> -> memref<i8>, index, index, index
  %q3 = memref.dim %v3, %c0 : memref<?xi8>
  %q4 = memref.dim %v4, %c0 : memref<?x0xi8>
  %q5 = memref.dim %u5, %c0 : memref<*xi8>
  %y0 = call @at(%q0) : (index) -> f32
  %y1 = call @at(%q1) : (index) -> f32
  %y2 = call @at(%q2) : (index) -> f32
  %y3 = call @at(%q3) : (index) -> f32
  %y4 = call @at(%q4) : (index) -> f32
  %y5 = call @at(%q5) : (index) -> f32
  %s1 = arith.addf %y0, %y1 : f32
  %s2 = arith.addf %s1, %y2 : f32
  %s3 = arith.addf %s2, %y3 : f32
  %s4 = arith.addf %s3, %y4 : f32
  %s5 = arith.addf %s4, %y5 : f32
  return %s5 : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- metadata_passed.mlir
// 2. Such memrefs come out of branches, loops and selects, and are passed to blocks.
// CHECK: 4, 4, {{[0-9]+}}, 0, 0
// UPSTREAM: {{.*}}
func.func private @at(%i: index) -> f32 attributes {no_inline} {
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.alloca() : memref<1xi8>
  %a0 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a0 : memref<16xf32>)
  %p0 = memref.extract_aligned_pointer_as_index %a0 : memref<16xf32> -> index
  %a1 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a1 : memref<16xf32>)
  %p1 = memref.extract_aligned_pointer_as_index %a1 : memref<16xf32> -> index
  %a2 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a2 : memref<16xf32>)
  %p2 = memref.extract_aligned_pointer_as_index %a2 : memref<16xf32> -> index
  %a3 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a3 : memref<16xf32>)
  %p3 = memref.extract_aligned_pointer_as_index %a3 : memref<16xf32> -> index
  %c = arith.cmpi eq, %n, %c1 : index
  %e = memref.reinterpret_cast %d to offset: [0], sizes: [%n], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
  %v0 = scf.if %c -> (memref<?xi8, strided<[1]>>) {
    scf.yield %e : memref<?xi8, strided<[1]>>
  } else {
    %v = memref.reinterpret_cast %d to offset: [0], sizes: [%p0], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
    scf.yield %v : memref<?xi8, strided<[1]>>
  }
  %q0 = memref.dim %v0, %c0 : memref<?xi8, strided<[1]>>
  %v1 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %e) -> (memref<?xi8, strided<[1]>>) {
    %v = memref.reinterpret_cast %d to offset: [0], sizes: [%p1], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
    scf.yield %v : memref<?xi8, strided<[1]>>
  }
  %q1 = memref.dim %v1, %c0 : memref<?xi8, strided<[1]>>
  %w2 = memref.reinterpret_cast %d to offset: [0], sizes: [%p2], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
  %v2 = arith.select %c, %e, %w2 : memref<?xi8, strided<[1]>>
  %q2 = memref.dim %v2, %c0 : memref<?xi8, strided<[1]>>
  %w3 = memref.reinterpret_cast %d to offset: [0], sizes: [%p3], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
  cf.cond_br %c, ^next(%e : memref<?xi8, strided<[1]>>), ^next(%w3 : memref<?xi8, strided<[1]>>)
^next(%v3: memref<?xi8, strided<[1]>>):
  %q3 = memref.dim %v3, %c0 : memref<?xi8, strided<[1]>>
  %y0 = call @at(%q0) : (index) -> f32
  %y1 = call @at(%q1) : (index) -> f32
  %y2 = call @at(%q2) : (index) -> f32
  %y3 = call @at(%q3) : (index) -> f32
  %s1 = arith.addf %y0, %y1 : f32
  %s2 = arith.addf %s1, %y2 : f32
  %s3 = arith.addf %s2, %y3 : f32
  return %s3 : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- distance.mlir
// 3. A view of stack memory starts in a buffer, by the distance between the two.
// CHECK: 2, 2, {{[0-9]+}}, 0, 0
// UPSTREAM: {{.*}}
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.alloca() : memref<64xi8>
  %e = memref.alloca() : memref<16xf32>
  %c4 = arith.constant 4 : index
  %a0 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a0 : memref<16xf32>)
  %p0 = memref.extract_aligned_pointer_as_index %a0 : memref<16xf32> -> index
  %a1 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a1 : memref<16xf32>)
  %p1 = memref.extract_aligned_pointer_as_index %a1 : memref<16xf32> -> index
  %from0 = memref.extract_aligned_pointer_as_index %d : memref<64xi8> -> index
  %by0 = arith.subi %p0, %from0 : index
  %v0 = memref.view %d[%by0][] : memref<64xi8> to memref<16xf32>
  %from1 = memref.extract_aligned_pointer_as_index %e : memref<16xf32> -> index
  %bytes = arith.subi %p1, %from1 : index
  %by1 = arith.divsi %bytes, %c4 : index
  %v1 = memref.subview %e[%by1] [16] [1] : memref<16xf32> to memref<16xf32, strided<[1], offset: ?>>
  %y0 = call @first(%v0) : (memref<16xf32>) -> f32
  %y1 = memref.load %v1[%c1] : memref<16xf32, strided<[1], offset: ?>>
  %s1 = arith.addf %y0, %y1 : f32
  return %s1 : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- metadata_stored.mlir
// 4. Stored in memory, they are not followed: what they hold is left.
// CHECK: 1, 2, {{[0-9]+}}, 64, 0
// UPSTREAM: {{.*}}
func.func private @at(%i: index) -> f32 attributes {no_inline} {
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.alloca() : memref<1xi8>
  %a0 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a0 : memref<16xf32>)
  %p0 = memref.extract_aligned_pointer_as_index %a0 : memref<16xf32> -> index
  %v0 = memref.reinterpret_cast %d to offset: [0], sizes: [%p0], strides: [1] : memref<1xi8> to memref<?xi8, strided<[1]>>
  %k = memref.alloc() : memref<1xmemref<?xi8, strided<[1]>>>
  memref.store %v0, %k[%c0] : memref<1xmemref<?xi8, strided<[1]>>>
  %w0 = memref.load %k[%c0] : memref<1xmemref<?xi8, strided<[1]>>>
  %q0 = memref.dim %w0, %c0 : memref<?xi8, strided<[1]>>
  %y0 = call @at(%q0) : (index) -> f32
  return %y0 : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}
