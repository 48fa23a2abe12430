// An asynchronous operation needs its memory until a wait covers it, on every path. Waits in loops. Each buffer has 256
// bytes: %a is used by the operation, %b before the wait, %c after it, where these names are used.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify in-place=false})' \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

// 1. Awaited in a loop that may run zero times.
func.func private @use(memref<64xf32>)
func.func @in_a_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %t = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  scf.for %i = %c0 to %n step %c1 {
    async.await %t : !async.token
  }
  return
}

// -----

// 2. Awaited in a loop that runs once at least.
func.func private @use(memref<64xf32>)
func.func @in_a_loop_that_runs(%go: i1) {
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
  func.call @use(%b) : (memref<64xf32>) -> ()
  cf.br ^loop
^loop:
  async.await %t : !async.token
  func.call @use(%c) : (memref<64xf32>) -> ()
  cf.cond_br %go, ^loop, ^end
^end:
  return
}

// -----

// 3. Carried by a loop and awaited one iteration late: %a is in use all the time, also by the next iteration. %b is
// not.
func.func private @use(memref<64xf32>)
func.func @one_iteration_late(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %c = memref.alloc() : memref<64xf32>
  %none = async.execute {
    async.yield
  }
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> !async.token {
    %t = async.execute {
      func.call @use(%a) : (memref<64xf32>) -> ()
      async.yield
    }
    func.call @use(%b) : (memref<64xf32>) -> ()
    async.await %before : !async.token
    scf.yield %t : !async.token
  }
  func.call @use(%b) : (memref<64xf32>) -> ()
  async.await %last : !async.token
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 4. As before, but the operation's buffer is allocated in the loop: the older instance is pending when it is
// allocated again.
func.func private @use(memref<64xf32>)
func.func @made_in_the_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = async.execute {
    async.yield
  }
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> !async.token {
    // expected-remark @+1 {{it is allocated again while an asynchronous operation may still use it [pending-again]}}
    %a = memref.alloc() : memref<64xf32>
    %t = async.execute {
      func.call @use(%a) : (memref<64xf32>) -> ()
      async.yield
    }
    async.await %before : !async.token
    scf.yield %t : !async.token
  }
  async.await %last : !async.token
  return
}

// -----

// 5. The operation is awaited before the buffer is allocated again: one slice is enough.
func.func private @use(memref<64xf32>)
func.func @awaited_before_the_next(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = async.execute {
    async.yield
  }
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %c = memref.alloc() : memref<64xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> !async.token {
    async.await %before : !async.token
    // expected-remark @+1 {{of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    %t = async.execute {
      func.call @use(%a) : (memref<64xf32>) -> ()
      async.yield
    }
    scf.yield %t : !async.token
  }
  async.await %last : !async.token
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 6. The token of the last iteration is dropped: it is never awaited.
func.func private @use(memref<64xf32>)
func.func @last_one_dropped(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %none = async.execute {
    async.yield
  }
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> !async.token {
    async.await %before : !async.token
    %t = async.execute {
      func.call @use(%a) : (memref<64xf32>) -> ()
      async.yield
    }
    scf.yield %t : !async.token
  }
  return
}

// -----

// 7. Two buffers that alternate: the loop swaps their tokens, and each is awaited two iterations later.
func.func private @use(memref<64xf32>)
func.func @in_iterations(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %c = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %d = memref.alloc() : memref<64xf32>
  %none = async.execute {
    async.yield
  }
  %p, %q = scf.for %i = %c0 to %n step %c1 iter_args(%older = %none, %newer = %none) -> (!async.token, !async.token) {
    async.await %older : !async.token
    %t = async.execute {
      func.call @use(%a) : (memref<64xf32>) -> ()
      async.yield
    }
    %u = async.execute [%t, %newer] {
      func.call @use(%b) : (memref<64xf32>) -> ()
      async.yield
    }
    func.call @use(%c) : (memref<64xf32>) -> ()
    scf.yield %newer, %u : !async.token, !async.token
  }
  async.await %p : !async.token
  func.call @use(%c) : (memref<64xf32>) -> ()
  async.await %q : !async.token
  func.call @use(%d) : (memref<64xf32>) -> ()
  return
}
