// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics \
// RUN:   | FileCheck %s

// 1. The iteration reads the buffer of the last one, then allocates its own: the last one is dead by then, one slot is
// enough.
func.func private @read(memref<64xf32>)
func.func private @write(memref<64xf32>)
func.func @dead_by_then(%x: memref<64xf32>, %lo: index, %hi: index, %step: index) {
  %r = scf.for %i = %lo to %hi step %step iter_args(%m = %x) -> memref<64xf32> {
    func.call @read(%m) : (memref<64xf32>) -> ()
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @write(%a) : (memref<64xf32>) -> ()
    scf.yield %a : memref<64xf32>
  }
  call @read(%r) : (memref<64xf32>) -> ()
  return
}

// -----

// 2. The iteration reads the buffer of the last one after it has allocated its own: two slots, which alternate.
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func private @read(memref<64xf32>)
// CHECK-LABEL: func @rotates
// CHECK-SAME:    %[[X:[^:]*]]: memref<64xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[STRIDE:.*]] = arith.constant 256 : index
// CHECK:         %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<512xi8>
// CHECK:         scf.for {{.*}} iter_args(%[[M:.*]] = %[[X]])
// CHECK-DAG:       %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[ARENA]]
// CHECK-DAG:       %[[AT:.*]] = memref.extract_aligned_pointer_as_index %[[M]]
// CHECK:           %[[DISTANCE:.*]] = arith.subi %[[AT]], %[[BASE]]
// CHECK-NEXT:      %[[TAKEN:.*]] = arith.cmpi ult, %[[DISTANCE]], %[[STRIDE]]
// CHECK-NEXT:      %[[OFFSET:.*]] = arith.select %[[TAKEN]], %[[STRIDE]], %[[ZERO]] : index
// CHECK:           memref.view %[[ARENA]][%[[OFFSET]]][] {memplan.buffer = 0 : i64, memplan.slots = array<i64: 0, 256>}
func.func @rotates(%x: memref<64xf32>, %lo: index, %hi: index, %step: index) {
  %r = scf.for %i = %lo to %hi step %step iter_args(%m = %x) -> memref<64xf32> {
    // expected-remark @+1 {{merged: 512 bytes at offset 0 of an arena of 512 bytes, 2 slots that rotate}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use2(%m, %a) : (memref<64xf32>, memref<64xf32>) -> ()
    scf.yield %a : memref<64xf32>
  }
  call @read(%r) : (memref<64xf32>) -> ()
  return
}

// -----

// 3. Copied into a buffer of the loop's own, then dead: one slot each.
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func @copied(%x: memref<64xf32>, %out: memref<64xf32>, %lo: index, %hi: index, %step: index) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %t = memref.alloc() : memref<64xf32>
  %r = scf.for %i = %lo to %hi step %step iter_args(%m = %x) -> memref<64xf32> {
    memref.copy %m, %t : memref<64xf32> to memref<64xf32>
    // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use2(%t, %a) : (memref<64xf32>, memref<64xf32>) -> ()
    scf.yield %a : memref<64xf32>
  }
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 4. Swapped: two buffers from outside that change places. No allocation runs again, so no slots; both live throughout.
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func private @read(memref<64xf32>)
func.func @swapped(%lo: index, %hi: index, %step: index) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 768 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 768 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use2(%a, %b) : (memref<64xf32>, memref<64xf32>) -> ()
  %r:2 = scf.for %i = %lo to %hi step %step iter_args(%m = %a, %n = %b) -> (memref<64xf32>, memref<64xf32>) {
    func.call @use2(%m, %n) : (memref<64xf32>, memref<64xf32>) -> ()
    // expected-remark @+1 {{merged: 256 bytes at offset 512 of an arena of 768 bytes}}
    %c = memref.alloc() : memref<64xf32>
    func.call @read(%c) : (memref<64xf32>) -> ()
    scf.yield %n, %m : memref<64xf32>, memref<64xf32>
  }
  call @read(%r#0) : (memref<64xf32>) -> ()
  return
}

// -----

// 5. The iteration reads the buffers of the last two: three slots.
func.func private @use3(memref<64xf32>, memref<64xf32>, memref<64xf32>)
func.func private @read(memref<64xf32>)
// CHECK-LABEL: func @two_older
// CHECK:         memplan.slots = array<i64: 0, 256, 512>
func.func @two_older(%x: memref<64xf32>, %lo: index, %hi: index, %step: index) {
  %r:2 = scf.for %i = %lo to %hi step %step iter_args(%m = %x, %n = %x) -> (memref<64xf32>, memref<64xf32>) {
    // expected-remark @+1 {{merged: 768 bytes at offset 0 of an arena of 768 bytes, 3 slots that rotate}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use3(%m, %n, %a) : (memref<64xf32>, memref<64xf32>, memref<64xf32>) -> ()
    scf.yield %n, %a : memref<64xf32>, memref<64xf32>
  }
  call @read(%r#1) : (memref<64xf32>) -> ()
  return
}

// -----

// 6. The iteration reads the buffers of the last four: too many to rotate.
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func private @read(memref<64xf32>)
// CHECK-LABEL: func @too_many
// CHECK:         memref.alloc() : memref<64xf32>
func.func @too_many(%x: memref<64xf32>, %lo: index, %hi: index, %step: index) {
  %r:4 = scf.for %i = %lo to %hi step %step iter_args(%m = %x, %n = %x, %o = %x, %p = %x)
      -> (memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>) {
    // expected-remark @+1 {{not merged: too many of its older instances are still needed when it is allocated again [overlaps-itself]}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use2(%m, %a) : (memref<64xf32>, memref<64xf32>) -> ()
    scf.yield %n, %o, %p, %a : memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>
  }
  call @read(%r#1) : (memref<64xf32>) -> ()
  return
}

// -----

// 7. Kept in an outer loop's argument across an inner loop that allocates the same again.
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func private @read(memref<64xf32>)
func.func @outer_carries(%x: memref<64xf32>, %lo: index, %hi: index, %step: index) {
  %r = scf.for %i = %lo to %hi step %step iter_args(%m = %x) -> memref<64xf32> {
    %s = scf.for %j = %lo to %hi step %step iter_args(%n = %m) -> memref<64xf32> {
      // expected-remark @+1 {{merged: 512 bytes at offset 0 of an arena of 512 bytes, 2 slots that rotate}}
      %a = memref.alloc() : memref<64xf32>
      func.call @use2(%m, %a) : (memref<64xf32>, memref<64xf32>) -> ()
      scf.yield %a : memref<64xf32>
    }
    scf.yield %s : memref<64xf32>
  }
  call @read(%r) : (memref<64xf32>) -> ()
  return
}

// -----

// 8. Sometimes kept: the iteration yields its own buffer or the older one.
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func private @read(memref<64xf32>)
func.func @sometimes(%x: memref<64xf32>, %c: i1, %lo: index, %hi: index, %step: index) {
  %r = scf.for %i = %lo to %hi step %step iter_args(%m = %x) -> memref<64xf32> {
    // expected-remark @+1 {{merged: 512 bytes at offset 0 of an arena of 512 bytes, 2 slots that rotate}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use2(%a, %x) : (memref<64xf32>, memref<64xf32>) -> ()
    %s = arith.select %c, %a, %m : memref<64xf32>
    scf.yield %s : memref<64xf32>
  }
  call @read(%r) : (memref<64xf32>) -> ()
  return
}

// -----

// 9. Slots are spaced by the alignment.
func.func private @use2(memref<3xi8>, memref<3xi8>)
// CHECK-LABEL: func @aligned_slots
// CHECK:         memref.alloc() {alignment = 128 : i64, {{.*}}} : memref<256xi8>
// CHECK:         memplan.slots = array<i64: 0, 128>
func.func @aligned_slots(%x: memref<3xi8>, %lo: index, %hi: index, %step: index) {
  %r = scf.for %i = %lo to %hi step %step iter_args(%m = %x) -> memref<3xi8> {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes, 2 slots that rotate}}
    %a = memref.alloc() {alignment = 128} : memref<3xi8>
    func.call @use2(%m, %a) : (memref<3xi8>, memref<3xi8>) -> ()
    scf.yield %a : memref<3xi8>
  }
  return
}

// -----

// 10. Carried as a part: the pointer into a slot is not the slot's start.
func.func private @read(memref<8xf32, strided<[1], offset: ?>>)
func.func private @write(memref<64xf32>)
func.func @part(%x: memref<8xf32, strided<[1], offset: ?>>, %lo: index, %hi: index, %step: index) {
  %r = scf.for %i = %lo to %hi step %step iter_args(%m = %x) -> memref<8xf32, strided<[1], offset: ?>> {
    // expected-remark @+1 {{merged: 512 bytes at offset 0 of an arena of 512 bytes, 2 slots that rotate}}
    %a = memref.alloc() : memref<64xf32>
    func.call @write(%a) : (memref<64xf32>) -> ()
    func.call @read(%m) : (memref<8xf32, strided<[1], offset: ?>>) -> ()
    %v = memref.subview %a[16][8][1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 16>>
    %w = memref.cast %v : memref<8xf32, strided<[1], offset: 16>> to memref<8xf32, strided<[1], offset: ?>>
    scf.yield %w : memref<8xf32, strided<[1], offset: ?>>
  }
  call @read(%r) : (memref<8xf32, strided<[1], offset: ?>>) -> ()
  return
}

// -----

// 11. Carried through a while loop's two regions.
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func private @read(memref<64xf32>)
func.func private @go() -> i1
func.func @while(%x: memref<64xf32>) {
  %r = scf.while (%m = %x) : (memref<64xf32>) -> memref<64xf32> {
    %c = func.call @go() : () -> i1
    scf.condition(%c) %m : memref<64xf32>
  } do {
  ^bb0(%n: memref<64xf32>):
    // expected-remark @+1 {{merged: 512 bytes at offset 0 of an arena of 512 bytes, 2 slots that rotate}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use2(%n, %a) : (memref<64xf32>, memref<64xf32>) -> ()
    scf.yield %a : memref<64xf32>
  }
  call @read(%r) : (memref<64xf32>) -> ()
  return
}
