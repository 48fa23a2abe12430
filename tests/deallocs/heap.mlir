// A heap that knows which of the allocations since the start are held, by their order, and frees nothing: a second free
// of one is seen.
llvm.mlir.global internal @heap_count(0 : i64) : i64
llvm.mlir.global internal @heap_held(0 : i64) : i64
llvm.mlir.global internal @heap_bad(0 : i64) : i64
llvm.func @calloc(i64, i64) -> !llvm.ptr
llvm.func @heap_malloc(%bytes: i64) -> !llvm.ptr {
  %one = llvm.mlir.constant(1 : i64) : i64
  %head = llvm.mlir.constant(16 : i64) : i64
  %magic = llvm.mlir.constant(23040 : i64) : i64
  %whole = llvm.add %bytes, %head : i64
  %block = llvm.call @calloc(%one, %whole) : (i64, i64) -> !llvm.ptr
  %count_at = llvm.mlir.addressof @heap_count : !llvm.ptr
  %held_at = llvm.mlir.addressof @heap_held : !llvm.ptr
  %count = llvm.load %count_at : !llvm.ptr -> i64
  %held = llvm.load %held_at : !llvm.ptr -> i64
  %bit = llvm.shl %one, %count : i64
  %more = llvm.or %held, %bit : i64
  llvm.store %more, %held_at : i64, !llvm.ptr
  %next = llvm.add %count, %one : i64
  llvm.store %next, %count_at : i64, !llvm.ptr
  %mark = llvm.or %magic, %count : i64
  llvm.store %mark, %block : i64, !llvm.ptr
  %payload = llvm.getelementptr %block[16] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %payload : !llvm.ptr
}
llvm.func @heap_free(%payload: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %magic = llvm.mlir.constant(23040 : i64) : i64
  %low = llvm.mlir.constant(255 : i64) : i64
  %block = llvm.getelementptr %payload[-16] : (!llvm.ptr) -> !llvm.ptr, i8
  %mark = llvm.load %block : !llvm.ptr -> i64
  %number = llvm.and %mark, %low : i64
  %high = llvm.xor %mark, %number : i64
  %good = llvm.icmp "eq" %high, %magic : i64
  llvm.cond_br %good, ^good, ^bad
^good:
  llvm.store %zero, %block : i64, !llvm.ptr
  %held_at = llvm.mlir.addressof @heap_held : !llvm.ptr
  %held = llvm.load %held_at : !llvm.ptr -> i64
  %bit = llvm.shl %one, %number : i64
  %less = llvm.xor %held, %bit : i64
  llvm.store %less, %held_at : i64, !llvm.ptr
  llvm.return
^bad:
  %bad_at = llvm.mlir.addressof @heap_bad : !llvm.ptr
  %before = llvm.load %bad_at : !llvm.ptr -> i64
  %more = llvm.add %before, %one : i64
  llvm.store %more, %bad_at : i64, !llvm.ptr
  llvm.return
}
llvm.func @heap_start() {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %count_at = llvm.mlir.addressof @heap_count : !llvm.ptr
  %held_at = llvm.mlir.addressof @heap_held : !llvm.ptr
  %bad_at = llvm.mlir.addressof @heap_bad : !llvm.ptr
  llvm.store %zero, %count_at : i64, !llvm.ptr
  llvm.store %zero, %held_at : i64, !llvm.ptr
  llvm.store %zero, %bad_at : i64, !llvm.ptr
  llvm.return
}
// The live allocations, one bit for each; invalid frees are counted after the eighth bit.
llvm.func @heap_state() -> i64 {
  %eight = llvm.mlir.constant(8 : i64) : i64
  %held_at = llvm.mlir.addressof @heap_held : !llvm.ptr
  %bad_at = llvm.mlir.addressof @heap_bad : !llvm.ptr
  %held = llvm.load %held_at : !llvm.ptr -> i64
  %bad = llvm.load %bad_at : !llvm.ptr -> i64
  %high = llvm.shl %bad, %eight : i64
  %all = llvm.or %held, %high : i64
  llvm.return %all : i64
}
