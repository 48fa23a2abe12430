// Programs of blocks that upstream's pipeline refuses, or crashes on, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- dead_block.mlir
// 1. A block that is never reached allocates, and frees what is not its own.
// CHECK: 1, 1, 64, 0, 0
// UPSTREAM: {{error|crashes}}
// UPSTREAM-PASSES: ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32) -> f32 attributes {no_inline} {
  %i = arith.constant 0 : index
  %d = arith.constant true
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %y = call @first(%a) : (memref<16xf32>) -> f32
  cf.br ^end(%a : memref<16xf32>)
^end(%e: memref<16xf32>):
  return %y : f32
^dead(%p: memref<16xf32>):
  %b = memref.alloc() : memref<16xf32>
  memref.copy %p, %b : memref<16xf32> to memref<16xf32>
  %c = memref.load %b[%i] : memref<16xf32>
  cf.cond_br %d, ^dead(%b : memref<16xf32>), ^end(%b : memref<16xf32>)
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x) : (f32) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- loop_of_blocks.mlir
// 2. A loop of blocks, which carries a buffer.
// CHECK: 1, 6, 128, 0, 0
// CHECK-NEXT: 1, 1, 64, 0, 0
// UPSTREAM: error: Only structured control-flow loops are supported.
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  cf.br ^head(%c0, %a : index, memref<16xf32>)
^head(%i: index, %p: memref<16xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %q = memref.alloc() : memref<16xf32>
  memref.copy %p, %q : memref<16xf32> to memref<16xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %q : index, memref<16xf32>)
^end:
  %y = call @first(%p) : (memref<16xf32>) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n5 = arith.constant 5 : index
  %n0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n5) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %n0) : (f32, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- loop_of_blocks_without.mlir
// 3. A loop of blocks that carries no buffer.
// CHECK: 5, 5, 64, 0, 0
// UPSTREAM: error: Only structured control-flow loops are supported.
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  cf.br ^head(%c0, %z : index, f32)
^head(%i: index, %s: f32):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %q = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%q : memref<16xf32>)
  %y = func.call @first(%q) : (memref<16xf32>) -> f32
  %t = arith.addf %s, %y : f32
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %t : index, f32)
^end:
  return %s : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n5 = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n5) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- two_entries.mlir
// 4. A loop that can be entered at two places, and swaps two buffers or replaces one.
// CHECK: 2, 4, 192, 0, 0
// CHECK-NEXT: 2, 5, 192, 0, 0
// UPSTREAM: error: Only structured control-flow loops are supported.
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %n: index, %c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  cf.cond_br %c, ^one(%c0, %a, %b : index, memref<16xf32>, memref<16xf32>), ^other(%c0, %b, %a : index, memref<16xf32>, memref<16xf32>)
^one(%i: index, %p: memref<16xf32>, %q: memref<16xf32>):
  %d = arith.cmpi slt, %i, %n : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %d, ^other(%j, %q, %p : index, memref<16xf32>, memref<16xf32>), ^end(%p, %q : memref<16xf32>, memref<16xf32>)
^other(%k: index, %s: memref<16xf32>, %t: memref<16xf32>):
  %u = memref.alloc() : memref<16xf32>
  memref.copy %s, %u : memref<16xf32> to memref<16xf32>
  %l = arith.addi %k, %c1 : index
  cf.br ^one(%l, %u, %t : index, memref<16xf32>, memref<16xf32>)
^end(%v: memref<16xf32>, %w: memref<16xf32>):
  %y = call @first(%v) : (memref<16xf32>) -> f32
  %z = call @first(%w) : (memref<16xf32>) -> f32
  %r = arith.addf %y, %z : f32
  return %r : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n4 = arith.constant 4 : index
  %true = arith.constant true
  %false = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n4, %true) : (f32, index, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %n4, %false) : (f32, index, i1) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- switch.mlir
// 5. A branch with three successors.
// CHECK: 1, 2, 128, 0, 0
// CHECK-NEXT: 2, 2, 128, 0, 0
// CHECK-NEXT: 2, 2, 128, 0, 0
// UPSTREAM: error: Terminators with more than one successor are not supported!
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %f: i32) -> f32 attributes {no_inline} {
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<16xf32>)
  cf.switch %f : i32, [
    default: ^one(%a : memref<16xf32>),
    1: ^one(%b : memref<16xf32>),
    2: ^other
  ]
^one(%p: memref<16xf32>):
  %y = call @first(%p) : (memref<16xf32>) -> f32
  return %y : f32
^other:
  %z = call @first(%b) : (memref<16xf32>) -> f32
  return %z : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %i0) : (f32, i32) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %i1) : (f32, i32) -> f32
  call @heap_show(%2) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %3 = call @case(%x, %i2) : (f32, i32) -> f32
  call @heap_show(%3) : (f32) -> ()
  return
}
