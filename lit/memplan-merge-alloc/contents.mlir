// An operation that writes all of a buffer and reads none of it ends the contents that the buffer had.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify in-place=false})' \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

// 1. Each iteration overwrites both buffers: neither lives from one iteration to the next.
func.func @overwritten_in_each_iteration(%in: memref<64xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-remark @+1 {{offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    memref.copy %in, %b : memref<64xf32> to memref<64xf32>
    memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// 2. Only one element is written: the others are those of earlier iterations.
func.func @one_element(%in: memref<64xf32>, %out: memref<64xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %x, %a[%i] : memref<64xf32>
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    memref.copy %in, %b : memref<64xf32> to memref<64xf32>
    memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// 3. Half of it, through a view.
func.func @half(%in: memref<32xf32>, %whole: memref<64xf32>, %out: memref<64xf32>) {
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  memref.copy %whole, %a : memref<64xf32> to memref<64xf32>
  memref.copy %whole, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  %low = memref.subview %a[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  memref.copy %in, %low : memref<32xf32> to memref<32xf32, strided<[1]>>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 4. All of it through a view of another shape: the hole is used by the other.
func.func @reshaped(%in: memref<8x8xf32>, %whole: memref<64xf32>, %out: memref<64xf32>) {
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  memref.copy %whole, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.copy %whole, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  %square = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  memref.copy %in, %square : memref<8x8xf32> to memref<8x8xf32>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 5. The operation that writes the buffer reads it.
#id = affine_map<(d0) -> (d0)>
func.func @accumulates(%in: memref<64xf32>, %out: memref<64xf32>) {
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : memref<64xf32>) outs(%a : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 6. The operation that writes the buffer reads it through another operand.
#id = affine_map<(d0) -> (d0)>
func.func @reads_itself(%in: memref<64xf32>, %out: memref<64xf32>) {
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xf32>) outs(%a : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 7. A loop over nothing writes nothing: the last dimension of the iteration may be empty.
#in = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @perhaps_no_iteration(%many: memref<64x?xf32>, %in: memref<64xf32>, %out: memref<64xf32>) {
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "parallel"]} ins(%many : memref<64x?xf32>) outs(%a : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 8. The same with a loop of at least one iteration.
#in = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @some_iteration(%many: memref<64x2xf32>, %in: memref<64xf32>, %out: memref<64xf32>) {
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "parallel"]} ins(%many : memref<64x2xf32>) outs(%a : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 9. Vectors: all of it, with a mask, from an offset.
func.func @vectors(%v: vector<64xf32>, %mask: vector<64xi1>, %in: memref<64xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{offset 0 of an arena of 768 bytes}}
  %whole = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %masked = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %shifted = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{offset 0 of an arena of 768 bytes}}
  %other = memref.alloc() : memref<64xf32>
  memref.copy %in, %whole : memref<64xf32> to memref<64xf32>
  memref.copy %in, %masked : memref<64xf32> to memref<64xf32>
  memref.copy %in, %shifted : memref<64xf32> to memref<64xf32>
  memref.copy %whole, %out : memref<64xf32> to memref<64xf32>
  memref.copy %in, %other : memref<64xf32> to memref<64xf32>
  memref.copy %other, %out : memref<64xf32> to memref<64xf32>
  vector.transfer_write %v, %whole[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  vector.transfer_write %v, %masked[%c0], %mask {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  vector.transfer_write %v, %shifted[%c1] : vector<64xf32>, memref<64xf32>
  memref.copy %whole, %out : memref<64xf32> to memref<64xf32>
  memref.copy %masked, %out : memref<64xf32> to memref<64xf32>
  memref.copy %shifted, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 10. Whoever else may be meant keeps what it has: what is overwritten is one of two.
func.func @one_of_two(%which: i1, %in: memref<64xf32>, %out: memref<64xf32>) {
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %c = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  memref.copy %in, %c : memref<64xf32> to memref<64xf32>
  memref.copy %c, %out : memref<64xf32> to memref<64xf32>
  %either = arith.select %which, %a, %b : memref<64xf32>
  memref.copy %in, %either : memref<64xf32> to memref<64xf32>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 11. Written in one branch only.
func.func @in_one_branch(%which: i1, %in: memref<64xf32>, %out: memref<64xf32>) {
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  scf.if %which {
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 12. Each iteration of a parallel loop writes it, and there may be none.
func.func @in_parallel(%n: index, %in: memref<64xf32>, %out: memref<64xf32>) {
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  scf.forall (%i) in (%n) {
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}
