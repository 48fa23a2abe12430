// What the report says of chains along dynamic sizes: how many strips there are is "?".
// RUN: %memplan-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-split{forms=plain},memplan-merge-alloc{report=%t.json})'
// RUN: FileCheck %s < %t.json
// RUN: memplan table --check %t.json > %t.txt
// RUN: FileCheck %s --check-prefix=TABLE < %t.txt
// RUN: memplan plot %t.json -o %t.svg
// RUN: FileCheck %s --check-prefix=SVG < %t.svg
// RUN: memplan plot --html %t.json -o %t.html
// RUN: FileCheck %s --check-prefix=HTML < %t.html

// 1. Rows of an image, with a line buffer that has three of them.
// CHECK:      "name":"rows"
// CHECK:      "chains":[
// CHECK-NEXT: "operations":[
// CHECK:      {"name":"linalg.conv_2d_nchw_fchw",{{.*}}}],"seed":3,"dimensions":[
// CHECK-NEXT: {"loop":2,"rows":1}],"repeated":0,"line_buffers":[
// CHECK-NEXT: {"kind":"line","scope":0,"id":{{[0-9]+}},"type":"memref<1x4x3x14xf32>","size":672,"kept_rows":2,
// CHECK-SAME: "whole_type":"memref<1x4x?x14xf32>"}]}]
// TABLE:      rows   {{.*}} 4  loop 2 of linalg.conv_2d_nchw_fchw ?     1          ?         0         672            ?      ?       ?
// SVG-DAG:    strips of 1 rows
// SVG-DAG:    line buffer of memref&lt;1x4x?x14xf32&gt;, keeps 2 rows
// HTML:       "along":"loop 2 of linalg.conv_2d_nchw_fchw","strips":null,"each":"?"
func.func @rows(%x: memref<1x3x?x16xf32>, %w: memref<4x3x3x3xf32>, %v: memref<4x4x3x3xf32>, %zero: f32)
    -> memref<1x4x?x12xf32> {
  %c2 = arith.constant 2 : index
  %h = memref.dim %x, %c2 : memref<1x3x?x16xf32>
  %h2 = arith.subi %h, %c2 : index
  %a = memref.alloc(%h2) : memref<1x4x?x14xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x4x?x14xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x3x?x16xf32>, memref<4x3x3x3xf32>) outs(%a : memref<1x4x?x14xf32>)
  %h4 = arith.subi %h2, %c2 : index
  %b = memref.alloc(%h4) : memref<1x4x?x12xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x4x?x12xf32>)
  linalg.conv_2d_nchw_fchw ins(%a, %v : memref<1x4x?x14xf32>, memref<4x4x3x3xf32>) outs(%b : memref<1x4x?x12xf32>)
  return %b : memref<1x4x?x12xf32>
}

// 2. Items of a batch, and rows of an item: two chains, of which one is in the other.
// CHECK:      "name":"batch"
// CHECK:      "chains":[
// CHECK-NEXT: "operations":[
// CHECK-NEXT: {"name":"linalg.exp",
// CHECK:      "dimensions":[
// CHECK-NEXT: {"loop":0,"rows":1}],"repeated":0,"copied_bytes":0,"line_buffers":[]},
// CHECK:      "dimensions":[
// CHECK-NEXT: {"loop":{{[0-9]}},"extent":64,
// TABLE:      batch  {{.*}} 3  loop 0 of linalg.generic ?     1          ?         0           0            ?      ?       0
// TABLE:      batch  {{.*}} 3  loop {{[0-9]}} of linalg.generic
func.func @batch(%x: memref<?x64x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<?x64x8xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x64x64xf32>
  %a = memref.alloc(%n) : memref<?x64x64xf32>
  linalg.exp ins(%x : memref<?x64x64xf32>) outs(%a : memref<?x64x64xf32>)
  %b = memref.alloc(%n) : memref<?x64x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?x64x8xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (k, j)>,
                                   affine_map<(b, i, j, k) -> (b, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %w : memref<?x64x64xf32>, memref<64x8xf32>) outs(%b : memref<?x64x8xf32>) {
  ^bb0(%one: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %one, %weight : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  }
  return %b : memref<?x64x8xf32>
}
