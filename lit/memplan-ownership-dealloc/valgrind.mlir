// The pass itself under valgrind: it does not look at the old form of loops that it has recreated.
// REQUIRES: valgrind
// RUN: %valgrind %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s

// The bases of values go through both loops, next to a block that is never reached.
// CHECK-LABEL: func.func @f
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (memref<4xf32>, memref<64xi8>, i1)
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (memref<4xf32>, memref<64xi8>, i1)
func.func @f(%n: index, %m: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<64xi8>
  %v = memref.view %a[%c16][] : memref<64xi8> to memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<64xi8>
    %w = memref.view %b[%c16][] : memref<64xi8> to memref<4xf32>
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%y = %x) -> (memref<4xf32>) {
      %k = arith.cmpi eq, %j, %c1 : index
      %z = scf.if %k -> (memref<4xf32>) {
        scf.yield %w : memref<4xf32>
      } else {
        scf.yield %y : memref<4xf32>
      }
      scf.yield %z : memref<4xf32>
    }
    scf.yield %s : memref<4xf32>
  }
  %e = memref.load %r[%c0] : memref<4xf32>
  return %e : f32
^dead:
  %d = memref.alloc() : memref<4xf32>
  cf.br ^dead
}
