// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{planner=plain verify=true}))' \
// RUN:   | FileCheck %s

// Right programs that the check of the plan once took for wrong.

// 1. A value that is only passed on to an argument without uses is not used.
// CHECK-LABEL: func @passed_on_unused
// CHECK-COUNT-2: memplan.buffer
func.func @passed_on_unused(%p: i1, %q: i1, %o: memref<4xf32>, %k: f32) {
  cf.br ^loop(%o : memref<4xf32>)
^loop(%x: memref<4xf32>):
  memref.copy %x, %o : memref<4xf32> to memref<4xf32>
  cf.cond_br %p, ^a, ^b
^a:
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%k : f32) outs(%a : memref<4xf32>)
  cf.br ^join(%a : memref<4xf32>)
^b:
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%k : f32) outs(%b : memref<4xf32>)
  memref.copy %b, %o : memref<4xf32> to memref<4xf32>
  cf.br ^join(%o : memref<4xf32>)
^join(%y: memref<4xf32>):
  cf.cond_br %q, ^loop(%y : memref<4xf32>), ^exit(%x : memref<4xf32>)
^exit(%z: memref<4xf32>):
  return
}

// 2. Instances without bytes do not conflict with each other.
// CHECK-LABEL: func @carried_without_bytes
// CHECK-COUNT-2: memplan.buffer
func.func @carried_without_bytes(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<0xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i) -> memref<0xf32> {
    %a = memref.alloc() : memref<0xf32>
    memref.copy %x, %a : memref<0xf32> to memref<0xf32>
    scf.yield %a : memref<0xf32>
  }
  return
}

// 3. A tensor that a parallel loop makes does not keep the memory that its body reads.
// CHECK-LABEL: func @tensor_of_a_parallel_loop
// CHECK-COUNT-2: memplan.buffer
func.func @tensor_of_a_parallel_loop(%t: tensor<8xf32>) -> tensor<8xf32> {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.forall (%i) in (8) shared_outs(%s = %t) -> tensor<8xf32> {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    %e = tensor.extract_slice %s[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// 4. One value refers to one of two buffers in the same bytes, and is passed to itself.
// CHECK-LABEL: func @passed_to_itself
// CHECK-COUNT-2: memplan.buffer
func.func @passed_to_itself(%c: i1, %d: i1, %v: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  cf.cond_br %c, ^a, ^b
^a:
  %x = memref.alloc() : memref<4xf64>
  linalg.fill ins(%v : f64) outs(%x : memref<4xf64>)
  cf.br ^j(%x : memref<4xf64>)
^b:
  %y = memref.alloc() : memref<4xf64>
  linalg.fill ins(%v : f64) outs(%y : memref<4xf64>)
  cf.br ^j(%y : memref<4xf64>)
^j(%p: memref<4xf64>):
  %s = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %v) -> (f64) {
    %q = memref.load %p[%i] : memref<4xf64>
    %z = arith.addf %a, %q : f64
    memref.store %z, %p[%c1] : memref<4xf64>
    scf.yield %z : f64
  }
  cf.cond_br %d, ^j(%p : memref<4xf64>), ^e
^e:
  return %s : f64
}

// 5. A size that is computed from that of another slice.
// CHECK-LABEL: func @size_of_a_slice
// CHECK-COUNT-4: memplan.buffer
func.func @size_of_a_slice(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<1xi64>
  %k = arith.addi %n, %c1 : index
  %q = arith.remui %k, %c2 : index
  %p = arith.cmpi eq, %q, %c1 : index
  scf.if %p {
    %a = memref.alloc(%c0) : memref<?xi64>
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%l = %a) -> (memref<?xi64>) {
      %j = arith.addi %i, %c3 : index
      %half = arith.remui %j, %c2 : index
      %t = arith.cmpi eq, %half, %c2 : index
      scf.if %t {
        %d = memref.dim %a, %c0 : memref<?xi64>
        %e = arith.addi %d, %c0 : index
        %b = memref.alloc(%e) : memref<?xi64>
        memref.copy %a, %b : memref<?xi64> to memref<?xi64>
        %f = memref.alloc(%c3) : memref<?xi64>
      }
      scf.yield %a : memref<?xi64>
    }
  }
  return
}

// 6. As 5, where a loop passes the slice on.
// CHECK-LABEL: func @size_of_a_slice_passed_on
// CHECK-COUNT-2: memplan.buffer
func.func @size_of_a_slice_passed_on(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %r = scf.if %c -> (memref<?xf32>) {
    %a = memref.alloc(%c8) : memref<?xf32>
    %l = scf.for %i = %c0 to %c0 step %c1 iter_args(%m = %a) -> (memref<?xf32>) {
      %t = arith.cmpi ne, %i, %c0 : index
      scf.if %t {
        %b = memref.alloc(%c3) : memref<?xf32>
      }
      %d = memref.dim %m, %c0 : memref<?xf32>
      %e = memref.alloc(%d) : memref<?xf32>
      scf.yield %e : memref<?xf32>
    }
    scf.yield %a : memref<?xf32>
  } else {
    %o = memref.alloc(%c0) : memref<?xf32>
    scf.yield %o : memref<?xf32>
  }
  return
}

// 7. A copy between slices of the same bytes would do nothing, and be erased. It stays, and the slices differ, where
// its target may have held contents before, which other buffers have overwritten: the verifier could not see that it
// holds contents again. Here, the overwriting code comes later in the text.
// CHECK-LABEL: func @written_again_by_a_copy
// CHECK:         memref.copy
// CHECK-LABEL: func @written_first_by_a_copy
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @written_again_by_a_copy(%c: i1, %k: f32, %o: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^first, ^second
^second:
  %v = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%v : memref<8xf32>)
  memref.copy %v, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%o : memref<8xf32>)
  return
^first:
  linalg.fill ins(%k : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%b : memref<8xf32>)
  linalg.add ins(%b, %b : memref<8xf32>, memref<8xf32>) outs(%o : memref<8xf32>)
  cf.br ^second
}
func.func @written_first_by_a_copy(%k: f32, %o: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%k : f32) outs(%b : memref<4xf32>)
  %v = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%v : memref<8xf32>)
  memref.copy %v, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%o : memref<8xf32>)
  return
}
