// Buffers that are evicted, reloaded, and placed elsewhere.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/two.toml})' \
// RUN:   | FileCheck %s
// The arenas keep the limits.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{split=none elide=none reorder=none \
// RUN:   machine=%S/Inputs/two.toml verify=true})' | FileCheck %s --check-prefix=PLAN
// PLAN-NOT: memref<{{[0-9]{4}|[6-9][0-9]{2}|51[3-9]|5[2-9][0-9]}}xi8, 1>

// 1. Evicted in between, and used often afterwards: copied out, and back.
// CHECK-LABEL: func.func @reloaded
// CHECK:       %[[A:.*]] = memref.alloc() : memref<64xf32, 1>
// CHECK:       linalg.matvec ins(%{{.*}}, %[[A]] :
// CHECK-NEXT:  %[[OUT:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:  memref.copy %[[A]], %[[OUT]]
// CHECK:       linalg.add
// CHECK-NEXT:  %[[IN:.*]] = memref.alloc() : memref<64xf32, 1>
// CHECK-NEXT:  memref.copy %[[OUT]], %[[IN]]
// CHECK-NEXT:  linalg.add ins(%[[IN]], %{{.*}}
// CHECK-NEXT:  linalg.add ins(%[[IN]], %{{.*}}
// CHECK-NEXT:  linalg.add ins(%[[IN]], %{{.*}}
func.func @reloaded(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  linalg.exp ins(%a : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%b : memref<64xf32, 1>)
  %c = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
  linalg.add ins(%c, %b : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  return
}

// 2. The next operation overwrites all of it: nothing is copied.
// CHECK-LABEL: func.func @dead
// CHECK-NOT:   memref.copy
// CHECK:       return
func.func @dead(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>, %zero: f32) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  linalg.exp ins(%a : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %y : memref<64x64xf32>, memref<64xf32>) outs(%b : memref<64xf32, 1>)
  %c = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
  linalg.exp ins(%b : memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32, 1>)
  linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  return
}

// 3. Too large for the fast space: it is in the slow one for life, with its views.
// CHECK-LABEL: func.func @large
// CHECK:       memref.alloc() : memref<16x16xf32>
// CHECK:       memref.subview %{{.*}} : memref<16x16xf32> to memref<4x4xf32, strided<[16, 1]>>
// CHECK-NOT:   memref.copy
// CHECK:       return
func.func @large(%x: memref<16x16xf32>, %y: memref<4x4xf32>) {
  %a = memref.alloc() : memref<16x16xf32, 1>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%a : memref<16x16xf32, 1>)
  %part = memref.subview %a[0, 0] [4, 4] [1, 1] : memref<16x16xf32, 1> to memref<4x4xf32, strided<[16, 1]>, 1>
  linalg.exp ins(%part : memref<4x4xf32, strided<[16, 1]>, 1>) outs(%y : memref<4x4xf32>)
  return
}

// 4. Where the program frees a buffer, each of them is freed.
// CHECK-LABEL: func.func @freed
// CHECK:       %[[A:.*]] = memref.alloc() : memref<64xf32, 1>
// CHECK:       memref.copy %[[A]], %[[OUT:.*]] :
// CHECK-NEXT:  memref.dealloc %[[A]] :
// CHECK:       memref.dealloc %[[OUT]] : memref<64xf32>
// CHECK-NOT:   memref.dealloc %[[A]] :
// CHECK:       return
func.func @freed(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  linalg.exp ins(%a : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%b : memref<64xf32, 1>)
  %c = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
  linalg.add ins(%c, %b : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  memref.dealloc %b : memref<64xf32, 1>
  linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  memref.dealloc %a : memref<64xf32, 1>
  memref.dealloc %c : memref<64xf32, 1>
  return
}

// 5. In a loop, in each iteration.
// CHECK-LABEL: func.func @loop
// CHECK:       scf.for
// CHECK:         memref.copy %{{.*}} : memref<64xf32, 1> to memref<64xf32>
// CHECK:       return
func.func @loop(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<64xf32, 1>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
    linalg.exp ins(%a : memref<64xf32, 1>) outs(%y : memref<64xf32>)
    %b = memref.alloc() : memref<64xf32, 1>
    linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%b : memref<64xf32, 1>)
    %c = memref.alloc() : memref<64xf32, 1>
    linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
    linalg.add ins(%c, %b : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
    linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  }
  return
}

// 6. Everything fits: nothing changes.
// CHECK-LABEL: func.func @fits
// CHECK-COUNT-2: memref.alloc() : memref<64xf32, 1>
// CHECK-NOT:   memref.alloc
// CHECK:       return
func.func @fits(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%a : memref<64xf32, 1>) outs(%b : memref<64xf32, 1>)
  linalg.add ins(%a, %b : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  return
}
