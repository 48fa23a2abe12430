// Programs that upstream frees too early or copies, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/../memplan-ownership-dealloc/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- returned.mlir
// 1. A private function returns its argument: a write to the result is visible in the argument, where upstream writes
// to a copy.
// PASSES: memplan-dealloc-pipeline{private-function-dynamic-ownership}
// CHECK: 1, 1, 64, 0, 0
// UPSTREAM: 0, 7, {{[0-9]+}}, 0, 0
func.func private @pick(%a: memref<16xf32>, %c: i1) -> memref<16xf32> attributes {no_inline} {
  %r = scf.if %c -> (memref<16xf32>) {
    scf.yield %a : memref<16xf32>
  } else {
    %b = memref.alloc() : memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  return %r : memref<16xf32>
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  %p = call @pick(%a, %c) : (memref<16xf32>, i1) -> memref<16xf32>
  memref.store %x, %p[%c0] : memref<16xf32>
  %y = memref.load %a[%c0] : memref<16xf32>
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

//--- moved.mlir
// 2. A free moves up, but not before a use through another alias.
// PASSES: memplan-dealloc-pipeline
// UPSTREAM-PASSES: func.func(optimize-allocation-liveness)
// CHECK: 1, 2, {{[0-9]+}}, 0, 0
// UPSTREAM: {{nan|crashes}}
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %k = memref.alloc() : memref<1xmemref<16xf32>>
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  memref.store %a, %k[%c0] : memref<1xmemref<16xf32>>
  %l = memref.load %k[%c0] : memref<1xmemref<16xf32>>
  %y = call @first(%l) : (memref<16xf32>) -> f32
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %k : memref<1xmemref<16xf32>>
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

//--- stale.mlir
// 3. Simplification folds a select and takes away an allocation that only is freed; what it knew of both is asked
// later.
// PASSES: memplan-simplify-dealloc,memplan-lower-dealloc
// UPSTREAM-PASSES: buffer-deallocation-simplification,bufferization-lower-deallocations
// CHECK: 1, 2, 128, 0, 0
// CHECK-NEXT: 2, 4, 128, 0, 0
// UPSTREAM: crashes
func.func private @case(%x: f32, %y: f32, %o: i1) -> f32 attributes {no_inline} {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  linalg.fill ins(%y : f32) outs(%d : memref<16xf32>)
  %p = arith.select %true, %b, %a : memref<16xf32>
  %q = arith.select %o, %p, %d : memref<16xf32>
  %z = memref.load %q[%c0] : memref<16xf32>
  bufferization.dealloc (%a : memref<16xf32>) if (%true)
  %same = bufferization.dealloc (%q : memref<16xf32>) if (%true) retain (%d : memref<16xf32>)
  %no = arith.xori %o, %true : i1
  bufferization.dealloc (%b, %d : memref<16xf32>, memref<16xf32>) if (%no, %true)
  return %z : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %y, %true) : (f32, f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  %2 = call @case(%x, %y, %false) : (f32, f32, i1) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- frees_or_returns.mlir
// 4. Each arm frees one of two buffers and gives the other, which the caller frees: no copies, and nothing is left.
// PASSES: memplan-dealloc-pipeline
// PASSES: convert-scf-to-cf,memplan-dealloc-pipeline
// PASSES: memplan-dealloc-pipeline{placement=block-end}
// CHECK: 9, 2, 32, 0, 0
// CHECK: 7, 4, 32, 0, 0
// UPSTREAM: error: memory free side-effect on MemRef value not supported
func.func private @replace(%x: memref<4xf32>, %y: f32, %k: i1) -> memref<4xf32> attributes {no_inline} {
  %n = memref.alloc() : memref<4xf32>
  linalg.fill ins(%y : f32) outs(%n : memref<4xf32>)
  %r = scf.if %k -> memref<4xf32> {
    memref.dealloc %x : memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    memref.dealloc %n : memref<4xf32>
    scf.yield %x : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func private @case(%x: f32, %y: f32, %k: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %r = call @replace(%a, %y, %k) : (memref<4xf32>, f32, i1) -> memref<4xf32>
  %z = memref.load %r[%c0] : memref<4xf32>
  return %z : f32
}
func.func @main() {
  %x = arith.constant 7.0 : f32
  %y = arith.constant 9.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %y, %true) : (f32, f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  %2 = call @case(%x, %y, %false) : (f32, f32, i1) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}
