// Buffers that are larger than an arena may be.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{arena-limit=1KiB})'

// 1. The buffer itself.
func.func @larger(%x: memref<512xf32>, %y: memref<512xf32>) {
  // expected-error @+1 {{it takes 2048 bytes, more than arena-limit=1024 [memplan-E113]}}
  %a = memref.alloc() : memref<512xf32>
  memref.copy %x, %a : memref<512xf32> to memref<512xf32>
  memref.copy %a, %y : memref<512xf32> to memref<512xf32>
  return
}

// -----

// 2. What callers pass is one arena for each memory space.
// expected-error @+1 {{the arena takes 1536 bytes, more than arena-limit=1024 [memplan-E113]}}
func.func @passed(%x: memref<192xf32>, %y: memref<192xf32>) attributes {memplan.arena_in = "arg"} {
  %a = memref.alloc() : memref<192xf32>
  %b = memref.alloc() : memref<192xf32>
  memref.copy %x, %a : memref<192xf32> to memref<192xf32>
  memref.copy %y, %b : memref<192xf32> to memref<192xf32>
  memref.copy %a, %y : memref<192xf32> to memref<192xf32>
  memref.copy %b, %x : memref<192xf32> to memref<192xf32>
  return
}

// -----

// 3. Its offset is above the limit.
func.func @given(%x: memref<16xf32>) {
  // expected-error @+1 {{it ends at byte 2112 of an arena, above arena-limit=1024: its offset is given, or the addresses below are excluded [memplan-E113]}}
  %a = memref.alloc() {memplan.offset = 2048 : i64} : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}
