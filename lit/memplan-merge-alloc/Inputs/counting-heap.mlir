// A heap that counts: finalize-memref-to-llvm{use-generic-functions} calls these. Bytes as asked for.
llvm.mlir.global internal @heap_now(0 : i64) : i64
llvm.mlir.global internal @heap_peak(0 : i64) : i64
llvm.mlir.global internal @heap_start_at(0 : i64) : i64
llvm.mlir.global internal @heap_count(0 : i64) : i64
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @_mlir_memref_to_llvm_alloc(%bytes: i64) -> !llvm.ptr {
  %sixteen = llvm.mlir.constant(16 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %whole = llvm.add %bytes, %sixteen : i64
  %block = llvm.call @malloc(%whole) : (i64) -> !llvm.ptr
  llvm.store %bytes, %block : i64, !llvm.ptr
  %now_at = llvm.mlir.addressof @heap_now : !llvm.ptr
  %peak_at = llvm.mlir.addressof @heap_peak : !llvm.ptr
  %count_at = llvm.mlir.addressof @heap_count : !llvm.ptr
  %before = llvm.load %now_at : !llvm.ptr -> i64
  %now = llvm.add %before, %bytes : i64
  llvm.store %now, %now_at : i64, !llvm.ptr
  %peak = llvm.load %peak_at : !llvm.ptr -> i64
  %higher = llvm.intr.umax(%peak, %now) : (i64, i64) -> i64
  llvm.store %higher, %peak_at : i64, !llvm.ptr
  %count = llvm.load %count_at : !llvm.ptr -> i64
  %more = llvm.add %count, %one : i64
  llvm.store %more, %count_at : i64, !llvm.ptr
  %payload = llvm.getelementptr %block[16] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %payload : !llvm.ptr
}
llvm.func @_mlir_memref_to_llvm_free(%payload: !llvm.ptr) {
  %block = llvm.getelementptr %payload[-16] : (!llvm.ptr) -> !llvm.ptr, i8
  %bytes = llvm.load %block : !llvm.ptr -> i64
  %now_at = llvm.mlir.addressof @heap_now : !llvm.ptr
  %before = llvm.load %now_at : !llvm.ptr -> i64
  %now = llvm.sub %before, %bytes : i64
  llvm.store %now, %now_at : i64, !llvm.ptr
  llvm.call @free(%block) : (!llvm.ptr) -> ()
  llvm.return
}
// Starts counting again: memory that is held now does not count.
llvm.func @heap_start() {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %now_at = llvm.mlir.addressof @heap_now : !llvm.ptr
  %peak_at = llvm.mlir.addressof @heap_peak : !llvm.ptr
  %start_at = llvm.mlir.addressof @heap_start_at : !llvm.ptr
  %count_at = llvm.mlir.addressof @heap_count : !llvm.ptr
  %now = llvm.load %now_at : !llvm.ptr -> i64
  llvm.store %now, %peak_at : i64, !llvm.ptr
  llvm.store %now, %start_at : i64, !llvm.ptr
  llvm.store %zero, %count_at : i64, !llvm.ptr
  llvm.return
}
llvm.func @heap_allocations() -> i64 {
  %at = llvm.mlir.addressof @heap_count : !llvm.ptr
  %value = llvm.load %at : !llvm.ptr -> i64
  llvm.return %value : i64
}
llvm.func @heap_most() -> i64 {
  %at = llvm.mlir.addressof @heap_peak : !llvm.ptr
  %start_at = llvm.mlir.addressof @heap_start_at : !llvm.ptr
  %peak = llvm.load %at : !llvm.ptr -> i64
  %start = llvm.load %start_at : !llvm.ptr -> i64
  %value = llvm.sub %peak, %start : i64
  llvm.return %value : i64
}
// The bytes that were allocated since the start and are not freed.
llvm.func @heap_left() -> i64 {
  %at = llvm.mlir.addressof @heap_now : !llvm.ptr
  %start_at = llvm.mlir.addressof @heap_start_at : !llvm.ptr
  %now = llvm.load %at : !llvm.ptr -> i64
  %start = llvm.load %start_at : !llvm.ptr -> i64
  %value = llvm.sub %now, %start : i64
  llvm.return %value : i64
}
