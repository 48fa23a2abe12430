// Correct plans whose slots rotate over the iterations of a loop.
// tests/verify_faults.rs seeds faults into them: see valid-straight-line.mlir.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-verify)' | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -o /dev/null

// 1. Each iteration of a loop reads the buffer of the last one: two alternating slots.
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

// 2. A loop that needs the last two iterations: three slots, and two values that hold two of them.
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

// 3. An allocation in an inner loop, needed in the outer one's next iteration through a view.
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

func.func private @forward(%x: memref<16xf32> {memplan.donated}, %y: memref<16xf32>) -> memref<16xf32> { return %x : memref<16xf32> }

// 4. A callee receives the new buffer as its own, beside that of the last iteration, which lies in another slot.
// also: 0 64-192
// fault: call @forward(%b, %x) => call @forward(%b, %b)
// fault: call @forward(%b, %x) => call @forward(%x, %x)
// fault: call @forward(%b, %x) => call @forward(%b, %either)
// fault: %p = memref.extract_aligned_pointer_as_index %x => %p = memref.extract_aligned_pointer_as_index %a
// fault: arith.select %taken, %s1, %s0 => arith.select %taken, %s0, %s1
// CHECK-LABEL: func.func @donated
func.func @donated(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %at0 = arith.constant 0 : index
  %s0 = arith.constant 64 : index
  %s1 = arith.constant 128 : index
  %stride = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  cf.br ^loop(%zero, %a : index, memref<16xf32>)
^loop(%i: index, %x: memref<16xf32>):
  %base = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
  %p = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
  %d = arith.subi %p, %base : index
  %d0 = arith.subi %d, %s0 : index
  %taken = arith.cmpi ult, %d0, %stride : index
  %shift = arith.select %taken, %s1, %s0 : index
  %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %next = arith.addi %i, %one : index
  %more = arith.cmpi ult, %next, %n : index
  %either = arith.select %more, %b, %x : memref<16xf32>
  %r = func.call @forward(%b, %x) : (memref<16xf32>, memref<16xf32>) -> memref<16xf32>
  cf.cond_br %more, ^loop(%next, %r : index, memref<16xf32>), ^after
^after:
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}
