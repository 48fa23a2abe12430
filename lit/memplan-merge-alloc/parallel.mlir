// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics \
// RUN:   | FileCheck %s

// 1. Each thread of the body has an arena of its own, freed before the body's end; the function's stays outside.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @forall
// CHECK:         %[[OUTER:.*]] = memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         scf.forall
// CHECK:           %[[INNER:.*]] = memref.alloc() {{.*}}memplan.arena} : memref<256xi8>
// CHECK:           memref.dealloc %[[INNER]] {bufferization.manual_deallocation} : memref<256xi8>
// CHECK-NEXT:    }
// CHECK:         memref.dealloc %[[OUTER]]
func.func @forall(%n: index) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %o = memref.alloc() : memref<64xf32>
  call @use(%o) : (memref<64xf32>) -> ()
  scf.forall (%i) in (%n) {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
  }
  return
}

// -----

// 2. Memory from outside that the body uses lives through the whole loop, even if only its start uses it: threads are
// not in lockstep.
func.func private @use(memref<64xf32>)
func.func @from_outside(%n: index) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %o = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %p = memref.alloc() : memref<64xf32>
  scf.forall (%i) in (%n) {
    func.call @use(%o) : (memref<64xf32>) -> ()
    func.call @use(%p) : (memref<64xf32>) -> ()
  }
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %q = memref.alloc() : memref<64xf32>
  call @use(%q) : (memref<64xf32>) -> ()
  return
}

// -----

// 3. scf.parallel, and one inside of another.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @parallel
// CHECK:         scf.parallel
// CHECK:           %[[ONE:.*]] = memref.alloc() {{.*}}memplan.arena}
// CHECK:           scf.parallel
// CHECK:             %[[TWO:.*]] = memref.alloc() {{.*}}memplan.arena}
// CHECK:             memref.dealloc %[[TWO]]
// CHECK-NEXT:        scf.reduce
// CHECK:           memref.dealloc %[[ONE]]
// CHECK-NEXT:      scf.reduce
func.func @parallel(%lo: index, %hi: index, %step: index) {
  scf.parallel (%i) = (%lo) to (%hi) step (%step) {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
    scf.parallel (%j) = (%lo) to (%hi) step (%step) {
      // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
      %b = memref.alloc() : memref<64xf32>
      func.call @use(%b) : (memref<64xf32>) -> ()
      scf.reduce
    }
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %d = memref.alloc() : memref<64xf32>
    func.call @use(%d) : (memref<64xf32>) -> ()
    scf.reduce
  }
  return
}

// -----

// 4. affine.parallel.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @affine
// CHECK:         affine.parallel
// CHECK:           memref.alloc() {{.*}}memplan.arena}
// CHECK:           memref.dealloc {{.*}} : memref<256xi8>
// CHECK-NEXT:    }
func.func @affine() {
  affine.parallel (%i) = (0) to (8) {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
  }
  return
}

// -----

// 5. omp.parallel.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @omp
// CHECK:         omp.parallel
// CHECK:           %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena}
// CHECK:           memref.dealloc %[[ARENA]]
// CHECK-NEXT:      omp.terminator
func.func @omp() {
  omp.parallel {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
    omp.terminator
  }
  return
}

// -----

// 6. gpu.launch.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @launch
// CHECK:         gpu.launch
// CHECK:           %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena}
// CHECK:           memref.dealloc %[[ARENA]]
// CHECK-NEXT:      gpu.terminator
func.func @launch(%n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
    gpu.terminator
  }
  return
}

// -----

// 7. A sequential loop in a parallel body merges into the body's scope; a parallel body in a loop keeps its own.
func.func private @use(memref<64xf32>)
func.func @mixed(%lo: index, %hi: index, %step: index) {
  scf.for %i = %lo to %hi step %step {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %o = memref.alloc() : memref<64xf32>
    func.call @use(%o) : (memref<64xf32>) -> ()
    scf.forall (%k) in (%hi) {
      scf.for %j = %lo to %hi step %step {
        // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
        %a = memref.alloc() : memref<64xf32>
        func.call @use(%a) : (memref<64xf32>) -> ()
      }
      // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
      %b = memref.alloc() : memref<64xf32>
      func.call @use(%b) : (memref<64xf32>) -> ()
    }
    func.call @use(%o) : (memref<64xf32>) -> ()
  }
  return
}

// -----

// 8. Memory that the reduction of a parallel loop uses is used after the arena of the body is freed.
func.func private @use(memref<64xf32>)
func.func @reduction(%lo: index, %hi: index, %step: index, %init: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.parallel (%i) = (%lo) to (%hi) step (%step) init (%init) -> f32 {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
    %v = memref.load %a[%c0] : memref<64xf32>
    // expected-remark @+1 {{not merged: it is used by the terminator of the body that allocates it [used-by-terminator]}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
    scf.reduce(%v : f32) {
    ^bb0(%x: f32, %y: f32):
      %w = memref.load %b[%c0] : memref<64xf32>
      %s = arith.addf %x, %y : f32
      %t = arith.addf %s, %w : f32
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}
