// What goes on when control has passed it needs its memory until a wait covers it, on every path: waits in other
// blocks and regions, and tokens that are handed on. Each buffer is one of 256 bytes: %a is used by what was started,
// %b before the wait, %c behind it, where these names are used.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify in-place=false})' \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

// 1. Awaited in both branches, each time at another point: %b is used before the wait of one of them.
func.func private @use(memref<64xf32>)
func.func @in_both_branches(%which: i1) {
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
  scf.if %which {
    async.await %t : !async.token
    func.call @use(%c) : (memref<64xf32>) -> ()
  } else {
    func.call @use(%b) : (memref<64xf32>) -> ()
    async.await %t : !async.token
  }
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 2. Awaited in one of two branches, and behind them: pending between the two on one path.
func.func private @use(memref<64xf32>)
func.func @in_one_branch(%which: i1) {
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
  scf.if %which {
    async.await %t : !async.token
  }
  func.call @use(%b) : (memref<64xf32>) -> ()
  async.await %t : !async.token
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 3. Awaited in one of two branches alone: it may go on when the arena is freed.
func.func private @use(memref<64xf32>)
func.func @in_one_branch_alone(%which: i1) {
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %t = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  scf.if %which {
    async.await %t : !async.token
  }
  return
}

// -----

// 4. Awaited in a loop that may run zero times.
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

// 5. Awaited in a loop that runs once at least.
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

// 6. Awaited in the block after a branch; the one that is not on the way does not count.
func.func private @use(memref<64xf32>)
func.func @in_another_block(%which: i1) {
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
  cf.cond_br %which, ^left, ^right
^left:
  func.call @use(%b) : (memref<64xf32>) -> ()
  cf.br ^join
^right:
  async.await %t : !async.token
  func.call @use(%c) : (memref<64xf32>) -> ()
  cf.br ^join
^join:
  async.await %t : !async.token
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 7. A wait that is never reached covers nothing.
func.func private @use(memref<64xf32>)
func.func @unreachable() {
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %t = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  return
^never:
  async.await %t : !async.token
  cf.br ^never
}

// -----

// 8. One of two tokens is handed to a block, which waits for it: each is awaited on one path only, and neither is done for certain.
func.func private @use(memref<64xf32>)
func.func @one_of_two(%which: i1) {
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %b = memref.alloc() : memref<64xf32>
  %t = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  %u = async.execute {
    func.call @use(%b) : (memref<64xf32>) -> ()
    async.yield
  }
  cf.cond_br %which, ^wait(%t : !async.token), ^wait(%u : !async.token)
^wait(%one: !async.token):
  async.await %one : !async.token
  return
}

// -----

// 9. Both start on a path of their own, and their block waits for the one that did. There it is not told apart
// which one it is, so both keep their bytes.
func.func private @use(memref<64xf32>)
func.func @each_on_its_path(%which: i1) {
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %c = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %d = memref.alloc() : memref<64xf32>
  cf.cond_br %which, ^left, ^right
^left:
  %t = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  cf.br ^wait(%t : !async.token)
^right:
  %u = async.execute {
    func.call @use(%b) : (memref<64xf32>) -> ()
    async.yield
  }
  cf.br ^wait(%u : !async.token)
^wait(%one: !async.token):
  func.call @use(%c) : (memref<64xf32>) -> ()
  async.await %one : !async.token
  func.call @use(%d) : (memref<64xf32>) -> ()
  return
}

// -----

// 10. As a result of scf.if.
func.func private @use(memref<64xf32>)
func.func @yielded(%which: i1) {
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %c = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %d = memref.alloc() : memref<64xf32>
  %one = scf.if %which -> !async.token {
    %t = async.execute {
      func.call @use(%a) : (memref<64xf32>) -> ()
      async.yield
    }
    scf.yield %t : !async.token
  } else {
    %u = async.execute {
      func.call @use(%b) : (memref<64xf32>) -> ()
      async.yield
    }
    scf.yield %u : !async.token
  }
  func.call @use(%c) : (memref<64xf32>) -> ()
  async.await %one : !async.token
  func.call @use(%d) : (memref<64xf32>) -> ()
  return
}

// -----

// 11. A result of scf.if that is the token in one branch only.
func.func private @use(memref<64xf32>)
func.func @yielded_on_one_path(%which: i1) {
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %t = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  %one = scf.if %which -> !async.token {
    scf.yield %t : !async.token
  } else {
    %u = async.execute {
      async.yield
    }
    scf.yield %u : !async.token
  }
  async.await %one : !async.token
  return
}

// -----

// 12. A select among tokens covers what all of them do: nothing, until it depends on both.
func.func private @use(memref<64xf32>)
func.func @selected(%which: i1) {
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %c = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %d = memref.alloc() : memref<64xf32>
  %t = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  %u = async.execute {
    func.call @use(%b) : (memref<64xf32>) -> ()
    async.yield
  }
  %v = async.execute [%t] {
    async.yield
  }
  %one = arith.select %which, %t, %v : !async.token
  func.call @use(%c) : (memref<64xf32>) -> ()
  async.await %one : !async.token
  func.call @use(%d) : (memref<64xf32>) -> ()
  %other = arith.select %which, %u, %v : !async.token
  async.await %other : !async.token
  return
}

// -----

// 13. Carried by a loop and awaited one turn late: %a is in use all the while, also by the next turn. %b is not.
func.func private @use(memref<64xf32>)
func.func @one_turn_late(%n: index) {
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

// 14. As before, but what is started is made in the loop: the older one goes on when it is made anew.
func.func private @use(memref<64xf32>)
func.func @made_in_the_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = async.execute {
    async.yield
  }
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> !async.token {
    // expected-remark @+1 {{it is allocated again while an operation that goes on when control has passed it may still use it [pending-again]}}
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

// 15. It is awaited before it is made anew: one slice does.
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

// 16. The last turn's token is dropped: the last one is never awaited.
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

// 17. Two buffers in turns: tokens are swapped by the loop, and each is awaited two turns later.
func.func private @use(memref<64xf32>)
func.func @in_turns(%n: index) {
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

// -----

// 18. A group that a loop adds to, awaited as a whole.
func.func private @use(memref<64xf32>)
func.func @group(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %c = memref.alloc() : memref<64xf32>
  %group = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %t = async.execute {
      func.call @use(%a) : (memref<64xf32>) -> ()
      async.yield
    }
    %rank = async.add_to_group %t, %group : !async.token
  }
  func.call @use(%b) : (memref<64xf32>) -> ()
  async.await_all %group
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 19. Added to a group after that was awaited; added to another group; added on one path only.
func.func private @use(memref<64xf32>)
func.func @not_in_the_group(%which: i1) {
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %c = memref.alloc() : memref<64xf32>
  %group = async.create_group %c1 : !async.group
  %other = async.create_group %c1 : !async.group
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
  %r0 = async.add_to_group %u, %other : !async.token
  scf.if %which {
    %r1 = async.add_to_group %v, %group : !async.token
  }
  async.await_all %group
  %r2 = async.add_to_group %t, %group : !async.token
  return
}

// -----

// 20. Handed to the caller, to a call, or dropped.
func.func private @use(memref<64xf32>)
func.func private @wait(!async.token)
func.func @handed_on() -> !async.token {
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

// 21. Handed to a call, and awaited here: the call may wait, or not.
func.func private @use(memref<64xf32>)
func.func private @wait(!async.token)
func.func @handed_on_and_awaited() {
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

// 22. What is allocated in a body is in an arena there. What the body starts and does not wait for goes on when that is freed.
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

// -----

// 23. A value to come covers the body that yields it; awaited twice.
func.func private @use(memref<64xf32>)
func.func @value() -> f32 {
  %x = arith.constant 1.0 : f32
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %c = memref.alloc() : memref<64xf32>
  %t, %v = async.execute -> !async.value<f32> {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield %x : f32
  }
  func.call @use(%b) : (memref<64xf32>) -> ()
  %y = async.await %v : !async.value<f32>
  func.call @use(%c) : (memref<64xf32>) -> ()
  async.await %t : !async.token
  func.call @use(%c) : (memref<64xf32>) -> ()
  return %y : f32
}

// -----

// 24. Used in a body through a view, and defined in a block that comes later in the text.
func.func private @use(memref<64xf32>)
func.func private @part(memref<8xf32, strided<[1]>>)
func.func @later_in_the_text() {
  cf.br ^second
^first:
  %t = async.execute {
    %view = memref.subview %a[0] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1]>>
    func.call @part(%view) : (memref<8xf32, strided<[1]>>) -> ()
    async.yield
  }
  func.call @use(%b) : (memref<64xf32>) -> ()
  async.await %t : !async.token
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
^second:
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %c = memref.alloc() : memref<64xf32>
  cf.br ^first
}

// -----

// 25. In one of two buffers that a branch chooses: both are in use.
func.func private @use(memref<64xf32>)
func.func @chosen(%which: i1) {
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %c = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %d = memref.alloc() : memref<64xf32>
  %one = arith.select %which, %a, %b : memref<64xf32>
  func.call @use(%a) : (memref<64xf32>) -> ()
  func.call @use(%b) : (memref<64xf32>) -> ()
  %t = async.execute {
    func.call @use(%one) : (memref<64xf32>) -> ()
    async.yield
  }
  func.call @use(%c) : (memref<64xf32>) -> ()
  async.await %t : !async.token
  func.call @use(%d) : (memref<64xf32>) -> ()
  return
}
