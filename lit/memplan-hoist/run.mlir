// Loops that allocate once for all iterations, executed, beside MLIR's buffer-loop-hoisting.
// Each line: what was computed, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was
// read.
// RUN: split-file %s %t
// RUN: bash %S/../memplan-ownership-dealloc/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- freed.mlir
// 1. Once for ten iterations, also with a size that the loop computed, and no allocation where the loop does not run.
// PASSES: memplan{hoist=loops}
// PASSES: memplan{hoist=loops dynamic=malloc}
// CHECK: 10, 1, 40, 0, 0
// CHECK-NEXT: 0, 1, 0, 0, 0
// UPSTREAM-PASSES: func.func(buffer-loop-hoisting),buffer-deallocation-pipeline
// UPSTREAM: 10, 10, 40, 0, 0
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
    %size = arith.divui %n, %c1 : index
    %a = memref.alloc(%size) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
    %v = memref.load %a[%i] : memref<?xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  return %r : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %c10 = arith.constant 10 : index
  %less = arith.constant -1 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %c10) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %less) : (f32, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- frees.mlir
// 2. The program frees the buffer in each iteration: afterwards, after the loop.
// PASSES: memplan{hoist=loops}
// CHECK: 10, 1, 40, 0, 0
// UPSTREAM-PASSES: func.func(buffer-loop-hoisting)
// UPSTREAM: {{nan|crashes|[1-9][0-9]*$}}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
    %a = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
    %v = memref.load %a[%i] : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  return %r : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %c10 = arith.constant 10 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %c10) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- kept.mlir
// 3. The buffer of each iteration is needed after the loop.
// PASSES: memplan-hoist
// CHECK: 1, 2, 80, 80, 0
// UPSTREAM-PASSES: func.func(buffer-loop-hoisting)
// UPSTREAM: 2, 1, 40, 40, 0
func.func private @case(%n: index, %k: memref<2xmemref<?xf32>>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.alloc(%n) : memref<?xf32>
    %first = arith.cmpi eq, %i, %c0 : index
    %x = arith.select %first, %one, %two : f32
    linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
    memref.store %a, %k[%i] : memref<2xmemref<?xf32>>
  }
  %a = memref.load %k[%c0] : memref<2xmemref<?xf32>>
  %v = memref.load %a[%c1] : memref<?xf32>
  return %v : f32
}
func.func @main() {
  %c10 = arith.constant 10 : index
  %k = memref.alloca() : memref<2xmemref<?xf32>>
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%c10, %k) : (index, memref<2xmemref<?xf32>>) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- divisor.mlir
// 4. The size is a remainder by a number that is zero where the loop does not run.
// PASSES: memplan{hoist=loops}
// PASSES: memplan{hoist=loops dynamic=malloc}
// CHECK: 0, 0, 0, 0, 0
// UPSTREAM-PASSES: func.func(buffer-loop-hoisting),buffer-deallocation-pipeline
// UPSTREAM: 0, 0, 0, 0, 0
func.func private @case(%x: f32, %n: index, %d: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %d step %c1 iter_args(%s = %z) -> (f32) {
    %size = arith.remui %n, %d : index
    %a = memref.alloc(%size) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
    %v = memref.load %a[%c0] : memref<?xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  return %r : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %c10 = arith.constant 10 : index
  %c0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %c10, %c0) : (f32, index, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}
