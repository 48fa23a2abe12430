// Memory spaces that are too small, and nothing that may move.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify capacity=1:192,3:64,default:64 \
// RUN:   spill=1->2,3->default})' -split-input-file -verify-diagnostics -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify capacity=1:192,3:64,0:64 \
// RUN:   spill=1->2,3->0})' -split-input-file -verify-diagnostics -o /dev/null

// 1. The buffers that are live where most bytes are, largest first.
// expected-error @+1 {{an arena takes 124 bytes, more than its capacity of 64 [memplan-E101]}}
func.func @peak(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  // expected-note @+1 {{live at the peak: 64 bytes}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @+1 {{live at the peak: 60 bytes}}
  %b = memref.alloc() : memref<15xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.store %zero, %b[%c0] : memref<15xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  memref.store %zero, %b[%c0] : memref<15xf32>
  memref.copy %x, %c : memref<16xf32> to memref<16xf32>
  memref.copy %c, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// 2. A call wants the memory space that it says.
func.func private @takes(memref<64xf32, 1>)
// expected-error @+1 {{an arena takes 256 bytes of memory space 1, more than its capacity of 192 [memplan-E101]}}
func.func @called() {
  // expected-note @+1 {{live at the peak: 256 bytes}}
  %a = memref.alloc() : memref<64xf32, 1>
  // expected-note @+1 {{it cannot be moved: 'func.call' requires its memory space}}
  call @takes(%a) : (memref<64xf32, 1>) -> ()
  return
}

// -----

// 3. So does whatever is made of a view of it.
func.func private @takes(memref<*xf32, 1>)
// expected-error @+1 {{an arena takes 256 bytes of memory space 1, more than its capacity of 192 [memplan-E101]}}
func.func @viewed(%x: f32) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{live at the peak: 256 bytes}}
  %a = memref.alloc() : memref<64xf32, 1>
  memref.store %x, %a[%c0] : memref<64xf32, 1>
  // expected-note @+1 {{it cannot be moved: 'memref.cast' requires its memory space}}
  %v = memref.cast %a : memref<64xf32, 1> to memref<*xf32, 1>
  call @takes(%v) : (memref<*xf32, 1>) -> ()
  return
}

// -----

// 4. And a loop that carries it.
// expected-error @+1 {{an arena takes 256 bytes of memory space 1, more than its capacity of 192 [memplan-E101]}}
func.func @carried(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{live at the peak: 256 bytes}}
  %a = memref.alloc() : memref<64xf32, 1>
  memref.store %x, %a[%c0] : memref<64xf32, 1>
  // expected-note @+1 {{it cannot be moved: 'scf.for' requires its memory space}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> memref<64xf32, 1> {
    memref.store %x, %m[%i] : memref<64xf32, 1>
    scf.yield %m : memref<64xf32, 1>
  }
  %v = memref.load %r[%c0] : memref<64xf32, 1>
  return %v : f32
}

// -----

// 5. A buffer that moves has to fit into the other space, and moves only once.
// expected-error @+1 {{an arena takes 128 bytes, more than its capacity of 64 [memplan-E101]}}
func.func @no_space_left(%x: f32) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{live at the peak: 128 bytes}}
  %a = memref.alloc() : memref<32xf32, 3>
  memref.store %x, %a[%c0] : memref<32xf32, 3>
  return
}

// -----

// 6. A deallocation of what moves goes with it.
func.func @freed(%x: f32) {
  // expected-remark @+1 {{moved from memory space 1 to memory space 2 [memplan-R103]}}
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32, 1>)
  memref.dealloc %a : memref<64xf32, 1>
  return
}
