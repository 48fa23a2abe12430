// The report counts the heap: arenas, results, and allocations that are left alone.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{when-larger=leave report=%t.json})' \
// RUN:   -o /dev/null
// RUN: FileCheck %s < %t.json
// RUN: memplan table %t.json | FileCheck %s --check-prefix=TABLE
// TABLE:      heap bytes  at least  held by
// TABLE-NEXT: ----------
// TABLE-NEXT: 12,288 {{ *}}12,288  result

// 1. A result is held from its allocation on, beside an arena that is needed then.
// CHECK:      "name":"result"
// CHECK:      "heap_bytes":12288,"heap_lower_bound_bytes":12288
func.func @result(%x: memref<32x32xf32>, %z: f32) -> memref<32x32xf32> {
  %t = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%z : f32) outs(%t : memref<32x32xf32>)
  linalg.matmul ins(%x, %x : memref<32x32xf32>, memref<32x32xf32>) outs(%t : memref<32x32xf32>)
  %u = memref.alloc() : memref<32x32xf32>
  linalg.transpose ins(%t : memref<32x32xf32>) outs(%u : memref<32x32xf32>) permutation = [1, 0]
  %r = memref.alloc() : memref<32x32xf32>
  linalg.matmul ins(%u, %t : memref<32x32xf32>, memref<32x32xf32>) outs(%r : memref<32x32xf32>)
  return %r : memref<32x32xf32>
}

// 2. Only arenas: the heap is what they take.
// CHECK:      "name":"arenas"
// CHECK-NOT:  heap_bytes
// CHECK:      "name":"left"
// 3. Allocations that are left alone count until their last uses: at most both of these are held at once.
// CHECK:      "heap_bytes":4040
func.func private @use(memref<?xf32>)
func.func @arenas(%z: f32) {
  %t = memref.alloc() : memref<1000xf32>
  %c = memref.cast %t : memref<1000xf32> to memref<?xf32>
  call @use(%c) : (memref<?xf32>) -> ()
  return
}
func.func @left(%c: i1) {
  %r = scf.if %c -> (memref<?xf32>) {
    %a = memref.alloc() : memref<1000xf32>
    %x = memref.cast %a : memref<1000xf32> to memref<?xf32>
    func.call @use(%x) : (memref<?xf32>) -> ()
    scf.yield %x : memref<?xf32>
  } else {
    %b = memref.alloc() : memref<10xf32>
    %y = memref.cast %b : memref<10xf32> to memref<?xf32>
    func.call @use(%y) : (memref<?xf32>) -> ()
    scf.yield %y : memref<?xf32>
  }
  call @use(%r) : (memref<?xf32>) -> ()
  return
}
