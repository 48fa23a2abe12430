// Deallocations where two addresses are equal: right if these are of memory that is not freed, whole, and of its bytes.
// RUN: %memplan-opt %s --split-input-file -verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. Right: in each iteration, other memory is allocated, compared, and then freed.
func.func @freed_after(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<8xf32>
    %s = arith.select %c, %a, %b : memref<8xf32>
    %p = memref.extract_aligned_pointer_as_index %s : memref<8xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %b : memref<8xf32> -> index
    %same = arith.cmpi eq, %p, %q : index
    scf.if %same {
      memref.dealloc %s : memref<8xf32>
    } else {
      memref.dealloc %b : memref<8xf32>
    }
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 2. Wrong: the other memory is freed before, so that the arena may have its address.
func.func @freed_before(%c: i1) {
  %c0 = arith.constant 0 : index
  %old = memref.alloc() : memref<8xf32>
  %q = memref.extract_aligned_pointer_as_index %old : memref<8xf32> -> index
  memref.dealloc %old : memref<8xf32>
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %s : memref<8xf32> -> index
  %same = arith.cmpi eq, %p, %q : index
  scf.if %same {
    // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
    memref.dealloc %s : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 3. Wrong: a callee frees it in an earlier iteration.
func.func private @consume(memref<8xf32> {memplan.donated})
func.func @donated_before(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %old = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %arena = memref.alloc() {memplan.arena} : memref<32xi8>
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    %s = arith.select %c, %a, %b : memref<8xf32>
    %p = memref.extract_aligned_pointer_as_index %s : memref<8xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %old : memref<8xf32> -> index
    %same = arith.cmpi eq, %p, %q : index
    scf.if %same {
      // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
      memref.dealloc %s : memref<8xf32>
    }
    memref.dealloc %arena : memref<32xi8>
    %is_first = arith.cmpi eq, %i, %c0 : index
    scf.if %is_first {
      %view = memref.subview %old[0] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1]>>
      %whole = memref.cast %view : memref<8xf32, strided<[1]>> to memref<8xf32>
      func.call @consume(%whole) : (memref<8xf32>) -> ()
    }
  }
  return
}

// -----

// 4. Wrong: a view of no bytes starts after its memory, where the arena may be.
func.func @after_the_end(%c: i1) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %stack = memref.alloca() : memref<32xi8>
  %none = memref.view %stack[%c32][] : memref<32xi8> to memref<0xf32>
  %arena = memref.alloca() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %s : memref<8xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %none : memref<0xf32> -> index
  %same = arith.cmpi eq, %p, %q : index
  scf.if %same {
    // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
    memref.dealloc %s : memref<8xf32>
  }
  return
}

// -----

// 5. Wrong: half of each address is compared.
func.func @half(%c: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  %bytes = memref.alloca() : memref<40xi8>
  %half = memref.view %bytes[%c0][] : memref<40xi8> to memref<i32>
  %cell = memref.view %bytes[%c0][] : memref<40xi8> to memref<memref<8xf32>>
  // expected-error @+1 {{buffer 0 escapes: it is stored or captured, but its bytes belong to the arena [memplan-E207]}}
  memref.store %s, %cell[] : memref<memref<8xf32>>
  %p = memref.load %half[] : memref<i32>
  memref.store %b, %cell[] : memref<memref<8xf32>>
  %q = memref.load %half[] : memref<i32>
  %same = arith.cmpi eq, %p, %q : i32
  scf.if %same {
    // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
    memref.dealloc %s : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 6. Wrong: the arena is freed before the addresses are compared, so that other memory may have its address.
func.func @arena_freed_before(%c: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  // expected-note @+1 {{freed here}}
  memref.dealloc %arena : memref<32xi8>
  %new = memref.alloc() : memref<8xf32>
  %bytes = memref.alloca() : memref<40xi8>
  %word = memref.view %bytes[%c0][] : memref<40xi8> to memref<index>
  %cell = memref.view %bytes[%c0][] : memref<40xi8> to memref<memref<8xf32>>
  // expected-error @+1 {{buffer 0 is used after its arena was freed [memplan-E204]}}
  memref.store %s, %cell[] : memref<memref<8xf32>>
  %p = memref.load %word[] : memref<index>
  memref.store %new, %cell[] : memref<memref<8xf32>>
  %q = memref.load %word[] : memref<index>
  %same = arith.cmpi eq, %p, %q : index
  scf.if %same {
    memref.dealloc %s : memref<8xf32>
  }
  return
}
