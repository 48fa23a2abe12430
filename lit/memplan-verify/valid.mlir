// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-verify)' | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -o /dev/null

// Programs that are planned well. tests/verify_faults.rs seeds faults into them:
//
// * `apart:` lists the pairs of buffers that must not share bytes. Each buffer N whose place is a
//   constant `%atN` is moved over its arena; that has to be an error if and only if it leaves the
//   arena or meets one that it must be apart from. A pair A=B may be in the same bytes, but not in some of them. `also:` are bytes that it must be apart from, too.
// * `fault: OLD => NEW` replaces text, which has to be an error.

// CHECK-LABEL: func.func private @use
func.func private @use(memref<16xf32>)
func.func private @same(memref<16xf32>) -> memref<16xf32>
func.func private @cond() -> i1
func.func private @take(memref<1xmemref<16xf32>>)
func.func private @put(memref<1xmemref<16xf32>>, memref<16xf32>)
func.func private @put_later(memref<16xf32>, !async.value<memref<1xmemref<16xf32>>>)
func.func private @put_unranked(memref<*xmemref<*xf32>>, memref<16xf32>)
func.func private @put_in_group(!async.group, memref<16xf32>)
func.func private @store_nothing(%box: memref<1xmemref<16xf32>>, %a: memref<16xf32>) { return }

// 1. A chain: each buffer dies when the next one is written.
// apart: 0-1 1-2
// fault: memref<128xi8> => memref<127xi8>
// fault: memplan.buffer = 2 : i64 => memplan.buffer = 1 : i64
// fault: {memplan.buffer = 1 : i64} => {}
// fault: memref.copy %c, %out => memref.copy %a, %out
// CHECK-LABEL: func.func @chain
func.func @chain(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %b, %c : memref<16xf32> to memref<16xf32>
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
  return
}

// 2. Buffers are born long before they are touched.
// apart: 0-1
// CHECK-LABEL: func.func @born_early
func.func @born_early(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 0 : index
  %at3 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.copy %in, %d : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 3. The last read goes through views of views.
// apart: 0-1 2-3
// CHECK-LABEL: func.func @views
func.func @views(%in: memref<16xf32>, %out: memref<8xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 0 : index
  %at3 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %cast = memref.cast %a : memref<16xf32> to memref<?xf32>
  %again = memref.reinterpret_cast %cast to offset: [0], sizes: [16], strides: [1] : memref<?xf32> to memref<16xf32>
  %part = memref.subview %again[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.copy %part, %out : memref<8xf32, strided<[1], offset: 8>> to memref<8xf32>
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %c : memref<16xf32> -> memref<f32>, index, index, index
  %half = memref.reinterpret_cast %base to offset: [8], sizes: [8], strides: [1] : memref<f32> to memref<8xf32, strided<[1], offset: 8>>
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %d : memref<16xf32> to memref<16xf32>
  memref.copy %half, %out : memref<8xf32, strided<[1], offset: 8>> to memref<8xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// 4. A choice between two buffers keeps both.
// apart: 0-1 0-2 1-2
// CHECK-LABEL: func.func @select
func.func @select(%in: memref<16xf32>, %out: memref<16xf32>, %which: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %one = arith.select %which, %a, %b : memref<16xf32>
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  memref.copy %one, %out : memref<16xf32> to memref<16xf32>
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %d : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// 5. Branches: what one arm writes is written on one path; what an arm yields lives on.
// apart: 0-1 0-2 0-3 2-3 2-4 3-4
// CHECK-LABEL: func.func @if
func.func @if(%in: memref<16xf32>, %out: memref<16xf32>, %which: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 64 : index
  %at3 = arith.constant 128 : index
  %at4 = arith.constant 192 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  scf.if %which {
    %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  }
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  %r = scf.if %which -> memref<16xf32> {
    %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<256xi8> to memref<16xf32>
    memref.copy %a, %d : memref<16xf32> to memref<16xf32>
    scf.yield %d : memref<16xf32>
  } else {
    scf.yield %c : memref<16xf32>
  }
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  %e = memref.view %arena[%at4][] {memplan.buffer = 4 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %e : memref<16xf32> to memref<16xf32>
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.copy %e, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// 6. What a loop reads each time lives through the whole loop; what it makes each time dies in it.
// apart: 0-1 0-2 1-2 0-3
// fault: memref.copy %c, %out => memref.dealloc %arena : memref<192xi8> memref.copy %c, %out
// CHECK-LABEL: func.func @for
func.func @for(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  scf.for %i = %zero to %n step %one {
    %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
    memref.copy %b, %c : memref<16xf32> to memref<16xf32>
    %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
    memref.copy %c, %out : memref<16xf32> to memref<16xf32>
    memref.copy %in, %d : memref<16xf32> to memref<16xf32>
    memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<192xi8>
  return
}

// 7. Two buffers from outside change places in a loop.
// apart: 0-1 0-2 1-2 0-3 1-3
// CHECK-LABEL: func.func @swap
func.func @swap(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 128 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b) -> (memref<16xf32>, memref<16xf32>) {
    %t = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
    memref.copy %x, %t : memref<16xf32> to memref<16xf32>
    memref.copy %t, %y : memref<16xf32> to memref<16xf32>
    scf.yield %y, %x : memref<16xf32>, memref<16xf32>
  }
  %u = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %u : memref<16xf32> to memref<16xf32>
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memref.copy %u, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 8. Each turn of a loop reads what the last one made: two slots in turn.
// apart: 0-2
// also: 0 64-192, 2 64-192
// fault: arith.select %taken, %s1, %s0 => arith.select %taken, %s0, %s1
// fault: [%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} => [%s0][] {memplan.buffer = 1 : i64}
// fault: [%shift][] => [%s0][]
// fault: [%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} => [%shift][] {memplan.buffer = 1 : i64}
// fault: array<i64: 64, 128> => array<i64: 64, 192>
// fault: %p = memref.extract_aligned_pointer_as_index %x => %p = memref.extract_aligned_pointer_as_index %a
// fault: %stride = arith.constant 64 => %stride = arith.constant 63
// fault: %stride = arith.constant 64 => %stride = arith.constant 65
// fault: %s1 = arith.constant 128 => %s1 = arith.constant 64
// fault: arith.cmpi ult => arith.cmpi slt
// fault: arith.subi %d, %s0 => arith.subi %d, %s1
// fault: %p = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index => %p = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
// fault: scf.yield %b => memref.copy %b, %out : memref<16xf32> to memref<16xf32> memref.copy %in, %x : memref<16xf32> to memref<16xf32> memref.dealloc %b : memref<16xf32> scf.yield %b
// CHECK-LABEL: func.func @rotate
func.func @rotate(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %at0 = arith.constant 0 : index
  %at2 = arith.constant 192 : index
  %s0 = arith.constant 64 : index
  %s1 = arith.constant 128 : index
  %stride = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> memref<16xf32> {
    %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<256xi8> to memref<16xf32>
    memref.copy %x, %c : memref<16xf32> to memref<16xf32>
    %view = memref.subview %x[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
    %base = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
    %p = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
    %d = arith.subi %p, %base : index
    %d0 = arith.subi %d, %s0 : index
    %taken = arith.cmpi ult, %d0, %stride : index
    %shift = arith.select %taken, %s1, %s0 : index
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} : memref<256xi8> to memref<16xf32>
    memref.copy %c, %b : memref<16xf32> to memref<16xf32>
    %to = memref.subview %out[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%view : memref<8xf32, strided<[1], offset: 4>>) outs(%to : memref<8xf32, strided<[1]>>) {
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      linalg.yield %w : f32
    }
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// 9. A loop that needs the last two turns: three slots, and two values that hold two of them.
// apart: 0-1
// also: 0 128-320, 1 128-320
// fault: arith.ori %x0, %y0 => arith.ori %x0, %x0
// fault: arith.ori %x1, %y1 => arith.ori %y1, %y1
// fault: arith.select %taken0, %else1, %s0 => arith.select %taken1, %else1, %s0
// fault: %else1 = arith.select %taken1, %s2, %s1 => %else1 = arith.select %taken0, %s2, %s1
// fault: %else1 = arith.select %taken1, %s2, %s1 => %else1 = arith.constant 256
// fault: %q = memref.extract_aligned_pointer_as_index %y => %q = memref.extract_aligned_pointer_as_index %x
// fault: scf.yield %c, %x => memref.copy %in, %c : memref<16xf32> to memref<16xf32> "some.op"(%p) : (index) -> () scf.yield %c, %x
// CHECK-LABEL: func.func @rotate_three
func.func @rotate_three(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<320xi8>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %s0 = arith.constant 128 : index
  %s1 = arith.constant 192 : index
  %s2 = arith.constant 256 : index
  %stride = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<320xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<320xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b) -> (memref<16xf32>, memref<16xf32>) {
    %base = memref.extract_aligned_pointer_as_index %arena : memref<320xi8> -> index
    %p = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %y : memref<16xf32> -> index
    %dx = arith.subi %p, %base : index
    %dy = arith.subi %q, %base : index
    %dx0 = arith.subi %dx, %s0 : index
    %dy0 = arith.subi %dy, %s0 : index
    %x0 = arith.cmpi ult, %dx0, %stride : index
    %y0 = arith.cmpi ult, %dy0, %stride : index
    %taken0 = arith.ori %x0, %y0 : i1
    %dx1 = arith.subi %dx, %s1 : index
    %dy1 = arith.subi %dy, %s1 : index
    %x1 = arith.cmpi ult, %dx1, %stride : index
    %y1 = arith.cmpi ult, %dy1, %stride : index
    %taken1 = arith.ori %x1, %y1 : i1
    %else1 = arith.select %taken1, %s2, %s1 : index
    %shift = arith.select %taken0, %else1, %s0 : index
    %c = memref.view %arena[%shift][] {memplan.buffer = 2 : i64, memplan.slots = array<i64: 128, 192, 256>} : memref<320xi8> to memref<16xf32>
    linalg.add ins(%x, %y : memref<16xf32>, memref<16xf32>) outs(%c : memref<16xf32>)
    scf.yield %c, %x : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<320xi8>
  return
}

// 10. A while loop: what the condition reads, and what leaves through it.
// apart: 0-1 0-2 1-2
// CHECK-LABEL: func.func @while
func.func @while(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 128 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %r = scf.while (%x = %a) : (memref<16xf32>) -> memref<16xf32> {
    %t = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
    memref.copy %x, %t : memref<16xf32> to memref<16xf32>
    func.call @use(%t) : (memref<16xf32>) -> ()
    %more = func.call @cond() : () -> i1
    scf.condition(%more) %x : memref<16xf32>
  } do {
  ^bb0(%y: memref<16xf32>):
    memref.copy %y, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %d : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 11. A loop of blocks, with a block argument that refers to either of two buffers.
// apart: 0-1 0-2 1-2 0-3 1-3
// CHECK-LABEL: func.func @blocks
func.func @blocks(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 128 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  cf.br ^head(%a, %b : memref<16xf32>, memref<16xf32>)
^head(%x: memref<16xf32>, %y: memref<16xf32>):
  %t = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %x, %t : memref<16xf32> to memref<16xf32>
  memref.copy %t, %y : memref<16xf32> to memref<16xf32>
  %more = func.call @cond() : () -> i1
  cf.cond_br %more, ^head(%y, %x : memref<16xf32>, memref<16xf32>), ^exit(%y : memref<16xf32>)
^exit(%r: memref<16xf32>):
  %u = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %u : memref<16xf32> to memref<16xf32>
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.copy %u, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 12. A loop with two entries.
// apart: 0-1 0-2
// CHECK-LABEL: func.func @irreducible
func.func @irreducible(%in: memref<16xf32>, %out: memref<16xf32>, %which: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 64 : index
  %at3 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  cf.cond_br %which, ^one, ^two
^one:
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  cf.br ^two
^two:
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %a, %c : memref<16xf32> to memref<16xf32>
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  %more = func.call @cond() : () -> i1
  cf.cond_br %more, ^one, ^exit
^exit:
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %d : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 13. A parallel body has an arena of its own; what it touches outside lives through it.
// apart: 0-1 2-3
// fault: memref.view %own[%at3] => memref.view %arena[%at3]
// CHECK-LABEL: func.func @forall
func.func @forall(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at4 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  scf.forall (%i) in (4) {
    %own = memref.alloc() {memplan.arena} : memref<128xi8>
    %at2 = arith.constant 0 : index
    %at3 = arith.constant 64 : index
    %c = memref.view %own[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
    memref.copy %a, %c : memref<16xf32> to memref<16xf32>
    %d = memref.view %own[%at3][] {memplan.buffer = 3 : i64} : memref<128xi8> to memref<16xf32>
    memref.copy %c, %d : memref<16xf32> to memref<16xf32>
    memref.copy %d, %b : memref<16xf32> to memref<16xf32>
    memref.dealloc %own : memref<128xi8>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  %e = memref.view %arena[%at4][] {memplan.buffer = 4 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %e : memref<16xf32> to memref<16xf32>
  memref.copy %e, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// 14. The result of a call may be its argument.
// apart: 0-1
// CHECK-LABEL: func.func @call
func.func @call(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %r = func.call @same(%a) : (memref<16xf32>) -> memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  func.call @use(%b) : (memref<16xf32>) -> ()
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  func.call @use(%c) : (memref<16xf32>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// 15. One operation reads and writes, element by element.
// apart: 0-1 0=2 1=2
// CHECK-LABEL: func.func @at_once
func.func @at_once(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%c : memref<16xf32>)
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 16. Operations that nobody knows read and write their operands; their regions may run at any time.
// apart: 0-1 0-2 1-2
// CHECK-LABEL: func.func @unknown
func.func @unknown(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  "some.op"(%a) : (memref<16xf32>) -> ()
  %r = "some.regions"(%a) ({
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    "some.end"(%b) : (memref<16xf32>) -> ()
  }, {
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  }) : (memref<16xf32>) -> memref<16xf32>
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  "some.op"(%r, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  "some.op"(%d) : (memref<16xf32>) -> ()
  memref.dealloc %arena : memref<192xi8>
  return
}

// 17. What an asynchronous body touches is needed until its token was waited for.
// apart: 0-1 0-2 1-2 1-3
// CHECK-LABEL: func.func @async
func.func @async(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %token = async.execute {
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    async.yield
  }
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  async.await %token : !async.token
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %b, %d : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 18. Buffers of different arenas never meet, whatever their numbers.
// apart: 0-1
// CHECK-LABEL: func.func @spaces
func.func @spaces(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %other = memref.alloc() {memplan.arena} : memref<128xi8, 3>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  %c = memref.view %other[%at2][] {memplan.buffer = 0 : i64} : memref<128xi8, 3> to memref<16xf32, 3>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32, 3>
  linalg.add ins(%a, %c : memref<16xf32>, memref<16xf32, 3>) outs(%out : memref<16xf32>)
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  memref.dealloc %other : memref<128xi8, 3>
  return
}

// 19. Several ways out of a region, and one of many regions.
// apart: 0-1 0-2 1-2 0-3 2-3 1-3
// CHECK-LABEL: func.func @regions
func.func @regions(%in: memref<16xf32>, %out: memref<16xf32>, %which: index, %early: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 192 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r = scf.execute_region -> memref<16xf32> {
    cf.cond_br %early, ^one, ^two
  ^one:
    scf.yield %a : memref<16xf32>
  ^two:
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<256xi8> to memref<16xf32>
  %s = scf.index_switch %which -> memref<16xf32>
  case 2 {
    memref.copy %in, %c : memref<16xf32> to memref<16xf32>
    scf.yield %c : memref<16xf32>
  }
  default {
    scf.yield %r : memref<16xf32>
  }
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %d : memref<16xf32> to memref<16xf32>
  memref.copy %s, %out : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// 20. Buffers of no bytes meet nobody.
// CHECK-LABEL: func.func @empty
func.func @empty(%in: memref<16xf32>, %out: memref<16xf32>, %none: memref<0xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %first = arith.constant 0 : index
  %middle = arith.constant 32 : index
  %end = arith.constant 64 : index
  %a = memref.view %arena[%first][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%middle][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<0xf32>
  %c = memref.view %arena[%end][] {memplan.buffer = 2 : i64} : memref<64xi8> to memref<0xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %none, %b : memref<0xf32> to memref<0xf32>
  memref.copy %none, %c : memref<0xf32> to memref<0xf32>
  memref.copy %b, %none : memref<0xf32> to memref<0xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// 21. An allocation in an inner loop, needed in the outer one's next turn through a view.
// apart: 0-1
// also: 0 128-256, 1 128-256
// fault: %p = memref.extract_aligned_pointer_as_index %x => %p = memref.extract_aligned_pointer_as_index %b
// CHECK-LABEL: func.func @nested
func.func @nested(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %s0 = arith.constant 128 : index
  %s1 = arith.constant 192 : index
  %stride = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> memref<16xf32> {
    %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
    %inner = scf.for %j = %zero to %n step %one iter_args(%y = %x) -> memref<16xf32> {
      memref.copy %y, %b : memref<16xf32> to memref<16xf32>
      scf.yield %y : memref<16xf32>
    }
    %base = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
    %p = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
    %d = arith.subi %p, %base : index
    %d0 = arith.subi %d, %s0 : index
    %taken = arith.cmpi ult, %d0, %stride : index
    %shift = arith.select %taken, %s1, %s0 : index
    %c = memref.view %arena[%shift][] {memplan.buffer = 2 : i64, memplan.slots = array<i64: 128, 192>} : memref<256xi8> to memref<16xf32>
    %view = memref.subview %x[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
    %half = memref.subview %c[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
    memref.copy %view, %half : memref<8xf32, strided<[1]>> to memref<8xf32, strided<[1]>>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    scf.yield %c : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// 22. Nothing is planned: nothing to check.
// CHECK-LABEL: func.func @unplanned
func.func @unplanned(%in: memref<16xf32>) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  return %a : memref<16xf32>
}

// 23. A buffer that moves to where nothing is; another one stays.
// fault: memref.copy %b, %b2 {memplan.move} => memref.copy %b, %b2
// fault: memref.copy %b, %b2 {memplan.move} => memref.copy %a, %b2 {memplan.move}
// fault: memref.copy %b, %b2 {memplan.move} => memref.copy %b2, %b {memplan.move}
// fault: memref.copy %b, %b2 {memplan.move} => memref.copy %in, %b2 {memplan.move}
// fault: {memplan.buffer = 1 : i64, memplan.move} => {memplan.buffer = 1 : i64}
// fault: {memplan.buffer = 1 : i64, memplan.move} => {memplan.buffer = 4 : i64, memplan.move}
// fault: %goal = arith.constant 0 => %goal = arith.constant 32
// fault: %goal = arith.constant 0 => %goal = arith.constant 128
// fault: %goal = arith.constant 0 => %goal = arith.constant 64
// fault: %there = arith.constant 128 => %there = arith.constant 96
// fault: %above = arith.constant 64 => %above = arith.constant 32
// fault: %above = arith.constant 64 => %above = arith.constant 96
// fault: memref.copy %b2, %out => memref.copy %b, %out
// fault: memref.copy %in, %b2 => memref.copy %in, %b
// CHECK-LABEL: func.func @moved
func.func @moved(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %low = arith.constant 0 : index
  %middle = arith.constant 64 : index
  %there = arith.constant 128 : index
  %goal = arith.constant 0 : index
  %above = arith.constant 64 : index
  %a = memref.view %arena[%low][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.view %arena[%middle][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  %c = memref.view %arena[%there][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %b, %c : memref<16xf32> to memref<16xf32>
  %b2 = memref.view %arena[%goal][] {memplan.buffer = 1 : i64, memplan.move} : memref<192xi8> to memref<16xf32>
  memref.copy %b, %b2 {memplan.move} : memref<16xf32> to memref<16xf32>
  %d = memref.view %arena[%above][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %c, %d : memref<16xf32> to memref<16xf32>
  memref.copy %b2, %out : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b2 : memref<16xf32> to memref<16xf32>
  memref.copy %b2, %d : memref<16xf32> to memref<16xf32>
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 24. A buffer that moves down by less than its size, copied from below, on one of two ways.
// fault: memref.store %x, %b2[%i] => memref.store %x, %b2[%zero]
// fault: memref.load %b[%i] => memref.load %b2[%i]
// fault: %i = %zero to %all step => %i = %zero to %less step
// fault: %i = %zero to %all step => %i = %one to %all step
// fault: %goal = arith.constant 0 => %goal = arith.constant 64
// fault: } {memplan.move} => }
// fault: {memplan.buffer = 1 : i64, memplan.move} => {memplan.buffer = 1 : i64}
// fault: memref.copy %b2, %out => memref.copy %b, %out
// fault: %above = arith.constant 64 => %above = arith.constant 48
// CHECK-LABEL: func.func @moved_down
func.func @moved_down(%in: memref<16xf32>, %out: memref<16xf32>, %way: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %less = arith.constant 15 : index
  %all = arith.constant 16 : index
  %middle = arith.constant 32 : index
  %goal = arith.constant 0 : index
  %above = arith.constant 64 : index
  %b = memref.view %arena[%middle][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  cf.cond_br %way, ^here, ^there
^here:
  %b2 = memref.view %arena[%goal][] {memplan.buffer = 1 : i64, memplan.move} : memref<128xi8> to memref<16xf32>
  scf.for %i = %zero to %all step %one {
    %x = memref.load %b[%i] : memref<16xf32>
    memref.store %x, %b2[%i] : memref<16xf32>
  } {memplan.move}
  %d = memref.view %arena[%above][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %d : memref<16xf32> to memref<16xf32>
  memref.copy %b2, %out : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
^there:
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// 25. A buffer of two dimensions that moves up by less than its size, copied from above.
// fault: %at = arith.subi %last, %i => %at = arith.subi %all, %i
// fault: %at = arith.subi %last, %i => %at = arith.addi %last, %i
// fault: %last = arith.constant 15 => %last = arith.constant 14
// fault: memref.store %x, %to[%at] => memref.store %x, %to[%i]
// fault: %high = arith.constant 32 => %high = arith.constant 16
// fault: %start = arith.constant 16 => %start = arith.constant 48
// fault: memref.reinterpret_cast %b2 => memref.reinterpret_cast %b
// CHECK-LABEL: func.func @moved_up
func.func @moved_up(%in: memref<4x4xf32>, %out: memref<4x4xf32>, %some: memref<8xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<112xi8>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %all = arith.constant 16 : index
  %last = arith.constant 15 : index
  %start = arith.constant 16 : index
  %high = arith.constant 32 : index
  %b = memref.view %arena[%start][] {memplan.buffer = 1 : i64} : memref<112xi8> to memref<4x4xf32>
  memref.copy %in, %b : memref<4x4xf32> to memref<4x4xf32>
  %b2 = memref.view %arena[%high][] {memplan.buffer = 1 : i64, memplan.move} : memref<112xi8> to memref<4x4xf32>
  %from = memref.reinterpret_cast %b to offset: [0], sizes: [16], strides: [1] : memref<4x4xf32> to memref<16xf32>
  %to = memref.reinterpret_cast %b2 to offset: [0], sizes: [16], strides: [1] : memref<4x4xf32> to memref<16xf32>
  scf.for %i = %zero to %all step %one {
    %at = arith.subi %last, %i : index
    %x = memref.load %from[%at] : memref<16xf32>
    memref.store %x, %to[%at] : memref<16xf32>
  } {memplan.move}
  %d = memref.view %arena[%zero][] {memplan.buffer = 2 : i64} : memref<112xi8> to memref<8xf32>
  memref.copy %some, %d : memref<8xf32> to memref<8xf32>
  memref.copy %b2, %out : memref<4x4xf32> to memref<4x4xf32>
  memref.copy %d, %some : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<112xi8>
  return
}

// 26. A loop that turns once: nothing of it is there again.
// apart: 0-1
// fault: to %one step => to %two step
// CHECK-LABEL: func.func @once
func.func @once(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 0 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  scf.for %i = %zero to %one step %one {
    %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
    memref.copy %in, %c : memref<16xf32> to memref<16xf32>
    memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<128xi8>
  return
}

// 27. A callee without a body, or one that is a value, may store one argument in another, and use it when the caller has written
//     other buffers there; a callee with a body is not taken for one that does.
// apart: 0-1 1-2
// fault: call @use(%a) : (memref<16xf32>) => call @put(%box, %a) : (memref<1xmemref<16xf32>>, memref<16xf32>)
// fault: call @use(%a) : (memref<16xf32>) => call_indirect %f(%box, %a) : (memref<1xmemref<16xf32>>, memref<16xf32>)
// fault: call @use(%a) : (memref<16xf32>) => call @put_later(%a, %later) : (memref<16xf32>, !async.value<memref<1xmemref<16xf32>>>)
// fault: call @use(%a) : (memref<16xf32>) => call @put_unranked(%any, %a) : (memref<*xmemref<*xf32>>, memref<16xf32>)
// fault: call @use(%a) : (memref<16xf32>) => call @put_in_group(%group, %a) : (!async.group, memref<16xf32>)
// CHECK-LABEL: func.func @may_store
func.func @may_store(%in: memref<16xf32>, %out: memref<16xf32>, %box: memref<1xmemref<16xf32>>, %f: (memref<1xmemref<16xf32>>, memref<16xf32>) -> (), %later: !async.value<memref<1xmemref<16xf32>>>, %any: memref<*xmemref<*xf32>>, %group: !async.group) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  call @use(%a) : (memref<16xf32>) -> ()
  call @take(%box) : (memref<1xmemref<16xf32>>) -> ()
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  call @store_nothing(%box, %c) : (memref<1xmemref<16xf32>>, memref<16xf32>) -> ()
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// 28. Two buffers change places in each iteration of a loop: a constant trip count says which of them is read after it.
// apart: 0-1 0-2
// CHECK-LABEL: func.func @affine_never
func.func @affine_never(%x: memref<16xf32>, %f: f32) {
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = affine.for %i = 0 to 0 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    affine.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
  return
}
// apart: 0-1 0-2
// CHECK-LABEL: func.func @scf_never
func.func @scf_never(%x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %c0 step %c1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    scf.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
  return
}
// apart: 1-2
// CHECK-LABEL: func.func @affine_once
func.func @affine_once(%x: memref<16xf32>, %f: f32) {
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %at0 = arith.constant 64 : index
  %at1 = arith.constant 0 : index
  %at2 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = affine.for %i = 0 to 1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    affine.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
  return
}
// apart: 1-2
// CHECK-LABEL: func.func @scf_once
func.func @scf_once(%x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %at0 = arith.constant 64 : index
  %at1 = arith.constant 0 : index
  %at2 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    scf.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
  return
}
// apart: 0-1 0-2 1-2
// CHECK-LABEL: func.func @affine_many
func.func @affine_many(%x: memref<16xf32>, %f: f32) {
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = affine.for %i = 0 to 3 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    affine.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<192xi8>
  return
}
// apart: 0-1 0-2 1-2
// CHECK-LABEL: func.func @scf_many
func.func @scf_many(%x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    scf.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<192xi8>
  return
}
// One of two buffers in the same bytes, used only through a view of what it may be.
// apart: 0=1
// CHECK-LABEL: func.func @cast_of_one_of_two
func.func private @use_any(memref<?xf32>)
func.func @cast_of_one_of_two(%c: i1, %f: f32) {
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 0 : index
  %r = scf.if %c -> memref<16xf32> {
    %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  } else {
    %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  %d = memref.cast %r : memref<16xf32> to memref<?xf32>
  call @use_any(%d) : (memref<?xf32>) -> ()
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
  return
}
