// Planned programs are lowered and executed; without the pass they print the same.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(convert-scf-to-cf,memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify},%to-llvm)' | %runner | FileCheck %s

func.func private @printF32(f32)
func.func private @printNewline()

func.func @print(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<?xf32>
    func.call @printF32(%x) : (f32) -> ()
  }
  call @printNewline() : () -> ()
  return
}

// A chain of branches with buffers of three sizes, each written through the inner and the outer result.
func.func @chain(%p: i1, %q: i1, %t: i1, %x: f32) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %s = memref.alloc() : memref<3xf32>
  linalg.fill ins(%two : f32) outs(%s : memref<3xf32>)
  %r = scf.if %p -> (memref<?xf32>) {
    %a = memref.alloc() : memref<2xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
    %k = memref.cast %a : memref<2xf32> to memref<?xf32>
    scf.yield %k : memref<?xf32>
  } else {
    %i = scf.if %q -> (memref<?xf32>) {
      %a = memref.alloc() : memref<5xf32>
      linalg.fill ins(%one : f32) outs(%a : memref<5xf32>)
      %k = memref.cast %a : memref<5xf32> to memref<?xf32>
      scf.yield %k : memref<?xf32>
    } else {
      %j = scf.if %t -> (memref<?xf32>) {
        %a = memref.alloc() : memref<4xf32>
        linalg.fill ins(%two : f32) outs(%a : memref<4xf32>)
        %k = memref.cast %a : memref<4xf32> to memref<?xf32>
        scf.yield %k : memref<?xf32>
      } else {
        %k = memref.cast %s : memref<3xf32> to memref<?xf32>
        scf.yield %k : memref<?xf32>
      }
      linalg.add ins(%j, %j : memref<?xf32>, memref<?xf32>) outs(%j : memref<?xf32>)
      scf.yield %j : memref<?xf32>
    }
    linalg.add ins(%i, %i : memref<?xf32>, memref<?xf32>) outs(%i : memref<?xf32>)
    scf.yield %i : memref<?xf32>
  }
  linalg.add ins(%r, %r : memref<?xf32>, memref<?xf32>) outs(%r : memref<?xf32>)
  call @print(%r) : (memref<?xf32>) -> ()
  return
}

func.func @main() {
  %yes = arith.constant true
  %no = arith.constant false
  %x = arith.constant 3.0 : f32
  // CHECK:      66{{$}}
  call @chain(%yes, %no, %no, %x) : (i1, i1, i1, f32) -> ()
  // CHECK-NEXT: 44444{{$}}
  call @chain(%no, %yes, %no, %x) : (i1, i1, i1, f32) -> ()
  // CHECK-NEXT: 16161616{{$}}
  call @chain(%no, %no, %yes, %x) : (i1, i1, i1, f32) -> ()
  // CHECK-NEXT: 161616{{$}}
  call @chain(%no, %no, %no, %x) : (i1, i1, i1, f32) -> ()
  return
}
