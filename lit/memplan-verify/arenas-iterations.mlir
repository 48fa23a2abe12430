// Plans whose arenas belong to an iteration of a parallel loop: correct ones, and errors.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null

// 1. Arenas of iterations. This one is correct.
func.func @iterations(%x: memref<16xf32>) {
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  scf.forall (%i) in (4) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    %shift = arith.addi %c0, %at : index
    %iteration = memref.view %arena[%shift][] {memplan.arena = 64 : i64, memplan.buffer = 1 : i64, memplan.iterations = array<i64: 0, 64, 4>} : memref<256xi8> to memref<64xi8>
    %a = memref.view %iteration[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 2. Two iterations that share bytes.
func.func @close(%x: memref<16xf32>) {
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  scf.forall (%i) in (4) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %at = arith.muli %i, %c32 : index
    %shift = arith.addi %c0, %at : index
    // expected-error @+1 {{the arena of an iteration cannot be verified: two iterations share bytes [memplan-E210]}}
    %iteration = memref.view %arena[%shift][] {memplan.arena = 32 : i64, memplan.buffer = 1 : i64, memplan.iterations = array<i64: 0, 32, 4>} : memref<256xi8> to memref<64xi8>
    %a = memref.view %iteration[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 3. The last one leaves the arena.
func.func @outside(%x: memref<16xf32>) {
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  scf.forall (%i) in (4) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    %shift = arith.addi %c64, %at : index
    // expected-error @+1 {{the arena of an iteration cannot be verified: it exceeds the enclosing arena [memplan-E210]}}
    %iteration = memref.view %arena[%shift][] {memplan.arena = 64 : i64, memplan.buffer = 1 : i64, memplan.iterations = array<i64: 64, 64, 4>} : memref<256xi8> to memref<64xi8>
    %a = memref.view %iteration[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 4. A dimension that is not counted, and one that is counted from the wrong place.
func.func @uncounted(%x: memref<16xf32>) {
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<512xi8>
  scf.forall (%i, %j) in (4, 2) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    %shift = arith.addi %c0, %at : index
    // expected-error @+1 {{two iterations share bytes [memplan-E210]}}
    %iteration = memref.view %arena[%shift][] {memplan.arena = 64 : i64, memplan.buffer = 1 : i64, memplan.iterations = array<i64: 0, 64, 8>} : memref<512xi8> to memref<64xi8>
    %a = memref.view %iteration[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  }
  scf.forall (%i) = (1) to (5) step (1) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    %shift = arith.addi %c0, %at : index
    // expected-error @+1 {{an iteration is not numbered from the lower bound in steps of the loop [memplan-E210]}}
    %iteration = memref.view %arena[%shift][] {memplan.arena = 64 : i64, memplan.buffer = 2 : i64, memplan.iterations = array<i64: 0, 64, 8>} : memref<512xi8> to memref<64xi8>
    %a = memref.view %iteration[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<512xi8>
  return
}

// -----

// 5. A buffer that is live across the loop shares bytes with an iteration.
func.func @across(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %b = memref.view %arena[%c0][] {memplan.buffer = 2 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  scf.forall (%i) in (4) {
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    %shift = arith.addi %c0, %at : index
    // expected-note @+1 {{overwritten here}}
    %iteration = memref.view %arena[%shift][] {memplan.arena = 64 : i64, memplan.buffer = 1 : i64, memplan.iterations = array<i64: 0, 64, 4>} : memref<256xi8> to memref<64xi8>
    %a = memref.view %iteration[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  }
  // expected-error @+1 {{buffer 2 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 6. A buffer outside that an iteration writes shares bytes with that iteration, and is not read.
func.func @written(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %b = memref.view %arena[%c0][] {memplan.buffer = 2 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffer 1 is read after buffer 2 overwrote its bytes [memplan-E201]}}
  scf.forall (%i) in (4) {
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    %shift = arith.addi %c0, %at : index
    %iteration = memref.view %arena[%shift][] {memplan.arena = 64 : i64, memplan.buffer = 1 : i64, memplan.iterations = array<i64: 0, 64, 4>} : memref<256xi8> to memref<64xi8>
    %a = memref.view %iteration[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{overwritten here}}
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 7. The stack of an iteration may have a scope of its own around the iteration's arena. This one is correct.
func.func @iteration_in_scope(%x: memref<16xf32>) {
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  scf.forall (%i) in (4) {
    memref.alloca_scope {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %at = arith.muli %i, %c64 : index
      %shift = arith.addi %c0, %at : index
      %iteration = memref.view %arena[%shift][] {memplan.arena = 64 : i64, memplan.buffer = 1 : i64, memplan.iterations = array<i64: 0, 64, 4>} : memref<256xi8> to memref<64xi8>
      %a = memref.view %iteration[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
      memref.copy %x, %a : memref<16xf32> to memref<16xf32>
      memref.copy %a, %x : memref<16xf32> to memref<16xf32>
    }
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 8. Its bytes are its own until the iteration ends, whatever the scope.
func.func @iteration_overwritten_after_scope(%x: memref<16xf32>) {
  %zero = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %other = memref.view %arena[%zero][] {memplan.buffer = 2 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffer 1 is read after buffer 2 overwrote its bytes [memplan-E201]}}
  scf.forall (%i) in (4) {
    memref.alloca_scope {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %at = arith.muli %i, %c64 : index
      %shift = arith.addi %c0, %at : index
      %iteration = memref.view %arena[%shift][] {memplan.arena = 64 : i64, memplan.buffer = 1 : i64, memplan.iterations = array<i64: 0, 64, 4>} : memref<256xi8> to memref<64xi8>
      %a = memref.view %iteration[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
      memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    }
    // expected-note @+1 {{overwritten here}}
    memref.copy %x, %other : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 9. Two iterations in a scope that share bytes.
func.func @close_in_scope(%x: memref<16xf32>) {
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  scf.forall (%i) in (4) {
    memref.alloca_scope {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %at = arith.muli %i, %c32 : index
      %shift = arith.addi %c0, %at : index
      // expected-error @+1 {{the arena of an iteration cannot be verified: two iterations share bytes [memplan-E210]}}
      %iteration = memref.view %arena[%shift][] {memplan.arena = 32 : i64, memplan.buffer = 1 : i64, memplan.iterations = array<i64: 0, 32, 4>} : memref<256xi8> to memref<64xi8>
      %a = memref.view %iteration[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
      memref.copy %x, %a : memref<16xf32> to memref<16xf32>
      memref.copy %a, %x : memref<16xf32> to memref<16xf32>
    }
  }
  memref.dealloc %arena : memref<256xi8>
  return
}
