// Correct plans that move buffers.
// tests/verify_faults.rs seeds faults into them: see valid-straight-line.mlir.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-verify)' | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -o /dev/null

// 1. A buffer that moves to where nothing is; another one stays.
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

// 2. A buffer that moves down by less than its size, copied from below, on one of two paths.
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
func.func @moved_down(%in: memref<16xf32>, %out: memref<16xf32>, %path: i1) {
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
  cf.cond_br %path, ^here, ^there
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

// 3. A buffer of two dimensions that moves up by less than its size, copied from above.
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
