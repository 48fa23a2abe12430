func.func private @printI64(i64)
func.func private @printNewline()
func.func private @show(%x: i64) {
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %twelve = arith.constant 12 : i64
  llvm.call @heap_start() : () -> ()
  %a = call @f(%twelve) : (i64) -> memref<8xi64>
  %v = memref.load %a[%c0] : memref<8xi64>
  memref.dealloc %a : memref<8xi64>
  call @show(%v) : (i64) -> ()
  %count_at = llvm.mlir.addressof @heap_count : !llvm.ptr
  %count = llvm.load %count_at : !llvm.ptr -> i64
  call @show(%count) : (i64) -> ()
  %now_at = llvm.mlir.addressof @heap_now : !llvm.ptr
  %now = llvm.load %now_at : !llvm.ptr -> i64
  call @show(%now) : (i64) -> ()
  return
}
