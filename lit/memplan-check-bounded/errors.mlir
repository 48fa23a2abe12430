// Programs that are not bounded.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-check-bounded)' --split-input-file --verify-diagnostics -o /dev/null

// 1. An scf.while.
func.func @while(%c: i1) {
  // expected-error @+1 {{an scf.while has no constant trip count [memplan-E603]}}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

// -----

// 2. Bounds, and why they are no constants.
func.func private @size() -> index attributes {memplan.bounded}
func.func @bounds(%n: index, %m: memref<index>, %c: i1, %any: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{the trip count of the loop is not constant: its upper bound depends on an argument of the function (constant after inlining, if callers pass constants)}}
  scf.for %i = %c0 to %n step %c1 {
  }
  %k = func.call @size() : () -> index
  %l = arith.addi %k, %c1 : index
  // expected-error @+1 {{its lower bound depends on the result of a call}}
  scf.for %i = %l to %c1 step %c1 {
  }
  %r = memref.load %m[] : memref<index>
  // expected-error @+1 {{the trip count of the loop is not constant: its step is loaded from memory that is not a constant global (constant after store-to-load forwarding, if at all)}}
  scf.for %i = %c0 to %c1 step %r {
  }
  %s = scf.if %c -> index {
    scf.yield %c0 : index
  } else {
    scf.yield %c0 : index
  }
  %none = arith.divsi %c1, %c0 : index
  // expected-error @+1 {{its upper bound is computed from constants, but is not constant [memplan-E602]}}
  scf.for %i = %c0 to %none step %c1 {
  }
  %d = memref.dim %any, %c0 : memref<?xf32>
  // expected-error @+1 {{its upper bound is known only at run time [memplan-E602]}}
  scf.for %i = %c0 to %d step %c1 {
  }
  // expected-error @+1 {{the trip count of the loop is not constant: its lower bound is a result of a branch or a loop (constant after constant propagation, if at all)}}
  scf.for %i = %s to %c1 step %c1 {
  }
  // expected-error @+1 {{its upper bound depends on an argument of the function}}
  affine.for %i = 0 to %n {
  }
  return
}

// -----

// 3. A step that does not increase, which only arithmetic shows.
func.func @step() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %down = arith.subi %c0, %c1 : index
  // expected-error @+1 {{its step is -1: it must be at least 1 [memplan-E602]}}
  scf.for %i = %c1 to %c0 step %down {
  }
  return
}

// -----

// 4. Recursion, and who calls it.
func.func @self() {
  // expected-error @+1 {{the call of @self is recursive: it reaches @self [memplan-E608]}}
  call @self() : () -> ()
  return
}
func.func @even(%n: i32) {
  // expected-error @+2 {{it calls @odd, which is not bounded [memplan-E609]}}
  // expected-note @+1 {{@even calls @odd here}}
  call @odd(%n) : (i32) -> ()
  return
}
func.func @odd(%n: i32) {
  // expected-error @+2 {{the call of @even is recursive: it reaches @odd [memplan-E608]}}
  // expected-note @+1 {{@odd calls @even here}}
  call @even(%n) : (i32) -> ()
  return
}

// -----

// 5. The chain of calls down to what is wrong.
func.func @top() {
  // expected-error @+1 {{it calls @middle, which is not bounded [memplan-E609]}}
  call @middle() : () -> ()
  return
}
func.func @middle() {
  // expected-error @+2 {{it calls @bottom, which is not bounded [memplan-E609]}}
  // expected-note @+1 {{@middle calls @bottom here}}
  call @bottom() : () -> ()
  return
}
func.func private @elsewhere()
func.func @bottom() {
  // expected-error @+2 {{@elsewhere has no body; if it is bounded, mark it memplan.bounded [memplan-E607]}}
  // expected-note @+1 {{@elsewhere has no body}}
  call @elsewhere() : () -> ()
  return
}

// -----

// 6. Blocks that lead back, a parallel loop of any size, and a call of a value.
func.func @back(%c: i1) {
  cf.br ^a
^a:
  // expected-error @+1 {{blocks form an unstructured loop [memplan-E601]}}
  cf.cond_br %c, ^a, ^b
^b:
  return
}
func.func @parallel(%n: index, %f: () -> ()) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{the trip count of the loop is not constant: its upper bound depends on an argument of the function}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
  }
  // expected-error @+1 {{the call is indirect: the callee is unknown [memplan-E606]}}
  func.call_indirect %f() : () -> ()
  return
}

// -----

// 7. Operations over a memref of any size, and a parallel loop with an upper bound that is known only at run time.
func.func @any_size(%m: memref<?xf32>, %v: f32, %o: memref<?xf32>, %n: index) {
  // expected-error @+1 {{it iterates over a memref of dynamic size: its trip count is not constant [memplan-E605]}}
  linalg.fill ins(%v : f32) outs(%m : memref<?xf32>)
  // expected-error @+1 {{it iterates over a memref of dynamic size: its trip count is not constant}}
  memref.copy %m, %o : memref<?xf32> to memref<?xf32>
  // expected-error @+1 {{the trip count of the loop is not constant: its upper bound depends on an argument of the function}}
  affine.parallel (%i) = (0) to (symbol(%n)) {
    affine.store %v, %m[%i] : memref<?xf32>
  }
  // expected-error @+1 {{the trip count of the loop is not constant: its lower bound depends on an argument of the function}}
  scf.forall (%i) = (%n) to (4) step (1) {
  }
  return
}

// -----

// 8. A view in another order is as large as what it is a view of.
func.func @transposed(%known: memref<8x4xf32>, %any: memref<?x4xf32>, %o: memref<4x?xf32, strided<[1, 4]>>) {
  %k = memref.cast %known : memref<8x4xf32> to memref<?x4xf32>
  %t = memref.transpose %k (i, j) -> (j, i) : memref<?x4xf32> to memref<4x?xf32, strided<[1, 4]>>
  memref.copy %t, %t : memref<4x?xf32, strided<[1, 4]>> to memref<4x?xf32, strided<[1, 4]>>
  %u = memref.transpose %any (i, j) -> (j, i) : memref<?x4xf32> to memref<4x?xf32, strided<[1, 4]>>
  // expected-error @+1 {{it iterates over a memref of dynamic size: its trip count is not constant}}
  memref.copy %u, %o : memref<4x?xf32, strided<[1, 4]>> to memref<4x?xf32, strided<[1, 4]>>
  return
}

// -----

// 9. An operation that nothing is known of.
func.func @unknown() {
  // expected-error @+1 {{the operation is unknown [memplan-E604]}}
  "test.unknown"() : () -> ()
  return
}
