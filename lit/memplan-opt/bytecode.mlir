// Bytecode is for one version of MLIR.
// 1. That of this version is read, from a file and from standard input.
// RUN: memplan-opt %s --emit-bytecode -o %t.mlirbc
// RUN: memplan-opt %t.mlirbc --memplan | FileCheck %s
// RUN: memplan-opt --memplan < %t.mlirbc | FileCheck %s
// CHECK: memref.view %{{.*}} : memref<256xi8> to memref<64xf32>

// 2. That of another one is an error which says so, and nothing is written.
// RUN: printf 'ML\357R\015MLIR99.0.0git\000' > %t.newer
// RUN: not memplan-opt %t.newer -o %t.none 2>&1 | FileCheck %s --check-prefix=NEWER
// RUN: not memplan-opt < %t.newer 2>&1 | FileCheck %s --check-prefix=NEWER
// RUN: not ls %t.none
// NEWER: :0:0: error: this is bytecode of MLIR99.0.0git, and memplan has MLIR22{{.*}}: pass the program as text

// 3. What has no producer, or ends early, is MLIR's error.
// RUN: printf 'ML\357R' > %t.short
// RUN: not memplan-opt %t.short 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error:

func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  return
}
