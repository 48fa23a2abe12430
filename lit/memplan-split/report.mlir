// What the report says of chains, after the passes that follow.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{max-strips=1 report=%t.json})' \
// RUN:   -o /dev/null
// RUN: FileCheck %s < %t.json
// RUN: memplan table --check %t.json > %t.txt
// RUN: FileCheck %s --check-prefix=TABLE < %t.txt
// RUN: memplan plot %t.json -o %t.svg
// RUN: FileCheck %s --check-prefix=SVG < %t.svg
// With two dimensions, there are borders, too.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split,memplan-merge-alloc{report=%t.two.json})' \
// RUN:   -o /dev/null
// RUN: memplan table --check %t.two.json
// RUN: FileCheck %s --check-prefix=TWO < %t.two.json

// 1. A line buffer keeps two rows. Each of 30 strips moves these, and the first two strips only fill it.
// CHECK:      "name":"lines"
// CHECK:      "id":[[ID:[0-9]+]],{{.*}}"type":"memref<1x4x3x30xf32>"
// CHECK:      "chains":[
// CHECK-NEXT: "positions":[{{[0-9]+}},{{[0-9]+}}],"operations":[
// CHECK-NEXT: {"name":"linalg.fill",{{.*}}report.mlir:[[@LINE+21]]:3
// CHECK-NEXT: {"name":"linalg.conv_2d_nchw_fchw",{{.*}}report.mlir:[[@LINE+21]]:3
// CHECK-NEXT: {"name":"linalg.exp",
// CHECK-NEXT: {"name":"linalg.fill",
// CHECK-NEXT: {"name":"linalg.conv_2d_nchw_fchw",{{.*}}}],"seed":4,"dimensions":[
// CHECK-NEXT: {"loop":2,"extent":28,"rows":1,"strips":30}],"strips":30,"executions":146,"repeated":0,
// CHECK-SAME: "load_before_bytes":14400,"load_after_bytes":1984,"copied_bytes":28800,"line_buffers":[
// CHECK-NEXT: {"kind":"line","scope":0,"id":[[ID]],"type":"memref<1x4x3x30xf32>","size":1440,"kept_rows":2,
// CHECK-SAME: report.mlir:[[@LINE+15]]:8",
// CHECK-SAME: "whole_type":"memref<1x4x30x30xf32>","whole_size":14400}]}]
// TABLE:      lines     {{.*}}  5  loop 2 of linalg.conv_2d_nchw_fchw      30     1        4.9         0       1,440       14,400  1,984  28,800
// SVG-DAG:    30 strips of 1 rows, 4.9 operations in each
// SVG-DAG:    line buffer of memref&lt;1x4x30x30xf32&gt; (14.1 KiB), keeps 2 rows
// TWO:        "dimensions":[
// TWO-NEXT:   {"loop":2,
// TWO-NEXT:   {"loop":3,
// TWO:        {"kind":"border",
// TWO:        {"kind":"line",
func.func @lines(%x: memref<1x4x32x32xf32>, %w: memref<4x4x3x3xf32>, %v: memref<4x4x3x3xf32>, %zero: f32)
    -> memref<1x4x28x28xf32> {
  %a = memref.alloc() : memref<1x4x30x30xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x4x30x30xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x4x32x32xf32>, memref<4x4x3x3xf32>) outs(%a : memref<1x4x30x30xf32>)
  %b = memref.alloc() : memref<1x4x30x30xf32>
  linalg.exp ins(%a : memref<1x4x30x30xf32>) outs(%b : memref<1x4x30x30xf32>)
  %c = memref.alloc() : memref<1x4x28x28xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<1x4x28x28xf32>)
  linalg.conv_2d_nchw_fchw ins(%b, %v : memref<1x4x30x30xf32>, memref<4x4x3x3xf32>) outs(%c : memref<1x4x28x28xf32>)
  return %c : memref<1x4x28x28xf32>
}

// 2. Strips that add up, and a function without chains.
// CHECK:      "name":"sums"
// CHECK:      "seed":2,"dimensions":[
// CHECK-NEXT: {"loop":2,"extent":64,"rows":{{[0-9]+}},"strips":{{[0-9]+}}}],"sums":true,
// CHECK:      "line_buffers":[]}]
// CHECK:      "name":"whole"
// CHECK-NOT:  "chains"
func.func @sums(%x: memref<4x8xf32>, %w: memref<8x64xf32>, %v: memref<64x4xf32>, %zero: f32) -> memref<4x4xf32> {
  %a = memref.alloc() : memref<4x64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4x64xf32>)
  linalg.matmul ins(%x, %w : memref<4x8xf32>, memref<8x64xf32>) outs(%a : memref<4x64xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4x4xf32>)
  linalg.matmul ins(%a, %v : memref<4x64xf32>, memref<64x4xf32>) outs(%b : memref<4x4xf32>)
  return %b : memref<4x4xf32>
}

func.func @whole(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.abs ins(%a : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
