// Callees that capture an argument or its address, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- nested.mlir
// 1. A callee returns a memref of memrefs that holds its argument: memory that may be in there is not freed, with a
// warning.
// CHECK: 1, 2, 144, 64, 0
// CHECK-NEXT: 1, 2, 144, 64, 0
// UPSTREAM: 1, {{[0-9]+, [0-9]+}}, 0, 0
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @fill(%a: memref<16xf32>, %x: f32) attributes {no_inline} {
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
func.func private @nested(%a: memref<16xf32>) -> memref<1xmemref<16xf32>> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<1xmemref<16xf32>>
  memref.store %a, %b[%c0] : memref<1xmemref<16xf32>>
  return %b : memref<1xmemref<16xf32>>
}
func.func private @case(%x: f32, %c: i1, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  call @fill(%a, %x) : (memref<16xf32>, f32) -> ()
  %m = call @nested(%a) : (memref<16xf32>) -> memref<1xmemref<16xf32>>
  %b = memref.load %m[%c0] : memref<1xmemref<16xf32>>
  %y = call @first(%b) : (memref<16xf32>) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %t = arith.constant true
  %f = arith.constant false
  %n5 = arith.constant 5 : index
  %n0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %t, %n5) : (f32, i1, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %f, %n0) : (f32, i1, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- global.mlir
// 2. A callee keeps its argument in a global.
// CHECK: 1, 1, 64, 64, 0
// CHECK-NEXT: 1, 1, 64, 64, 0
// UPSTREAM: 1, {{[0-9]+, [0-9]+}}, 0, 0
func.func private @fill(%a: memref<16xf32>, %x: f32) attributes {no_inline} {
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
memref.global "private" @g : memref<1xmemref<16xf32>> = uninitialized
func.func private @keep(%a: memref<16xf32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @g : memref<1xmemref<16xf32>>
  memref.store %a, %m[%c0] : memref<1xmemref<16xf32>>
  return
}
func.func private @get() -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @g : memref<1xmemref<16xf32>>
  %b = memref.load %m[%c0] : memref<1xmemref<16xf32>>
  %y = memref.load %b[%c0] : memref<16xf32>
  return %y : f32
}
func.func private @case(%x: f32, %c: i1, %n: index) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  call @fill(%a, %x) : (memref<16xf32>, f32) -> ()
  call @keep(%a) : (memref<16xf32>) -> ()
  %y = call @get() : () -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %t = arith.constant true
  %f = arith.constant false
  %n5 = arith.constant 5 : index
  %n0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %t, %n5) : (f32, i1, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %f, %n0) : (f32, i1, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- address.mlir
// 3. A callee writes the address of its argument to memory that it is given.
// CHECK: 1, 2, 72, 64, 0
// CHECK-NEXT: 1, 2, 72, 64, 0
// UPSTREAM: 1, {{[0-9]+, [0-9]+}}, 0, 0
func.func private @fill(%a: memref<16xf32>, %x: f32) attributes {no_inline} {
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
func.func private @addr(%a: memref<16xf32>, %o: memref<1xindex>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  memref.store %i, %o[%c0] : memref<1xindex>
  return
}
func.func private @case(%x: f32, %c: i1, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xindex>
  %a = memref.alloc() : memref<16xf32>
  call @fill(%a, %x) : (memref<16xf32>, f32) -> ()
  call @addr(%a, %m) : (memref<16xf32>, memref<1xindex>) -> ()
  %i = memref.load %m[%c0] : memref<1xindex>
  %k = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %k : i64 to !llvm.ptr
  %y = llvm.load %p : !llvm.ptr -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %t = arith.constant true
  %f = arith.constant false
  %n5 = arith.constant 5 : index
  %n0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %t, %n5) : (f32, i1, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %f, %n0) : (f32, i1, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- number.mlir
// 4. A callee writes an address that it is given to memory.
// CHECK: 1, 2, 72, 64, 0
// CHECK-NEXT: 1, 2, 72, 64, 0
// UPSTREAM: 1, {{[0-9]+, [0-9]+}}, 0, 0
func.func private @fill(%a: memref<16xf32>, %x: f32) attributes {no_inline} {
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
func.func private @put(%i: index, %o: memref<1xindex>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  memref.store %i, %o[%c0] : memref<1xindex>
  return
}
func.func private @get(%o: memref<1xindex>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %i = memref.load %o[%c0] : memref<1xindex>
  %k = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %k : i64 to !llvm.ptr
  %y = llvm.load %p : !llvm.ptr -> f32
  return %y : f32
}
func.func private @case(%x: f32, %c: i1, %n: index) -> f32 attributes {no_inline} {
  %m = memref.alloc() : memref<1xindex>
  %a = memref.alloc() : memref<16xf32>
  call @fill(%a, %x) : (memref<16xf32>, f32) -> ()
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  call @put(%i, %m) : (index, memref<1xindex>) -> ()
  %y = call @get(%m) : (memref<1xindex>) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %t = arith.constant true
  %f = arith.constant false
  %n5 = arith.constant 5 : index
  %n0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %t, %n5) : (f32, i1, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %f, %n0) : (f32, i1, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- number-global.mlir
// 5. A callee keeps an address that it is given in a global.
// CHECK: 1, 1, 64, 64, 0
// CHECK-NEXT: 1, 1, 64, 64, 0
// UPSTREAM: 1, {{[0-9]+, [0-9]+}}, 0, 0
func.func private @fill(%a: memref<16xf32>, %x: f32) attributes {no_inline} {
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
llvm.mlir.global internal @g(0 : i64) : i64
func.func private @keep(%i: i64) attributes {no_inline} {
  %g = llvm.mlir.addressof @g : !llvm.ptr
  llvm.store %i, %g : i64, !llvm.ptr
  return
}
func.func private @get() -> f32 attributes {no_inline} {
  %g = llvm.mlir.addressof @g : !llvm.ptr
  %i = llvm.load %g : !llvm.ptr -> i64
  %p = llvm.inttoptr %i : i64 to !llvm.ptr
  %y = llvm.load %p : !llvm.ptr -> f32
  return %y : f32
}
func.func private @case(%x: f32, %c: i1, %n: index) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  call @fill(%a, %x) : (memref<16xf32>, f32) -> ()
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %k = arith.index_cast %i : index to i64
  call @keep(%k) : (i64) -> ()
  %y = call @get() : () -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %t = arith.constant true
  %f = arith.constant false
  %n5 = arith.constant 5 : index
  %n0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %t, %n5) : (f32, i1, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %f, %n0) : (f32, i1, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}
