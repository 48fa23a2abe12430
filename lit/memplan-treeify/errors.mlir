// Programs that cannot be trees, and programs that would be too large.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-treeify{max-ops=50})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. Four consecutive branches, each with two operations an arm: 16 paths, as many returns.
// expected-error @+1 {{with 16 paths, the function would have 61 operations, more than max-ops=50 [memplan-E711]}}
func.func @row(%c: i1, %m: memref<f32>, %a: f32, %b: f32) {
  scf.if %c {
    memref.store %a, %m[] : memref<f32>
  } else {
    memref.store %b, %m[] : memref<f32>
  }
  scf.if %c {
    memref.store %a, %m[] : memref<f32>
  } else {
    memref.store %b, %m[] : memref<f32>
  }
  scf.if %c {
    memref.store %a, %m[] : memref<f32>
  } else {
    memref.store %b, %m[] : memref<f32>
  }
  scf.if %c {
    memref.store %a, %m[] : memref<f32>
  } else {
    memref.store %b, %m[] : memref<f32>
  }
  return
}

// -----

// 2. A loop.
func.func @loop(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    // expected-error @+1 {{run memplan-expand-loops first}}
    scf.for %i = %c0 to %c1 step %c1 {
    }
  }
  return
}

// -----

// 3. Blocks in a circle.
func.func @circle(%c: i1) {
  cf.br ^a
^a:
  // expected-error @+1 {{blocks form an unstructured loop here [memplan-E712]}}
  cf.cond_br %c, ^a, ^b
^b:
  return
}

// -----

// 4. A branch on an integer set.
func.func @set(%n: index) {
  // expected-error @+1 {{run lower-affine first [memplan-E713]}}
  affine.if affine_set<(d0) : (d0 >= 0)>(%n) {
  }
  return
}

// -----

// 5. Branches of another dialect.
llvm.func @other(%c: i1) {
  // expected-error @+1 {{branches between blocks have to be of the cf dialect [memplan-E715]}}
  llvm.cond_br %c, ^a, ^a
^a:
  llvm.return
}

// -----

// 6. A loop with any number of iterations.
func.func @while(%c: i1) {
  // expected-error @+1 {{the loop has no constant trip count [memplan-E714]}}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
