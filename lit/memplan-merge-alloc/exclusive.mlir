// Buffers of branches that exclude each other, and that one value refers to after them, share their bytes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' --split-input-file | FileCheck %s

// 1. Both branches yield a buffer of their own: written and read afterwards.
// CHECK-LABEL: func @if_else
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
func.func @if_else(%which: i1, %in: memref<64xf32>, %out: memref<64xf32>) {
  %r = scf.if %which -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    scf.yield %a : memref<64xf32>
  } else {
    %b = memref.alloc() : memref<64xf32>
    memref.copy %in, %b : memref<64xf32> to memref<64xf32>
    scf.yield %b : memref<64xf32>
  }
  linalg.exp ins(%r : memref<64xf32>) outs(%r : memref<64xf32>)
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 2. Blocks, and three of them.
// CHECK-LABEL: func @blocks
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
func.func @blocks(%which: i32, %in: memref<64xf32>, %out: memref<64xf32>) {
  cf.switch %which : i32, [
    default: ^one,
    1: ^two,
    2: ^three
  ]
^one:
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  cf.br ^end(%a : memref<64xf32>)
^two:
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  cf.br ^end(%b : memref<64xf32>)
^three:
  %c = memref.alloc() : memref<64xf32>
  memref.copy %in, %c : memref<64xf32> to memref<64xf32>
  cf.br ^end(%c : memref<64xf32>)
^end(%r: memref<64xf32>):
  memref.copy %in, %r : memref<64xf32> to memref<64xf32>
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 3. One of them is needed by its own name, too.
// CHECK-LABEL: func @also_by_name
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func @also_by_name(%which: i1, %in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  %r = scf.if %which -> memref<64xf32> {
    scf.yield %a : memref<64xf32>
  } else {
    %b = memref.alloc() : memref<64xf32>
    memref.copy %in, %b : memref<64xf32> to memref<64xf32>
    scf.yield %b : memref<64xf32>
  }
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 4. A selection between two that both exist.
// CHECK-LABEL: func @both_exist
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func @both_exist(%which: i1, %in: memref<64xf32>, %other: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %other, %b : memref<64xf32> to memref<64xf32>
  %r = arith.select %which, %a, %b : memref<64xf32>
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 5. Two results that are swapped: each may be either, and both are needed.
// CHECK-LABEL: func @swapped
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
func.func @swapped(%which: i1, %in: memref<64xf32>, %other: memref<64xf32>, %out: memref<64xf32>) {
  %r:2 = scf.if %which -> (memref<64xf32>, memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    memref.copy %other, %b : memref<64xf32> to memref<64xf32>
    scf.yield %a, %b : memref<64xf32>, memref<64xf32>
  } else {
    %c = memref.alloc() : memref<64xf32>
    %d = memref.alloc() : memref<64xf32>
    memref.copy %in, %c : memref<64xf32> to memref<64xf32>
    memref.copy %other, %d : memref<64xf32> to memref<64xf32>
    scf.yield %d, %c : memref<64xf32>, memref<64xf32>
  }
  memref.copy %r#0, %out : memref<64xf32> to memref<64xf32>
  memref.copy %r#1, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 6. Carried around a loop, allocated again in one of two branches of each iteration.
// CHECK-LABEL: func @in_a_loop
// CHECK:         memref.alloc() {{.*}} : memref<768xi8>
func.func @in_a_loop(%which: i1, %in: memref<64xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<64xf32>
  memref.copy %in, %first : memref<64xf32> to memref<64xf32>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%m = %first) -> memref<64xf32> {
    %r = scf.if %which -> memref<64xf32> {
      %a = memref.alloc() : memref<64xf32>
      linalg.exp ins(%m : memref<64xf32>) outs(%a : memref<64xf32>)
      scf.yield %a : memref<64xf32>
    } else {
      scf.yield %m : memref<64xf32>
    }
    scf.yield %r : memref<64xf32>
  }
  memref.copy %last, %out : memref<64xf32> to memref<64xf32>
  return
}
