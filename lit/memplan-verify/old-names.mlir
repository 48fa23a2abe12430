// A plan that the version before wrote: the alignment of a slice for a callee is read under its old name, with a
// remark.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null

func.func private @callee(memref<8xf32>, memref<64xi8>)
func.func @aligned(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<128xi8>
  // expected-remark @below {{`memplan.lent` was renamed to `memplan.slice_alignment`: the next version does not accept the old name [memplan-R001]}}
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64, memplan.lent = 64 : i64} : memref<128xi8> to memref<64xi8>
  call @callee(%x, %b) : (memref<8xf32>, memref<64xi8>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

func.func private @callee(memref<8xf32>, memref<64xi8>)
func.func @misaligned(%x: memref<8xf32>) {
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<128xi8>
  // expected-remark @below {{`memplan.lent` was renamed to `memplan.slice_alignment`: the next version does not accept the old name}}
  // expected-error @below {{buffer 1 starts at byte 32, but is passed to a callee that needs an alignment of 64 [memplan-E210]}}
  %b = memref.view %arena[%c32][] {memplan.buffer = 1 : i64, memplan.lent = 64 : i64} : memref<128xi8> to memref<64xi8>
  call @callee(%x, %b) : (memref<8xf32>, memref<64xi8>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

func.func @iterations(%x: memref<16xf32>) {
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  scf.forall (%i) in (4) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    %shift = arith.addi %c0, %at : index
    // expected-remark @below {{`memplan.turns` was renamed to `memplan.iterations`: the next version does not accept the old name [memplan-R001]}}
    %iteration = memref.view %arena[%shift][] {memplan.arena = 64 : i64, memplan.buffer = 1 : i64, memplan.turns = array<i64: 0, 64, 4>} : memref<256xi8> to memref<64xi8>
    %a = memref.view %iteration[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}
