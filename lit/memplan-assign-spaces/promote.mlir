// Ordered memory spaces: the buffers that are used most per byte are in the fastest one.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-assign-spaces{promote=true machine=%S/Inputs/three.toml})' \
// RUN:   | FileCheck %s
// Without that, buffers stay where they are, or go to slower ones.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/three.toml})' \
// RUN:   | FileCheck %s --check-prefix=STAY
// STAY-NOT: memref<{{.*}}, 1>
// STAY-NOT: memref<{{.*}}, 2>

// 1. Three buffers of 512 bytes, of which two fit in the slower one of the faster spaces.
// CHECK-LABEL: func.func @most_used
// CHECK:       %[[RARE:.*]] = memref.alloc() : memref<128xf32, 2>
// CHECK:       %[[OFTEN:.*]] = memref.alloc() : memref<128xf32, 1>
// CHECK:       %[[SELDOM:.*]] = memref.alloc() : memref<128xf32, 2>
func.func @most_used(%x: memref<128xf32>, %y: memref<128xf32> {memplan.noalias}) {
  %rare = memref.alloc() : memref<128xf32>
  linalg.exp ins(%x : memref<128xf32>) outs(%rare : memref<128xf32>)
  %often = memref.alloc() : memref<128xf32>
  linalg.exp ins(%x : memref<128xf32>) outs(%often : memref<128xf32>)
  %seldom = memref.alloc() : memref<128xf32>
  linalg.add ins(%often, %often : memref<128xf32>, memref<128xf32>) outs(%seldom : memref<128xf32>)
  linalg.add ins(%often, %often : memref<128xf32>, memref<128xf32>) outs(%y : memref<128xf32>)
  linalg.add ins(%often, %rare : memref<128xf32>, memref<128xf32>) outs(%y : memref<128xf32>)
  linalg.add ins(%often, %seldom : memref<128xf32>, memref<128xf32>) outs(%y : memref<128xf32>)
  return
}

// 2. A callee takes what the default memory space has.
// CHECK-LABEL: func.func @call
// CHECK:       %[[A:.*]] = memref.alloc() : memref<64xf32>
// CHECK:       call @other(%[[A]])
func.func private @other(memref<64xf32>) attributes {memplan.nocallback}
func.func @call(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  call @other(%a) : (memref<64xf32>) -> ()
  return
}

// 3. In a loop, weighted by iterations: it goes to the fastest space.
// CHECK-LABEL: func.func @loop
// CHECK:       memref.alloc() : memref<128xf32, 2>
// CHECK:       memref.alloc() : memref<128xf32, 1>
// CHECK:       scf.for
func.func @loop(%x: memref<128xf32>, %y: memref<128xf32> {memplan.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %once = memref.alloc() : memref<128xf32>
  linalg.exp ins(%x : memref<128xf32>) outs(%once : memref<128xf32>)
  %each = memref.alloc() : memref<128xf32>
  linalg.exp ins(%x : memref<128xf32>) outs(%each : memref<128xf32>)
  scf.for %i = %c0 to %n step %c1 {
    linalg.add ins(%each, %y : memref<128xf32>, memref<128xf32>) outs(%y : memref<128xf32>)
  }
  linalg.add ins(%once, %y : memref<128xf32>, memref<128xf32>) outs(%y : memref<128xf32>)
  return
}
