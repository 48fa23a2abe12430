// Arenas leave a callee the memory that it may hold: during a call only what is needed after it is held.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module verify})' \
// RUN:   | FileCheck %s --check-prefix=MODULE
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{calls=capture verify})' \
// RUN:   | FileCheck %s --check-prefix=CAPTURE

func.func private @use(memref<1000xf32>)

// 1. In a recursion, what is used before and after the call is in arenas of its own.
// CHECK-LABEL: func @recursion
// CHECK:         %[[KEPT:.*]] = memref.alloc() {{.*}} : memref<16xi8>
// CHECK:         %[[ONE:.*]] = memref.alloc() {{.*}} : memref<4000xi8>
// CHECK:         memref.dealloc %[[ONE]]
// CHECK:         call @recursion
// CHECK:         %[[OTHER:.*]] = memref.alloc() {{.*}} : memref<4000xi8>
// CHECK:         memref.dealloc %[[OTHER]]
// CHECK:         memref.dealloc %[[KEPT]]
func.func @recursion(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %k = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%k : memref<4xf32>)
  %a = memref.alloc() : memref<1000xf32>
  call @use(%a) : (memref<1000xf32>) -> ()
  %go = arith.cmpi ne, %n, %c0 : index
  scf.if %go {
    %m = arith.subi %n, %c1 : index
    %r = func.call @recursion(%m) : (index) -> f32
  }
  %b = memref.alloc() : memref<1000xf32>
  call @use(%b) : (memref<1000xf32>) -> ()
  %v = memref.load %k[%c0] : memref<4xf32>
  return %v : f32
}

// -----

func.func private @use(memref<1000xf32>)

// 2. A callee of the module needs as much as it may allocate. Its arena may be a part of the caller's, which is then
// not split.
func.func private @leaf() {
  %a = memref.alloc() : memref<1000xf32>
  call @use(%a) : (memref<1000xf32>) -> ()
  return
}
// CHECK-LABEL: func @chain
// CHECK:         memref.alloc() {{.*}} : memref<4000xi8>
// CHECK:         memref.dealloc
// CHECK-NEXT:    call @leaf
// CHECK:         memref.alloc() {{.*}} : memref<4000xi8>
// CHECK:         memref.dealloc
// MODULE-LABEL: func @chain
// MODULE:         memref.alloc() {{.*}} : memref<4000xi8>
// MODULE-NOT:     memref.dealloc
// MODULE:         call @leaf
// MODULE-NOT:     memref.alloc
// MODULE:         memref.dealloc
// MODULE-NOT:     memref.dealloc
// MODULE:         return
func.func @chain() {
  %a = memref.alloc() : memref<1000xf32>
  call @use(%a) : (memref<1000xf32>) -> ()
  call @leaf() : () -> ()
  %b = memref.alloc() : memref<1000xf32>
  call @use(%b) : (memref<1000xf32>) -> ()
  return
}

// 3. One that allocates nothing does not matter: one arena is held.
func.func private @in_place(%x: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%x : memref<4xf32>)
  return
}
// CHECK-LABEL: func @around
// CHECK:         memref.alloc() {{.*}} : memref<8000xi8>
// CHECK:         call @in_place
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @around(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<1000xf32>
  call @use(%a) : (memref<1000xf32>) -> ()
  call @in_place(%x) : (memref<4xf32>) -> ()
  %b = memref.alloc() : memref<2000xf32>
  %c = memref.cast %b : memref<2000xf32> to memref<?xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<?xf32>)
  return
}

// -----

func.func private @use(memref<1000xf32>)

// 4. In a loop, each iteration allocates what the call must not find held.
// CHECK-LABEL: func @loop
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
// CHECK:           %[[ONE:.*]] = memref.alloc() {{.*}} : memref<4000xi8>
// CHECK:           memref.dealloc %[[ONE]]
// CHECK:           call @loop
// CHECK:           %[[OTHER:.*]] = memref.alloc() {{.*}} : memref<4000xi8>
// CHECK:           memref.dealloc %[[OTHER]]
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1000xf32>
    func.call @use(%a) : (memref<1000xf32>) -> ()
    func.call @loop(%i) : (index) -> ()
    %b = memref.alloc() : memref<1000xf32>
    func.call @use(%b) : (memref<1000xf32>) -> ()
  }
  return
}

// -----

func.func private @use(memref<1000xf32>)

// 5. A buffer that the loop carries is held as long as the loop; the other one is not.
// CHECK-LABEL: func @carried
// CHECK:         memref.alloc() {{.*}} : memref<8032xi8>
// CHECK:         scf.for
// CHECK:           memref.alloc() {{.*}} : memref<4000xi8>
// CHECK:           memref.dealloc
// CHECK:           call @carried
// CHECK:         }
// CHECK:         memref.dealloc
func.func @carried(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.alloc() : memref<1000xf32>
  %q = memref.alloc() : memref<1000xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%p : memref<1000xf32>)
  linalg.fill ins(%z : f32) outs(%q : memref<1000xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %p, %t = %q) -> (memref<1000xf32>, memref<1000xf32>) {
    %a = memref.alloc() : memref<1000xf32>
    func.call @use(%a) : (memref<1000xf32>) -> ()
    func.call @carried(%i) : (index) -> ()
    linalg.add ins(%s, %t : memref<1000xf32>, memref<1000xf32>) outs(%s : memref<1000xf32>)
    scf.yield %t, %s : memref<1000xf32>, memref<1000xf32>
  }
  call @use(%r#0) : (memref<1000xf32>) -> ()
  return
}

// -----

// With calls=capture, a callee without a body may allocate any amount: nothing is held in it that is not needed after it.
func.func private @unknown()
// CAPTURE-LABEL: func @around_unknown
// CAPTURE:         memref.alloc() {{.*}} : memref<4000xi8>
// CAPTURE:         memref.dealloc
// CAPTURE:         call @unknown
// CAPTURE:         memref.alloc() {{.*}} : memref<4000xi8>
// CAPTURE:         memref.dealloc
func.func @around_unknown(%x: memref<1000xf32>, %y: memref<1000xf32>) {
  %a = memref.alloc() : memref<1000xf32>
  memref.copy %x, %a : memref<1000xf32> to memref<1000xf32>
  memref.copy %a, %y : memref<1000xf32> to memref<1000xf32>
  call @unknown() : () -> ()
  %b = memref.alloc() : memref<1000xf32>
  memref.copy %y, %b : memref<1000xf32> to memref<1000xf32>
  memref.copy %b, %x : memref<1000xf32> to memref<1000xf32>
  return
}
