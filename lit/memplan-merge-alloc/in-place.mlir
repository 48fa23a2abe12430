// A buffer takes over the bytes of one that an operation reads for the last time, element by element.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' --split-input-file | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false})' --split-input-file \
// RUN:   | FileCheck %s --check-prefix=APART
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{report=-})' --split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REPORT

#id = affine_map<(d0) -> (d0)>

// 1. A chain in one place; the copy at its end goes.
// CHECK-LABEL: func @chain
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK-COUNT-2: memref.copy
// CHECK-NOT:     memref.copy
// APART-LABEL: func @chain
// APART:         memref.alloc() {{.*}} : memref<512xi8>
// REPORT-LABEL: "name":"chain"
// REPORT:         "naive_bytes":768,"load_bytes":256,"lower_bound_bytes":256,{{.*}}"planned_bytes":256
// REPORT:         "id":0,{{.*}}"in_place_with":null
// REPORT-NEXT:    "id":1,{{.*}}"in_place_with":0
// REPORT-NEXT:    "id":2,{{.*}}"in_place_with":0
func.func @chain(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %c : memref<64xf32> to memref<64xf32>
  memref.copy %c, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 2. The input is needed afterwards.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @needed_on
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func @needed_on(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 3. Both inputs end: one of them is taken over.
// CHECK-LABEL: func @two_inputs
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
// APART-LABEL: func @two_inputs
// APART:         memref.alloc() {{.*}} : memref<768xi8>
func.func @two_inputs(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  memref.copy %c, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 4. The output is never read, and the input is.
// CHECK-LABEL: func @dead_output
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func @dead_output(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 5. Back and forth in a loop: one buffer.
// CHECK-LABEL: func @to_and_fro
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
func.func @to_and_fro(%in: memref<64xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.abs ins(%b : memref<64xf32>) outs(%a : memref<64xf32>)
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 6. Other memory.
// CHECK-LABEL: func @other_space
// CHECK-DAG:     memref.alloc() {{.*}} : memref<256xi8>
// CHECK-DAG:     memref.alloc() {{.*}} : memref<256xi8, 1>
func.func @other_space(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32, 1>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32, 1>)
  memref.copy %b, %out : memref<64xf32, 1> to memref<64xf32>
  return
}

// -----

// 7. Another element of a carried pair may be the same buffer.
// CHECK-LABEL: func @perhaps_the_input
// CHECK:         memref.alloc() {{.*}} : memref<768xi8>
func.func @perhaps_the_input(%which: i1, %in: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  memref.copy %in, %a : memref<8x8xf32> to memref<8x8xf32>
  memref.copy %in, %b : memref<8x8xf32> to memref<8x8xf32>
  %either = arith.select %which, %a, %b : memref<8x8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %either : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  memref.copy %c, %out : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

// 8. Needed by what comes two operations later.
// CHECK-LABEL: func @needed_later
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func @needed_later(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<64xf32>
  memref.store %x, %out[%c0] : memref<64xf32>
  return
}

// -----

// 9. The payload asserts; a loop of one iteration is at 0, whether the map says so or not.
// CHECK-LABEL: func @asserts
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// APART-LABEL: func @asserts
// APART:         memref.alloc() {{.*}} : memref<512xi8>
func.func @asserts(%in: memref<1x64xf32>, %out: memref<1x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1x64xf32>
  %b = memref.alloc() : memref<1x64xf32>
  memref.copy %in, %a : memref<1x64xf32> to memref<1x64xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<1x64xf32>) outs(%b : memref<1x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %ok = arith.cmpf one, %x, %zero : f32
    cf.assert %ok, "zero"
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %out : memref<1x64xf32> to memref<1x64xf32>
  return
}
