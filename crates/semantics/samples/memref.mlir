// memref.alloc, memref.dealloc
func.func @alloc(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  memref.dealloc %a : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.alloc: dynamic sizes
func.func @alloc_dynamic(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<?x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<?x4xf32>
  return %v : f32
}
// -----
// memref.alloca
func.func @alloca(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.alloca_scope, memref.alloca_scope.return
func.func @alloca_scope(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.alloca_scope -> (f32) {
    %s = memref.alloca() : memref<4x4xf32>
    memref.copy %a, %s : memref<4x4xf32> to memref<4x4xf32>
    %r = memref.load %s[%c0, %c0] : memref<4x4xf32>
    memref.alloca_scope.return %r : f32
  }
  return %v : f32
}
// -----
// memref.alloca_scope, memref.alloca_scope.return: gives the memref
// compile: no
func.func @alloca_scope_memref(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca_scope -> (memref<4x4xf32>) {
    %a = memref.alloc() : memref<4x4xf32>
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    memref.alloca_scope.return %a : memref<4x4xf32>
  }
  %v = memref.load %m[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.assume_alignment
func.func @assume_alignment(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {alignment = 64} : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = memref.assume_alignment %a, 64 : memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.atomic_rmw
func.func @atomic_rmw(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %old = memref.atomic_rmw addf %x, %a[%c0, %c0] : (f32, memref<4x4xf32>) -> f32
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.generic_atomic_rmw, memref.atomic_yield
// compile: no
func.func @generic_atomic_rmw(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %r = memref.generic_atomic_rmw %a[%c0, %c0] : memref<4x4xf32> {
  ^bb0(%old: f32):
    %new = arith.addf %old, %x : f32
    memref.atomic_yield %new : f32
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.cast
func.func @cast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = memref.cast %a : memref<4x4xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %v = memref.load %t[%c0, %c0] : memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %v : f32
}
// -----
// memref.cast: unranked
func.func @cast_unranked(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %u = memref.cast %a : memref<4x4xf32> to memref<*xf32>
  %t = memref.cast %u : memref<*xf32> to memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.collapse_shape
func.func @collapse_shape(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %v = memref.load %t[%c0] : memref<16xf32>
  return %v : f32
}
// -----
// memref.expand_shape
func.func @expand_shape(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%c0] : memref<16xf32>
  %t = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.copy
func.func @copy(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32>
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.dim
func.func @dim(%x: f32) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  %d = memref.dim %a, %c0 : memref<4x4xf32>
  return %v, %d : f32, index
}
// -----
// memref.rank
func.func @rank(%x: f32) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  %d = memref.rank %a : memref<4x4xf32>
  return %v, %d : f32, index
}
// -----
// memref.distinct_objects
func.func @distinct_objects(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  memref.store %x, %b[%c0, %c0] : memref<4x4xf32>
  %t, %u = memref.distinct_objects %a, %b : memref<4x4xf32>, memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  %w = memref.load %u[%c0, %c0] : memref<4x4xf32>
  %s = arith.addf %v, %w : f32
  return %s : f32
}
// -----
// memref.dma_start, memref.dma_wait
// compile: no
func.func @dma(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32, 1>
  %tag = memref.alloc() : memref<1xi32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  memref.dma_start %a[%c0], %b[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<1xi32>
  %v = memref.load %b[%c0] : memref<16xf32, 1>
  return %v : f32
}
// -----
// memref.dma_start: strided, never waited for
// compile: no
func.func @dma_strided(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<32xf32>
  %b = memref.alloc() : memref<16xf32, 1>
  %tag = memref.alloc() : memref<1xi32>
  linalg.fill ins(%x : f32) outs(%a : memref<32xf32>)
  memref.dma_start %a[%c0], %b[%c0], %c16, %tag[%c0], %c8, %c4 : memref<32xf32>, memref<16xf32, 1>, memref<1xi32>
  %v = memref.load %a[%c0] : memref<32xf32>
  return %v : f32
}
// -----
// memref.extract_aligned_pointer_as_index
func.func @extract_aligned_pointer_as_index(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4x4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %pointer = llvm.inttoptr %int : i64 to !llvm.ptr
  %v = llvm.load %pointer : !llvm.ptr -> f32
  return %v : f32
}
// -----
// memref.extract_strided_metadata
func.func @extract_strided_metadata(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a
      : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
  %v = memref.load %t[] : memref<f32>
  return %v : f32
}
// -----
// memref.reinterpret_cast
func.func @reinterpret_cast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  %t = memref.reinterpret_cast %a to offset: [4], sizes: [8], strides: [1]
      : memref<4x4xf32> to memref<8xf32, strided<[1], offset: 4>>
  %v = memref.load %t[%c0] : memref<8xf32, strided<[1], offset: 4>>
  return %v : f32
}
// -----
// memref.get_global, memref.global
memref.global "private" constant @table : memref<4x4xf32> = dense<2.0>
func.func @get_global(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %g = memref.get_global @table : memref<4x4xf32>
  memref.copy %g, %a : memref<4x4xf32> to memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.load, memref.store
func.func @load(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.load, memref.store: a memref of memrefs
func.func @load_nested(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %m = memref.alloc() : memref<1xmemref<4xf32>>
  memref.store %x, %a[%c0] : memref<4xf32>
  memref.store %a, %m[%c0] : memref<1xmemref<4xf32>>
  %t = memref.load %m[%c0] : memref<1xmemref<4xf32>>
  %v = memref.load %t[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// memref.memory_space_cast
func.func @memory_space_cast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = memref.memory_space_cast %a : memref<4x4xf32> to memref<4x4xf32, 1>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32, 1>
  return %v : f32
}
// -----
// memref.prefetch
func.func @prefetch(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  memref.prefetch %a[%c0, %c0], read, locality<3>, data : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// memref.realloc
func.func @realloc(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %t = memref.realloc %a(%n) : memref<4xf32> to memref<?xf32>
  %v = memref.load %t[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// memref.reshape
func.func @reshape(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<4x4xf32>
  %shape = memref.alloc() : memref<2xindex>
  memref.store %c2, %shape[%c0] : memref<2xindex>
  memref.store %c8, %shape[%c1] : memref<2xindex>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = memref.reshape %a(%shape) : (memref<4x4xf32>, memref<2xindex>) -> memref<?x?xf32>
  %v = memref.load %t[%c0, %c0] : memref<?x?xf32>
  return %v : f32
}
// -----
// memref.subview
func.func @subview(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  %t = memref.subview %a[1, 1] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 5>>
  %v = memref.load %t[%c0, %c0] : memref<2x2xf32, strided<[4, 1], offset: 5>>
  return %v : f32
}
// -----
// memref.transpose
func.func @transpose(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32, strided<[1, 4]>>
  return %v : f32
}
// -----
// memref.view
func.func @view(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<128xi8>
  %t = memref.view %a[%c16][] : memref<128xi8> to memref<4x4xf32>
  memref.store %x, %t[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
