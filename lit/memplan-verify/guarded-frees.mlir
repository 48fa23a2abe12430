// Deallocations under flags of values that may be a buffer: right where the flag says that it is none.
// RUN: %memplan-opt %s --split-input-file -verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. Right: a loop carries the buffer first and heap memory later, and a flag.
func.func private @use(memref<8xf32>)
func.func @carried(%n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %owned = %false) -> (memref<8xf32>, i1) {
    func.call @use(%m) : (memref<8xf32>) -> ()
    scf.if %owned {
      memref.dealloc %m : memref<8xf32>
    }
    %b = memref.alloc() : memref<8xf32>
    scf.yield %b, %true : memref<8xf32>, i1
  }
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  %new = memref.alloc() : memref<8xf32>
  return %new : memref<8xf32>
}

// -----

// 2. Right: two swap places, in a loop of blocks; the flags do as well.
func.func @swapped(%c: i1) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  cf.br ^loop(%a, %b, %false, %true : memref<8xf32>, memref<8xf32>, i1, i1)
^loop(%p: memref<8xf32>, %q: memref<8xf32>, %of_p: i1, %of_q: i1):
  memref.copy %p, %q : memref<8xf32> to memref<8xf32>
  cf.cond_br %c, ^loop(%q, %p, %of_q, %of_p : memref<8xf32>, memref<8xf32>, i1, i1), ^after
^after:
  cf.cond_br %of_p, ^first, ^second
^first:
  memref.dealloc %p : memref<8xf32>
  cf.br ^done
^second:
  memref.dealloc %q : memref<8xf32>
  cf.br ^done
^done:
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 3. Wrong: only the flags swap places.
func.func @not_swapped(%c: i1) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  cf.br ^loop(%a, %b, %false, %true : memref<8xf32>, memref<8xf32>, i1, i1)
^loop(%p: memref<8xf32>, %q: memref<8xf32>, %of_p: i1, %of_q: i1):
  memref.copy %p, %q : memref<8xf32> to memref<8xf32>
  cf.cond_br %c, ^loop(%p, %q, %of_q, %of_p : memref<8xf32>, memref<8xf32>, i1, i1), ^after
^after:
  cf.cond_br %of_p, ^first, ^done
^first:
  // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
  memref.dealloc %p : memref<8xf32>
  cf.br ^done
^done:
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 4. Wrong: it is freed where the flag does not hold.
func.func @otherwise(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %owned = %false) -> (memref<8xf32>, i1) {
    %b = memref.alloc() : memref<8xf32>
    scf.yield %b, %true : memref<8xf32>, i1
  }
  scf.if %r#1 {
  } else {
    // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
    memref.dealloc %r#0 : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 5. Right: a callee returns its argument or new memory, and says which.
func.func private @either(%a: memref<8xf32>, %c: i1) -> (memref<8xf32>, index, i1) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %r:2 = scf.if %c -> (memref<8xf32>, i1) {
    scf.yield %a, %false : memref<8xf32>, i1
  } else {
    %b = memref.alloc() : memref<8xf32>
    scf.yield %b, %true : memref<8xf32>, i1
  }
  return %r#0, %c0, %r#1 : memref<8xf32>, index, i1
}
func.func @calls_either(%c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %r:3 = call @either(%a, %c) {memplan.owned_results} : (memref<8xf32>, i1) -> (memref<8xf32>, index, i1)
  %both = arith.andi %d, %r#2 : i1
  scf.if %both {
    memref.dealloc %r#0 : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 6. Wrong: the callee says that it is new where it may be the argument.
func.func private @either(%a: memref<8xf32>, %c: i1) -> (memref<8xf32>, i1) {
  %b = memref.alloc() : memref<8xf32>
  %r = arith.select %c, %a, %b : memref<8xf32>
  return %r, %c : memref<8xf32>, i1
}
func.func @calls_either(%c: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %r:2 = call @either(%a, %c) {memplan.owned_results} : (memref<8xf32>, i1) -> (memref<8xf32>, i1)
  scf.if %r#1 {
    // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
    memref.dealloc %r#0 : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 7. Right: two addresses are equal, and the other one is heap memory. Recursive functions may rely on each other.
func.func private @deep(%a: memref<8xf32>, %n: index) -> (memref<8xf32>, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<8xf32>
  %is_last = arith.cmpi eq, %n, %c0 : index
  %r:2 = scf.if %is_last -> (memref<8xf32>, i1) {
    %s = arith.select %is_last, %b, %a : memref<8xf32>
    %p = memref.extract_aligned_pointer_as_index %s : memref<8xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %b : memref<8xf32> -> index
    %same = arith.cmpi eq, %p, %q : index
    scf.yield %s, %same : memref<8xf32>, i1
  } else {
    %m = arith.subi %n, %c1 : index
    %t:2 = func.call @deep(%a, %m) {memplan.owned_results} : (memref<8xf32>, index) -> (memref<8xf32>, i1)
    scf.yield %t#0, %t#1 : memref<8xf32>, i1
  }
  return %r#0, %r#1 : memref<8xf32>, i1
}
func.func @calls_deep(%n: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %r:2 = call @deep(%a, %n) {memplan.owned_results} : (memref<8xf32>, index) -> (memref<8xf32>, i1)
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 8. Results of functions without a body: right if deallocation assumed, or the function says, that it is new.
func.func private @declared(memref<8xf32>) -> memref<8xf32>
func.func private @owned(memref<8xf32>) -> (memref<8xf32> {memplan.owned})
func.func @calls_declared() {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %r = call @declared(%a) {memplan.assumed_owned} : (memref<8xf32>) -> memref<8xf32>
  memref.dealloc %r : memref<8xf32>
  %s = call @owned(%a) : (memref<8xf32>) -> memref<8xf32>
  memref.dealloc %s : memref<8xf32>
  %t = call @declared(%a) : (memref<8xf32>) -> memref<8xf32>
  // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
  memref.dealloc %t : memref<8xf32>
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 9. Wrong: the flag of an earlier iteration, and a flag of another value.
func.func @late(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %o = %b, %owned = %false, %before = %true) -> (memref<8xf32>, memref<8xf32>, i1, i1) {
    scf.yield %o, %m, %before, %owned : memref<8xf32>, memref<8xf32>, i1, i1
  }
  scf.if %r#3 {
    // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
    memref.dealloc %r#0 : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}
