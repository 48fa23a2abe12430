// A description of the machine: limits, alignments, reserved addresses, and where buffers go that do not fit.
// RUN: %memplan-opt %s -o %t.plan.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{machine=%S/Inputs/machine.toml verify=true})'
// RUN: FileCheck %s < %t.plan.mlir
// RUN: %memplan-opt %s -o %t.mlir --pass-pipeline='builtin.module( \
// RUN:     memplan{machine=%S/Inputs/machine.toml verify=true elide=none reorder=none reuse=none})'
// RUN: FileCheck %s --check-prefix=PIPELINE < %t.mlir

// 1. The first 128 bytes are reserved, and slices are aligned to 128: one of 256 bytes fits. The buffer that is read once moves,
// since reading costs more in the slower space, and writing does not.
// CHECK-LABEL: func @reads
// CHECK:         %[[SLOW:.*]] = memref.alloc() {alignment = 64 : i64, {{.*}}memplan.arena} : memref<256xi8, 2>
// CHECK:         %[[B:.*]] = memref.view %[[SLOW]]
// CHECK:         %[[AT:.*]] = arith.constant 128 : index
// CHECK:         %[[FAST:.*]] = memref.alloc() {alignment = 128 : i64, {{.*}}memplan.arena} : memref<384xi8, 1>
// CHECK:         %[[A:.*]] = memref.view %[[FAST]][%[[AT]]]
// CHECK:         memref.copy %[[A]], %{{.*}} : memref<64xf32, 1> to memref<64xf32>
// CHECK:         memref.copy %[[A]], %{{.*}} : memref<64xf32, 1> to memref<64xf32>
// CHECK:         memref.copy %[[B]], %{{.*}} : memref<64xf32, 2> to memref<64xf32>
// PIPELINE-LABEL: func @reads
// PIPELINE-DAG:     memplan.arena} : memref<384xi8, 1>
// PIPELINE-DAG:     memplan.arena} : memref<256xi8, 2>
// PIPELINE:         return
func.func @reads(%x: memref<64xf32>, %y: memref<64xf32>) {
  %b = memref.alloc() : memref<64xf32, 1>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32, 1>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32, 1>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32, 1>
  %a = memref.alloc() : memref<64xf32, 1>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
  memref.copy %a, %y : memref<64xf32, 1> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32, 1> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32, 1> to memref<64xf32>
  return
}

// 2. What fits neither there nor in the next space moves on.
// CHECK-LABEL: func @moves_on
// CHECK:         memplan.arena} : memref<4096xi8>
// CHECK-NOT:     memref<4096xi8, {{[12]}}>
// CHECK:         return
func.func @moves_on(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32, 1>
  memref.copy %x, %a : memref<1024xf32> to memref<1024xf32, 1>
  memref.copy %a, %y : memref<1024xf32, 1> to memref<1024xf32>
  return
}
