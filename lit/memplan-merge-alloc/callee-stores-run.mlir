// Callees that are only declared when a program is planned, and store one argument in another: linked in afterwards,
// they must find what they stored as it was.
// RUN: %memplan-opt %s -o %t.given.mlir
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' -o %t.planned.mlir
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder,memplan-elide-copies{guard=none},\
// RUN:   memplan-merge-alloc{verify})' -o %t.rewritten.mlir
// RUN: for one in given planned rewritten; do sed -e '/func.func private @put(/{r %S/Inputs/put.mlir' -e 'd}' \
// RUN:   %t.$one.mlir > %t.linked.mlir && \
// RUN:   %memplan-opt %t.linked.mlir --pass-pipeline='builtin.module(%to-llvm)' \
// RUN:   | %runner | FileCheck %s || exit 1; done

func.func private @put(memref<1xmemref<4xf32>>, memref<4xf32>)
func.func private @printF32(f32)
func.func private @printNewline()

// 1. Stored by the callee itself.
func.func @direct(%nested: memref<1xmemref<4xf32>>, %x: memref<4xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  call @put(%nested, %a) : (memref<1xmemref<4xf32>>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%b : memref<4xf32>)
  memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  %m = memref.load %nested[%c0] : memref<1xmemref<4xf32>>
  %v = memref.load %m[%c0] : memref<4xf32>
  return %v : f32
}

// 2. Stored by a callee of a callee.
func.func @pass(%nested: memref<1xmemref<4xf32>>, %m: memref<4xf32>) attributes {no_inline} {
  call @put(%nested, %m) : (memref<1xmemref<4xf32>>, memref<4xf32>) -> ()
  return
}
func.func @indirect(%nested: memref<1xmemref<4xf32>>, %x: memref<4xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  call @pass(%nested, %a) : (memref<1xmemref<4xf32>>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%b : memref<4xf32>)
  memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  %m = memref.load %nested[%c0] : memref<1xmemref<4xf32>>
  %v = memref.load %m[%c0] : memref<4xf32>
  return %v : f32
}

// 3. Called as a value.
func.func @value(%put: (memref<1xmemref<4xf32>>, memref<4xf32>) -> (), %nested: memref<1xmemref<4xf32>>, %x: memref<4xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  func.call_indirect %put(%nested, %a) : (memref<1xmemref<4xf32>>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%b : memref<4xf32>)
  memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  %m = memref.load %nested[%c0] : memref<1xmemref<4xf32>>
  %v = memref.load %m[%c0] : memref<4xf32>
  return %v : f32
}

func.func @show(%x: f32) attributes {no_inline} {
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

// CHECK:      {{^1$}}
// CHECK-NEXT: {{^1$}}
// CHECK-NEXT: {{^1$}}
func.func @main() {
  %one = arith.constant 1.0 : f32
  %nested = memref.alloc() {memplan.keep} : memref<1xmemref<4xf32>>
  %x = memref.alloc() {memplan.keep} : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  %r = call @direct(%nested, %x) : (memref<1xmemref<4xf32>>, memref<4xf32>) -> f32
  call @show(%r) : (f32) -> ()
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  %s = call @indirect(%nested, %x) : (memref<1xmemref<4xf32>>, memref<4xf32>) -> f32
  call @show(%s) : (f32) -> ()
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  %put = func.constant @put : (memref<1xmemref<4xf32>>, memref<4xf32>) -> ()
  %t = call @value(%put, %nested, %x) : ((memref<1xmemref<4xf32>>, memref<4xf32>) -> (), memref<1xmemref<4xf32>>, memref<4xf32>) -> f32
  call @show(%t) : (f32) -> ()
  return
}
