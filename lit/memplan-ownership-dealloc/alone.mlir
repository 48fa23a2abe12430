// On single functions, callers do not know what their callees do.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-ownership-dealloc))' --verify-diagnostics \
// RUN:   --split-input-file -o /dev/null

// 1. A callee frees its argument.
func.func private @frees(%a: memref<8xf32>) {
  // expected-error @+1 {{'memref.dealloc' frees memory of the caller, which a function pass cannot update: schedule the pass on builtin.module [memplan-E304]}}
  memref.dealloc %a : memref<8xf32>
  return
}

// -----

// 2. On one path only, and perhaps memory of its own.
func.func private @frees_one(%c: i1, %a: memref<8xf32>) {
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  // expected-error @+1 {{'memref.dealloc' frees memory of the caller, which a function pass cannot update: schedule the pass on builtin.module [memplan-E304]}}
  memref.dealloc %s : memref<8xf32>
  return
}

// -----

// 3. The function frees its own memory.
func.func private @frees_its_own() {
  %b = memref.alloc() : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// 4. A callee gives the address of its argument as a number.
// expected-warning @+1 {{may capture memory of the caller, which a function pass cannot update: schedule the pass on builtin.module [memplan-W304]}}
func.func private @address(%a: memref<8xf32>) -> index {
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  return %i : index
}

// -----

// 5. A callee keeps its argument.
memref.global "private" @slot : memref<memref<8xf32>>
// expected-warning @+1 {{may capture memory of the caller, which a function pass cannot update: schedule the pass on builtin.module [memplan-W304]}}
func.func private @keeps(%a: memref<8xf32>) {
  %g = memref.get_global @slot : memref<memref<8xf32>>
  memref.store %a, %g[] : memref<memref<8xf32>>
  return
}

// -----

// 6. A read at an address, and a comparison of two addresses, capture nothing.
func.func private @reads(%a: memref<8xf32>, %b: memref<8xf32>) -> (f32, i1) {
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %j = memref.extract_aligned_pointer_as_index %b : memref<8xf32> -> index
  %same = arith.cmpi eq, %i, %j : index
  %k = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %k : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x, %same : f32, i1
}

// -----

// 7. A function returns memory of a device.
func.func @gives() -> memref<8xf32> {
  %a = gpu.alloc() : memref<8xf32>
  // expected-error @+1 {{'func.return' returns memory that 'gpu.dealloc' frees to callers, which a function pass cannot update: schedule the pass on builtin.module [memplan-E311]}}
  return %a : memref<8xf32>
}
