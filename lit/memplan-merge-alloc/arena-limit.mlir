// Arenas of at most so many bytes each.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena-limit=512 verify})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena-limit=512 arena=global verify})' \
// RUN:   | FileCheck %s --check-prefix=GLOBAL
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena-limit=512 arena=alloca verify})' \
// RUN:   | FileCheck %s --check-prefix=STACK
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena-limit=1KiB verify})' \
// RUN:   | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func @three
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK-NOT:     memref.alloc
// GLOBAL-DAG:  memref.global {{.*}} : memref<512xi8>
// GLOBAL-DAG:  memref.global {{.*}} : memref<256xi8>
// GLOBAL-LABEL: func @three
// STACK-LABEL: func @three
// STACK-DAG:     memref.alloca() {{.*}} : memref<512xi8>
// STACK-DAG:     memref.alloca() {{.*}} : memref<256xi8>
// ONE-LABEL:   func @three
// ONE:           memref.alloc() {{.*}} : memref<768xi8>
func.func @three(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %y, %b : memref<64xf32> to memref<64xf32>
  memref.copy %x, %c : memref<64xf32> to memref<64xf32>
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  linalg.add ins(%a, %c : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  linalg.add ins(%b, %c : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  %d = memref.alloc() : memref<128xf32>
  %e = memref.subview %d[0] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1]>>
  memref.copy %x, %e : memref<64xf32> to memref<64xf32, strided<[1]>>
  linalg.add ins(%c, %e : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%y : memref<64xf32>)
  return
}
