// A memref without a layout.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-tree-scan)' --split-input-file --verify-diagnostics -o /dev/null

// 1. Not a tree.
func.func @branch(%c: i1) {
  // expected-error @+1 {{the arms of the branch merge after it [memplan-E722]}}
  scf.if %c {
  }
  return
}

// -----

// 2. More bytes than offsets can hold.
// expected-error @+1 {{the values together have more than 2^62 bytes [memplan-E805]}}
func.func @large(%v: i8) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1152921504606846976xi8>
  %b = memref.alloc() : memref<1152921504606846976xi8>
  %c = memref.alloc() : memref<1152921504606846976xi8>
  %d = memref.alloc() : memref<1152921504606846976xi8>
  %e = memref.alloc() : memref<1152921504606846976xi8>
  memref.store %v, %a[%c0] : memref<1152921504606846976xi8>
  memref.store %v, %b[%c0] : memref<1152921504606846976xi8>
  memref.store %v, %c[%c0] : memref<1152921504606846976xi8>
  memref.store %v, %d[%c0] : memref<1152921504606846976xi8>
  memref.store %v, %e[%c0] : memref<1152921504606846976xi8>
  return
}
