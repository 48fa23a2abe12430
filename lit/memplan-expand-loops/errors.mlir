// Loops that are too large: the number in the message has any size, and nothing changes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-expand-loops{max-ops=100})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. Ten iterations of twelve: each with a number and a store, and a number for each of the outer ones where it is
// used.
// expected-error @+1 {{with its loops expanded, the function would have 245 operations, more than max-ops=100 [memplan-E701]}}
func.func @many(%m: memref<12xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c10 step %c1 {
    scf.for %j = %c0 to %c12 step %c1 {
      memref.store %v, %m[%j] : memref<12xf32>
    }
  }
  return
}

// -----

// 2. More than any machine counts.
// expected-error @+1 {{with its loops expanded, the function would have 1000000000000000000000000000000000000004 operations, more than max-ops=100}}
func.func @huge(%m: memref<f32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 10000000000000 : index
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %j = %c0 to %c1 step %c1 {
      memref.store %v, %m[] : memref<f32>
    }
  }
  affine.for %i = 0 to 10000000000000 {
    affine.for %j = 0 to 10000000000000 {
      affine.for %k = 0 to 10000000000000 {
        memref.store %v, %m[] : memref<f32>
      }
    }
  }
  return
}

// -----

// 3. A loop of blocks stays, and so do those in its function.
// expected-remark @+1 {{blocks form an unstructured loop; no loop is expanded here [memplan-R701]}}
func.func @circle(%c: i1, %m: memref<2xf32>, %v: f32) {
  cf.br ^a
^a:
  affine.for %i = 0 to 2 {
    affine.store %v, %m[%i] : memref<2xf32>
  }
  cf.cond_br %c, ^a, ^b
^b:
  return
}
