// Unseen code that receives an address may free the memory: it is left alone.
// RUN: %memplan-opt %s -allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.err \
// RUN:   | FileCheck %s --implicit-check-not=memref.dealloc
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.err
// RUN: %memplan-opt %s -allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=ENDS --implicit-check-not=.dealloc
// RUN: %memplan-opt %s -allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(any(memplan-ownership-dealloc))' 2>/dev/null \
// RUN:   | FileCheck %s --implicit-check-not=memref.dealloc

llvm.func @free(!llvm.ptr)
llvm.func @free_number(i64)
llvm.func @free_struct(!llvm.struct<(ptr, ptr, i64)>)
func.func private @release(!llvm.ptr)
func.func private @release_number(index)
llvm.func @personality(...) -> i32

// 1. By its pointer.
// CHECK-LABEL: func @by_pointer(
// ENDS-LABEL: func @by_pointer(
// SAYS: addresses.mlir:[[#@LINE+3]]:8: warning: is not freed: it escapes
// SAYS: addresses.mlir:[[#@LINE+6]]:3: note: it escapes here
func.func @by_pointer() {
  %m = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %m : memref<i64> -> index
  %i = arith.index_cast %p : index to i64
  %a = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  return
}

// 2. By its address as a number.
// CHECK-LABEL: func @by_number(
// ENDS-LABEL: func @by_number(
// SAYS: addresses.mlir:[[#@LINE+2]]:8: warning: is not freed
func.func @by_number() {
  %m = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %m : memref<i64> -> index
  %i = arith.index_cast %p : index to i64
  llvm.call @free_number(%i) : (i64) -> ()
  return
}

// 3. The same by func.call.
// CHECK-LABEL: func @by_func_call(
// ENDS-LABEL: func @by_func_call(
// SAYS: addresses.mlir:[[#@LINE+3]]:8: warning: is not freed
// SAYS: addresses.mlir:[[#@LINE+7]]:8: warning: is not freed
func.func @by_func_call() {
  %m = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %m : memref<i64> -> index
  %i = arith.index_cast %p : index to i64
  %a = llvm.inttoptr %i : i64 to !llvm.ptr
  func.call @release(%a) : (!llvm.ptr) -> ()
  %n = memref.alloc() : memref<i64>
  %q = memref.extract_aligned_pointer_as_index %n : memref<i64> -> index
  func.call @release_number(%q) : (index) -> ()
  return
}

// 4. Through a pointer out of a struct, and through a struct that is a descriptor.
// CHECK-LABEL: func @by_struct(
// ENDS-LABEL: func @by_struct(
// SAYS: addresses.mlir:[[#@LINE+3]]:8: warning: is not freed
// SAYS: addresses.mlir:[[#@LINE+9]]:8: warning: is not freed
func.func @by_struct() {
  %m = memref.alloc() : memref<i64>
  %s = builtin.unrealized_conversion_cast %m : memref<i64> to !llvm.struct<(ptr, ptr, i64)>
  %u = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64)>
  %e = llvm.extractvalue %s[1] : !llvm.struct<(ptr, ptr, i64)>
  %t = llvm.insertvalue %e, %u[0] : !llvm.struct<(ptr, ptr, i64)>
  %a = llvm.extractvalue %t[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  %n = memref.alloc() : memref<i64>
  %d = builtin.unrealized_conversion_cast %n : memref<i64> to !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free_struct(%d) : (!llvm.struct<(ptr, ptr, i64)>) -> ()
  return
}

// 5. By the call of a value, which may be a function without a body.
// CHECK-LABEL: func @by_value(
// ENDS-LABEL: func @by_value(
// SAYS: addresses.mlir:[[#@LINE+2]]:8: warning: is not freed
func.func @by_value(%c: i1) {
  %m = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %m : memref<i64> -> index
  %i = arith.index_cast %p : index to i64
  %a = llvm.inttoptr %i : i64 to !llvm.ptr
  %f = llvm.mlir.addressof @free : !llvm.ptr
  %g = llvm.mlir.addressof @keeps_nothing : !llvm.ptr
  %h = llvm.select %c, %f, %g : i1, !llvm.ptr
  llvm.call %h(%a) : !llvm.ptr, (!llvm.ptr) -> ()
  return
}
llvm.func @keeps_nothing(%a: !llvm.ptr) {
  llvm.return
}

// 6. By a call that ends its block.
// CHECK-LABEL: func @by_invoke(
// ENDS-LABEL: func @by_invoke(
// SAYS: addresses.mlir:[[#@LINE+2]]:8: warning: is not freed
llvm.func @by_invoke() attributes {personality = @personality} {
  %m = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %m : memref<i64> -> index
  %i = arith.index_cast %p : index to i64
  %a = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.invoke @free(%a) to ^end unwind ^pad : (!llvm.ptr) -> ()
^end:
  llvm.return
^pad:
  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %l : !llvm.struct<(ptr, i32)>
}

// 7. By assembly, and by an operation of which nothing is known.
// CHECK-LABEL: func @by_other_code(
// ENDS-LABEL: func @by_other_code(
// SAYS: addresses.mlir:[[#@LINE+3]]:8: warning: is not freed
// SAYS: addresses.mlir:[[#@LINE+6]]:8: warning: is not freed
func.func @by_other_code() {
  %m = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %m : memref<i64> -> index
  %i = arith.index_cast %p : index to i64
  llvm.inline_asm has_side_effects "call free", "r" %i : (i64) -> ()
  %n = memref.alloc() : memref<i64>
  %q = memref.extract_aligned_pointer_as_index %n : memref<i64> -> index
  "foo.release"(%q) : (index) -> ()
  return
}
