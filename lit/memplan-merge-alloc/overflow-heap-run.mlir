// Executed: an arena whose size does not fit into an index cannot be allocated. A program that does not touch its memory goes
// on; one that does ends there, and writes to no other memory. The program as it was would write beyond an allocation of 0 bytes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' -o %t.mlir
// RUN: %runner %t.mlir -O0 | FileCheck %s
// RUN: sed 's/%touched = arith.constant false/%touched = arith.constant true/' %s > %t.touched.mlir
// RUN: %memplan-opt %t.touched.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   -o %t.llvm.mlir
// RUN: not --crash %runner -O0 %t.llvm.mlir > %t.crash 2>&1
// RUN: FileCheck %s --check-prefix=CRASH --implicit-check-not=52.5 < %t.crash
// CRASH: PLEASE submit a bug report

// An index of 32 bits leaves them on the heap.
// RUN: sed 's/^module {/module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {/' %s > %t.narrow.mlir
// RUN: %memplan-opt %t.narrow.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' \
// RUN:   | FileCheck %s --check-prefix=NARROW
// NARROW-NOT: memplan.arena
// NARROW:     memref.alloc(%{{.*}}, %{{.*}}) : memref<?x?xf32>
// NARROW:     memref.alloc(%{{.*}}) : memref<?xi8>
// NARROW-NOT: memplan.arena

// CHECK:      52.5{{$}}
// CHECK-NEXT: 0{{$}}
module {
  func.func private @printF32(f32)
  func.func private @printNewline()

  func.func @sum(%n: index, %m: index, %touches: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = arith.constant 3.5 : f32
    %y = arith.constant 0.0 : f32
    %z = arith.constant 1 : i8
    %a = memref.alloc(%n, %m) : memref<?x?xf32>
    %b = memref.alloc(%n) : memref<?xi8>
    %s = scf.if %touches -> f32 {
      linalg.fill ins(%z : i8) outs(%b : memref<?xi8>)
      linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
      %all = scf.for %i = %c0 to %n step %c1 iter_args(%t = %y) -> f32 {
        %row = scf.for %j = %c0 to %m step %c1 iter_args(%u = %t) -> f32 {
          %v = memref.load %a[%i, %j] : memref<?x?xf32>
          %w = arith.addf %u, %v : f32
          scf.yield %w : f32
        }
        scf.yield %row : f32
      }
      %k = memref.load %b[%c0] : memref<?xi8>
      scf.yield %all : f32
    } else {
      scf.yield %y : f32
    }
    memref.dealloc %a : memref<?x?xf32>
    memref.dealloc %b : memref<?xi8>
    func.call @printF32(%s) : (f32) -> ()
    func.call @printNewline() : () -> ()
    return
  }

  func.func @main() {
    %true = arith.constant true
    %touched = arith.constant false
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %many = arith.constant 4294967296 : index
    func.call @sum(%c3, %c5, %true) : (index, index, i1) -> ()
    func.call @sum(%many, %many, %touched) : (index, index, i1) -> ()
    return
  }
}
