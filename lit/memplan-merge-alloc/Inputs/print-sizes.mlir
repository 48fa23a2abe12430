// Prints what the size functions say at the edges of an index.
func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()
llvm.mlir.global constant @names("one: \00two: \00three: \00multiples: \00stacked: \00")
llvm.func @printString(!llvm.ptr)

func.func @name(%at: i64) {
  %all = llvm.mlir.addressof @names : !llvm.ptr
  %one = llvm.getelementptr %all[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.call @printString(%one) : (!llvm.ptr) -> ()
  return
}
func.func @first(%size: index) {
  %n = arith.index_cast %size : index to i64
  call @printI64(%n) : (i64) -> ()
  return
}
func.func @next(%size: index) {
  call @printComma() : () -> ()
  call @first(%size) : (index) -> ()
  return
}
func.func @main() {
  %v0 = arith.constant 0 : index
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 5 : index
  %v3 = arith.constant 4611686018427387904 : index
  %v4 = arith.constant 4611686018427387905 : index
  %v5 = arith.constant -1 : index
  %v6 = arith.constant -9223372036854775808 : index
  %v7 = arith.constant 3 : index
  %v8 = arith.constant 4294967296 : index
  %v9 = arith.constant 2147483648 : index
  %v10 = arith.constant 4294967297 : index
  %v11 = arith.constant 4294967295 : index
  %v12 = arith.constant 1099511627776 : index
  %v13 = arith.constant 2 : index
  %v14 = arith.constant 36028797018963968 : index
  %v15 = arith.constant 4 : index
  %v16 = arith.constant 8 : index
  %at0 = arith.constant 0 : i64
  call @name(%at0) : (i64) -> ()
  %one0:2 = call @one_arena_size(%v0) : (index) -> (index, index)
  call @first(%one0#0) : (index) -> ()
  %one1:2 = call @one_arena_size(%v1) : (index) -> (index, index)
  call @next(%one1#0) : (index) -> ()
  %one2:2 = call @one_arena_size(%v2) : (index) -> (index, index)
  call @next(%one2#0) : (index) -> ()
  %one3:2 = call @one_arena_size(%v3) : (index) -> (index, index)
  call @next(%one3#0) : (index) -> ()
  %one4:2 = call @one_arena_size(%v4) : (index) -> (index, index)
  call @next(%one4#0) : (index) -> ()
  %one5:2 = call @one_arena_size(%v5) : (index) -> (index, index)
  call @next(%one5#0) : (index) -> ()
  %one6:2 = call @one_arena_size(%v6) : (index) -> (index, index)
  call @next(%one6#0) : (index) -> ()
  call @printNewline() : () -> ()
  %at1 = arith.constant 6 : i64
  call @name(%at1) : (i64) -> ()
  %two0:2 = call @two_arena_size(%v0, %v5) : (index, index) -> (index, index)
  call @first(%two0#0) : (index) -> ()
  %two1:2 = call @two_arena_size(%v7, %v2) : (index, index) -> (index, index)
  call @next(%two1#0) : (index) -> ()
  %two2:2 = call @two_arena_size(%v8, %v8) : (index, index) -> (index, index)
  call @next(%two2#0) : (index) -> ()
  %two3:2 = call @two_arena_size(%v9, %v9) : (index, index) -> (index, index)
  call @next(%two3#0) : (index) -> ()
  %two4:2 = call @two_arena_size(%v10, %v11) : (index, index) -> (index, index)
  call @next(%two4#0) : (index) -> ()
  %two5:2 = call @two_arena_size(%v5, %v5) : (index, index) -> (index, index)
  call @next(%two5#0) : (index) -> ()
  %two6:2 = call @two_arena_size(%v3, %v1) : (index, index) -> (index, index)
  call @next(%two6#0) : (index) -> ()
  call @printNewline() : () -> ()
  %at2 = arith.constant 12 : i64
  call @name(%at2) : (i64) -> ()
  %three0:2 = call @three_arena_size(%v12, %v12, %v0) : (index, index, index) -> (index, index)
  call @first(%three0#0) : (index) -> ()
  %three1:2 = call @three_arena_size(%v13, %v7, %v2) : (index, index, index) -> (index, index)
  call @next(%three1#0) : (index) -> ()
  %three2:2 = call @three_arena_size(%v12, %v12, %v1) : (index, index, index) -> (index, index)
  call @next(%three2#0) : (index) -> ()
  %three3:2 = call @three_arena_size(%v5, %v1, %v1) : (index, index, index) -> (index, index)
  call @next(%three3#0) : (index) -> ()
  call @printNewline() : () -> ()
  %at3 = arith.constant 20 : i64
  call @name(%at3) : (i64) -> ()
  %multiples0:2 = call @multiples_arena_size(%v7) : (index) -> (index, index)
  call @first(%multiples0#0) : (index) -> ()
  %multiples1:2 = call @multiples_arena_size(%v14) : (index) -> (index, index)
  call @next(%multiples1#0) : (index) -> ()
  %multiples2:2 = call @multiples_arena_size(%v5) : (index) -> (index, index)
  call @next(%multiples2#0) : (index) -> ()
  call @printNewline() : () -> ()
  %at4 = arith.constant 32 : i64
  call @name(%at4) : (i64) -> ()
  %stacked0:2 = call @stacked_arena_size(%v15, %v16) : (index, index) -> (index, index)
  call @first(%stacked0#0) : (index) -> ()
  %stacked1:2 = call @stacked_arena_size(%v1, %v5) : (index, index) -> (index, index)
  call @next(%stacked1#0) : (index) -> ()
  %stacked2:2 = call @stacked_arena_size(%v8, %v8) : (index, index) -> (index, index)
  call @next(%stacked2#0) : (index) -> ()
  call @printNewline() : () -> ()
  return
}
}
