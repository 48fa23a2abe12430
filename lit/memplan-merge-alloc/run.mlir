// Deallocations, element types and several returns: planned programs print the same as without the pass.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%upstream-dealloc,cse,canonicalize,%to-llvm)' \
// RUN:   | %runner | FileCheck %s

func.func private @printF32(f32)
func.func private @printNewline()

func.func @print(%x: f32) attributes {no_inline} {
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @fill(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  return
}

func.func @sum(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<4xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// 1. A deallocation that may or may not run; and one of what a branch chose.
func.func @freed(%c: i1) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @fill(%a, %one) : (memref<4xf32>, f32) -> ()
  call @fill(%b, %two) : (memref<4xf32>, f32) -> ()
  %s = arith.select %c, %a, %b : memref<4xf32>
  %t = arith.select %c, %b, %a : memref<4xf32>
  %v = call @sum(%s) : (memref<4xf32>) -> f32
  memref.dealloc %s : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  call @fill(%d, %v) : (memref<4xf32>, f32) -> ()
  %w = call @sum(%t) : (memref<4xf32>) -> f32
  memref.dealloc %t : memref<4xf32>
  %x = call @sum(%d) : (memref<4xf32>) -> f32
  memref.dealloc %d : memref<4xf32>
  %y = arith.addf %w, %x : f32
  return %y : f32
}

// 2. Every element type in its bytes, next to another.
func.func @elements() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %t = arith.constant true
  %i24 = arith.constant 70000 : i24
  %i40 = arith.constant 5 : i40
  %v3 = arith.constant dense<[1.0, 2.0, 3.0]> : vector<3xf32>
  %cc = complex.constant [4.0 : f32, 8.0 : f32] : complex<f32>
  %a = memref.alloc() : memref<9xi1>
  %b = memref.alloc() : memref<9xi24>
  %d = memref.alloc() : memref<9xi40>
  %e = memref.alloc() : memref<9xvector<3xf32>>
  %f = memref.alloc() : memref<9xcomplex<f32>>
  %g = memref.alloc() : memref<i1>
  memref.store %t, %a[%c7] : memref<9xi1>
  memref.store %i24, %b[%c7] : memref<9xi24>
  memref.store %i40, %d[%c7] : memref<9xi40>
  memref.store %v3, %e[%c7] : memref<9xvector<3xf32>>
  memref.store %cc, %f[%c7] : memref<9xcomplex<f32>>
  memref.store %t, %g[] : memref<i1>
  %a1 = memref.load %a[%c7] : memref<9xi1>
  %g1 = memref.load %g[] : memref<i1>
  %ag = arith.andi %a1, %g1 : i1
  %af = arith.uitofp %ag : i1 to f32
  %b1 = memref.load %b[%c7] : memref<9xi24>
  %bf = arith.uitofp %b1 : i24 to f32
  %d1 = memref.load %d[%c7] : memref<9xi40>
  %d2 = arith.trunci %d1 : i40 to i32
  %df = arith.uitofp %d2 : i32 to f32
  %e1 = memref.load %e[%c7] : memref<9xvector<3xf32>>
  %ef = vector.extract %e1[2] : f32 from vector<3xf32>
  %f1 = memref.load %f[%c7] : memref<9xcomplex<f32>>
  %ff = complex.im %f1 : complex<f32>
  %s1 = arith.addf %af, %bf : f32
  %s2 = arith.addf %df, %ef : f32
  %s3 = arith.addf %s1, %s2 : f32
  %s4 = arith.addf %s3, %ff : f32
  return %s4 : f32
}

// 3. One arena freed at each of two returns, the function called often.
func.func @returns(%c: i1) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<4xf32>
  call @fill(%a, %one) : (memref<4xf32>, f32) -> ()
  cf.cond_br %c, ^left, ^right
^left:
  %s = call @sum(%a) : (memref<4xf32>) -> f32
  return %s : f32
^right:
  %b = memref.alloc() : memref<4xf32>
  call @fill(%b, %two) : (memref<4xf32>, f32) -> ()
  %t = call @sum(%a) : (memref<4xf32>) -> f32
  %u = call @sum(%b) : (memref<4xf32>) -> f32
  %v = arith.addf %t, %u : f32
  return %v : f32
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK: 24
  %f = call @freed(%true) : (i1) -> f32
  call @print(%f) : (f32) -> ()
  // CHECK-NEXT: 36
  %g = call @freed(%false) : (i1) -> f32
  call @print(%g) : (f32) -> ()
  // CHECK-NEXT: 70017
  %h = call @elements() : () -> f32
  call @print(%h) : (f32) -> ()
  // CHECK-NEXT: 4
  %i = call @returns(%true) : (i1) -> f32
  call @print(%i) : (f32) -> ()
  // CHECK-NEXT: 12
  %j = call @returns(%false) : (i1) -> f32
  call @print(%j) : (f32) -> ()
  return
}
