// The remarks of each block, and the values of options.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-reorder{remarks=true report=%t.json})' -verify-diagnostics
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: memplan table %t.json | FileCheck %s --check-prefix=TABLE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder{report=-})' 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=REPORT
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder{effort=much})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EFFORT
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder{report=/no/such/folder/r.json})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FILE
// EFFORT: memplan-reorder: option 'effort' takes one of quick, normal, thorough, or an integer, not 'much'
// FILE: memplan-reorder: cannot write report '/no/such/folder/r.json'{{.*}} [memplan-E003]

// REPORT: {"name":"gain","scopes":[],"skipped":[],"orders":[
// REPORT-NEXT: "operations":6,"load_before_bytes":512,"load_after_bytes":256,"lower_bound_bytes":256,"proven":true}]}
// REPORT: "operations":6,"load_before_bytes":512,"load_after_bytes":512,"lower_bound_bytes":512,"proven":true}]}
// REPORT: "load_before_bytes":512,"load_after_bytes":512,"lower_bound_bytes":256,"proven":false}
// TABLE: function block ops load before after any order best
// TABLE: gain {{.*}} 6 512 256 256 yes

// 1. A better order.
// expected-remark @+1 {{reordered: 6 operations, at most 256 bytes live at once instead of 512; no order needs less [memplan-R411]}}
func.func @gain(%v: f32, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// 2. There is none.
// expected-remark @+1 {{not reordered: 6 operations, at most 512 bytes live at once; no order needs less [memplan-R412]}}
func.func @best(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// 3. One that would be of no use: another block needs as much.
// expected-remark @+1 {{not reordered: 4 operations, at most 512 bytes live at once; no order needs less [memplan-R412]}}
func.func @others(%v: f32, %c: i1, %x: memref<128xf32>, %y: memref<64xf32>) {
  %all = memref.alloc() : memref<128xf32>
  memref.copy %x, %all : memref<128xf32> to memref<128xf32>
  memref.copy %all, %x : memref<128xf32> to memref<128xf32>
  // expected-remark @+1 {{not reordered: 6 operations, at most 512 bytes live at once; fewer here would not lower the peak of the function [memplan-R412]}}
  scf.if %c {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
    linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
    memref.copy %a, %y : memref<64xf32> to memref<64xf32>
    memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  }
  return
}
