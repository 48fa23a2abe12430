// An asynchronous operation needs its memory until a wait covers it, on every path. Waits in branches and blocks. Each
// buffer has 256 bytes: %a is used by the operation, %b before the wait, %c after it, where these names are used.
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

// 2. Awaited in one of two branches, and after them: pending between the two on one path.
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

// 3. Awaited in only one of two branches: it may be pending when the arena is freed.
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

// 4. Awaited in the block after a branch; the block that is not on the path does not count.
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

// 5. A wait that is never reached covers nothing.
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

// 6. One of two tokens is passed to a block, which awaits it: each is awaited on one path only, and neither is certain
// to be done.
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

// 7. Both start on a path of their own, and the block after them awaits the one that did. The analysis does not tell
// which one that is, so both keep their bytes.
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

// 8. The token is a result of scf.if.
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
