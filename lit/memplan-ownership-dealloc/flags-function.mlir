// On a function, callers do not know which of their arguments it frees by a flag.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-ownership-dealloc))' --verify-diagnostics -o /dev/null

// 1. By a flag of the caller.
func.func private @by_flag(%a: memref<4xf32>, %flag: i1) {
  // expected-error @+1 {{frees memory of the caller, which a function pass cannot update: schedule the pass on builtin.module [memplan-E304]}}
  bufferization.dealloc (%a : memref<4xf32>) if (%flag)
  return
}

// -----

// 2. It may be memory of the function's own.
func.func private @one_of_two(%a: memref<4xf32>, %flag: i1, %c: i1) {
  %own = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %m = arith.select %c, %a, %own : memref<4xf32>
  // expected-error @+1 {{frees memory of the caller, which a function pass cannot update: schedule the pass on builtin.module [memplan-E304]}}
  bufferization.dealloc (%m : memref<4xf32>) if (%flag)
  return
}

// -----

// 3. The flag says that it is that.
func.func private @own(%a: memref<4xf32>, %c: i1) {
  %true = arith.constant true
  %own = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %m = arith.select %c, %a, %own : memref<4xf32>
  %is_own = arith.xori %c, %true : i1
  bufferization.dealloc (%m : memref<4xf32>) if (%is_own)
  return
}
