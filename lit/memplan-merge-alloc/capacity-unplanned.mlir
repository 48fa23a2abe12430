// The capacity of a memory space is for all that is live there at once: allocations that are in no arena, too.
// RUN: %memplan-opt %s -split-input-file -verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify capacity=default:512})'

// 1. It fits: the result is allocated beside an arena of 256 bytes.
func.func @fits(%x: memref<64xf32>) -> memref<64xf32> {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  %r = memref.alloc() : memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%r : memref<64xf32>)
  return %r : memref<64xf32>
}

// -----

// 2. A result of 320 bytes does not.
// expected-error @+1 {{an arena of 256 bytes and allocations in no arena of 320 bytes take 576 bytes, more than its capacity of 512 [memplan-E101]}}
func.func @result(%x: memref<64xf32>) -> memref<80xf32> {
  // expected-note @+1 {{live at the peak: 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  // expected-note @+1 {{in no arena: 320 bytes}}
  %r = memref.alloc() : memref<80xf32>
  %s = memref.subview %r[0] [64] [1] : memref<80xf32> to memref<64xf32, strided<[1]>>
  linalg.exp ins(%a : memref<64xf32>) outs(%s : memref<64xf32, strided<[1]>>)
  return %r : memref<80xf32>
}

// -----

// 3. There is no arena.
// expected-error @+1 {{allocations in no arena take 1024 bytes, more than its capacity of 512 [memplan-E101]}}
func.func @alone(%x: memref<256xf32>) -> memref<256xf32> {
  // expected-note @+1 {{in no arena: 1024 bytes}}
  %r = memref.alloc() : memref<256xf32>
  memref.copy %x, %r : memref<256xf32> to memref<256xf32>
  return %r : memref<256xf32>
}

// -----

// 4. A callee allocates its result while its caller has an arena.
func.func private @callee(%x: memref<64xf32>) -> memref<64xf32> {
  %r = memref.alloc() : memref<64xf32>
  memref.copy %x, %r : memref<64xf32> to memref<64xf32>
  return %r : memref<64xf32>
}
// expected-error @+1 {{an arena of 320 bytes and memory of callees and parallel bodies of 256 bytes take 576 bytes, more than its capacity of 512 [memplan-E101]}}
func.func @caller(%x: memref<80xf32>, %y: memref<64xf32>) {
  // expected-note @+1 {{live at the peak: 320 bytes}}
  %a = memref.alloc() : memref<80xf32>
  memref.copy %x, %a : memref<80xf32> to memref<80xf32>
  %r = call @callee(%y) : (memref<64xf32>) -> memref<64xf32>
  memref.copy %a, %x : memref<80xf32> to memref<80xf32>
  memref.copy %r, %y : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 5. Another memory space has no limit.
func.func @elsewhere(%x: memref<256xf32>) -> memref<256xf32, 1> {
  %r = memref.alloc() : memref<256xf32, 1>
  memref.copy %x, %r : memref<256xf32> to memref<256xf32, 1>
  return %r : memref<256xf32, 1>
}
