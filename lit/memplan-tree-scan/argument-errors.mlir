// Functions that cannot take their stack as an argument.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{arena=arg remarks})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. A function that is called.
// expected-error @+1 {{memplan-tree-scan: arena=arg: the function is used in the module, so its type cannot change [memplan-E802]}}
func.func @called() {
  return
}
func.func @calls() {
  call @called() : () -> ()
  return
}

// -----

// 2. A function that is no func.func.
// expected-error @+1 {{memplan-tree-scan: arena=arg needs a func.func [memplan-E802]}}
llvm.func @other() {
  llvm.return
}

// -----

// 3. A function whose size function would have a name that exists.
func.func private @named_arena_size()
// expected-error @+2 {{memplan-tree-scan: arena=arg: the name @named_arena_size is taken [memplan-E005]}}
// expected-remark @+1 {{stack of 4 bytes}}
func.func @named(%v: i8) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi8>
  memref.store %v, %a[%c0] : memref<4xi8>
  return
}

// -----

// 4. Memory that goes to the caller has no place on the stack.
// expected-remark @+1 {{stack of 0 bytes}}
func.func @returned() -> memref<4xi8> {
  // expected-remark @+1 {{skipped: it is or may be returned to the caller [memplan-R802]}}
  %a = memref.alloc() : memref<4xi8>
  return %a : memref<4xi8>
}
