// async.execute, async.yield, async.await
func.func @execute(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %token = async.execute {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    async.yield
  }
  async.await %token : !async.token
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// async.execute: never waited for
func.func @execute_never_awaited(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  %token = async.execute {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    async.yield
  }
  return %v : f32
}
// -----
// async.execute, async.await: after another
func.func @execute_after(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  memref.store %x, %b[%c0, %c0] : memref<4x4xf32>
  %first = async.execute {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    async.yield
  }
  %second = async.execute [%first] {
    memref.store %x, %b[%c0, %c0] : memref<4x4xf32>
    async.yield
  }
  async.await %second : !async.token
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// async.execute, async.await, async.yield: gives the memref
func.func @execute_value(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %token, %value = async.execute -> !async.value<memref<4x4xf32>> {
    %a = memref.alloc() : memref<4x4xf32>
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    async.yield %a : memref<4x4xf32>
  }
  %t = async.await %value : !async.value<memref<4x4xf32>>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// async.execute: of the memref another gives
func.func @execute_operand(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %first, %value = async.execute -> !async.value<memref<4x4xf32>> {
    async.yield %a : memref<4x4xf32>
  }
  %second, %r = async.execute [%first] (%value as %m: !async.value<memref<4x4xf32>>) -> !async.value<f32> {
    %y = memref.load %m[%c0, %c0] : memref<4x4xf32>
    async.yield %y : f32
  }
  %v = async.await %r : !async.value<f32>
  return %v : f32
}
// -----
// async.create_group, async.add_to_group, async.await_all
func.func @group(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x4xf32>
  %group = async.create_group %c1 : !async.group
  %token = async.execute {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    async.yield
  }
  %number = async.add_to_group %token, %group : !async.token
  async.await_all %group
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// async.func, async.call, async.return
async.func private @stores(%m: memref<4x4xf32>, %x: f32) -> !async.token {
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0, %c0] : memref<4x4xf32>
  async.return
}
func.func @call(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %token = async.call @stores(%a, %x) : (memref<4x4xf32>, f32) -> !async.token
  async.await %token : !async.token
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// async.func, async.call, async.return: gives the memref
async.func private @fills(%x: f32) -> !async.value<memref<4x4xf32>> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  async.return %a : memref<4x4xf32>
}
func.func @call_value(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %value = async.call @fills(%x) : (f32) -> !async.value<memref<4x4xf32>>
  %t = async.await %value : !async.value<memref<4x4xf32>>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// async.runtime.create, async.runtime.set_available, async.runtime.is_error, async.runtime.await, async.runtime.drop_ref
func.func @runtime_token(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %token = async.runtime.create : !async.token
  async.runtime.set_available %token : !async.token
  async.runtime.await %token : !async.token
  %error = async.runtime.is_error %token : !async.token
  async.runtime.drop_ref %token {count = 1 : i64} : !async.token
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// async.runtime.store, async.runtime.load
func.func @runtime_store(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %value = async.runtime.create : !async.value<memref<4x4xf32>>
  async.runtime.store %a, %value : !async.value<memref<4x4xf32>>
  async.runtime.set_available %value : !async.value<memref<4x4xf32>>
  async.runtime.await %value : !async.value<memref<4x4xf32>>
  %t = async.runtime.load %value : !async.value<memref<4x4xf32>>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// async.runtime.create_group, async.runtime.add_to_group, async.runtime.add_ref, async.runtime.set_error
func.func @runtime_group(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %token = async.runtime.create : !async.token
  %group = async.runtime.create_group %c1 : !async.group
  async.runtime.add_ref %token {count = 1 : i64} : !async.token
  %number = async.runtime.add_to_group %token, %group : !async.token
  async.runtime.set_error %token : !async.token
  async.runtime.await %group : !async.group
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// async.coro.id, async.coro.begin, async.coro.save, async.coro.suspend, async.coro.free, async.coro.end
// compile: no
func.func @coro(%x: f32, %y: memref<f32>) -> !async.token {
  %c0 = arith.constant 0 : index
  %token = async.runtime.create : !async.token
  %id = async.coro.id
  %handle = async.coro.begin %id
  %saved = async.coro.save %handle
  async.runtime.resume %handle
  async.coro.suspend %saved, ^suspend, ^resume, ^cleanup
^resume:
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  memref.store %v, %y[] : memref<f32>
  async.runtime.set_available %token : !async.token
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspend
^suspend:
  async.coro.end %handle
  return %token : !async.token
}
// -----
// async.runtime.await_and_resume, async.runtime.resume
// compile: no
func.func @await_and_resume(%x: f32, %y: memref<f32>, %other: !async.token) -> !async.token {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %token = async.runtime.create : !async.token
  %id = async.coro.id
  %handle = async.coro.begin %id
  %saved = async.coro.save %handle
  async.runtime.await_and_resume %other, %handle : !async.token
  async.coro.suspend %saved, ^suspend, ^resume, ^cleanup
^resume:
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  memref.store %v, %y[] : memref<f32>
  async.runtime.resume %handle
  async.runtime.set_available %token : !async.token
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspend
^suspend:
  async.coro.end %handle
  return %token : !async.token
}
