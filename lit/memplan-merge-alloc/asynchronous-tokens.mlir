// An asynchronous operation needs its memory until a wait covers it, on every path. Tokens that are yielded, selected
// or grouped. Each buffer has 256 bytes: %a is used by the operation, %b before the wait, %c after it, where these
// names are used.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify in-place=false})' \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

// 1. The token is a result of scf.if in one branch only.
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

// 2. A select among tokens covers what all of them do: nothing, until it depends on both.
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

// 3. A group that a loop adds to, awaited as a whole.
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

// 4. Added to a group after that was awaited; added to another group; added on one path only.
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

// 5. A value to come covers the body that yields it; awaited twice.
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

// 6. Used in a body through a view, and defined in a block that comes later in the text.
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

// 7. In one of two buffers that a branch chooses: both are in use.
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
