// Aligned pointers that deallocation compares: those of bases, and of buffers that share their bytes with no other one.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. Right: a base goes through a loop beside a buffer, and is freed where it is not that of the arena.
func.func @base(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %true = arith.constant true
  %false = arith.constant false
  %x = arith.constant 1.0 : f32
  %arena = memref.alloc() {memplan.arena} : memref<96xi8>
  %a = memref.view %arena[%c64][] {memplan.buffer = 0 : i64} : memref<96xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<96xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  %start = memref.view %arena[%c0][] : memref<96xi8> to memref<f32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %base = %start, %owned = %false) -> (memref<8xf32>, memref<f32>, i1) {
    linalg.add ins(%m, %b : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
    %new = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%new : memref<8xf32>)
    %new_base = memref.reinterpret_cast %new to offset: [0], sizes: [], strides: [] : memref<8xf32> to memref<f32>
    %s = arith.select %c, %m, %new : memref<8xf32>
    %of_s = arith.select %c, %base, %new_base : memref<f32>
    %p = memref.extract_aligned_pointer_as_index %base : memref<f32> -> index
    %q = memref.extract_aligned_pointer_as_index %of_s : memref<f32> -> index
    %same = arith.cmpi eq, %p, %q : index
    %other = arith.xori %same, %true : i1
    %left = arith.andi %owned, %other : i1
    scf.if %left {
      memref.dealloc %base : memref<f32>
    }
    %kept = arith.andi %same, %owned : i1
    %is_new = arith.xori %c, %true : i1
    %owns = arith.ori %kept, %is_new : i1
    scf.yield %s, %of_s, %owns : memref<8xf32>, memref<f32>, i1
  }
  scf.if %r#2 {
    memref.dealloc %r#1 : memref<f32>
  }
  memref.dealloc %arena : memref<96xi8>
  return
}

// -----

// 2. Right: the buffer is alone in its bytes, so that its address is that of no other one.
func.func @alone(%m: memref<8xf32>) -> i1 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %m : memref<8xf32> -> index
  %same = arith.cmpi eq, %p, %q : index
  memref.dealloc %arena : memref<32xi8>
  return %same : i1
}

// -----

// 3. Wrong: buffers that share bytes at different times have equal addresses.
func.func @shared(%x: memref<8xf32>) -> i1 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<32xi8> to memref<8xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  %q = memref.extract_aligned_pointer_as_index %b : memref<8xf32> -> index
  // expected-note @+3 {{overwritten here}}
  // expected-error @+2 {{buffer 0 escapes: it has its pointer extracted, but its bytes belong to the arena [memplan-E207]}}
  // expected-error @+1 {{buffer 1 escapes: it has its pointer extracted, but its bytes belong to the arena [memplan-E207]}}
  %same = arith.cmpi eq, %p, %q : index
  memref.dealloc %arena : memref<32xi8>
  // expected-error @+2 {{buffer 0 is read after buffer 1 overwrote its bytes}}
  // expected-error @+1 {{buffer 1 is read after buffer 0 overwrote its bytes}}
  return %same : i1
}

// -----

// 4. Wrong: a view without a number is a buffer where it is accessed, and another one has its address.
func.func @accessed(%x: f32, %y: memref<8xf32>) -> i1 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] : memref<32xi8> to memref<f32>
  memref.store %x, %a[] : memref<f32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<32xi8> to memref<8xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %y, %b : memref<8xf32> to memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<f32> -> index
  %q = memref.extract_aligned_pointer_as_index %y : memref<8xf32> -> index
  // expected-error @+1 {{escapes: it has its pointer extracted, but its bytes belong to the arena [memplan-E207]}}
  %same = arith.cmpi ne, %p, %q : index
  memref.dealloc %arena : memref<32xi8>
  // expected-error @+1 {{is read after buffer 1 overwrote its bytes}}
  return %same : i1
}

// -----

// 5. Wrong: the instance of an earlier iteration has the address of the latest one.
func.func @again(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x) -> memref<8xf32> {
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
    %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %m : memref<8xf32> -> index
    // expected-error @+1 {{buffer 0 escapes: it has its pointer extracted, but its bytes belong to the arena [memplan-E207]}}
    %same = arith.cmpi eq, %p, %q : index
    scf.yield %a : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 6. Wrong: the arena was freed, and new memory may be there.
func.func @freed() -> i1 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  memref.dealloc %arena : memref<32xi8>
  %b = memref.alloc() : memref<8xf32>
  %q = memref.extract_aligned_pointer_as_index %b : memref<8xf32> -> index
  // expected-error @+1 {{buffer 0 escapes: it has its pointer extracted, but its bytes belong to the arena [memplan-E207]}}
  %same = arith.cmpi eq, %p, %q : index
  memref.dealloc %b : memref<8xf32>
  return %same : i1
}

// -----

// 7. Wrong: an order of addresses is no comparison for equality.
func.func @order(%m: memref<8xf32>) -> i1 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %m : memref<8xf32> -> index
  // expected-error @+1 {{buffer 0 escapes: it has its pointer extracted, but its bytes belong to the arena [memplan-E207]}}
  %same = arith.cmpi ult, %p, %q : index
  memref.dealloc %arena : memref<32xi8>
  return %same : i1
}
