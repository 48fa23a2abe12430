// affine.load, affine.store
func.func @load(%x: f32) -> f32 {
  %a = memref.alloc() : memref<4x4xf32>
  affine.store %x, %a[0, 0] : memref<4x4xf32>
  %v = affine.load %a[0, 0] : memref<4x4xf32>
  return %v : f32
}
// -----
// affine.load, affine.store: a memref of memrefs
func.func @load_nested(%x: f32) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %m = memref.alloc() : memref<1xmemref<4xf32>>
  affine.store %x, %a[0] : memref<4xf32>
  affine.store %a, %m[0] : memref<1xmemref<4xf32>>
  %t = affine.load %m[0] : memref<1xmemref<4xf32>>
  %v = affine.load %t[0] : memref<4xf32>
  return %v : f32
}
// -----
// affine.vector_load, affine.vector_store
func.func @vector_load(%x: vector<4xf32>) -> vector<4xf32> {
  %a = memref.alloc() : memref<4x4xf32>
  affine.vector_store %x, %a[0, 0] : memref<4x4xf32>, vector<4xf32>
  %v = affine.vector_load %a[0, 0] : memref<4x4xf32>, vector<4xf32>
  return %v : vector<4xf32>
}
// -----
// affine.prefetch
func.func @prefetch(%x: f32) -> f32 {
  %a = memref.alloc() : memref<4x4xf32>
  affine.store %x, %a[0, 0] : memref<4x4xf32>
  affine.prefetch %a[0, 0], read, locality<3>, data : memref<4x4xf32>
  %v = affine.load %a[0, 0] : memref<4x4xf32>
  return %v : f32
}
// -----
// affine.dma_start, affine.dma_wait
// compile: no
func.func @dma(%x: f32) -> f32 {
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32, 1>
  %tag = memref.alloc() : memref<1xi32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  affine.dma_start %a[0], %b[0], %tag[0], %c16 : memref<16xf32>, memref<16xf32, 1>, memref<1xi32>
  affine.dma_wait %tag[0], %c16 : memref<1xi32>
  %v = affine.load %b[0] : memref<16xf32, 1>
  return %v : f32
}
// -----
// affine.for
func.func @for(%x: f32) -> f32 {
  %a = memref.alloc() : memref<4x4xf32>
  affine.for %i = 0 to 4 {
    affine.store %x, %a[%i, 0] : memref<4x4xf32>
  }
  %v = affine.load %a[0, 0] : memref<4x4xf32>
  return %v : f32
}
// -----
// affine.for, affine.yield: carries the memref
func.func @for_carries(%x: f32) -> f32 {
  %a = memref.alloc() : memref<4x4xf32>
  affine.store %x, %a[0, 0] : memref<4x4xf32>
  %t = affine.for %i = 0 to 4 iter_args(%m = %a) -> (memref<4x4xf32>) {
    affine.store %x, %m[%i, 0] : memref<4x4xf32>
    affine.yield %m : memref<4x4xf32>
  }
  %v = affine.load %t[0, 0] : memref<4x4xf32>
  return %v : f32
}
// -----
// affine.for, affine.yield: carries a memref that each iteration allocates
func.func @for_allocates(%x: f32) -> f32 {
  %a = memref.alloc() : memref<4x4xf32>
  affine.store %x, %a[0, 0] : memref<4x4xf32>
  %t = affine.for %i = 0 to 4 iter_args(%m = %a) -> (memref<4x4xf32>) {
    %b = memref.alloc() : memref<4x4xf32>
    %y = affine.load %m[0, 0] : memref<4x4xf32>
    affine.store %y, %b[0, 0] : memref<4x4xf32>
    affine.yield %b : memref<4x4xf32>
  }
  %v = affine.load %t[0, 0] : memref<4x4xf32>
  return %v : f32
}
// -----
// affine.if, affine.yield: gives the memref
func.func @if(%x: f32, %y: memref<4x4xf32>, %n: index) -> f32 {
  %a = memref.alloc() : memref<4x4xf32>
  affine.store %x, %a[0, 0] : memref<4x4xf32>
  %t = affine.if affine_set<()[n] : (n - 1 >= 0)>()[%n] -> memref<4x4xf32> {
    affine.yield %a : memref<4x4xf32>
  } else {
    affine.yield %y : memref<4x4xf32>
  }
  %v = affine.load %t[0, 0] : memref<4x4xf32>
  return %v : f32
}
// -----
// affine.parallel
func.func @parallel(%x: f32) -> f32 {
  %a = memref.alloc() : memref<4x4xf32>
  affine.parallel (%i) = (0) to (4) {
    affine.store %x, %a[%i, 0] : memref<4x4xf32>
  }
  %v = affine.load %a[0, 0] : memref<4x4xf32>
  return %v : f32
}
// -----
// affine.parallel, affine.yield: reduces
func.func @parallel_reduces(%x: f32) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %v = affine.parallel (%i) = (0) to (4) reduce ("addf") -> f32 {
    %r = affine.load %a[%i] : memref<4xf32>
    affine.yield %r : f32
  }
  return %v : f32
}
