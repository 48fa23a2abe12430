// Memory spaces that options name.
// 1. A word without quotes.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{capacity=sram:256})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WORD
// WORD-NOT: expected attribute value
// WORD:     error: memplan-merge-alloc: option 'capacity': 'sram' is not a memory space; in a type it is "sram", with quotes [memplan-E002]

// 2. A space that the program does not have, while it has one that no option names.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{capacity="sarm":256})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CAPACITY
// CAPACITY: error: memplan-merge-alloc: option 'capacity': the program has no memory space "sarm", but "sram" [memplan-E002]
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{spill=7->default})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SPILL
// SPILL: error: memplan-merge-alloc: option 'spill': the program has no memory space 7, but "sram" [memplan-E002]

// 3. The options may name all spaces of a machine; buffers may move to one that the program does not have.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{capacity="sram":256,7:256 \
// RUN:   spill="sram"->8,8->default})' | FileCheck %s
// CHECK-DAG: memref.alloc() {{.*}} : memref<256xi8, "sram">
// CHECK-DAG: memref.alloc() {{.*}} : memref<256xi8, 8>
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{capacity="sram":256,8:128 \
// RUN:   spill="sram"->8,8->default})' | FileCheck %s --check-prefix=ON
// ON-DAG: memref.alloc() {{.*}} : memref<256xi8, "sram">
// ON-DAG: memref.alloc() {{.*}} : memref<256xi8>

func.func @f(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, "sram">
  %b = memref.alloc() : memref<64xf32, "sram">
  memref.copy %x, %a : memref<64xf32> to memref<64xf32, "sram">
  memref.copy %x, %b : memref<64xf32> to memref<64xf32, "sram">
  linalg.add ins(%a, %b : memref<64xf32, "sram">, memref<64xf32, "sram">) outs(%x : memref<64xf32>)
  return
}
