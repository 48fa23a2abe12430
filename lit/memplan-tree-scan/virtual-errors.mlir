// Control flow that is not followed in its original form.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{virtual=true})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. Blocks.
func.func @blocks(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  // expected-error @+1 {{virtual=true supports branches and loops of scf and affine, not branches between blocks [memplan-E803]}}
  return
^b:
  return
}

// -----

// 2. Loops with an unknown number of iterations.
func.func @while(%c: i1) {
  // expected-error @+1 {{the loop has no constant trip count [memplan-E804]}}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
func.func @any(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{virtual=true: its upper bound depends on an argument of the function (constant after inlining, if callers pass constants) [memplan-E804]}}
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}

// -----

// 3. Each of nine branches leaves two buffers, of which one or the other is larger: 512 paths to the end.
// expected-error @+1 {{more than 256 states at one position [memplan-E806]}}
func.func @paths(%c0: i1, %c1: i1, %c2: i1, %c3: i1, %c4: i1, %c5: i1, %c6: i1, %c7: i1, %c8: i1) {
  %m0:2 = scf.if %c0 -> (memref<?xi8>, memref<?xi8>) {
    %a = memref.alloc() : memref<1xi8>
    %b = memref.alloc() : memref<2xi8>
    %s = memref.cast %a : memref<1xi8> to memref<?xi8>
    %t = memref.cast %b : memref<2xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  } else {
    %a = memref.alloc() : memref<2xi8>
    %b = memref.alloc() : memref<1xi8>
    %s = memref.cast %a : memref<2xi8> to memref<?xi8>
    %t = memref.cast %b : memref<1xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  }
  %m1:2 = scf.if %c1 -> (memref<?xi8>, memref<?xi8>) {
    %a = memref.alloc() : memref<1xi8>
    %b = memref.alloc() : memref<2xi8>
    %s = memref.cast %a : memref<1xi8> to memref<?xi8>
    %t = memref.cast %b : memref<2xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  } else {
    %a = memref.alloc() : memref<2xi8>
    %b = memref.alloc() : memref<1xi8>
    %s = memref.cast %a : memref<2xi8> to memref<?xi8>
    %t = memref.cast %b : memref<1xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  }
  %m2:2 = scf.if %c2 -> (memref<?xi8>, memref<?xi8>) {
    %a = memref.alloc() : memref<1xi8>
    %b = memref.alloc() : memref<2xi8>
    %s = memref.cast %a : memref<1xi8> to memref<?xi8>
    %t = memref.cast %b : memref<2xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  } else {
    %a = memref.alloc() : memref<2xi8>
    %b = memref.alloc() : memref<1xi8>
    %s = memref.cast %a : memref<2xi8> to memref<?xi8>
    %t = memref.cast %b : memref<1xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  }
  %m3:2 = scf.if %c3 -> (memref<?xi8>, memref<?xi8>) {
    %a = memref.alloc() : memref<1xi8>
    %b = memref.alloc() : memref<2xi8>
    %s = memref.cast %a : memref<1xi8> to memref<?xi8>
    %t = memref.cast %b : memref<2xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  } else {
    %a = memref.alloc() : memref<2xi8>
    %b = memref.alloc() : memref<1xi8>
    %s = memref.cast %a : memref<2xi8> to memref<?xi8>
    %t = memref.cast %b : memref<1xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  }
  %m4:2 = scf.if %c4 -> (memref<?xi8>, memref<?xi8>) {
    %a = memref.alloc() : memref<1xi8>
    %b = memref.alloc() : memref<2xi8>
    %s = memref.cast %a : memref<1xi8> to memref<?xi8>
    %t = memref.cast %b : memref<2xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  } else {
    %a = memref.alloc() : memref<2xi8>
    %b = memref.alloc() : memref<1xi8>
    %s = memref.cast %a : memref<2xi8> to memref<?xi8>
    %t = memref.cast %b : memref<1xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  }
  %m5:2 = scf.if %c5 -> (memref<?xi8>, memref<?xi8>) {
    %a = memref.alloc() : memref<1xi8>
    %b = memref.alloc() : memref<2xi8>
    %s = memref.cast %a : memref<1xi8> to memref<?xi8>
    %t = memref.cast %b : memref<2xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  } else {
    %a = memref.alloc() : memref<2xi8>
    %b = memref.alloc() : memref<1xi8>
    %s = memref.cast %a : memref<2xi8> to memref<?xi8>
    %t = memref.cast %b : memref<1xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  }
  %m6:2 = scf.if %c6 -> (memref<?xi8>, memref<?xi8>) {
    %a = memref.alloc() : memref<1xi8>
    %b = memref.alloc() : memref<2xi8>
    %s = memref.cast %a : memref<1xi8> to memref<?xi8>
    %t = memref.cast %b : memref<2xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  } else {
    %a = memref.alloc() : memref<2xi8>
    %b = memref.alloc() : memref<1xi8>
    %s = memref.cast %a : memref<2xi8> to memref<?xi8>
    %t = memref.cast %b : memref<1xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  }
  %m7:2 = scf.if %c7 -> (memref<?xi8>, memref<?xi8>) {
    %a = memref.alloc() : memref<1xi8>
    %b = memref.alloc() : memref<2xi8>
    %s = memref.cast %a : memref<1xi8> to memref<?xi8>
    %t = memref.cast %b : memref<2xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  } else {
    %a = memref.alloc() : memref<2xi8>
    %b = memref.alloc() : memref<1xi8>
    %s = memref.cast %a : memref<2xi8> to memref<?xi8>
    %t = memref.cast %b : memref<1xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  }
  %m8:2 = scf.if %c8 -> (memref<?xi8>, memref<?xi8>) {
    %a = memref.alloc() : memref<1xi8>
    %b = memref.alloc() : memref<2xi8>
    %s = memref.cast %a : memref<1xi8> to memref<?xi8>
    %t = memref.cast %b : memref<2xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  } else {
    %a = memref.alloc() : memref<2xi8>
    %b = memref.alloc() : memref<1xi8>
    %s = memref.cast %a : memref<2xi8> to memref<?xi8>
    %t = memref.cast %b : memref<1xi8> to memref<?xi8>
    scf.yield %s, %t : memref<?xi8>, memref<?xi8>
  }
  memref.copy %m0#0, %m0#1 : memref<?xi8> to memref<?xi8>
  memref.copy %m1#0, %m1#1 : memref<?xi8> to memref<?xi8>
  memref.copy %m2#0, %m2#1 : memref<?xi8> to memref<?xi8>
  memref.copy %m3#0, %m3#1 : memref<?xi8> to memref<?xi8>
  memref.copy %m4#0, %m4#1 : memref<?xi8> to memref<?xi8>
  memref.copy %m5#0, %m5#1 : memref<?xi8> to memref<?xi8>
  memref.copy %m6#0, %m6#1 : memref<?xi8> to memref<?xi8>
  memref.copy %m7#0, %m7#1 : memref<?xi8> to memref<?xi8>
  memref.copy %m8#0, %m8#1 : memref<?xi8> to memref<?xi8>
  return
}
