// An asynchronous operation needs its memory until a wait covers it, on every path. Tokens that leave the function or a
// body. Each buffer has 256 bytes: %a is used by the operation, %b before the wait, %c after it, where these names are
// used.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify in-place=false})' \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

// 1. Handed to the caller, to a call, or dropped.
func.func private @use(memref<64xf32>)
func.func private @wait(!async.token)
func.func @passed_on() -> !async.token {
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %c = memref.alloc() : memref<64xf32>
  %t = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  %u = async.execute {
    func.call @use(%b) : (memref<64xf32>) -> ()
    async.yield
  }
  %v = async.execute {
    func.call @use(%c) : (memref<64xf32>) -> ()
    async.yield
  }
  func.call @wait(%u) : (!async.token) -> ()
  return %t : !async.token
}

// -----

// 2. Handed to a call, and awaited here: the call may wait, or not.
func.func private @use(memref<64xf32>)
func.func private @wait(!async.token)
func.func @passed_on_and_awaited() {
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %c = memref.alloc() : memref<64xf32>
  %t = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  func.call @wait(%t) : (!async.token) -> ()
  func.call @use(%b) : (memref<64xf32>) -> ()
  async.await %t : !async.token
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 3. A body has an arena of its own for what it allocates. An operation that the body starts and does not await is
// still pending when the arena is freed.
func.func private @use(memref<64xf32>)
func.func @in_a_body() {
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  %t = async.execute {
    // expected-remark @+1 {{[asynchronous]}}
    %c = memref.alloc() : memref<64xf32>
    // expected-remark @+1 {{of an arena of 512 bytes}}
    %d = memref.alloc() : memref<64xf32>
    // expected-remark @+1 {{of an arena of 512 bytes}}
    %e = memref.alloc() : memref<64xf32>
    %u = async.execute {
      func.call @use(%a) : (memref<64xf32>) -> ()
      async.yield
    }
    %v = async.execute {
      func.call @use(%c) : (memref<64xf32>) -> ()
      async.yield
    }
    %w = async.execute {
      func.call @use(%d) : (memref<64xf32>) -> ()
      async.yield
    }
    func.call @use(%e) : (memref<64xf32>) -> ()
    async.await %w : !async.token
    func.call @use(%e) : (memref<64xf32>) -> ()
    async.yield
  }
  async.await %t : !async.token
  func.call @use(%b) : (memref<64xf32>) -> ()
  return
}
