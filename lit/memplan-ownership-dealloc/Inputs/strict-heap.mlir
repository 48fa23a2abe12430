// A heap that counts wrong frees and shows reads of freed memory, which finalize-memref-to-llvm{use-generic-functions}
// calls. Freed memory is filled with ones (floats that are no numbers, integers of -1) and never allocated again. Before
// each piece stand its size in bytes and a mark: live, or dead.
llvm.mlir.global internal @heap_now(0 : i64) : i64
llvm.mlir.global internal @heap_peak(0 : i64) : i64
llvm.mlir.global internal @heap_start_at(0 : i64) : i64
llvm.mlir.global internal @heap_count(0 : i64) : i64
llvm.mlir.global internal @heap_wrong(0 : i64) : i64
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @_mlir_memref_to_llvm_alloc(%bytes: i64) -> !llvm.ptr {
  %sixteen = llvm.mlir.constant(16 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %live = llvm.mlir.constant(7233173838382854465 : i64) : i64
  %whole = llvm.add %bytes, %sixteen : i64
  %block = llvm.call @malloc(%whole) : (i64) -> !llvm.ptr
  llvm.store %bytes, %block : i64, !llvm.ptr
  %mark_at = llvm.getelementptr %block[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %live, %mark_at : i64, !llvm.ptr
  %now_at = llvm.mlir.addressof @heap_now : !llvm.ptr
  %before = llvm.atomicrmw add %now_at, %bytes seq_cst : !llvm.ptr, i64
  %now = llvm.add %before, %bytes : i64
  %peak_at = llvm.mlir.addressof @heap_peak : !llvm.ptr
  %peak = llvm.atomicrmw umax %peak_at, %now seq_cst : !llvm.ptr, i64
  %count_at = llvm.mlir.addressof @heap_count : !llvm.ptr
  %count = llvm.atomicrmw add %count_at, %one seq_cst : !llvm.ptr, i64
  %payload = llvm.getelementptr %block[16] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %payload : !llvm.ptr
}
llvm.func @_mlir_memref_to_llvm_free(%payload: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %live = llvm.mlir.constant(7233173838382854465 : i64) : i64
  %dead = llvm.mlir.constant(7233173838382854466 : i64) : i64
  %ones = llvm.mlir.constant(-1 : i8) : i8
  %block = llvm.getelementptr %payload[-16] : (!llvm.ptr) -> !llvm.ptr, i8
  %mark_at = llvm.getelementptr %block[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %mark = llvm.load %mark_at : !llvm.ptr -> i64
  %right = llvm.icmp "eq" %mark, %live : i64
  llvm.cond_br %right, ^right, ^wrong
^right:
  llvm.store %dead, %mark_at : i64, !llvm.ptr
  %bytes = llvm.load %block : !llvm.ptr -> i64
  "llvm.intr.memset"(%payload, %ones, %bytes) <{isVolatile = true}> : (!llvm.ptr, i8, i64) -> ()
  %now_at = llvm.mlir.addressof @heap_now : !llvm.ptr
  %before = llvm.atomicrmw sub %now_at, %bytes seq_cst : !llvm.ptr, i64
  llvm.return
^wrong:
  %wrong_at = llvm.mlir.addressof @heap_wrong : !llvm.ptr
  %wrong = llvm.atomicrmw add %wrong_at, %one seq_cst : !llvm.ptr, i64
  llvm.return
}
// Starts counting anew: what is held now does not count.
llvm.func @heap_start() {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %now_at = llvm.mlir.addressof @heap_now : !llvm.ptr
  %peak_at = llvm.mlir.addressof @heap_peak : !llvm.ptr
  %start_at = llvm.mlir.addressof @heap_start_at : !llvm.ptr
  %count_at = llvm.mlir.addressof @heap_count : !llvm.ptr
  %wrong_at = llvm.mlir.addressof @heap_wrong : !llvm.ptr
  %now = llvm.load %now_at : !llvm.ptr -> i64
  llvm.store %now, %peak_at : i64, !llvm.ptr
  llvm.store %now, %start_at : i64, !llvm.ptr
  llvm.store %zero, %count_at : i64, !llvm.ptr
  llvm.store %zero, %wrong_at : i64, !llvm.ptr
  llvm.return
}
func.func private @printF32(f32)
func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()
// Prints what was computed, and since the start: allocations, most bytes held at once, bytes still held, wrong frees.
func.func @heap_show(%x: f32) attributes {no_inline} {
  %peak_at = llvm.mlir.addressof @heap_peak : !llvm.ptr
  %start_at = llvm.mlir.addressof @heap_start_at : !llvm.ptr
  %now_at = llvm.mlir.addressof @heap_now : !llvm.ptr
  %count_at = llvm.mlir.addressof @heap_count : !llvm.ptr
  %wrong_at = llvm.mlir.addressof @heap_wrong : !llvm.ptr
  %start = llvm.load %start_at : !llvm.ptr -> i64
  %count = llvm.load %count_at : !llvm.ptr -> i64
  %peak = llvm.load %peak_at : !llvm.ptr -> i64
  %most = llvm.sub %peak, %start : i64
  %now = llvm.load %now_at : !llvm.ptr -> i64
  %left = llvm.sub %now, %start : i64
  %wrong = llvm.load %wrong_at : !llvm.ptr -> i64
  call @printF32(%x) : (f32) -> ()
  call @printComma() : () -> ()
  call @printI64(%count) : (i64) -> ()
  call @printComma() : () -> ()
  call @printI64(%most) : (i64) -> ()
  call @printComma() : () -> ()
  call @printI64(%left) : (i64) -> ()
  call @printComma() : () -> ()
  call @printI64(%wrong) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
