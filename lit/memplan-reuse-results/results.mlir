// Buffers live in the memory of results while nothing needs that.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-reuse-results)' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(memplan-reuse-results))' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-reuse-results{arena=global})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-reuse-results{results=off})' \
// RUN:   | FileCheck %s --check-prefix=OFF
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-reuse-results{remarks})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAYS
// OFF-NOT:  memref.collapse_shape
// OFF-NOT:  memref.expand_shape

// 1. Until it is written, for two buffers of other shapes, one after the other. It is allocated before the first of them.
// SAYS-COUNT-2: remark: not allocated: it lives in the memory of result 1 [memplan-R132]
// CHECK-LABEL: func @before
// CHECK:         %[[R:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x8xf32>
// CHECK:         %[[ROW:.*]] = memref.collapse_shape %[[R]]
// CHECK:         %[[A:.*]] = memref.expand_shape %[[ROW]] {{.*}} into memref<4x16xf32>
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[A]] :
// CHECK:         %[[B:.*]] = memref.{{.*}} %{{.*}} : memref<{{.*}}> to memref<3xf32>
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[B]] :
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[R]] :
// CHECK:         return %{{.*}}, %[[R]]
func.func @before(%x: f32) -> (f32, memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x16xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x16xf32>
  %b = memref.alloc() : memref<3xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<3xf32>)
  %w = memref.load %b[%c0] : memref<3xf32>
  %r = memref.alloc() {alignment = 64 : i64} : memref<8x8xf32>
  linalg.fill ins(%w : f32) outs(%r : memref<8x8xf32>)
  return %w, %r : f32, memref<8x8xf32>
}

// -----

// 2. In a branch and in a loop: the result is allocated before these.
// CHECK-LABEL: func @inside
// CHECK:         %[[R:.*]] = memref.alloc() : memref<16xf32>
// CHECK-NEXT:    scf.if
// CHECK-NOT:       memref.alloc
// CHECK:           linalg.fill ins(%{{.*}}) outs(%[[R]] :
// CHECK:         scf.for
// CHECK-NOT:       memref.alloc
// CHECK:           linalg.fill ins(%{{.*}}) outs(%[[R]] :
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[R]] :
func.func @inside(%x: f32, %c: i1, %n: index) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = scf.if %c -> f32 {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    %v = memref.load %a[%c0] : memref<16xf32>
    scf.yield %v : f32
  } else {
    scf.yield %x : f32
  }
  %w = scf.for %i = %c0 to %n step %c1 iter_args(%s = %u) -> f32 {
    %b = memref.alloc() : memref<16xf32>
    linalg.fill ins(%s : f32) outs(%b : memref<16xf32>)
    %v = memref.load %b[%c0] : memref<16xf32>
    scf.yield %v : f32
  }
  %r = memref.alloc() : memref<16xf32>
  linalg.fill ins(%w : f32) outs(%r : memref<16xf32>)
  return %r : memref<16xf32>
}

// -----

// 3. Between two writes of all of it, it stays where it is. Two buffers that share bytes in place share it.
// CHECK-LABEL: func @again
// CHECK:         %[[R:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%[[R]] :
// CHECK-NEXT:    memref.load %[[R]]
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.exp ins(%{{.*}}) outs(%[[R]] :
// CHECK:         linalg.log ins(%[[R]] : memref<8xf32>) outs(%[[R]] :
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[R]] :
func.func @again(%x: memref<8xf32>, %y: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%y : f32) outs(%r : memref<8xf32>)
  %v = memref.load %r[%c0] : memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.log ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  %w = memref.load %b[%c0] : memref<8xf32>
  %s = arith.addf %v, %w : f32
  linalg.fill ins(%s : f32) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}

// -----

// 4. Two results hold the two buffers that are live at once.
// CHECK-LABEL: func @two
// CHECK-COUNT-2: memref.alloc()
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @two(%x: memref<8xf32>, %y: f32) -> (memref<8xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  %w = memref.load %b[%c0] : memref<8xf32>
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<8xf32>)
  %s = memref.alloc() : memref<8xf32>
  linalg.fill ins(%w : f32) outs(%s : memref<8xf32>)
  return %r, %s : memref<8xf32>, memref<8xf32>
}

// -----

// 5. After blocks that loop: the entry comes before them.
// CHECK-LABEL: func @unstructured
// CHECK:         %[[R:.*]] = memref.alloc() : memref<8xf32>
// CHECK:       ^bb1
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[R]] :
// CHECK:       ^bb2
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[R]] :
func.func @unstructured(%x: f32, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<8xf32>
  cf.br ^head(%c0, %x : index, f32)
^head(%i: index, %s: f32):
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%s : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  %j = arith.addi %i, %c1 : index
  %c = arith.cmpi slt, %j, %n : index
  cf.cond_br %c, ^head(%j, %v : index, f32), ^end
^end:
  linalg.fill ins(%v : f32) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
