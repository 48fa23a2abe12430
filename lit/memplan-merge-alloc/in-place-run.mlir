// Planned programs are lowered and executed; without the pass they print the same.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(convert-scf-to-cf,memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s

func.func private @printF32(f32)
func.func private @printNewline()

#id = affine_map<(d0) -> (d0)>
#square = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

func.func @print(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %m[%i] : memref<4xf32>
    func.call @printF32(%x) : (f32) -> ()
  }
  call @printNewline() : () -> ()
  return
}

// The numbers from %x on.
func.func @count(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %y = arith.addf %x, %k : f32
    memref.store %y, %m[%i] : memref<4xf32>
  }
  return
}

// 1. A chain in one place, with a copy that goes.
func.func @chain(%out: memref<4xf32>) {
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  call @count(%a, %two) : (memref<4xf32>, f32) -> ()
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.mulf %x, %x : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %c : memref<4xf32> to memref<4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : memref<4xf32>) outs(%out : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %two : f32
    linalg.yield %s : f32
  }
  return
}

// 2. There and back in each iteration of a loop.
func.func @to_and_fro(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @count(%a, %one) : (memref<4xf32>, f32) -> ()
  scf.for %i = %c0 to %c3 step %c1 {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.mulf %x, %two : f32
      linalg.yield %s : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<4xf32>) outs(%a : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %one : f32
      linalg.yield %s : f32
    }
  }
  memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  return
}

// 3. A matrix and its transpose: in place, the second row would find what was written to the first.
func.func @with_its_transpose(%out: memref<4xf32>) {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<2x2xf32>
  call @count(%a, %one) : (memref<4xf32>, f32) -> ()
  %m = memref.expand_shape %a [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  linalg.generic {indexing_maps = [#square, #transposed, #square], iterator_types = ["parallel", "parallel"]} ins(%m, %m : memref<2x2xf32>, memref<2x2xf32>) outs(%b : memref<2x2xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %d = arith.mulf %x, %x : f32
    %s = arith.subf %d, %y : f32
    linalg.yield %s : f32
  }
  %flat = memref.collapse_shape %b [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  memref.copy %flat, %out : memref<4xf32> to memref<4xf32>
  return
}

// 4. Two buffers that each iteration overwrites, and one of which it writes only a part.
func.func @iterations(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %kept = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%kept : memref<4xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    linalg.fill ins(%five : f32) outs(%a : memref<4xf32>)
    %x = memref.load %a[%i] : memref<4xf32>
    memref.store %x, %kept[%i] : memref<4xf32>
    linalg.fill ins(%zero : f32) outs(%b : memref<4xf32>)
    %y = memref.load %b[%i] : memref<4xf32>
    %z = memref.load %kept[%c0] : memref<4xf32>
    %s = arith.addf %y, %z : f32
    memref.store %s, %out[%i] : memref<4xf32>
  }
  linalg.add ins(%kept, %out : memref<4xf32>, memref<4xf32>) outs(%out : memref<4xf32>)
  return
}

func.func @main() {
  %out = memref.alloc() : memref<4xf32>
  // CHECK: 6111827
  call @chain(%out) : (memref<4xf32>) -> ()
  call @print(%out) : (memref<4xf32>) -> ()
  // CHECK-NEXT: 15233139
  call @to_and_fro(%out) : (memref<4xf32>) -> ()
  call @print(%out) : (memref<4xf32>) -> ()
  // CHECK-NEXT: 01712
  call @with_its_transpose(%out) : (memref<4xf32>) -> ()
  call @print(%out) : (memref<4xf32>) -> ()
  // CHECK-NEXT: 10101010
  call @iterations(%out) : (memref<4xf32>) -> ()
  call @print(%out) : (memref<4xf32>) -> ()
  memref.dealloc %out : memref<4xf32>
  return
}
