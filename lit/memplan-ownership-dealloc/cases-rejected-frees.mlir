// Programs that free memory themselves, which upstream's pipeline refuses, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- dealloc.mlir
// 1. The program frees the buffer itself, on one path.
// CHECK: 1, 2, 128, 0, 0
// CHECK-NEXT: 1, 2, 128, 0, 0
// UPSTREAM: error: memory free side-effect on MemRef value not supported!
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  scf.if %c {
    memref.dealloc %a : memref<16xf32>
  }
  %y = call @first(%b) : (memref<16xf32>) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %true) : (f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %false) : (f32, i1) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- dealloc_either.mlir
// 2. The program frees what may be its caller's, or its own: what it does not, is freed here.
// CHECK: 1, 3, 128, 0, 0
// UPSTREAM: error: {{.*}}
func.func private @either(%c: i1, %x: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %y = memref.load %a[%c0] : memref<16xf32>
  %s = arith.select %c, %a, %x : memref<16xf32>
  memref.dealloc %s : memref<16xf32>
  return %y : f32
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %true = arith.constant true
  %false = arith.constant false
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %y = call @either(%true, %b) : (i1, memref<16xf32>) -> f32
  %z = call @either(%false, %b) : (i1, memref<16xf32>) -> f32
  %r = arith.mulf %y, %z : f32
  return %r : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %true) : (f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- dealloc_callers.mlir
// 3. The program frees what is its caller's: that stays.
// CHECK: 1, 1, 64, 0, 0
// UPSTREAM: error: memory free side-effect on MemRef value not supported!
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @frees(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %y = call @first(%a) : (memref<16xf32>) -> f32
  memref.dealloc %a : memref<16xf32>
  return %y : f32
}
func.func private @case(%x: f32) -> f32 attributes {no_inline} {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %y = call @frees(%a) : (memref<16xf32>) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x) : (f32) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}
