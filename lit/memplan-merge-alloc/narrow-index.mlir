// With an index of 32 bits, sums of dynamic sizes could overflow: these buffers stay where they are.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --verify-diagnostics \
// RUN:   | FileCheck %s

// CHECK-LABEL: func @narrow
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         memref.alloc(%{{.*}}) : memref<?x64xf32>
// CHECK:         memref.alloc(%{{.*}}) : memref<?x64xf32>
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
  func.func @narrow(%n: index, %to: memref<f32>) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    // expected-remark @below {{merged: 256 bytes}}
    %s = memref.alloc() : memref<64xf32>
    linalg.fill ins(%one : f32) outs(%s : memref<64xf32>)
    %u = memref.load %s[%c0] : memref<64xf32>
    // expected-remark @below {{not merged: an index has fewer than 64 bits, in which a sum of sizes could overflow [narrow-index]}}
    %a = memref.alloc(%n) : memref<?x64xf32>
    linalg.fill ins(%u : f32) outs(%a : memref<?x64xf32>)
    %v = memref.load %a[%c0, %c0] : memref<?x64xf32>
    // expected-remark @below {{[narrow-index]}}
    %b = memref.alloc(%n) : memref<?x64xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<?x64xf32>)
    %w = memref.load %b[%c0, %c0] : memref<?x64xf32>
    memref.store %w, %to[] : memref<f32>
    return
  }

  // An arena of more than 2^31 - 1 bytes would have a negative size: there are two. What is larger alone stays where it is.
  // CHECK-LABEL: func @wide
  // CHECK:         memref.alloc() {{.*}} : memref<1600000000xi8>
  // CHECK:         memref.alloc() {{.*}} : memref<1600000000xi8>
  // CHECK:         memref.alloc() : memref<2200000000xi8>
  func.func @wide(%to: memref<i8>) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i8
    // expected-remark @below {{merged: 1600000000 bytes}}
    %a = memref.alloc() : memref<1600000000xi8>
    linalg.fill ins(%one : i8) outs(%a : memref<1600000000xi8>)
    // expected-remark @below {{merged: 1600000000 bytes}}
    %b = memref.alloc() : memref<1600000000xi8>
    linalg.fill ins(%one : i8) outs(%b : memref<1600000000xi8>)
    %u = memref.load %a[%c0] : memref<1600000000xi8>
    %v = memref.load %b[%c0] : memref<1600000000xi8>
    // expected-remark @below {{[narrow-index]}}
    %c = memref.alloc() : memref<2200000000xi8>
    linalg.fill ins(%one : i8) outs(%c : memref<2200000000xi8>)
    %w = memref.load %c[%c0] : memref<2200000000xi8>
    %x = arith.addi %u, %v : i8
    %y = arith.addi %x, %w : i8
    memref.store %y, %to[] : memref<i8>
    return
  }
}
