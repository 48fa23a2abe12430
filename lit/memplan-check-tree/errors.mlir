// Operations that a tree of straight lines does not have.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-check-tree)' --split-input-file --verify-diagnostics -o /dev/null

// 1. A join.
func.func @join(%c: i1) {
  cf.cond_br %c, ^a, ^a
^a:
  // expected-error @+1 {{the block has 2 predecessors [memplan-E722]}}
  return
}

// -----

// 2. Loops: of operations, and of blocks.
func.func @loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{the function has a loop [memplan-E721]}}
  scf.for %i = %c0 to %c1 step %c1 {
  }
  return
}
func.func @circle(%c: i1) {
  // expected-error @+1 {{the block only branches to another one [memplan-E723]}}
  cf.br ^a
^a:
  // expected-error @+1 {{the block has 2 predecessors [memplan-E722]}}
  cf.cond_br %c, ^a, ^b
^b:
  return
}

// -----

// 3. A branch that joins again.
func.func @branch(%c: i1) {
  // expected-error @+1 {{the arms of the branch merge after it [memplan-E722]}}
  scf.if %c {
  }
  return
}

// -----

// 4. Arguments of a block.
func.func @argument(%c: i1, %a: f32) -> f32 {
  cf.cond_br %c, ^a(%a : f32), ^b
^a(%x: f32):
  // expected-error @+1 {{the block has arguments [memplan-E722]}}
  return %x : f32
^b:
  return %a : f32
}

// -----

// 5. A dynamic size.
func.func @size(%n: index) {
  // expected-error @+1 {{the allocation has a dynamic size [memplan-E724]}}
  %a = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

// 6. A tree, without a remark. An operation that is one step may hold a loop.
func.func @tree(%c: i1, %m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %c, ^a, ^b
^a:
  scf.for %i = %c0 to %c1 step %c1 {
    memref.store %v, %m[%i] : memref<4xf32>
  } {memplan.move}
  return
^b:
  return
}
