// A buffer takes over bytes only if each element is written where the one that it is computed from was read.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' --split-input-file | FileCheck %s

// 1. The input is read in another order, too.
#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func @with_its_transpose
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func @with_its_transpose(%in: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  memref.copy %in, %a : memref<8x8xf32> to memref<8x8xf32>
  linalg.generic {indexing_maps = [#id, #transposed, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %out : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

// 2. The input is read in another order through a view with other strides.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func @with_a_transposed_view
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func @with_a_transposed_view(%in: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  memref.copy %in, %a : memref<8x8xf32> to memref<8x8xf32>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %t : memref<8x8xf32>, memref<8x8xf32, strided<[1, 8]>>) outs(%b : memref<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %out : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

// 3. Wider elements, and narrower ones.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @other_widths
// CHECK:         memref.alloc() {{.*}} : memref<768xi8>
func.func @other_widths(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf64>
  %c = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xf32>) outs(%b : memref<64xf64>) {
  ^bb0(%x: f32, %y: f64):
    %s = arith.extf %x : f32 to f64
    linalg.yield %s : f64
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<64xf64>) outs(%c : memref<64xf32>) {
  ^bb0(%x: f64, %y: f32):
    %s = arith.truncf %x : f64 to f32
    linalg.yield %s : f32
  }
  memref.copy %c, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 4. Other elements of the same width.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @same_width
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
func.func @same_width(%in: memref<64xf32>, %out: memref<64xi32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xf32>) outs(%b : memref<64xi32>) {
  ^bb0(%x: f32, %y: i32):
    %s = arith.fptosi %x : f32 to i32
    linalg.yield %s : i32
  }
  memref.copy %b, %out : memref<64xi32> to memref<64xi32>
  return
}

// -----

// 5. Reversed, broadcast, reduced: not in step.
#id = affine_map<(d0) -> (d0)>
#reversed = affine_map<(d0) -> (63 - d0)>
#first = affine_map<(d0) -> (0)>
#square = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @other_maps
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func @other_maps(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#reversed, #id], iterator_types = ["parallel"]} ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel"]} ins(%b : memref<64xf32>) outs(%c : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  memref.copy %c, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 6. The payload reads the input at any place.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @gathers
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func @gathers(%in: memref<64xf32>, %out: memref<64xf32>) {
  %c63 = arith.constant 63 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %c63, %i : index
    %z = memref.load %a[%j] : memref<64xf32>
    %s = arith.addf %x, %z : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>

// 7. A payload that calls may touch any memory.
// CHECK-LABEL: func @calls
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func private @f()
func.func @calls(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    func.call @f() : () -> ()
    linalg.yield %x : f32
  }
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  return
}
