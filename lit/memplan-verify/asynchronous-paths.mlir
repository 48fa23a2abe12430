// Plans that reuse the bytes of a pending asynchronous operation: waits on some paths, and for one of several tokens.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. Used in the same bytes before the wait; after it that is fine, and so is a second wait.
func.func private @use(memref<16xf32>)
func.func @before_the_wait() {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  // expected-note @+1 {{started here}}
  %t = async.execute {
    func.call @use(%a) : (memref<16xf32>) -> ()
    async.yield
  }
  // expected-error @+1 {{buffer 1 is used while an asynchronous operation may use buffer 0 in the same bytes [memplan-E205]}}
  func.call @use(%b) : (memref<16xf32>) -> ()
  async.await %t : !async.token
  func.call @use(%b) : (memref<16xf32>) -> ()
  async.await %t : !async.token
  func.call @use(%b) : (memref<16xf32>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 2. Awaited on one path only.
func.func private @use(memref<16xf32>)
func.func @on_one_path(%which: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  // expected-note @+1 {{started here}}
  %t = async.execute {
    func.call @use(%a) : (memref<16xf32>) -> ()
    async.yield
  }
  scf.if %which {
    async.await %t : !async.token
    func.call @use(%b) : (memref<16xf32>) -> ()
  }
  // expected-error @+1 {{buffer 1 is used while an asynchronous operation may use buffer 0 in the same bytes [memplan-E205]}}
  func.call @use(%b) : (memref<16xf32>) -> ()
  async.await %t : !async.token
  func.call @use(%b) : (memref<16xf32>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 3. A wait in a loop that may run zero times.
func.func private @use(memref<16xf32>)
func.func @in_a_loop(%n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  // expected-note @+1 {{started here}}
  %t = async.execute {
    func.call @use(%a) : (memref<16xf32>) -> ()
    async.yield
  }
  scf.for %i = %c0 to %n step %c1 {
    async.await %t : !async.token
  }
  // expected-error @+1 {{buffer 1 is used while an asynchronous operation may use buffer 0 in the same bytes [memplan-E205]}}
  func.call @use(%b) : (memref<16xf32>) -> ()
  async.await %t : !async.token
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 4. Never awaited: it may be pending when the arena is freed.
func.func private @use(memref<16xf32>)
func.func @never_awaited() {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  // expected-note @+1 {{started here}}
  %t = async.execute {
    func.call @use(%a) : (memref<16xf32>) -> ()
    async.yield
  }
  // expected-error @+1 {{an asynchronous operation may use buffer 0 after its arena is freed or its function returns [memplan-E206]}}
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 5. Never awaited, in an arena of the caller.
func.func private @use(memref<16xf32>)
func.func @borrowed_slice(%arena: memref<128xi8> {memplan.arena}) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  // expected-note @+1 {{started here}}
  %t = async.execute {
    func.call @use(%a) : (memref<16xf32>) -> ()
    async.yield
  }
  // expected-error @+1 {{an asynchronous operation may use buffer 0 after its arena is freed or its function returns [memplan-E206]}}
  return
}

// -----

// 6. One of two tokens is awaited.
func.func private @use(memref<16xf32>)
func.func @one_of_two(%which: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  // expected-note @+1 {{started here}}
  %t = async.execute {
    func.call @use(%a) : (memref<16xf32>) -> ()
    async.yield
  }
  %u = async.execute {
    async.yield
  }
  cf.cond_br %which, ^wait(%t : !async.token), ^wait(%u : !async.token)
^wait(%one: !async.token):
  async.await %one : !async.token
  // expected-error @+1 {{buffer 1 is used while an asynchronous operation may use buffer 0 in the same bytes [memplan-E205]}}
  func.call @use(%b) : (memref<16xf32>) -> ()
  async.await %t : !async.token
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 7. Both paths pass on a token of the operation that they started: the wait covers both.
func.func private @use(memref<16xf32>)
func.func @each_on_its_path(%which: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  %one = scf.if %which -> !async.token {
    %t = async.execute {
      func.call @use(%a) : (memref<16xf32>) -> ()
      async.yield
    }
    scf.yield %t : !async.token
  } else {
    %u = async.execute {
      func.call @use(%a) : (memref<16xf32>) -> ()
      async.yield
    }
    scf.yield %u : !async.token
  }
  async.await %one : !async.token
  func.call @use(%b) : (memref<16xf32>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 8. A choice between a token that covers it and one that does not.
func.func private @use(memref<16xf32>)
func.func @chosen(%which: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  // expected-note @+1 {{started here}}
  %t = async.execute {
    func.call @use(%a) : (memref<16xf32>) -> ()
    async.yield
  }
  %u = async.execute {
    async.yield
  }
  %one = arith.select %which, %t, %u : !async.token
  async.await %one : !async.token
  // expected-error @+1 {{buffer 1 is used while an asynchronous operation may use buffer 0 in the same bytes [memplan-E205]}}
  func.call @use(%b) : (memref<16xf32>) -> ()
  async.await %t : !async.token
  memref.dealloc %arena : memref<128xi8>
  return
}
