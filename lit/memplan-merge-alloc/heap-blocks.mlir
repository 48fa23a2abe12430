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
