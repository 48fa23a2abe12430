// Calls @work with memory of as many bytes as @work_arena_size says, less %less.
func.func @ask(%n: index, %c: i1) {
  %less = arith.constant 0 : index
  %size, %alignment = call @work_arena_size(%n, %c) : (index, i1) -> (index, index)
  %bytes = arith.subi %size, %less : index
  %arena = memref.alloc(%bytes) {alignment = 64} : memref<?xi8>
  %x = call @work(%n, %c, %arena) : (index, i1, memref<?xi8>) -> i64
  memref.dealloc %arena : memref<?xi8>
  %shown = arith.index_cast %size : index to i64
  call @printI64(%shown) : (i64) -> ()
  call @printComma() : () -> ()
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %n0 = arith.constant 0 : index
  %n1 = arith.constant 1 : index
  %n7 = arith.constant 7 : index
  %n64 = arith.constant 64 : index
  %n200 = arith.constant 200 : index
  call @ask(%n1, %true) : (index, i1) -> ()
  call @ask(%n0, %false) : (index, i1) -> ()
  call @ask(%n7, %false) : (index, i1) -> ()
  call @ask(%n7, %true) : (index, i1) -> ()
  call @ask(%n64, %true) : (index, i1) -> ()
  call @ask(%n200, %true) : (index, i1) -> ()
  return
}
}
