// Orders that are kept because operations may touch the same memory. In each case, the last use of
// %a would move before the operation that fills %b, except for one thing.
// RUN: %memplan-opt %s --allow-unregistered-dialect -o %t.before
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-reorder)' -o %t.after
// RUN: diff %t.before %t.after
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-reorder{effort=thorough calls=capture}))' -o %t.after
// RUN: diff %t.before %t.after

#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> (0)>

// 1. A read from outside may be of memory that is written there.
func.func @memory_outside(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// 2. Two views of one buffer, which overlap.
func.func @overlapping(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>, %u: memref<4xf32>, %w: memref<2xf32>) {
  %m = memref.alloc() : memref<4xf32>
  memref.copy %u, %m : memref<4xf32> to memref<4xf32>
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %p = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %q = memref.subview %m[1] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: 1>>
  memref.copy %w, %p : memref<2xf32> to memref<2xf32, strided<[1]>>
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%q : memref<1xf32, strided<[1], offset: 1>>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %m, %u : memref<4xf32> to memref<4xf32>
  return
}

// 3. A memref that may be one of two buffers.
func.func @either(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  %g = memref.alloc() : memref<1xf32>
  memref.copy %z, %g : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %r = scf.if %c -> (memref<1xf32>) {
    scf.yield %s : memref<1xf32>
  } else {
    scf.yield %g : memref<1xf32>
  }
  memref.copy %r, %z : memref<1xf32> to memref<1xf32>
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 4. A scalar that is loaded before its buffer is written.
func.func @scalar(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %f = memref.load %y[%k] : memref<64xf32>
  %i = arith.fptoui %f : f32 to i32
  %j = arith.index_castui %i : i32 to index
  %e = memref.load %s[%j] : memref<1xf32>
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.store %e, %y[%k] : memref<64xf32>
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 5. A buffer that was stored where others may find it.
func.func @stored(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %h = memref.alloc() : memref<4xmemref<1xf32>>
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.store %s, %h[%k] : memref<4xmemref<1xf32>>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %e = memref.load %h[%k] : memref<4xmemref<1xf32>>
  memref.copy %e, %z : memref<1xf32> to memref<1xf32>
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 6. An address that was taken, and what is read through it.
func.func @pointer(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  %at = memref.extract_aligned_pointer_as_index %s : memref<1xf32> -> index
  %i = arith.index_cast %at : index to i64
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %f = llvm.inttoptr %i : i64 to !llvm.ptr
  %e = llvm.load %f : !llvm.ptr -> f32
  memref.store %e, %z[%k] : memref<1xf32>
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 7. Memory that a loop reads in each iteration.
func.func @in_a_loop(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %e = memref.load %s[%c0] : memref<1xf32>
    memref.store %e, %y[%i] : memref<64xf32>
  }
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 8. A copy that is pending until it is awaited.
func.func @asynchronous(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %tag = memref.alloc() : memref<1xi32>
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.dma_start %s[%c0], %z[%c0], %c1, %tag[%c0] : memref<1xf32>, memref<1xf32>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c1 : memref<1xi32>
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}
