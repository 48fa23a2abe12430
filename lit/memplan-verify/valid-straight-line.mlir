// Correct plans of straight-line code. tests/verify_faults.rs seeds faults into all valid-*.mlir:
//
// * `apart:` lists the pairs of buffers that must not share bytes. Each buffer N whose place is a constant `%atN` is
//   moved over its arena: an error is expected if and only if the buffer leaves the arena or meets one that it must be
//   apart from. A pair A=B may share all of its bytes, but not some of them. `also:` lists bytes of the arena that a
//   buffer must be apart from.
// * `fault: OLD => NEW` replaces text, and an error is expected.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-verify)' | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -o /dev/null

// 1. A chain: each buffer dies when the next one is written.
// apart: 0-1 1-2
// fault: memref<128xi8> => memref<127xi8>
// fault: memplan.buffer = 2 : i64 => memplan.buffer = 1 : i64
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

// 5. One operation reads and writes, element by element.
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

// 6. Unknown operations read and write their operands; their regions may run at any time.
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

// 7. Buffers of different arenas never meet, whatever their numbers.
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

// 8. Buffers without bytes never conflict.
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

// 9. Nothing is planned: nothing to check.
// CHECK-LABEL: func.func @unplanned
func.func @unplanned(%in: memref<16xf32>) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  return %a : memref<16xf32>
}
