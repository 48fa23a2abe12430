// What `state=arena` refuses.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(memplan-merge-alloc{\
// RUN:   arena=global share=entry-points state=arena forbid=0x1000-8KiB capacity=64KiB arena-limit=32KiB})'
// RUN: not %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global state=arena})' 2>&1 \
// RUN:   | FileCheck %s
// CHECK: option 'state=arena' needs 'share=entry-points'

// 1. Required offsets that cannot be.
// expected-error @+1 {{`memplan.offset` is 8, which is not a multiple of the slice's alignment of 64 bytes [memplan-E103]}}
memref.global "private" @unaligned : memref<4xf32> = uninitialized {memplan.offset = 8 : i64}
func.func @f() {
  %a = memref.get_global @unaligned : memref<4xf32>
  return
}

// -----

// expected-note @+1 {{the other one}}
memref.global "private" @first : memref<64xf32> = uninitialized {memplan.offset = 0 : i64}
// expected-error @+1 {{`memplan.offset` makes it overlap other state [memplan-E105]}}
memref.global "private" @second : memref<64xf32> = uninitialized {memplan.offset = 192 : i64}
func.func @f() {
  %a = memref.get_global @first : memref<64xf32>
  %b = memref.get_global @second : memref<64xf32>
  return
}

// -----

// expected-error @+1 {{its offset is given, but `forbid` excludes addresses 4096 to 8192 [memplan-E112]}}
memref.global "private" @excluded : memref<64xf32> = uninitialized {memplan.offset = 4032 : i64}
func.func @f() {
  %a = memref.get_global @excluded : memref<64xf32>
  return
}

// -----

// expected-error @+1 {{`memplan.offset` fixes a global that is not in the arena: it is not private, so other modules may refer to it [memplan-E104]}}
memref.global @public : memref<64xf32> = uninitialized {memplan.offset = 0 : i64}
func.func @f() {
  return
}

// -----

// expected-error @+1 {{`memplan.offset` fixes a global that is not in the arena: it is constant [memplan-E104]}}
memref.global "private" constant @constant : memref<64xf32> = dense<1.0> {memplan.offset = 0 : i64}
func.func @f() {
  return
}

// -----

// A module without functions.
// expected-error @+1 {{`memplan.offset` fixes a global that is not in the arena: nothing refers to it [memplan-E104]}}
memref.global "private" @unused : memref<64xf32> = uninitialized {memplan.offset = 0 : i64}

// -----

// 2. State that is too large.
// expected-error @+1 {{the state ends at byte 73728, above the capacity of 65536 [memplan-E101]}}
memref.global "private" @large : memref<16384xf32> = uninitialized
func.func @f() {
  %a = memref.get_global @large : memref<16384xf32>
  return
}

// -----

// expected-error @+1 {{the state ends at byte 40960, above arena-limit=32768 [memplan-E113]}}
memref.global "private" @larger : memref<8192xf32> = uninitialized
func.func @f() {
  %a = memref.get_global @larger : memref<8192xf32>
  return
}

// -----

memref.global "private" @some : memref<64xi8> = uninitialized
// expected-error @+1 {{the state takes more than 2^63 - 1 bytes [memplan-E102]}}
memref.global "private" @huge : memref<9223372036854775807xi8> = uninitialized
func.func @f() {
  %a = memref.get_global @some : memref<64xi8>
  %b = memref.get_global @huge : memref<9223372036854775807xi8>
  return
}

// -----

// 3. Buffers where the state is, or above a limit because of it.
memref.global "private" @own : memref<64xf32> = uninitialized
func.func @f(%x: memref<4xf32>) {
  %g = memref.get_global @own : memref<64xf32>
  // expected-error @+1 {{its offset is given, but @own has addresses 0 to 256 [memplan-E112]}}
  %a = memref.alloc() {memplan.offset = 128 : i64} : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

memref.global "private" @own : memref<896xf32> = uninitialized
func.func @f(%x: memref<8000xf32>) {
  %g = memref.get_global @own : memref<896xf32>
  // expected-error @+1 {{it ends at byte 40192 of an arena, above arena-limit=32768}}
  %a = memref.alloc() : memref<8000xf32>
  memref.copy %x, %a : memref<8000xf32> to memref<8000xf32>
  memref.copy %a, %x : memref<8000xf32> to memref<8000xf32>
  return
}

// -----

// 4. A capacity counts state and buffers.
memref.global "private" @own : memref<6144xf32> = uninitialized
// expected-error @+1 {{an arena takes 65552 bytes, more than its capacity of 65536 [memplan-E101]}}
func.func @f(%x: memref<8196xf32>) {
  %g = memref.get_global @own : memref<6144xf32>
  // expected-note @+1 {{live at the peak: 32784 bytes}}
  %a = memref.alloc() {memplan.offset = 32768 : i64} : memref<8196xf32>
  memref.copy %x, %a : memref<8196xf32> to memref<8196xf32>
  memref.copy %a, %x : memref<8196xf32> to memref<8196xf32>
  return
}
