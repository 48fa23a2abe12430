// Arenas of dynamic size that calls pass, and what size functions return.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(memplan-verify)'

// 1. As many bytes as the callee takes, computed by the same operations and by others.
func.func private @takes(%n: index, %given: memref<?xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 4503599627370496 : index
  %m = arith.minui %n, %most : index
  %bytes = arith.muli %m, %c4 : index
  %arena = memref.view %given[%c0][%bytes] {memplan.arena = 64 : i64} : memref<?xi8> to memref<?xi8>
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  return
}
func.func @enough(%n: index) {
  %c4 = arith.constant 4 : index
  %most = arith.constant 4503599627370496 : index
  %m = arith.minui %n, %most : index
  %bytes = arith.muli %m, %c4 : index
  %same = memref.alloc(%bytes) : memref<?xi8>
  call @takes(%n, %same) : (index, memref<?xi8>) -> ()
  %two = arith.constant 2 : index
  %shifted = arith.shli %n, %two : index
  %other = memref.alloc(%shifted) : memref<?xi8>
  call @takes(%n, %other) : (index, memref<?xi8>) -> ()
  %c5 = arith.constant 5 : index
  %static = memref.alloc() : memref<20xi8>
  %cast = memref.cast %static : memref<20xi8> to memref<?xi8>
  call @takes(%c5, %cast) : (index, memref<?xi8>) -> ()
  return
}

// -----

// 2. Fewer: of the same number, of another number that is smaller, and constant.
func.func private @takes(%n: index, %given: memref<?xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 4503599627370496 : index
  %m = arith.minui %n, %most : index
  %bytes = arith.muli %m, %c4 : index
  // expected-note @+1 {{taken here}}
  %arena = memref.view %given[%c0][%bytes] {memplan.arena = 64 : i64} : memref<?xi8> to memref<?xi8>
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  return
}
func.func @fewer(%n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %halves = arith.muli %n, %c2 : index
  %half = memref.alloc(%halves) : memref<?xi8>
  // expected-error @+1 {{the call passes an arena of 2 bytes where its callee takes 4 [memplan-E215]}}
  call @takes(%n, %half) : (index, memref<?xi8>) -> ()
  %next = arith.addi %n, %c1 : index
  %bytes = arith.shli %n, %c2 : index
  %smaller = memref.alloc(%bytes) : memref<?xi8>
  // expected-error @+1 {{the call passes an arena of 0 bytes where its callee takes 4 [memplan-E215]}}
  call @takes(%next, %smaller) : (index, memref<?xi8>) -> ()
  %c5 = arith.constant 5 : index
  %static = memref.alloc() : memref<19xi8>
  %cast = memref.cast %static : memref<19xi8> to memref<?xi8>
  // expected-error @+1 {{the call passes an arena of 19 bytes where its callee takes 20 [memplan-E215]}}
  call @takes(%c5, %cast) : (index, memref<?xi8>) -> ()
  return
}

// -----

// 3. Dimensions: of arguments, of allocations and of views.
func.func private @takes(%x: memref<?x8xf32>, %given: memref<?xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  // expected-note @+1 {{taken here}}
  %arena = memref.view %given[%c0][%n] {memplan.arena = 64 : i64} : memref<?xi8> to memref<?xi8>
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  return
}
func.func @dimensions(%x: memref<?x8xf32>, %k: index, %b: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %one = memref.alloc(%n) : memref<?xi8>
  call @takes(%x, %one) : (memref<?x8xf32>, memref<?xi8>) -> ()
  %y = memref.alloc(%k) : memref<?x8xf32>
  %two = memref.alloc(%k) : memref<?xi8>
  call @takes(%y, %two) : (memref<?x8xf32>, memref<?xi8>) -> ()
  %m = arith.subi %k, %c3 : index
  %z = memref.view %b[%c0][%k] : memref<?xi8> to memref<?x8xf32>
  %three = memref.view %b[%c0][%m] : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{the call passes an arena of -3 bytes where its callee takes 0 [memplan-E215]}}
  call @takes(%z, %three) : (memref<?x8xf32>, memref<?xi8>) -> ()
  %static = memref.alloc() : memref<4x8xf32>
  %cast = memref.cast %static : memref<4x8xf32> to memref<?x8xf32>
  %four = memref.alloc(%c3) : memref<?xi8>
  // expected-error @+1 {{the call passes an arena of 3 bytes where its callee takes 4 [memplan-E215]}}
  call @takes(%cast, %four) : (memref<?x8xf32>, memref<?xi8>) -> ()
  return
}

// -----

// 4. What only the caller knows is left to the assertion in the callee: a largest size, what it receives itself, what a size
// function returns, and what is read from memory.
func.func @takes(%n: index, %given: memref<?xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %arena = memref.view %given[%c0][%n] {memplan.arena = 64 : i64} : memref<?xi8> to memref<?xi8>
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  return
}
func.func private @size(index) -> index
func.func @unknown(%n: index, %k: index, %own: memref<?xi8>, %m: memref<index>) {
  %large = memref.alloc() : memref<4096xi8>
  %cast = memref.cast %large : memref<4096xi8> to memref<?xi8>
  call @takes(%n, %cast) : (index, memref<?xi8>) -> ()
  call @takes(%n, %own) : (index, memref<?xi8>) -> ()
  %one = memref.alloc(%k) : memref<?xi8>
  call @takes(%n, %one) : (index, memref<?xi8>) -> ()
  %size = call @size(%n) : (index) -> index
  %two = memref.alloc(%size) : memref<?xi8>
  call @takes(%n, %two) : (index, memref<?xi8>) -> ()
  %read = memref.load %m[] : memref<index>
  %three = memref.alloc(%read) : memref<?xi8>
  call @takes(%n, %three) : (index, memref<?xi8>) -> ()
  call @takes(%read, %three) : (index, memref<?xi8>) -> ()
  return
}

// -----

// 5. A private function does not compare, so that this has to be sure: neither the smaller one of two, nor what has nothing to
// do with what the callee takes.
func.func private @takes(%n: index, %m: index, %given: memref<?xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %bytes = arith.maxsi %n, %m : index
  // expected-note @+1 {{taken here}}
  %arena = memref.view %given[%c0][%bytes] {memplan.arena = 64 : i64} : memref<?xi8> to memref<?xi8>
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  return
}
func.func @sure(%n: index, %m: index, %z: index, %x: memref<?xindex>, %i: index) {
  %one = memref.alloc(%m) : memref<?xi8>
  // expected-error @+1 {{the call passes an arena of}}
  call @takes(%n, %m, %one) : (index, index, memref<?xi8>) -> ()
  %two = memref.alloc(%n) : memref<?xi8>
  // expected-error @+1 {{the call passes an arena of}}
  call @takes(%n, %m, %two) : (index, index, memref<?xi8>) -> ()
  %three = memref.alloc(%z) : memref<?xi8>
  // expected-error @+1 {{the bytes of the arena that the call passes cannot be compared with those that its callee takes}}
  call @takes(%n, %m, %three) : (index, index, memref<?xi8>) -> ()
  %static = memref.alloc() : memref<16xi8>
  %cast = memref.cast %static : memref<16xi8> to memref<?xi8>
  // expected-error @+1 {{cannot be compared}}
  call @takes(%n, %m, %cast) : (index, index, memref<?xi8>) -> ()
  // The dimension of a view may be this number.
  %part = memref.subview %x[0] [%z] [1] : memref<?xindex> to memref<?xindex, strided<[1]>>
  %c0 = arith.constant 0 : index
  %d = memref.dim %part, %c0 : memref<?xindex, strided<[1]>>
  call @takes(%d, %d, %three) : (index, index, memref<?xi8>) -> ()
  %read = memref.load %x[%i] : memref<?xindex>
  %sum = arith.addi %n, %read : index
  %most = arith.maxsi %read, %sum : index
  %four = memref.alloc(%most) : memref<?xi8>
  call @takes(%read, %sum, %four) : (index, index, memref<?xi8>) -> ()
  return
}

// -----

// 6. A size function that returns as many, and one that returns fewer.
func.func @returned_arena_size(%n: index, %c: i1) -> (index, index)
    attributes {memplan.dimensions = array<i64: 0, 0, 1, -1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %bytes = arith.select %c, %n, %c0 : index
  return %bytes, %c64 : index, index
}
func.func @returned(%x: memref<?xi8>, %c: i1, %given: memref<?xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi8>
  %bytes = arith.select %c, %n, %c0 : index
  %arena = memref.view %given[%c0][%bytes] {memplan.arena = 64 : i64} : memref<?xi8> to memref<?xi8>
  return
}
// expected-error @+1 {{the function returns 1 bytes where the arena takes 2 [memplan-E215]}}
func.func @less_arena_size(%n: index) -> (index, index) attributes {memplan.dimensions = array<i64: 0, 0>} {
  %c64 = arith.constant 64 : index
  return %n, %c64 : index, index
}
func.func @less(%x: memref<?xi8>, %given: memref<?xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi8>
  %bytes = arith.addi %n, %n : index
  // expected-note @+1 {{taken here}}
  %arena = memref.view %given[%c0][%bytes] {memplan.arena = 64 : i64} : memref<?xi8> to memref<?xi8>
  return
}

// -----

// 7. A constant, in another memory space, and another alignment.
// expected-error @+1 {{the bytes that the function returns cannot be compared with those of the arena [memplan-E215]}}
func.func @nothing_arena_size_1(%n: index) -> (index, index) attributes {memplan.dimensions = array<i64: 0, -1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  return %c0, %c64 : index, index
}
func.func @nothing(%n: index, %given: memref<?xi8, 1> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{taken here}}
  %arena = memref.view %given[%c0][%n] {memplan.arena = 64 : i64} : memref<?xi8, 1> to memref<?xi8, 1>
  return
}
// expected-error @+1 {{the function does not return the alignment 64 of the arena [memplan-E215]}}
func.func @anywhere_arena_size(%n: index) -> (index, index) attributes {memplan.dimensions = array<i64: 0, -1>} {
  %c1 = arith.constant 1 : index
  return %n, %c1 : index, index
}
func.func @anywhere(%n: index, %given: memref<?xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{taken here}}
  %arena = memref.view %given[%c0][%n] {memplan.arena = 64 : i64} : memref<?xi8> to memref<?xi8>
  return
}

// -----

// 8. Of static size: as large, less, and in another memory space.
func.func @static_arena_size() -> (index, index) {
  %c100 = arith.constant 100 : index
  %c64 = arith.constant 64 : index
  return %c100, %c64 : index, index
}
func.func @static(%given: memref<100xi8> {memplan.arena = 64 : i64}) {
  return
}
// expected-error @+1 {{the function does not return the arena's size 100 and its alignment 64 [memplan-E215]}}
func.func @small_arena_size_1() -> (index, index) {
  %c99 = arith.constant 99 : index
  %c64 = arith.constant 64 : index
  return %c99, %c64 : index, index
}
// expected-note @+1 {{taken here}}
func.func @small(%given: memref<100xi8, 1> {memplan.arena = 64 : i64}) {
  return
}
