// Memory that is pending for longer than the pass can see, by the operation that uses it.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. gpu.wait async waits for nothing: the copy may still run after it.
func.func @no_wait(%x: memref<4xf32>) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  %t0 = gpu.wait async
  // expected-note @+1 {{it escapes here}}
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<4xf32>, memref<4xf32>
  %t2 = gpu.wait async [%t1]
  return
}

// -----

// 2. Either of two tokens is waited for: the other may not be done.
func.func @either(%x: memref<4xf32>, %c: i1) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  %t0 = gpu.wait async
  // expected-note @+1 {{it escapes here}}
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<4xf32>, memref<4xf32>
  %t2 = arith.select %c, %t0, %t1 : !gpu.async.token
  gpu.wait [%t2]
  return
}

// -----

// 3. One group may be left, and none is younger.
func.func @left(%d: memref<4xf32, 3>) {
  %c0 = arith.constant 0 : index
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{it escapes here}}
  %t = nvgpu.device_async_copy %a[%c0], %d[%c0], 4 : memref<4xf32> to memref<4xf32, 3>
  %g = nvgpu.device_async_create_group %t
  nvgpu.device_async_wait %g {numGroups = 1 : i32}
  return
}

// -----

// 4. A wait in a branch is passed by on the other path.
func.func @branch(%x: memref<4xf32>, %z: f32, %c: i1) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  %t0 = gpu.wait async
  // expected-note @+1 {{it escapes here}}
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<4xf32>, memref<4xf32>
  %t2 = gpu.memset async [%t1] %x, %z : memref<4xf32>, f32
  scf.if %c {
    gpu.wait [%t2]
  }
  return
}

// -----

// 5. Transfers whose tags are maps of values are pending for longer than the pass can see; the waits for them are no
// obstacle.
func.func @maps(%x: memref<16xf32>) {
  %c16 = arith.constant 16 : index
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<16xf32>
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %tag = memref.alloc() : memref<1xi32>
  // expected-note @+1 {{it escapes here}}
  affine.dma_start %x[0], %a[0], %tag[0], %c16 : memref<16xf32>, memref<16xf32>, memref<1xi32>
  affine.dma_wait %tag[0], %c16 : memref<1xi32>
  return
}

// -----

// 6. A launch on a queue has an unknown wait.
module attributes {gpu.container_module} {
func.func @queue(%n: index, %q: !llvm.ptr) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<8xf32>
  // expected-note @+1 {{it escapes here}}
  gpu.launch_func <%q : !llvm.ptr> @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<8xf32>)
  return
}
gpu.module @kernels {
  gpu.func @kernel(%a: memref<8xf32>) kernel {
    gpu.return
  }
}
}

// -----

// 7. Values that are computed from a handle keep using the memory that the handle holds.
func.func @handle(%n: index) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc(%n) : memref<?xf64>
  %h = gpu.create_dn_tensor %a, %n : index into memref<?xf64>
  %t0 = gpu.wait async
  // expected-note @+1 {{it escapes here}}
  %t1 = gpu.destroy_dn_tensor async [%t0] %h
  return
}

// -----

// 8. A handle keeps holding the memory that it receives later.
func.func @given(%n: index, %p: memref<?xindex>, %v: memref<?xf32>) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc(%n) : memref<?xf32>
  %m = gpu.create_csr %n, %n, %n, %p, %p, %v : memref<?xindex>, memref<?xindex>, memref<?xf32>
  // expected-note @+1 {{it escapes here}}
  gpu.set_csr_pointers %m, %p, %p, %a : memref<?xindex>, memref<?xindex>, memref<?xf32>
  gpu.destroy_sp_mat %m
  return
}

// -----

// 9. Nobody waits for what a callee starts with an address.
func.func private @later(!llvm.ptr) -> !async.token
func.func @address() {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  // expected-note @+1 {{it escapes here}}
  %t = func.call @later(%q) : (!llvm.ptr) -> !async.token
  return
}

// -----

// 10. A vector of pointers is where an address is stored.
func.func @scattered(%out: memref<1xi64>) {
  %true = arith.constant dense<true> : vector<1xi1>
  %zero = llvm.mlir.constant(0 : i32) : i32
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %n = arith.index_cast %i : index to i64
  %v = vector.broadcast %n : i64 to vector<1xi64>
  %o = memref.extract_aligned_pointer_as_index %out : memref<1xi64> -> index
  %on = arith.index_cast %o : index to i64
  %p = llvm.inttoptr %on : i64 to !llvm.ptr
  %u = llvm.mlir.undef : vector<1x!llvm.ptr>
  %ps = llvm.insertelement %p, %u[%zero : i32] : vector<1x!llvm.ptr>
  // expected-note @+1 {{it escapes here}}
  llvm.intr.masked.scatter %v, %ps, %true {alignment = 8 : i32} : vector<1xi64>, vector<1xi1> into vector<1x!llvm.ptr>
  return
}

// -----

// 11. A map of memory holds what that points to, too.
func.func @mapped() {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %b = memref.alloc() : memref<4xf32>
  %m = omp.map.info var_ptr(%a : memref<4xf32>, tensor<4xf32>) map_clauses(tofrom) capture(ByRef) var_ptr_ptr(%b : memref<4xf32>) -> memref<4xf32> {name = ""}
  // expected-note @+1 {{it escapes here}}
  omp.target map_entries(%m -> %arg : memref<4xf32>) {
    omp.terminator
  }
  return
}

// -----

// 12. An address that a loop counts from.
func.func @counted() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<8xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %e = arith.addi %i, %c1 : index
  %r = scf.for %k = %i to %e step %c1 iter_args(%x = %c0) -> index {
    scf.yield %k : index
  }
  // expected-note @+1 {{it escapes here}}
  return %r : index
}

// -----

// 13. An asynchronous callee that stores its argument has it after the wait, too.
async.func @stores(%m: memref<64xf32>, %nested: memref<1xmemref<64xf32>>) -> !async.token {
  %c0 = arith.constant 0 : index
  memref.store %m, %nested[%c0] : memref<1xmemref<64xf32>>
  return
}
func.func @stored(%nested: memref<1xmemref<64xf32>>) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-note @+1 {{it escapes here}}
  %token = async.call @stores(%a, %nested) : (memref<64xf32>, memref<1xmemref<64xf32>>) -> !async.token
  async.await %token : !async.token
  return
}
