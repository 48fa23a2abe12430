// Plans that reuse the bytes of a pending asynchronous operation: tokens, groups and tags in loops.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. The token of a loop is awaited one iteration late: in between the buffer is written again.
func.func private @use(memref<16xf32>)
func.func @one_iteration_late(%n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %none = async.execute {
    async.yield
  }
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> !async.token {
    // expected-error @+1 {{buffer 0 is created again while an asynchronous operation may use it [memplan-E205]}}
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
    // expected-note @+1 {{started here}}
    %t = async.execute {
      func.call @use(%a) : (memref<16xf32>) -> ()
      async.yield
    }
    async.await %before : !async.token
    scf.yield %t : !async.token
  }
  async.await %last : !async.token
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 2. The token of the last iteration is dropped.
func.func private @use(memref<16xf32>)
func.func @last_one_dropped(%n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %none = async.execute {
    async.yield
  }
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> !async.token {
    async.await %before : !async.token
    // expected-note @+1 {{started here}}
    %t = async.execute {
      func.call @use(%a) : (memref<16xf32>) -> ()
      async.yield
    }
    scf.yield %t : !async.token
  }
  // expected-error @+1 {{an asynchronous operation may use buffer 0 after its arena is freed or its function returns [memplan-E206]}}
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 3. Added to a group after the wait for it.
func.func private @use(memref<16xf32>)
func.func @group() {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  %group = async.create_group %c1 : !async.group
  // expected-note @+1 {{started here}}
  %t = async.execute {
    func.call @use(%a) : (memref<16xf32>) -> ()
    async.yield
  }
  async.await_all %group
  %r = async.add_to_group %t, %group : !async.token
  // expected-error @+1 {{buffer 1 is used while an asynchronous operation may use buffer 0 in the same bytes [memplan-E205]}}
  func.call @use(%b) : (memref<16xf32>) -> ()
  async.await_all %group
  func.call @use(%b) : (memref<16xf32>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 4. A group of another iteration.
func.func private @use(memref<16xf32>)
func.func @other_group(%n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %group = async.create_group %c1 : !async.group
    async.await_all %group
    // expected-note @+1 {{started here}}
    %t = async.execute {
      func.call @use(%a) : (memref<16xf32>) -> ()
      async.yield
    }
    %r = async.add_to_group %t, %group : !async.token
  }
  // expected-error @+1 {{an asynchronous operation may use buffer 0 after its arena is freed or its function returns [memplan-E206]}}
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 5. The index of the tag differs in the next iteration.
func.func private @use(memref<16xf32>)
func.func @next_iteration(%in: memref<16xf32, 1>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  scf.for %i = %c0 to %n step %c1 {
    memref.dma_wait %tag[%i], %c16 : memref<2xi32>
    // expected-note @+1 {{started here}}
    memref.dma_start %in[%c0], %a[%c0], %c16, %tag[%i] : memref<16xf32, 1>, memref<16xf32>, memref<2xi32>
  }
  // expected-error @+1 {{an asynchronous operation may use buffer 0 after its arena is freed or its function returns [memplan-E206]}}
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 6. The buffer of the last iteration is written later than the new one, which is in the same slot.
func.func @last_one_written(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = arith.constant 1.0 : f32
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %a) -> memref<16xf32> {
    // expected-error @+1 {{buffer 1 is created again while an asynchronous operation may use it [memplan-E205]}}
    %b = memref.view %arena[%c64][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
    // expected-note @+1 {{started here}}
    %t = async.execute {
      linalg.fill ins(%x : f32) outs(%before : memref<16xf32>)
      async.yield
    }
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    async.await %t : !async.token
    scf.yield %b : memref<16xf32>
  }
  memref.dealloc %arena : memref<128xi8>
  return
}
