// The capacity of a memory space is for all arenas that exist at once: those of callees and parallel bodies, too.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify capacity=default:512,1:256})' \
// RUN:   -split-input-file -verify-diagnostics -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify capacity=default:1024,1:512})' \
// RUN:   -split-input-file -o /dev/null

// 1. The arena of a callee of a callee.
func.func private @leaf(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%x : memref<64xf32>)
  return
}
func.func private @between(%x: memref<64xf32>) {
  call @leaf(%x) : (memref<64xf32>) -> ()
  return
}
// expected-error @+1 {{an arena of 256 bytes and memory of callees and parallel bodies of 512 bytes take 768 bytes, more than its capacity of 512 [memplan-E101]}}
func.func @top(%x: memref<64xf32>) {
  // expected-note @+1 {{live at the peak: 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  call @between(%a) : (memref<64xf32>) -> ()
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 2. Callees after each other need no more than the largest; another memory space is counted by itself.
func.func private @one(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}
func.func private @other(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
  memref.copy %a, %x : memref<64xf32, 1> to memref<64xf32>
  return
}
func.func @after_each_other(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  call @one(%a) : (memref<64xf32>) -> ()
  call @one(%a) : (memref<64xf32>) -> ()
  call @other(%a) : (memref<64xf32>) -> ()
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 3. A parallel body, and a call in it.
func.func private @leaf(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}
// expected-error @+1 {{an arena of 256 bytes and memory of callees and parallel bodies of 512 bytes take 768 bytes, more than its capacity of 512 [memplan-E101]}}
func.func @parallel(%x: memref<64xf32>, %n: index) {
  // expected-note @+1 {{live at the peak: 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  scf.forall (%i) in (%n) {
    %b = memref.alloc() : memref<64xf32>
    memref.copy %a, %b : memref<64xf32> to memref<64xf32>
    func.call @leaf(%b) : (memref<64xf32>) -> ()
    memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  }
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 4. A recursive function: one activation counts.
func.func private @again(%x: memref<64xf32>, %c: i1) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  scf.if %c {
    func.call @again(%a, %c) : (memref<64xf32>, i1) -> ()
  }
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}
