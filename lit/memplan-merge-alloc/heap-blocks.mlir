// A block argument is one of several buffers: at least the smallest is held, and the others are freed where that is decided.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{when-larger=leave alignment=1})' \
// RUN:   | FileCheck %s

// Of three, one is needed beside the last buffer: 32 + 64 bytes, and not 3 * 32 + 64.
// CHECK-LABEL: func @one_of_three
// CHECK-COUNT-3: memref.alloc() {memplan.skip = "raises-heap"} : memref<8xf32>
func.func @one_of_three(%f: f32, %n: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%c : memref<8xf32>)
  cf.switch %n : i32, [default: ^one(%a : memref<8xf32>), 1: ^one(%b : memref<8xf32>), 2: ^one(%c : memref<8xf32>)]
^one(%m: memref<8xf32>):
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  %v = memref.load %d[%c0] : memref<16xf32>
  %w = memref.load %m[%c0] : memref<8xf32>
  %s = arith.addf %v, %w : f32
  return %s : f32
}

// A loop that hands on a value that is one of two buffers: only one of them is needed, so no arena holds both.
// CHECK-LABEL: func @handed_on
// CHECK-COUNT-2: memref.alloc() {{.*}}raises-heap
func.func private @new(%a: memref<5xi64>) -> memref<5xi64> {
  %z = arith.constant 1 : i64
  %r = memref.alloc() : memref<5xi64>
  linalg.fill ins(%z : i64) outs(%r : memref<5xi64>)
  return %r : memref<5xi64>
}
func.func @handed_on(%c: i1, %d: i1, %x: memref<5xi64>) {
  %z = arith.constant 1 : i64
  %a = memref.alloc() : memref<5xi64>
  linalg.fill ins(%z : i64) outs(%a : memref<5xi64>)
  %b = memref.alloc() : memref<5xi64>
  linalg.fill ins(%z : i64) outs(%b : memref<5xi64>)
  cf.cond_br %c, ^b(%a : memref<5xi64>), ^b(%b : memref<5xi64>)
^b(%p: memref<5xi64>):
  %q = scf.while (%k = %p) : (memref<5xi64>) -> memref<5xi64> {
    %r = func.call @new(%k) : (memref<5xi64>) -> memref<5xi64>
    scf.condition(%d) %k : memref<5xi64>
  } do {
  ^bb0(%l: memref<5xi64>):
    linalg.add ins(%l, %l : memref<5xi64>, memref<5xi64>) outs(%x : memref<5xi64>)
    scf.yield %p : memref<5xi64>
  }
  linalg.add ins(%q, %q : memref<5xi64>, memref<5xi64>) outs(%x : memref<5xi64>)
  return
}
