// Errors and remarks.
// RUN: %memplan-opt %s --split-input-file -verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/two.toml budget=1:256 remarks=true})'
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{budget=1:x})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BYTES
// BYTES: memplan-assign-spaces: option 'budget' takes [SPACE:]BYTES, such as default:65536, 1:4KiB or 1MiB, not '1:x'
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{budget=1:5,1:6})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
// TWICE: option 'budget' has two entries for the memory space of '1:6'
// RUN: not %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/two.toml budget=3:64})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: option 'budget' names memory space 3, which the machine has not
// RUN: not %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/two.toml budget=1:1KiB})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ABOVE
// ABOVE: option 'budget' gives 1024 bytes to memory space 1, which has 512
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{budget=l1:64})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WORD
// WORD: option 'budget': 'l1' is not a memory space
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{machine=/no/such/file})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FILE
// FILE: cannot read the machine '/no/such/file'
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{ \
// RUN:   budget=1:9,2:9,3:9,4:9,5:9,6:9,7:9,8:9,9:9,10:9,11:9,12:9,13:9,14:9,15:9,16:9})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MANY
// MANY: 17 memory spaces with the default one, at most 16 are possible
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-assign-spaces{curve=%t.json}))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MODULE
// MODULE: curve concerns more than one function: schedule the pass on builtin.module [memplan-E004]
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-assign-spaces{curve=-})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CURVE
// CURVE: "functions"

// 1. An operation that needs its operands in the space.
func.func private @other(memref<64xf32, 1>, memref<64xf32, 1>) attributes {memplan.nocallback}
func.func @call(%x: memref<64xf32>) {
  // expected-note @+1 {{256 bytes are needed there}}
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  // expected-note @+1 {{256 bytes are needed there}}
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32, 1>)
  // expected-error @+2 {{needs 512 bytes of memory space 1 at once, which has 256 [memplan-E125]}}
  // expected-note-re @+1 {{two.toml:3: the space is described here}}
  call @other(%a, %b) : (memref<64xf32, 1>, memref<64xf32, 1>) -> ()
  return
}

// -----

// 2. The remarks.
// expected-remark @+1 {{0 copies of 0 bytes between memory spaces; buffers cost 5632 unit, the least possible; without limits 1024 [memplan-R418]}}
func.func @moved(%x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-remark @+1 {{256 bytes are in memory space default [memplan-R417]}}
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32, 1>)
  linalg.add ins(%a, %b : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  return
}

// -----

// 3. Nothing to do.
func.func @empty() {
  return
}
func.func private @declared(memref<4xf32, 1>)

// -----

// 4. A callee that needs what its caller must have there.
func.func private @take(memref<32xf32, 1>) attributes {memplan.nocallback}
// expected-note @+1 {{callers need 256 bytes at the same time}}
func.func private @callee(%x: memref<64xf32, 1>) {
  // expected-note @+1 {{128 bytes are needed there}}
  %t = memref.alloc() : memref<32xf32, 1>
  // expected-error @+2 {{needs 384 bytes of memory space 1 at once, which has 256 [memplan-E125]}}
  // expected-note-re @+1 {{two.toml:3: the space is described here}}
  call @take(%t) : (memref<32xf32, 1>) -> ()
  return
}
func.func @passes(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  call @callee(%a) : (memref<64xf32, 1>) -> ()
  return
}
