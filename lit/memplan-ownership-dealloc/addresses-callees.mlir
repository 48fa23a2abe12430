// A callee with a body hands the address of what it is given to code that is not seen: its callers do not free it.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.err \
// RUN:   | FileCheck %s --implicit-check-not=memref.dealloc
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.err

llvm.func @free(!llvm.ptr)
func.func private @release_number(index)
llvm.func @personality(...) -> i32

// 1. A pointer.
// CHECK-LABEL: func @gives_pointer(
// SAYS: addresses-callees.mlir:[[#@LINE+2]]:8: warning: is not freed
func.func @gives_pointer() {
  %m = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %m : memref<i64> -> index
  %i = arith.index_cast %p : index to i64
  %a = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.call @frees_pointer(%a) : (!llvm.ptr) -> ()
  return
}
llvm.func @frees_pointer(%a: !llvm.ptr) {
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

// 2. A pointer, by a call that ends its block.
// CHECK-LABEL: func @gives_pointer_to_invoke(
// SAYS: addresses-callees.mlir:[[#@LINE+2]]:8: warning: is not freed
func.func @gives_pointer_to_invoke() {
  %m = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %m : memref<i64> -> index
  %i = arith.index_cast %p : index to i64
  %a = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.call @invokes(%a) : (!llvm.ptr) -> ()
  return
}
llvm.func @invokes(%a: !llvm.ptr) attributes {personality = @personality} {
  llvm.invoke @frees_pointer(%a) to ^end unwind ^pad : (!llvm.ptr) -> ()
^end:
  llvm.return
^pad:
  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %l : !llvm.struct<(ptr, i32)>
}

// 3. A number, by func.call.
// CHECK-LABEL: func @gives_number(
// SAYS: addresses-callees.mlir:[[#@LINE+2]]:8: warning: is not freed
func.func @gives_number() {
  %m = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %m : memref<i64> -> index
  call @frees_number(%p) : (index) -> ()
  return
}
func.func private @frees_number(%p: index) {
  call @release_number(%p) : (index) -> ()
  return
}

// 4. A memref.
// CHECK-LABEL: func @gives_memref(
// SAYS: addresses-callees.mlir:[[#@LINE+2]]:8: warning: is not freed
func.func @gives_memref() {
  %m = memref.alloc() : memref<i64>
  call @frees_memref(%m) : (memref<i64>) -> ()
  return
}
func.func private @frees_memref(%m: memref<i64>) {
  %p = memref.extract_aligned_pointer_as_index %m : memref<i64> -> index
  %i = arith.index_cast %p : index to i64
  %a = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  return
}
