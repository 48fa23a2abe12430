// Memrefs that deallocation stores in bytes on the stack, to compare their allocated pointers or to load their bases.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. Right: the base is only freed, where it is none of a buffer.
func.func @freed(%c: i1, %m: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %true = arith.constant true
  %arena = memref.alloc() {memplan.arena} : memref<96xi8>
  %a = memref.view %arena[%c64][] {memplan.buffer = 0 : i64} : memref<96xi8> to memref<f32>
  %bytes = memref.alloca() : memref<24xi8>
  %words = memref.view %bytes[%c0][] : memref<24xi8> to memref<2xindex>
  %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>>
  %s = arith.select %c, %a, %m : memref<f32>
  memref.store %s, %cell[] : memref<memref<f32>>
  %first = memref.load %words[%c0] : memref<2xindex>
  memref.store %first, %words[%c1] : memref<2xindex>
  %base = memref.load %cell[] : memref<memref<f32>>
  %is_m = arith.xori %c, %true : i1
  scf.if %is_m {
    memref.dealloc %base : memref<f32>
  }
  memref.dealloc %arena : memref<96xi8>
  return
}

// -----

// 2. Wrong: the base is read. It starts where the arena does.
func.func @read() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {memplan.arena} : memref<96xi8>
  %a = memref.view %arena[%c64][] {memplan.buffer = 0 : i64} : memref<96xi8> to memref<f32>
  %bytes = memref.alloca() : memref<24xi8>
  %words = memref.view %bytes[%c0][] : memref<24xi8> to memref<2xindex>
  %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>>
  // expected-error @+1 {{buffer 0 escapes: it is stored or captured, but its bytes belong to the arena [memplan-E207]}}
  memref.store %a, %cell[] : memref<memref<f32>>
  %first = memref.load %words[%c0] : memref<2xindex>
  memref.store %first, %words[%c1] : memref<2xindex>
  %base = memref.load %cell[] : memref<memref<f32>>
  %x = memref.load %base[] : memref<f32>
  memref.dealloc %arena : memref<96xi8>
  return %x : f32
}

// -----

// 3. Wrong: the base is read after the arena was freed, through a loop.
func.func @late(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<f32>
  %bytes = memref.alloca() : memref<24xi8>
  %words = memref.view %bytes[%c0][] : memref<24xi8> to memref<2xindex>
  %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> memref<f32> {
    // expected-error @+1 {{buffer 0 escapes: it is stored or captured, but its bytes belong to the arena [memplan-E207]}}
    memref.store %m, %cell[] : memref<memref<f32>>
    %first = memref.load %words[%c0] : memref<2xindex>
    memref.store %first, %words[%c1] : memref<2xindex>
    %base = memref.load %cell[] : memref<memref<f32>>
    scf.yield %base : memref<f32>
  }
  // expected-note @+1 {{freed here}}
  memref.dealloc %arena : memref<32xi8>
  // expected-error @+1 {{buffer 0 is used after its arena was freed}}
  %x = memref.load %r[] : memref<f32>
  return %x : f32
}

// -----

// 4. Wrong: the base is returned.
func.func @returned() -> memref<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<f32>
  %bytes = memref.alloca() : memref<24xi8>
  %words = memref.view %bytes[%c0][] : memref<24xi8> to memref<2xindex>
  %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>>
  memref.store %a, %cell[] : memref<memref<f32>>
  %first = memref.load %words[%c0] : memref<2xindex>
  memref.store %first, %words[%c1] : memref<2xindex>
  %base = memref.load %cell[] : memref<memref<f32>>
  memref.dealloc %arena : memref<32xi8>
  // expected-error @+1 {{buffer 0 escapes: it is returned, but its bytes belong to the arena [memplan-E207]}}
  return %base : memref<f32>
}

// -----

// 5. Refused: iterations that may run at the same time share the bytes.
func.func @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = memref.alloca() : memref<24xi8>
  %words = memref.view %bytes[%c0][] : memref<24xi8> to memref<2xindex>
  %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %arena = memref.alloc() {memplan.arena} : memref<32xi8>
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<f32>
    // expected-error @+1 {{buffer 0 escapes: it is stored or captured, but its bytes belong to the arena [memplan-E207]}}
    memref.store %a, %cell[] : memref<memref<f32>>
    %first = memref.load %words[%c0] : memref<2xindex>
    memref.store %first, %words[%c1] : memref<2xindex>
    %base = memref.load %cell[] : memref<memref<f32>>
    memref.dealloc %arena : memref<32xi8>
    scf.reduce
  }
  return
}

// -----

// 6. Refused: the pointer moves on one path only, and the memref is loaded in another block than it is stored in.
func.func @elsewhere(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<f32>
  %bytes = memref.alloca() : memref<24xi8>
  %words = memref.view %bytes[%c0][] : memref<24xi8> to memref<2xindex>
  %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>>
  // expected-error @+1 {{buffer 0 escapes: it is stored or captured, but its bytes belong to the arena [memplan-E207]}}
  memref.store %a, %cell[] : memref<memref<f32>>
  %first = memref.load %words[%c0] : memref<2xindex>
  scf.if %c {
    memref.store %first, %words[%c1] : memref<2xindex>
    %base = memref.load %cell[] : memref<memref<f32>>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 7. Wrong: the first word of an unranked memref is its rank, which says nothing of addresses.
func.func private @pick(memref<*xf32>, memref<*xf32>) -> memref<*xf32>
func.func @ranks(%m: memref<*xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %u = memref.cast %a : memref<8xf32> to memref<*xf32>
  %s = call @pick(%u, %m) : (memref<*xf32>, memref<*xf32>) -> memref<*xf32>
  %bytes = memref.alloca() : memref<24xi8>
  %word = memref.view %bytes[%c0][] : memref<24xi8> to memref<index>
  %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<*xf32>>
  memref.store %s, %cell[] : memref<memref<*xf32>>
  %first = memref.load %word[] : memref<index>
  memref.store %m, %cell[] : memref<memref<*xf32>>
  %second = memref.load %word[] : memref<index>
  %same = arith.cmpi eq, %first, %second : index
  scf.if %same {
    // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
    memref.dealloc %s : memref<*xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 8. Right: a branch returns new memory only where the flag is true.
func.func private @either(%a: memref<8xf32>, %c: i1) -> (memref<8xf32>, i1) {
  %true = arith.constant true
  %is_new = arith.xori %c, %true : i1
  %r = scf.if %c -> memref<8xf32> {
    scf.yield %a : memref<8xf32>
  } else {
    %b = memref.alloc() : memref<8xf32>
    scf.yield %b : memref<8xf32>
  }
  return %r, %is_new : memref<8xf32>, i1
}
func.func @calls_either(%c: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %r:2 = call @either(%a, %c) {memplan.owned_results} : (memref<8xf32>, i1) -> (memref<8xf32>, i1)
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 9. Wrong: another flag decides.
func.func private @either(%a: memref<8xf32>, %c: i1, %d: i1) -> (memref<8xf32>, i1) {
  %true = arith.constant true
  %is_new = arith.xori %d, %true : i1
  %r = scf.if %c -> memref<8xf32> {
    scf.yield %a : memref<8xf32>
  } else {
    %b = memref.alloc() : memref<8xf32>
    scf.yield %b : memref<8xf32>
  }
  return %r, %is_new : memref<8xf32>, i1
}
func.func @calls_either(%c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %r:2 = call @either(%a, %c, %d) {memplan.owned_results} : (memref<8xf32>, i1, i1) -> (memref<8xf32>, i1)
  scf.if %r#1 {
    // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
    memref.dealloc %r#0 : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 10. Wrong: the flag was true on the path, but is that of an earlier iteration.
func.func @earlier(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %b, %flag = %true) -> (memref<8xf32>, i1) {
    %s = scf.if %flag -> memref<8xf32> {
      scf.yield %b : memref<8xf32>
    } else {
      scf.yield %a : memref<8xf32>
    }
    scf.yield %s, %c : memref<8xf32>, i1
  }
  scf.if %r#1 {
    // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
    memref.dealloc %r#0 : memref<8xf32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}
