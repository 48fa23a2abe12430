// Offsets that cannot be, and remarks that say what would make an allocation mergeable.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{min-size=16 max-size=4096 dynamic=skip \
// RUN:   remarks})' -split-input-file -verify-diagnostics -o /dev/null

func.func @negative(%x: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{`memplan.offset` is negative [memplan-E103]}}
  %a = memref.alloc() {memplan.offset = -64 : i64} : memref<8xf32>
  memref.store %x, %a[%c0] : memref<8xf32>
  return
}

// -----

func.func @misaligned(%x: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{`memplan.offset` is 32, which is not a multiple of the slice's alignment of 64 bytes [memplan-E103]}}
  %a = memref.alloc() {memplan.offset = 32 : i64} : memref<8xf32>
  memref.store %x, %a[%c0] : memref<8xf32>
  return
}

// -----

func.func @misaligned_of_its_own(%x: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{`memplan.offset` is 128, which is not a multiple of the slice's alignment of 256 bytes [memplan-E103]}}
  %a = memref.alloc() {alignment = 256 : i64, memplan.offset = 128 : i64} : memref<8xf32>
  memref.store %x, %a[%c0] : memref<8xf32>
  return
}

// -----

func.func @no_number(%x: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{`memplan.offset` is not an integer [memplan-E103]}}
  %a = memref.alloc() {memplan.offset = "first"} : memref<8xf32>
  memref.store %x, %a[%c0] : memref<8xf32>
  return
}

// -----

func.func @overlapping(%x: f32) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{the other one}}
  %a = memref.alloc() {memplan.offset = 0 : i64} : memref<32xf32>
  // expected-error @+1 {{`memplan.offset` makes it overlap another allocation that is live at the same time [memplan-E105]}}
  %b = memref.alloc() {memplan.offset = 64 : i64} : memref<32xf32>
  memref.store %x, %a[%c0] : memref<32xf32>
  memref.store %x, %b[%c0] : memref<32xf32>
  memref.copy %a, %b : memref<32xf32> to memref<32xf32>
  return
}

// -----

func.func @not_merged(%x: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{`memplan.offset` fixes an allocation that is not merged: it is or may be returned to the caller [returned] [memplan-E104]}}
  %a = memref.alloc() {memplan.offset = 0 : i64} : memref<8xf32>
  memref.store %x, %a[%c0] : memref<8xf32>
  return %a : memref<8xf32>
}

// -----

func.func @too_far(%x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {memplan.offset = 9223372036854775744 : i64} : memref<32xf32>
  memref.store %x, %a[%c0] : memref<32xf32>
  return
}
// expected-error @-6 {{sizes and alignments, above what is fixed or forbidden, add up to more than 2^63 - 1 bytes [memplan-E102]}}

// -----

// Sizes that would help.
func.func @advice(%n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{not merged: its size is known only at run time [dynamic-size]; use dynamic=slots, or give it a static type, such as an upper bound with a subview of it}}
  %a = memref.alloc(%n) : memref<?xf32>
  // expected-remark @+1 {{[returned]; let the caller pass a buffer for the result}}
  %b = memref.alloc() : memref<8xf32>
  // expected-remark @+1 {{not merged: it is smaller than min-size [below-min-size]; lower min-size [memplan-R102]}}
  %c = memref.alloc() : memref<3xf32>
  // expected-remark @+1 {{not merged: it is larger than max-size [above-max-size]; raise max-size [memplan-R102]}}
  %d = memref.alloc() : memref<1025xf32>
  // expected-remark @+1 {{not merged: it is marked memplan.keep [kept]; remove memplan.keep}}
  %e = memref.alloc() {memplan.keep} : memref<8xf32>
  // expected-remark @+1 {{merged: 32 bytes}}
  %f = memref.alloc() : memref<8xf32>
  memref.copy %e, %f : memref<8xf32> to memref<8xf32>
  memref.copy %f, %b : memref<8xf32> to memref<8xf32>
  return %b : memref<8xf32>
}

// -----

func.func @fixed_and_unknown(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{`memplan.offset` fixes an allocation that is not merged: its size is known only at run time [dynamic-size] [memplan-E104]}}
  %a = memref.alloc(%n) {memplan.offset = 0 : i64} : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  return
}
