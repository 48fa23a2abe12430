// Programs whose deallocation upstream lowers to wrong code, refuses to lower, or lowers to slow code, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/../memplan-ownership-dealloc/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- shifted.mlir
// 1. One of two views that start elsewhere is returned: it is compared by what was allocated.
// PASSES: memplan-dealloc-pipeline
// CHECK: 1, 2, 256, 0, 0
// UPSTREAM: {{nan|[1-9][0-9]*$|crashes}}
func.func private @make(%x: f32, %c: i1) -> memref<16xf32> attributes {no_inline} {
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<128xi8>
  %b = memref.alloc() : memref<128xi8>
  %v = memref.view %a[%c64][] : memref<128xi8> to memref<16xf32>
  %w = memref.view %b[%c64][] : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%w : memref<16xf32>)
  %s = arith.select %c, %v, %w : memref<16xf32>
  return %s : memref<16xf32>
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %p = call @make(%x, %c) : (f32, i1) -> memref<16xf32>
  %y = memref.load %p[%c0] : memref<16xf32>
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %true) : (f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- alias.mlir
// 2. Two names of one buffer, of which the second one's condition holds: it is freed.
// PASSES: memplan-lower-dealloc
// UPSTREAM-PASSES: bufferization-lower-deallocations
// CHECK: 1, 1, 64, 0, 0
// UPSTREAM: 1, 6, {{[0-9]+}}, 64, 0
func.func private @free(%a: memref<16xf32>, %b: memref<16xf32>, %c: i1, %d: i1) attributes {no_inline} {
  bufferization.dealloc (%a, %b : memref<16xf32>, memref<16xf32>) if (%c, %d)
  return
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %false = arith.constant false
  %a = memref.alloc() : memref<16xf32>
  call @free(%a, %a, %false, %c) : (memref<16xf32>, memref<16xf32>, i1, i1) -> ()
  return %x : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %true) : (f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- function.mlir
// 3. Lowered in a function alone, where no other function can be made.
// PASSES: func.func(memplan-lower-dealloc)
// UPSTREAM-PASSES: func.func(bufferization-lower-deallocations)
// CHECK: 1, 2, 128, 0, 0
// UPSTREAM: error: {{.*}}
func.func private @free(%a: memref<16xf32>, %b: memref<16xf32>, %r: memref<16xf32>, %c: i1) -> i1 attributes {no_inline} {
  %o = bufferization.dealloc (%a, %b : memref<16xf32>, memref<16xf32>) if (%c, %c) retain (%r : memref<16xf32>)
  return %o : i1
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %o = call @free(%a, %b, %b, %c) : (memref<16xf32>, memref<16xf32>, memref<16xf32>, i1) -> i1
  bufferization.dealloc (%b : memref<16xf32>) if (%o)
  return %x : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %true) : (f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- helpers.mlir
// 4. A check in a loop of a hundred iterations: it allocates nothing, where upstream allocates five times an
// iteration.
// PASSES: memplan-lower-dealloc
// UPSTREAM-PASSES: bufferization-lower-deallocations
// CHECK: 1, 2, 128, 0, 0
// UPSTREAM: 1, 502, {{[0-9]+}}, 0, 0
func.func private @ask(%a: memref<16xf32>, %b: memref<16xf32>, %r: memref<16xf32>, %s: memref<16xf32>, %c: i1) attributes {no_inline} {
  %o:2 = bufferization.dealloc (%a, %b : memref<16xf32>, memref<16xf32>) if (%c, %c) retain (%r, %s : memref<16xf32>, memref<16xf32>)
  return
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    func.call @ask(%a, %b, %a, %b, %c) : (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, i1) -> ()
  }
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return %x : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %true) : (f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}
