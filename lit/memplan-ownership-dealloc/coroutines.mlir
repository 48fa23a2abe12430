// Coroutines return where they are suspended, and resume later.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>/dev/null | FileCheck %s
// All passes that place operations in blocks produce valid programs.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},\
// RUN:   memplan-simplify-dealloc,memplan-lower-dealloc)' -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{dynamic=regions})' -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions,memplan-dealloc-pipeline)' -o /dev/null

func.func private @use(memref<8xf32>)

// 1. A coroutine that is suspended resumes: memory that it needs then is not freed on the path that leaves it, nor
// where that path merges with others. Other memory is.
// CHECK-LABEL: func.func @comes_back(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK:         memref.dealloc %[[A]]
// CHECK:         async.coro.suspend
// CHECK-NOT:     memref.dealloc
// CHECK:         return
// SAYS: coroutines.mlir:[[#@LINE+8]]:8: warning: is not freed: no operation can be inserted where it is dead
// SAYS: coroutines.mlir:[[#@LINE+8]]:3: note: between this and a successor block
func.func @comes_back() {
  %a = memref.alloc() : memref<8xf32>
  call @use(%a) : (memref<8xf32>) -> ()
  %id = async.coro.id
  %handle = async.coro.begin %id
  %saved = async.coro.save %handle
  %b = memref.alloc() : memref<8xf32>
  async.coro.suspend %saved, ^suspend, ^resume, ^cleanup
^resume:
  call @use(%b) : (memref<8xf32>) -> ()
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  async.coro.end %handle
  return
^suspend:
  async.coro.end %handle
  return
}

// 2. A coroutine of LLVM's leaves by a branch like any other: what is needed beyond a branch is not freed.
// CHECK-LABEL: func.func @comes_back_by_switch(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK:         memref.dealloc %[[A]]
// CHECK:         llvm.intr.coro.suspend
// CHECK-NOT:     memref.dealloc
// CHECK:         return
// SAYS: coroutines.mlir:[[#@LINE+13]]:8: warning: is not freed: no operation can be inserted where it is dead
// SAYS: coroutines.mlir:[[#@LINE+15]]:3: note: between this and a successor block
func.func @comes_back_by_switch() -> !llvm.ptr {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %false = llvm.mlir.constant(false) : i1
  %a = memref.alloc() : memref<8xf32>
  call @use(%a) : (memref<8xf32>) -> ()
  %id = llvm.intr.coro.id %zero, %null, %null, %null : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
  %size = llvm.intr.coro.size : i64
  %frame = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %handle = llvm.intr.coro.begin %id, %frame : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  %saved = llvm.intr.coro.save %handle : (!llvm.ptr) -> !llvm.token
  %b = memref.alloc() : memref<8xf32>
  %state = llvm.intr.coro.suspend %saved, %false : i8
  %wide = arith.extsi %state : i8 to i32
  cf.switch %wide : i32, [default: ^suspend, 0: ^resume, 1: ^cleanup]
^resume:
  call @use(%b) : (memref<8xf32>) -> ()
  cf.br ^cleanup
^cleanup:
  cf.br ^suspend
^suspend:
  %none = llvm.mlir.none : !llvm.token
  %end = llvm.intr.coro.end %handle, %false, %none : (!llvm.ptr, i1, !llvm.token) -> i1
  return %handle : !llvm.ptr
}
