// Buffers that are written and never read go, with what only writes them.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-elide-copies)' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{remarks=true})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAID
// SAID: remark: removed: nothing reads the buffer [memplan-R121]

// 1. A chain: what computes only for a dead buffer is dead, too. Reads by the operations that write it do not count.
// CHECK-LABEL: func @chain
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     linalg
// CHECK:         return
func.func @chain(%x: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul ins(%a, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  memref.dealloc %b : memref<8x8xf32>
  return
}

// 2. Views, loops and branches.
// CHECK-LABEL: func @views
// CHECK-NOT:     memref
// CHECK:         return
func.func @views(%n: index, %c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8x8xf32>
  %row = memref.subview %a[1, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: 8>>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %row[%i] : memref<8xf32, strided<[1], offset: 8>>
  }
  scf.if %c {
    linalg.fill ins(%v : f32) outs(%a : memref<8x8xf32>)
  }
  return
}

// 3. Something else reads it, writes other memory, has a result, or may know the address.
// CHECK-LABEL: func @read
// CHECK:         memref.store
func.func @read(%v: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  memref.store %v, %a[%i] : memref<8xf32>
  %r = memref.load %a[%i] : memref<8xf32>
  return %r : f32
}
// CHECK-LABEL: func @both
// CHECK:         linalg.generic
func.func @both(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%a, %y : memref<8xf32>, memref<8xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.addf %p, %p : f32
    linalg.yield %s, %p : f32, f32
  }
  return
}
func.func private @see(memref<8xf32>)
// CHECK-LABEL: func @called
// CHECK:         memref.store
func.func @called(%v: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  memref.store %v, %a[%i] : memref<8xf32>
  call @see(%a) : (memref<8xf32>) -> ()
  return
}
// CHECK-LABEL: func @unknown
// CHECK:         memref.store
func.func @unknown(%v: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  memref.store %v, %a[%i] : memref<8xf32>
  "test.see"(%a) : (memref<8xf32>) -> ()
  return
}
// CHECK-LABEL: func @addressed
// CHECK:         memref.store
func.func @addressed(%v: f32, %i: index) -> index {
  %a = memref.alloc() : memref<8xf32>
  memref.store %v, %a[%i] : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  return %p : index
}
// CHECK-LABEL: func @size
// CHECK-NOT:     memref
// CHECK:         return %arg0
func.func @size(%n: index, %v: f32, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %v, %a[%i] : memref<?xf32>
  %d = memref.dim %a, %c0 : memref<?xf32>
  return %d : index
}
// CHECK-LABEL: func @prints
// CHECK:         linalg.generic
func.func private @print(f32)
func.func @prints(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%p: f32, %q: f32):
    func.call @print(%p) : (f32) -> ()
    linalg.yield %p : f32
  }
  return
}
