// omp.atomic.read
llvm.func @atomic_read(%p: !llvm.ptr, %q: !llvm.ptr) {
  omp.atomic.read %q = %p : !llvm.ptr, !llvm.ptr, i32
  llvm.return
}
// -----
// omp.atomic.write
llvm.func @atomic_write(%p: !llvm.ptr, %x: i32) {
  omp.atomic.write %p = %x : !llvm.ptr, i32
  llvm.return
}
// -----
// omp.atomic.update
llvm.func @atomic_update(%p: !llvm.ptr, %x: i32) {
  omp.atomic.update %p : !llvm.ptr {
  ^bb0(%old: i32):
    %new = llvm.add %old, %x : i32
    omp.yield(%new : i32)
  }
  llvm.return
}
// -----
// memref.generic_atomic_rmw
func.func @generic_atomic_rmw(%a: memref<4xi32>, %x: i32) -> i32 {
  %c1 = arith.constant 1 : index
  %r = memref.generic_atomic_rmw %a[%c1] : memref<4xi32> {
  ^bb0(%old: i32):
    %new = arith.addi %old, %x : i32
    memref.atomic_yield %new : i32
  }
  return %r : i32
}
// -----
// omp.map.info
llvm.func @map_info(%p: !llvm.ptr) {
  %m = omp.map.info var_ptr(%p : !llvm.ptr, i32) map_clauses(tofrom) capture(ByRef) -> !llvm.ptr
  omp.target_data map_entries(%m : !llvm.ptr) {
    omp.terminator
  }
  llvm.return
}
// -----
// llvm.cmpxchg: what is there in the execution
llvm.func @cmpxchg(%p: !llvm.ptr, %x: i32) {
  %old = llvm.mlir.constant(1070 : i32) : i32
  %r = llvm.cmpxchg %p, %old, %x acq_rel monotonic : !llvm.ptr, i32
  llvm.return
}
