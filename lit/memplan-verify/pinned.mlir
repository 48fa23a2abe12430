// Buffers whose address is taken: pinned, they may be, and keep their bytes.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

func.func private @use(index)

// 1. Nothing else is written in its bytes.
func.func @kept(%v: i64) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() {memplan.arena} : memref<16xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.pinned} : memref<16xi8> to memref<1xi64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<1xi64> -> index
  call @use(%p) : (index) -> ()
  %b = memref.view %arena[%c8][] {memplan.buffer = 1 : i64} : memref<16xi8> to memref<1xi64>
  memref.store %v, %b[%c0] : memref<1xi64>
  memref.dealloc %arena : memref<16xi8>
  return
}

// -----

func.func private @use(index)

// 2. Something is, before the function is left.
func.func @overwritten(%v: i64) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<8xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.pinned} : memref<8xi8> to memref<1xi64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<1xi64> -> index
  call @use(%p) : (index) -> ()
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<8xi8> to memref<1xi64>
  // expected-note @+1 {{overwritten here}}
  memref.store %v, %b[%c0] : memref<1xi64>
  memref.dealloc %arena : memref<8xi8>
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  return
}

// -----

func.func private @use(index)

// 3. The same, when it has ended.
func.func @ended(%v: i64) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<8xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.pinned} : memref<8xi8> to memref<1xi64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<1xi64> -> index
  call @use(%p) : (index) -> ()
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64, memplan.ended = array<i64: 0>} : memref<8xi8> to memref<1xi64>
  memref.store %v, %b[%c0] : memref<1xi64>
  memref.dealloc %arena : memref<8xi8>
  return
}

// -----

func.func private @use(index)

// 4. The end of another buffer is not its own, and on another path nothing is allocated.
func.func @other(%v: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<8xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.pinned} : memref<8xi8> to memref<1xi64>
  cf.cond_br %c, ^one, ^other
^other:
  %d = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<8xi8> to memref<1xi64>
  memref.store %v, %d[%c0] : memref<1xi64>
  memref.dealloc %arena : memref<8xi8>
  return
^one:
  %p = memref.extract_aligned_pointer_as_index %a : memref<1xi64> -> index
  call @use(%p) : (index) -> ()
  %b = memref.view %arena[%c0][] {memplan.buffer = 2 : i64, memplan.ended = array<i64: 1>} : memref<8xi8> to memref<1xi64>
  // expected-note @+1 {{overwritten here}}
  memref.store %v, %b[%c0] : memref<1xi64>
  memref.dealloc %arena : memref<8xi8>
  // expected-error @+1 {{buffer 0 is read after buffer 2 overwrote its bytes [memplan-E201]}}
  return
}

// -----

// 5. It is returned all the same, which is no address of it.
func.func @returned() -> memref<1xi64> {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<8xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.pinned} : memref<8xi8> to memref<1xi64>
  // expected-error @+1 {{buffer 0 escapes: it is returned}}
  return %a : memref<1xi64>
}
