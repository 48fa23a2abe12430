// Memory of asynchronous operations stays in its place until they are awaited, on every path; operations that are
// never awaited are left alone.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. A copy is waited for on both paths, on one of them late: there, another buffer is needed at the same time.
// expected-remark @+1 {{stack of 32 bytes: plain 32, without moves 32, planner 32, with moves 32, live at once 32; at most 0 bytes in 0 moves on a path; 1 pinned}}
func.func @paths(%x: memref<4xf32>, %late: i1) {
  %a = memref.alloc() : memref<4xf32>
  %t = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
  cf.cond_br %late, ^late, ^early
^late:
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  gpu.wait [%t]
  return
^early:
  gpu.wait [%t]
  %c = memref.alloc() : memref<4xf32>
  memref.copy %x, %c : memref<4xf32> to memref<4xf32>
  memref.copy %c, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// 2. On the path without a wait, the copy is never known to be done.
// expected-remark @+1 {{stack of 0 bytes}}
func.func @never(%x: memref<4xf32>, %waits: i1) {
  // expected-remark @+1 {{skipped: it is used by an asynchronous operation, and not every path has a wait that covers it}}
  %a = memref.alloc() : memref<4xf32>
  %t = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
  cf.cond_br %waits, ^waits, ^leaves
^waits:
  gpu.wait [%t]
  return
^leaves:
  return
}

// -----

// 3. A wait covers operations that started before the one that it names; the buffer of the first copy is needed as
// long.
// expected-remark @+1 {{stack of 32 bytes}}
func.func @chain(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %t0 = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
  %t1 = gpu.memcpy async [%t0] %b, %x : memref<4xf32>, memref<4xf32>
  gpu.wait [%t1]
  %c = memref.alloc() : memref<4xf32>
  memref.copy %x, %c : memref<4xf32> to memref<4xf32>
  memref.copy %c, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// 4. A body that is pending, and the deallocation in it.
// expected-remark @+1 {{stack of 32 bytes}}
func.func @body(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    async.yield
  }
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  async.await %t : !async.token
  return
}

// -----

// 5. A callee that is pending.
// expected-remark @+1 {{stack of 0 bytes}}
async.func @later(%m: memref<4xf32>) -> !async.token {
  return
}
// expected-remark @+1 {{stack of 32 bytes}}
func.func @call(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %t = async.call @later(%a) : (memref<4xf32>) -> !async.token
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  async.await %t : !async.token
  return
}

// -----

// 6. A transfer with a tag.
// expected-remark @+1 {{stack of 68 bytes}}
func.func @transfer(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %tag = memref.alloc() : memref<1xi32>
  %a = memref.alloc() : memref<8xf32>
  memref.dma_start %x[%c0], %a[%c0], %c8, %tag[%c0] : memref<8xf32>, memref<8xf32>, memref<1xi32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
  return
}

// -----

// 7. Pending memory is not moved: its place conflicts with nothing.
// expected-remark @+1 {{stack of 48 bytes: plain 64, without moves 48, planner 48, with moves 48, live at once 48; at most 0 bytes in 0 moves on a path; 1 pinned}}
func.func @around(%x: memref<4xi8>, %y: memref<32xi8>) {
  %a = memref.alloc() : memref<16xi8>
  %b = memref.alloc() : memref<16xi8>
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %t = gpu.memset async %b, %v : memref<16xi8>, i8
  memref.store %v, %a[%c0] : memref<16xi8>
  %c = memref.alloc() : memref<32xi8>
  memref.copy %y, %c : memref<32xi8> to memref<32xi8>
  memref.copy %c, %y : memref<32xi8> to memref<32xi8>
  gpu.wait [%t]
  return
}
