// Strips along a length that is known only at run time.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{forms=plain remarks},memplan-verify)' \
// RUN:   2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: %memplan-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-split{forms=plain},memplan-merge-alloc{verify},memplan-verify)'
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify})' | FileCheck %s --check-prefix=PLAN

// 1. Rows of convolutions: a line buffer has three of them. The first strips only fill it.
// REMARK: split: 4 operations run row by row; the plan of the function takes 672 bytes instead of 229376
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[X:[^:]*]]: memref<1x3x?x16xf32>
// CHECK:         %[[LINES:.*]] = memref.alloc() {{.*}}memplan.line_buffer = {chain = 0 : i64, kept = 2 : i64, kind = "line"
// CHECK-SAME:      memref<1x4x3x14xf32>
// CHECK:         %[[FIRST:.*]] = arith.constant -2 : index
// CHECK:         %[[H:.*]] = memref.dim %[[X]]
// CHECK:         %[[LESS:.*]] = arith.constant -4 : index
// CHECK:         %[[END:.*]] = arith.addi %[[H]], %[[LESS]]
// CHECK:         scf.for %[[STRIP:.*]] = %[[FIRST]] to %[[END]] step
// CHECK:           linalg.conv_2d_nchw_fchw {{.*}}loops = array<i64: 1, 4, -1, 14, 3, 3, 3>
// CHECK-SAME:        split = [array<i64: 2, 1, 2, -1>]
// CHECK:           arith.cmpi sle, %{{.*}}, %[[STRIP]]
// CHECK:           scf.if
// CHECK:             linalg.conv_2d_nchw_fchw {{.*}}ins(%[[LINES]]
// CHECK:         memplan.lengths = {inputs = [array<i64: 0, 2>], sizes = #{{.*}}}, memplan.pieces
// CHECK-SAME:    memplan.strips = -1
// PLAN-LABEL:  func.func @rows(
// PLAN:          memref.alloc() {{.*}}memplan.arena} : memref<672xi8>
// PLAN-NOT:      memref.alloc
// PLAN:          return
func.func @rows(%x: memref<1x3x?x16xf32>, %w: memref<4x3x3x3xf32>, %v: memref<4x4x3x3xf32>) -> memref<1x4x?x12xf32> {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %h = memref.dim %x, %c2 : memref<1x3x?x16xf32>
  %h1 = arith.subi %h, %c2 : index
  %h2 = arith.subi %h1, %c2 : index
  %a = memref.alloc(%h1) : memref<1x4x?x14xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x4x?x14xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x3x?x16xf32>, memref<4x3x3x3xf32>) outs(%a : memref<1x4x?x14xf32>)
  %b = memref.alloc(%h2) : memref<1x4x?x12xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x4x?x12xf32>)
  linalg.conv_2d_nchw_fchw ins(%a, %v : memref<1x4x?x14xf32>, memref<4x4x3x3xf32>) outs(%b : memref<1x4x?x12xf32>)
  return %b : memref<1x4x?x12xf32>
}

// 2. Strips that skip rows: how many rows a strip has is computed, as the last one may have fewer. The program frees what is
// between, and so do strips.
// REMARK: split: 4 operations run row by row
// CHECK-LABEL: func.func @freed(
// CHECK:         %[[END:.*]] = arith.divui %{{.*}}
// CHECK:         scf.for %[[STRIP:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           %[[ROWS:.*]] = memref.alloc() {{.*}}: memref<2x16xf32>
// CHECK:           arith.minsi
// CHECK:           linalg.exp {{.*}}split = [array<i64: 0, 2, -1, -1>]
// CHECK:           memref.dealloc %[[ROWS]]
// CHECK:         memplan.strips
func.func @freed(%x: memref<?x16xf32>, %n: f32) -> memref<?x16xf32> {
  %c0 = arith.constant 0 : index
  %h = memref.dim %x, %c0 : memref<?x16xf32>
  %a = memref.alloc(%h) : memref<?x16xf32>
  linalg.exp ins(%x : memref<?x16xf32>) outs(%a : memref<?x16xf32>)
  %half = affine.apply affine_map<()[s0] -> (s0 ceildiv 2)>()[%h]
  %part = memref.subview %a[0, 0] [%half, 16] [2, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[32, 1]>>
  %b = memref.alloc(%half) : memref<?x16xf32>
  linalg.log ins(%part : memref<?x16xf32, strided<[32, 1]>>) outs(%b : memref<?x16xf32>)
  memref.dealloc %a : memref<?x16xf32>
  %c = memref.alloc(%half) : memref<?x16xf32>
  linalg.abs ins(%b : memref<?x16xf32>) outs(%c : memref<?x16xf32>)
  memref.dealloc %b : memref<?x16xf32>
  %d = memref.alloc(%half) : memref<?x16xf32>
  linalg.sqrt ins(%c : memref<?x16xf32>) outs(%d : memref<?x16xf32>)
  memref.dealloc %c : memref<?x16xf32>
  return %d : memref<?x16xf32>
}

// 3. Another size that is not known, either: strips are allocated before the loop, and share memory.
// REMARK: split: 6 operations run row by row; the plan of the function takes 8192 bytes instead of 8388608
// CHECK-LABEL: func.func @scores(
// CHECK-SAME:    %{{.*}}: memref<?x4xf32>, %[[K:[^:]*]]: memref<?x4xf32>
// CHECK:         memref.alloc(%{{.*}}) : memref<?x4xf32>
// CHECK:         %[[M:.*]] = memref.dim %[[K]]
// CHECK-COUNT-2: memref.alloc(%[[M]]) {{.*}} : memref<1x?xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
// CHECK:         memplan.lengths = {inputs = [array<i64: 0, 0>, array<i64: 1, 0>]
func.func @scores(%q: memref<?x4xf32>, %k: memref<?x4xf32>) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %q, %c0 : memref<?x4xf32>
  %m = memref.dim %k, %c0 : memref<?x4xf32>
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?x?xf32>)
  linalg.matmul
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%q, %k : memref<?x4xf32>, memref<?x4xf32>) outs(%a : memref<?x?xf32>)
  %b = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  %c = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.mul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  %r = memref.alloc(%n) : memref<?x4xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<?x4xf32>)
  linalg.matmul ins(%c, %k : memref<?x?xf32>, memref<?x4xf32>) outs(%r : memref<?x4xf32>)
  return %r : memref<?x4xf32>
}

// 4. Rows in pairs: for one row, both are all there are.
// REMARK: split: 4 operations run row by row
// CHECK-LABEL: func.func @pairs(
// CHECK:         linalg.generic {{.*}}split = [array<i64: 0, 1, 0, -1>]
// CHECK:         linalg.exp {{.*}}split = [array<i64: 0, 2, 0, -2>]
// CHECK:         linalg.fill {{.*}}split = [array<i64: 0, 1, 0, -1>]
// CHECK:         linalg.generic {{.*}}split = [array<i64: 0, 1, 0, -1>]
// CHECK:         memplan.lengths
func.func @pairs(%x: memref<?x16xf32>, %w: memref<2xf32>, %zero: f32) -> memref<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %a = memref.alloc(%n) : memref<?x2x16xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j, k)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<?x16xf32>) outs(%a : memref<?x2x16xf32>) {
  ^bb0(%one: f32, %unused: f32):
    linalg.yield %one : f32
  }
  %rows = memref.collapse_shape %a [[0, 1], [2]] : memref<?x2x16xf32> into memref<?x16xf32>
  %twice = arith.muli %n, %c2 : index
  %b = memref.alloc(%twice) : memref<?x16xf32>
  linalg.exp ins(%rows : memref<?x16xf32>) outs(%b : memref<?x16xf32>)
  %c = memref.alloc(%n) : memref<?x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<?x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i * 2 + k, j)>, affine_map<(i, j, k) -> (k)>,
                                   affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%b, %w : memref<?x16xf32>, memref<2xf32>) outs(%c : memref<?x16xf32>) {
  ^bb0(%one: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %one, %weight : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  }
  return %c : memref<?x16xf32>
}

// 5. Memory that is whole, and that only the strips use.
// CHECK-LABEL: func.func @alone(
// CHECK:         memplan.lengths
func.func @alone(%n: memref<?xf32>) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %size = memref.dim %n, %c0 : memref<?xf32>
  %x = memref.alloc(%size) : memref<?xf32>
  %a = memref.alloc(%size) : memref<?x4xf32>
  linalg.broadcast ins(%x : memref<?xf32>) outs(%a : memref<?x4xf32>) dimensions = [1]
  %less = affine.apply affine_map<()[s0] -> (s0 - 2)>()[%size]
  %b = memref.alloc(%less) : memref<?x4xf32>
  %first = memref.subview %a[0, 0] [%less, 4] [1, 1] : memref<?x4xf32> to memref<?x4xf32, strided<[4, 1]>>
  %last = memref.subview %a[2, 0] [%less, 4] [1, 1] : memref<?x4xf32> to memref<?x4xf32, strided<[4, 1], offset: 8>>
  linalg.add ins(%first, %last : memref<?x4xf32, strided<[4, 1]>>, memref<?x4xf32, strided<[4, 1], offset: 8>>)
    outs(%b : memref<?x4xf32>)
  return %b : memref<?x4xf32>
}
