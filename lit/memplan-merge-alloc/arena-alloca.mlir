// Arenas on the stack.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false arena=alloca})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{verify in-place=false arena=alloca}))' \
// RUN:   | FileCheck %s
// RUN: not %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{in-place=false arena=alloca alloca-limit=191})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LIMIT
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{in-place=false arena=alloca \
// RUN:   alloca-limit=192})' -o /dev/null

// 1. Nothing to free.
// CHECK-LABEL: func @straight
// CHECK:         memref.alloca() {alignment = 64 : i64, memplan.arena} : memref<96xi8>
// CHECK-NOT:     memref.alloc()
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @straight(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// 2. A body that runs in parallel frees its bytes after each iteration. Operands of the terminator escape. All arenas
// of the function count towards the limit.
// CHECK-LABEL: func @parallel
// CHECK:         memref.alloca() {{{.*}}memplan.arena} : memref<32xi8>
// CHECK:         scf.parallel
// CHECK-NEXT:      %[[OUT:[0-9a-z_]+]] = memref.alloca_scope -> (f32) {
// CHECK:             memref.alloca() {{{.*}}memplan.arena} : memref<160xi8>
// CHECK:             memref.load
// CHECK:             memref.load
// CHECK:             %[[V:[0-9a-z_]+]] = memref.load
// CHECK:             memref.alloca_scope.return %[[V]] : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.reduce(%[[OUT]] : f32) {
// LIMIT:      error: arena=alloca: the arenas take 192 bytes of stack, more than alloca-limit=191 [memplan-E107]
// LIMIT-NOT:  error:
func.func @parallel(%x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %s = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%zero) -> f32 {
    %b = memref.alloc() : memref<8xf32>
    %c = memref.alloc() : memref<24xf32>
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
    %w = memref.load %b[%i] : memref<8xf32>
    memref.store %w, %c[%i] : memref<24xf32>
    %u = memref.load %b[%i] : memref<8xf32>
    %v = memref.load %c[%i] : memref<24xf32>
    scf.reduce(%v : f32) {
    ^bb0(%l: f32, %r: f32):
      %q = arith.addf %l, %r : f32
      scf.reduce.return %q : f32
    }
  }
  return %s : f32
}

// 3. A kernel has its own stack.
// CHECK-LABEL: func @kernel
// CHECK:         gpu.launch
// CHECK-NOT:       alloca_scope
// CHECK:           memref.alloca() {{{.*}}memplan.arena}
// CHECK:           gpu.terminator
func.func @kernel(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.copy %a, %x : memref<8xf32> to memref<8xf32>
    gpu.terminator
  }
  return
}
