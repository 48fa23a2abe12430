// Memrefs that are stored in memrefs, executed: they are returned, or views.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- nested-views.mlir
// CHECK: 31, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// UPSTREAM: {{.*}}

func.func private @add(%x: f32, %acc: memref<f32>) attributes {no_inline} {
  %a = memref.load %acc[] : memref<f32>
  %b = arith.addf %a, %x : f32
  memref.store %b, %acc[] : memref<f32>
  return
}
func.func private @look(%m: memref<4xf32>, %acc: memref<f32>) attributes {no_inline} {
  %c3 = arith.constant 3 : index
  %x = memref.load %m[%c3] : memref<4xf32>
  call @add(%x, %acc) : (f32, memref<f32>) -> ()
  return
}
func.func private @mk(%x: f32) -> memref<4xf32> attributes {no_inline} {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return %m : memref<4xf32>
}

// 1. The loaded memref is returned.
func.func private @ret_1(%k: i1) -> memref<4xf32> {
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %b = memref.alloc() : memref<memref<4xf32>>
  scf.if %k {
    %n = func.call @mk(%v1) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  } else {
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  return %l : memref<4xf32>
}
func.func private @case1(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %x = func.call @ret_1(%k) : (i1) -> memref<4xf32>
  func.call @look(%x, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}

// 2. A view is stored.
func.func private @case2(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %b = memref.alloc() : memref<memref<4xf32>>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v1 : f32) outs(%a : memref<8xf32>)
  %s = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %w = memref.cast %s : memref<4xf32, strided<[1]>> to memref<4xf32>
  memref.store %w, %b[] : memref<memref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = memref.load %b[] : memref<memref<4xf32>>
    func.call @look(%o, %acc) : (memref<4xf32>, memref<f32>) -> ()
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  return
}

// 3. A view that starts elsewhere than its memory.
func.func private @case3(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %b = memref.alloc() : memref<memref<2xf32, strided<[1], offset: ?>>>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v1 : f32) outs(%a : memref<8xf32>)
  %s = memref.subview %a[%c4] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  memref.store %s, %b[] : memref<memref<2xf32, strided<[1], offset: ?>>>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = memref.load %b[] : memref<memref<2xf32, strided<[1], offset: ?>>>
    %x = memref.load %o[%c0] : memref<2xf32, strided<[1], offset: ?>>
    func.call @add(%x, %acc) : (f32, memref<f32>) -> ()
    %n = memref.alloc() : memref<8xf32>
    linalg.fill ins(%v2 : f32) outs(%n : memref<8xf32>)
    %q = memref.subview %n[%c4] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
    memref.store %q, %b[] : memref<memref<2xf32, strided<[1], offset: ?>>>
  }
  return
}

func.func @case() -> f32 attributes {no_inline} {
  %t = arith.constant true
  %f = arith.constant false
  %zero = arith.constant 0.0 : f32
  %acc = memref.alloc() : memref<f32>
  memref.store %zero, %acc[] : memref<f32>
  call @case1(%t, %acc) : (i1, memref<f32>) -> ()
  call @case1(%f, %acc) : (i1, memref<f32>) -> ()
  call @case2(%t, %acc) : (i1, memref<f32>) -> ()
  call @case2(%f, %acc) : (i1, memref<f32>) -> ()
  call @case3(%t, %acc) : (i1, memref<f32>) -> ()
  call @case3(%f, %acc) : (i1, memref<f32>) -> ()
  %x = memref.load %acc[] : memref<f32>
  return %x : f32
}

func.func @main() {
  llvm.call @heap_start() : () -> ()
  %x = call @case() : () -> f32
  call @heap_show(%x) : (f32) -> ()
  return
}
