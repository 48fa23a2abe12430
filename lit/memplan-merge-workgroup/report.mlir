// RUN: %memplan-opt %s -o /dev/null 2>&1 \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{report=-})' | FileCheck %s
// RUN: %memplan-opt %s -o /dev/null --pass-pipeline='builtin.module(memplan-merge-workgroup{report=%t.json})'
// RUN: memplan table %t.json | FileCheck %s --check-prefix=TABLE

// The report of a kernel: live ranges are times of barrier intervals.
// CHECK:      {"name":"f","scopes":[
// CHECK-NEXT: {"kind":"workgroup",{{.*}}"arena":"attribution","memory_space":"#gpu.address_space<workgroup>"
// CHECK-SAME: "optimal":true,"naive_bytes":384,"load_bytes":256,"lower_bound_bytes":256,{{.*}}"planned_bytes":256,"alignment":16
// CHECK-NEXT: {"id":0,{{.*}}"size":256,"alignment":16,"offset":0,"live":{{\[\[}}0,1]]
// CHECK-NEXT: {"id":1,{{.*}}"size":128,"alignment":16,"offset":0,"live":{{\[\[}}1,2]]
// CHECK-SAME: "skipped":[
// CHECK-NEXT: {{.*}}"reason":"dynamic-size"
// Nothing is gained.
// CHECK:      {"name":"g","scopes":[],"skipped":[]}
// TABLE:      workgroup in #gpu.address_space<workgroup>
// TABLE:      1 arena for 2 allocations: 256 B instead of 384 B

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @f(%x: f32, %n: index) workgroup(%a: memref<64xf32, #wg>, %b: memref<32xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %d = memref.alloc(%n) : memref<?xf32, #wg>
    memref.store %x, %a[%c0] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %x, %b[%c0] : memref<32xf32, #wg>
    gpu.return
  }
  gpu.func @g(%x: f32) workgroup(%a: memref<64xf32, #wg>, %b: memref<32xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    memref.store %x, %a[%c0] : memref<64xf32, #wg>
    memref.store %x, %b[%c0] : memref<32xf32, #wg>
    gpu.return
  }
}
