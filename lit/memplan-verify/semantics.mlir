// Effects of operations on the bytes of an arena, where no interface gives them, or where another one says too much.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. A matrix in registers is no address: its buffer may go.
func.func @matrix(%in: memref<16x16xf16>, %out: memref<16x16xf16>) {
  %arena = memref.alloc() {memplan.arena} : memref<512xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<512xi8> to memref<16x16xf16>
  memref.copy %in, %a : memref<16x16xf16> to memref<16x16xf16>
  %m = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<512xi8> to memref<16x16xf16>
  memref.copy %in, %b : memref<16x16xf16> to memref<16x16xf16>
  gpu.subgroup_mma_store_matrix %m, %out[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
  memref.copy %b, %out : memref<16x16xf16> to memref<16x16xf16>
  memref.dealloc %arena : memref<512xi8>
  return
}

// -----

// 2. Atomic operations are synchronous.
func.func @atomic(%in: memref<i32>, %out: memref<i32>, %e: i32) {
  %arena = memref.alloc() {memplan.arena} : memref<4xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<4xi8> to memref<i32>
  acc.atomic.write %a = %e : memref<i32>, i32
  acc.atomic.read %out = %a : memref<i32>, memref<i32>, i32
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<4xi8> to memref<i32>
  omp.atomic.write %b = %e : memref<i32>, i32
  omp.atomic.read %out = %b : memref<i32>, memref<i32>, i32
  memref.dealloc %arena : memref<4xi8>
  return
}

// -----

// 3. A hint reads, and a flush uses no byte: neither overwrites what is there.
func.func @hints(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  omp.flush(%b : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 4. A transfer writes where it goes, and only reads where it comes from.
func.func @transfer(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %tag = memref.alloc() : memref<1xi32>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-note @+1 {{overwritten here}}
  memref.dma_start %in[%c0], %b[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<1xi32>
  // expected-error @+1 {{buffer 0}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 5. A transposed slice is that slice.
func.func @transpose(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<4x4xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<4x4xf32>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  memref.copy %in, %t : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  // expected-note @+1 {{overwritten here}}
  memref.copy %in, %b : memref<4x4xf32> to memref<4x4xf32>
  // expected-error @+1 {{buffer 0}}
  memref.copy %t, %out : memref<4x4xf32, strided<[1, 4]>> to memref<4x4xf32>
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 6. A wait that gives a token waits for nothing.
func.func @wait_async(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @+1 {{started here}}
  %t1 = gpu.memcpy async [%t0] %a, %in : memref<16xf32>, memref<16xf32>
  %t2 = gpu.wait async [%t1]
  // expected-error @+1 {{buffer 1}}
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  gpu.wait [%t2]
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 7. An asynchronous callee uses its arguments until the call's token has been awaited, and not longer.
async.func private @start(memref<16xf32>) -> !async.token
func.func @async_call(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
  // expected-note @+1 {{started here}}
  %t = async.call @start(%a) : (memref<16xf32>) -> !async.token
  // expected-error @+1 {{buffer 1}}
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  async.await %t : !async.token
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 8. An operation that writes to memory that it does not name among its operands may store them there.
ml_program.global private mutable @cell : memref<16xf32>
func.func @somewhere(%in: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 0 escapes: it is stored or captured}}
  ml_program.global_store @cell = %a : memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 9. A GPU copy without a token is synchronous.
func.func @synchronous(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  gpu.memcpy %a, %in : memref<16xf32>, memref<16xf32>
  gpu.memcpy %out, %a : memref<16xf32>, memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
  gpu.memcpy %b, %in : memref<16xf32>, memref<16xf32>
  gpu.memcpy %out, %b : memref<16xf32>, memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}
