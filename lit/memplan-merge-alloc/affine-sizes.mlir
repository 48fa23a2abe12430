// Sizes that affine maps compute as products.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify remarks},cse,memplan-verify)' 2>&1 \
// RUN:   | FileCheck %s

// 1. The product of two dimensions is as large as a matrix of these, and a multiple as one with as many columns. So each two of
// the same size share bytes.
// CHECK: remark: merged: in a slot of max(4*d0*d1, 16*d0) bytes, which 2 share
// CHECK: remark: merged: in a slot of max(4*d0*d1, 16*d0) bytes, which 2 share
// CHECK: remark: merged: in a slot of max(4*d0*d1, 16*d0) bytes, which 2 share
// CHECK: remark: merged: in a slot of max(4*d0*d1, 16*d0) bytes, which 2 share
// 2. Sums, negative factors, quotients and minima are no products: sizes of their own.
// CHECK: remark: merged: in a slot of max(4*d0, 4*d1, 4*d2, 4*d3) bytes, which 4 share
func.func @products(%x: memref<?x?xf32>, %y: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %p = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%n, %m]
  %q = affine.apply affine_map<(d0)[s0] -> (d0 * 4)>(%n)[%m]
  %a = memref.alloc(%p) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<?x?xf32>)
  %va = memref.load %a[%c0] : memref<?xf32>
  %c = memref.alloc(%q) : memref<?xf32>
  linalg.fill ins(%va : f32) outs(%c : memref<?xf32>)
  %vb = memref.load %b[%c0, %c0] : memref<?x?xf32>
  %d = memref.alloc(%n) : memref<?x4xf32>
  linalg.fill ins(%vb : f32) outs(%d : memref<?x4xf32>)
  %vc = memref.load %c[%c0] : memref<?xf32>
  %vd = memref.load %d[%c0, %c0] : memref<?x4xf32>
  %s = arith.addf %vc, %vd : f32
  memref.store %s, %y[] : memref<f32>
  return
}

func.func @others(%n: index, %m: index) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %p = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%n, %m]
  %q = affine.apply affine_map<(d0) -> (d0 * -4)>(%n)
  %r = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%n)
  %s = affine.min affine_map<(d0)[s0] -> (d0 * 4, s0 * 8)>(%n)[%m]
  %a = memref.alloc(%p) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%q) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
  %c = memref.alloc(%r) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%c : memref<?xf32>)
  %d = memref.alloc(%s) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%d : memref<?xf32>)
  return
}
