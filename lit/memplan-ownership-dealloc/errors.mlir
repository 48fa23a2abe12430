// What cannot be handled is told at the operation; what touches no memref is no obstacle.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' --split-input-file --verify-diagnostics -o /dev/null

// 1. An operation of unknown effects.
func.func @unknown() {
  %a = memref.alloc() : memref<8xf32>
  // expected-error @+1 {{'test.use' uses memrefs, but does not say how: let it implement MemoryEffectOpInterface}}
  "test.use"(%a) : (memref<8xf32>) -> ()
  return
}

// -----

// 2. One that touches no memref.
func.func @elsewhere(%x: i32) {
  %a = memref.alloc() : memref<8xf32>
  "test.use"(%x) : (i32) -> ()
  return
}

// -----

// 3. A free of memory that may be an argument.
func.func @mixed(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %x : memref<8xf32>
  // expected-error @+1 {{'memref.dealloc' frees memory that may be the function's or someone else's}}
  memref.dealloc %s : memref<8xf32>
  return
}

// -----

// 4. memref.realloc has to be expanded.
func.func @realloc(%n: index) {
  %a = memref.alloc() : memref<8xf32>
  // expected-error @+1 {{'memref.realloc' has to be expanded first: run expand-realloc before}}
  %b = memref.realloc %a(%n) : memref<8xf32> to memref<?xf32>
  return
}

// -----

// 5. The caller of a function that returns its argument gets a copy.
func.func @argument(%x: memref<8xf32>) -> memref<8xf32> {
  // expected-warning @+1 {{returns memory that the function does not own: the caller gets a copy}}
  return %x : memref<8xf32>
}

// -----

// 6. A memref that is still to come is handed to the caller, but belongs to somebody else.
func.func @not_ours(%v: !async.value<memref<8xf32>>) -> !async.value<memref<8xf32>> {
  // expected-error @+1 {{'func.return' hands a memref that is still to come to the caller, who would own it, but it may be someone else's}}
  return %v : !async.value<memref<8xf32>>
}
