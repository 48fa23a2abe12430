// Memory that a function returns and does not own is copied whatever its layout; executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- layouts.mlir
// 1. Copies of any strides: each callee, which is public, returns a part of its argument, in which the element at 0, 1
// is 1, in the transposed one that at 1, 0. Upstream's clones of these are not lowered.
// CHECK: 5, 5, {{[0-9]+}}, 0, 0
// UPSTREAM: crashes
func.func @shifted(%b: memref<4x8xf32>) -> memref<2x3xf32, strided<[8, 1], offset: 9>> attributes {no_inline} {
  %s = memref.subview %b[1, 1] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1], offset: 9>>
  return %s : memref<2x3xf32, strided<[8, 1], offset: 9>>
}
func.func @sizes(%b: memref<4x8xf32>, %n: index) -> memref<?x?xf32, strided<[8, 1], offset: ?>> attributes {no_inline} {
  %s = memref.subview %b[%n, 1] [%n, %n] [1, 1] : memref<4x8xf32> to memref<?x?xf32, strided<[8, 1], offset: ?>>
  return %s : memref<?x?xf32, strided<[8, 1], offset: ?>>
}
func.func @all(%b: memref<4x8xf32>, %n: index) -> memref<?x?xf32, strided<[?, ?], offset: ?>> attributes {no_inline} {
  %s = memref.subview %b[1, %n] [%n, 2] [%n, %n] : memref<4x8xf32> to memref<?x2xf32, strided<[?, ?], offset: ?>>
  %t = memref.cast %s : memref<?x2xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %t : memref<?x?xf32, strided<[?, ?], offset: ?>>
}
func.func @across(%b: memref<4x8xf32>) -> memref<8x4xf32, strided<[1, 8]>> attributes {no_inline} {
  %s = memref.transpose %b (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  return %s : memref<8x4xf32, strided<[1, 8]>>
}
func.func @half(%b: memref<4x8xf32>, %n: index) -> memref<?x?xf32, strided<[1, ?]>> attributes {no_inline} {
  %s = memref.reinterpret_cast %b to offset: [0], sizes: [%n, %n], strides: [1, %n] : memref<4x8xf32> to memref<?x?xf32, strided<[1, ?]>>
  return %s : memref<?x?xf32, strided<[1, ?]>>
}
func.func @f(%b: memref<4x8xf32>, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %shifted = call @shifted(%b) : (memref<4x8xf32>) -> memref<2x3xf32, strided<[8, 1], offset: 9>>
  %sizes = call @sizes(%b, %c1) : (memref<4x8xf32>, index) -> memref<?x?xf32, strided<[8, 1], offset: ?>>
  %all = call @all(%b, %n) : (memref<4x8xf32>, index) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
  %across = call @across(%b) : (memref<4x8xf32>) -> memref<8x4xf32, strided<[1, 8]>>
  %half = call @half(%b, %n) : (memref<4x8xf32>, index) -> memref<?x?xf32, strided<[1, ?]>>
  %0 = memref.load %shifted[%c0, %c1] : memref<2x3xf32, strided<[8, 1], offset: 9>>
  %1 = memref.load %sizes[%c0, %c0] : memref<?x?xf32, strided<[8, 1], offset: ?>>
  %2 = memref.load %all[%c1, %c1] : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %3 = memref.load %across[%c1, %c0] : memref<8x4xf32, strided<[1, 8]>>
  %4 = memref.load %half[%c1, %c1] : memref<?x?xf32, strided<[1, ?]>>
  %5 = arith.addf %0, %1 : f32
  %6 = arith.addf %5, %2 : f32
  %7 = arith.addf %6, %3 : f32
  %8 = arith.addf %7, %4 : f32
  return %8 : f32
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %f1 = arith.constant 1.0 : f32
  %f0 = arith.constant 0.0 : f32
  %b = memref.alloca() : memref<4x8xf32>
  linalg.fill ins(%f0 : f32) outs(%b : memref<4x8xf32>)
  memref.store %f1, %b[%c0, %c1] : memref<4x8xf32>
  memref.store %f1, %b[%c0, %c3] : memref<4x8xf32>
  memref.store %f1, %b[%c1, %c2] : memref<4x8xf32>
  memref.store %f1, %b[%c1, %c1] : memref<4x8xf32>
  memref.store %f1, %b[%c3, %c4] : memref<4x8xf32>
  llvm.call @heap_start() : () -> ()
  %r = call @f(%b, %c2) : (memref<4x8xf32>, index) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- form.mlir
// 2. A clone has the layout of its type, whatever its source is: rows become columns, with gaps or without, and an
// unranked source gets a rank. In the source, the element at 0, 1 is 1, and others are 0. Upstream's clones of those
// are not lowered.
// CHECK: 4, 6, {{[0-9]+}}, 0, 0
// UPSTREAM: crashes
func.func @f(%n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%f0 : f32) outs(%a : memref<2x2xf32>)
  memref.store %f1, %a[%c0, %c1] : memref<2x2xf32>
  %s = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<2x2xf32> to memref<?x?xf32, strided<[?, 1]>>
  %any = memref.cast %s : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %columns = bufferization.clone %any : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[1, 2]>>
  %gaps = bufferization.clone %any : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<2x2xf32, strided<[7, 3], offset: 3>>
  %plain = bufferization.clone %columns : memref<?x?xf32, strided<[1, 2]>> to memref<2x?xf32>
  %u = memref.cast %any : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<*xf32>
  %ranked = bufferization.clone %u : memref<*xf32> to memref<2x2xf32>
  %without = bufferization.clone %a : memref<2x2xf32> to memref<*xf32>
  %again = memref.cast %without : memref<*xf32> to memref<2x2xf32>
  %0 = memref.load %columns[%c0, %c1] : memref<?x?xf32, strided<[1, 2]>>
  %1 = memref.load %gaps[%c0, %c1] : memref<2x2xf32, strided<[7, 3], offset: 3>>
  %2 = memref.load %plain[%c0, %c1] : memref<2x?xf32>
  %3 = memref.load %ranked[%c0, %c1] : memref<2x2xf32>
  %4 = memref.load %again[%c0, %c1] : memref<2x2xf32>
  %5 = memref.load %plain[%c1, %c0] : memref<2x?xf32>
  %6 = arith.addf %0, %1 : f32
  %7 = arith.addf %2, %3 : f32
  %8 = arith.addf %4, %5 : f32
  %9 = arith.addf %6, %7 : f32
  %10 = arith.mulf %8, %9 : f32
  return %10 : f32
}
func.func @main() {
  %c2 = arith.constant 2 : index
  llvm.call @heap_start() : () -> ()
  %r = call @f(%c2) : (index) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- joined.mlir
// 3. Dimensions of a copy can be joined to one where those of what it copies can.
// CHECK: 2, 2, 188, 0, 0
// UPSTREAM: crashes
func.func @same(%q: memref<?x?xf32, strided<[?, 2]>>) -> memref<?x?xf32, strided<[?, 2]>> attributes {no_inline} {
  return %q : memref<?x?xf32, strided<[?, 2]>>
}
func.func @f() -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %f1 = arith.constant 1.0 : f32
  %f2 = arith.constant 2.0 : f32
  %b = memref.alloc() : memref<3x4x2xf32>
  linalg.fill ins(%f1 : f32) outs(%b : memref<3x4x2xf32>)
  %c1 = arith.constant 1 : index
  memref.store %f2, %b[%c1, %c0, %c0] : memref<3x4x2xf32>
  %col = memref.subview %b[0, 0, 0] [3, 4, 1] [1, 1, 1] : memref<3x4x2xf32> to memref<3x4xf32, strided<[8, 2]>>
  %any = memref.cast %col : memref<3x4xf32, strided<[8, 2]>> to memref<?x?xf32, strided<[?, 2]>>
  %r = call @same(%any) : (memref<?x?xf32, strided<[?, 2]>>) -> memref<?x?xf32, strided<[?, 2]>>
  %flat = memref.collapse_shape %r [[0, 1]] : memref<?x?xf32, strided<[?, 2]>> into memref<?xf32, strided<[?]>>
  %v = memref.load %flat[%c4] : memref<?xf32, strided<[?]>>
  return %v : f32
}
func.func @main() {
  llvm.call @heap_start() : () -> ()
  %r = call @f() : () -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- casts.mlir
// 4. Strides and an offset that the type leaves open are those of the source: dimensions join, whichever they are, and
// casts show them.
// CHECK: 32, 10, {{[0-9]+}}, 0, 0
// UPSTREAM: crashes
func.func @outer(%q: memref<3x?x5xf32, strided<[100, ?, 1]>>) -> memref<3x?x5xf32, strided<[100, ?, 1]>> attributes {no_inline} {
  return %q : memref<3x?x5xf32, strided<[100, ?, 1]>>
}
func.func @around(%q: memref<3x4x2xf32, strided<[?, 1, ?]>>) -> memref<3x4x2xf32, strided<[?, 1, ?]>> attributes {no_inline} {
  return %q : memref<3x4x2xf32, strided<[?, 1, ?]>>
}
func.func @part(%b: memref<4x8xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> attributes {no_inline} {
  %s = memref.subview %b[1, 1] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1], offset: 9>>
  %t = memref.cast %s : memref<2x3xf32, strided<[8, 1], offset: 9>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %t : memref<?x?xf32, strided<[?, ?], offset: ?>>
}
func.func @f(%n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %f0 = arith.constant 0.0 : f32
  %f2 = arith.constant 2.0 : f32

  %a = memref.alloc() : memref<3x20x5xf32>
  linalg.fill ins(%f0 : f32) outs(%a : memref<3x20x5xf32>)
  memref.store %f2, %a[%c1, %c1, %c2] : memref<3x20x5xf32>
  %as = memref.reinterpret_cast %a to offset: [0], sizes: [3, %n, 5], strides: [100, 5, 1] : memref<3x20x5xf32> to memref<3x?x5xf32, strided<[100, 5, 1]>>
  %at = memref.cast %as : memref<3x?x5xf32, strided<[100, 5, 1]>> to memref<3x?x5xf32, strided<[100, ?, 1]>>
  %ar = call @outer(%at) : (memref<3x?x5xf32, strided<[100, ?, 1]>>) -> memref<3x?x5xf32, strided<[100, ?, 1]>>
  %aj = memref.collapse_shape %ar [[0], [1, 2]] : memref<3x?x5xf32, strided<[100, ?, 1]>> into memref<3x?xf32, strided<[100, 1]>>
  %0 = memref.load %aj[%c1, %c7] : memref<3x?xf32, strided<[100, 1]>>

  %b = memref.alloc() : memref<2x3x4xf32>
  linalg.fill ins(%f0 : f32) outs(%b : memref<2x3x4xf32>)
  memref.store %f2, %b[%c0, %c1, %c1] : memref<2x3x4xf32>
  %bs = memref.transpose %b (i, j, k) -> (j, k, i) : memref<2x3x4xf32> to memref<3x4x2xf32, strided<[4, 1, 12]>>
  %bt = memref.cast %bs : memref<3x4x2xf32, strided<[4, 1, 12]>> to memref<3x4x2xf32, strided<[?, 1, ?]>>
  %br = call @around(%bt) : (memref<3x4x2xf32, strided<[?, 1, ?]>>) -> memref<3x4x2xf32, strided<[?, 1, ?]>>
  %bj = memref.collapse_shape %br [[0, 1], [2]] : memref<3x4x2xf32, strided<[?, 1, ?]>> into memref<12x2xf32, strided<[1, ?]>>
  %1 = memref.load %bj[%c5, %c0] : memref<12x2xf32, strided<[1, ?]>>

  %c = memref.alloc() : memref<4x2x4xf32>
  linalg.fill ins(%f0 : f32) outs(%c : memref<4x2x4xf32>)
  memref.store %f2, %c[%c2, %c0, %c0] : memref<4x2x4xf32>
  %cs = memref.subview %c[0, 0, 0] [4, 2, 1] [1, 1, 1] : memref<4x2x4xf32> to memref<4x2xf32, strided<[8, 4]>>
  %ct = memref.cast %cs : memref<4x2xf32, strided<[8, 4]>> to memref<4x2xf32, strided<[8, ?]>>
  %cr = bufferization.clone %ct : memref<4x2xf32, strided<[8, ?]>> to memref<4x2xf32, strided<[8, ?]>>
  %cj = memref.collapse_shape %cr [[0, 1]] : memref<4x2xf32, strided<[8, ?]>> into memref<8xf32, strided<[?]>>
  %2 = memref.load %cj[%c4] : memref<8xf32, strided<[?]>>

  %d = memref.alloc() : memref<1x3x4xf32>
  linalg.fill ins(%f0 : f32) outs(%d : memref<1x3x4xf32>)
  memref.store %f2, %d[%c0, %c1, %c1] : memref<1x3x4xf32>
  %ds = memref.transpose %d (i, j, k) -> (j, i, k) : memref<1x3x4xf32> to memref<3x1x4xf32, strided<[4, 12, 1]>>
  %dt = memref.cast %ds : memref<3x1x4xf32, strided<[4, 12, 1]>> to memref<3x1x4xf32, strided<[?, 12, 1]>>
  %dr = bufferization.clone %dt : memref<3x1x4xf32, strided<[?, 12, 1]>> to memref<3x1x4xf32, strided<[?, 12, 1]>>
  %dj = memref.collapse_shape %dr [[0, 1, 2]] : memref<3x1x4xf32, strided<[?, 12, 1]>> into memref<12xf32, strided<[1]>>
  %3 = memref.load %dj[%c5] : memref<12xf32, strided<[1]>>

  %e = memref.alloc() : memref<4x8xf32>
  linalg.fill ins(%f0 : f32) outs(%e : memref<4x8xf32>)
  memref.store %f2, %e[%c2, %c1] : memref<4x8xf32>
  %er = call @part(%e) : (memref<4x8xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
  %ej = memref.cast %er : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<2x3xf32, strided<[8, 1], offset: 9>>
  %4 = memref.load %ej[%c1, %c0] : memref<2x3xf32, strided<[8, 1], offset: 9>>

  %5 = arith.mulf %0, %1 : f32
  %6 = arith.mulf %2, %3 : f32
  %7 = arith.mulf %5, %6 : f32
  %8 = arith.mulf %7, %4 : f32
  return %8 : f32
}
func.func @main() {
  %c4 = arith.constant 4 : index
  llvm.call @heap_start() : () -> ()
  %r = call @f(%c4) : (index) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}
