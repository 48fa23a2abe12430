// Orders that are better, and that are not allowed: everything stays as it is. In all of them, what needs %a last would
// go in front of what fills %b, were it not for one thing.
// RUN: %memplan-opt %s --allow-unregistered-dialect -o %t.before
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-reorder)' -o %t.after
// RUN: diff %t.before %t.after
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-reorder{effort=thorough calls=capture}))' -o %t.after
// RUN: diff %t.before %t.after

#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> (0)>

func.func private @unseen()

// 1. What is read outside may be what is written there.
func.func @memory_outside(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// 2. An assertion guards a division, which comes behind a write that others see.
func.func @division(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  cf.assert %c, "guard"
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divsi %n, %n : i32
    %f = arith.sitofp %q : i32 to f32
    %t = arith.addf %in, %f : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 3. An assertion guards the index of a load.
func.func @index(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  cf.assert %c, "guard"
  %e = memref.load %a[%k] : memref<64xf32>
  %c0 = arith.constant 0 : index
  memref.store %e, %s[%c0] : memref<1xf32>
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 4. An assertion in the body of an operation: others see what was written before it.
func.func @in_a_body(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    cf.assert %c, "guard"
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 5. A loop that may never be over.
func.func @forever(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %w = scf.while (%i = %n) : (i32) -> i32 {
    %more = arith.cmpi ne, %i, %i : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  %e = memref.load %a[%k] : memref<64xf32>
  %c0 = arith.constant 0 : index
  memref.store %e, %s[%c0] : memref<1xf32>
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 6. So may one be whose step is not known to be more than 0.
func.func @unknown_step(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %k step %k {
  }
  %e = memref.load %a[%k] : memref<64xf32>
  memref.store %e, %s[%c0] : memref<1xf32>
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 7. Sizes that only the run knows may be found to differ.
func.func @unknown_shapes(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  cf.assert %c, "guard"
  %d = memref.cast %a : memref<64xf32> to memref<?xf32>
  %p = memref.subview %d[0] [%k] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%p : memref<?xf32, strided<[1]>>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 8. Two views of one buffer, which overlap.
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

// 9. What may be one of two buffers.
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

// 10. A scalar that is loaded before its buffer is written.
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

// 11. A call of a function that is not seen.
func.func @call(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  func.call @unseen() : () -> ()
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 12. What is atomic.
func.func @atomic(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %old = memref.atomic_rmw addf %v, %z[%k] : (f32, memref<1xf32>) -> f32
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 13. What is not registered.
func.func @unregistered(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  "some.thing"() : () -> ()
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 14. A buffer that was stored where others may find it.
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

// 15. An address that was taken, and what is read through it.
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

// 16. What a loop reads in each turn.
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

// 17. A copy that goes on until it is waited for.
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

// 18. Divisions that upstream calls pure.
func.func @remainder(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  cf.assert %c, "guard"
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.remui %n, %n : i32
    %f = arith.sitofp %q : i32 to f32
    %t = arith.addf %in, %f : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}
func.func @signed_remainder(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  cf.assert %c, "guard"
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.remsi %n, %n : i32
    %f = arith.sitofp %q : i32 to f32
    %t = arith.addf %in, %f : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}
func.func @rounded_down(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  cf.assert %c, "guard"
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.floordivsi %n, %n : i32
    %f = arith.sitofp %q : i32 to f32
    %t = arith.addf %in, %f : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}
func.func @of_index(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  cf.assert %c, "guard"
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = index.rems %k, %k
    %j = arith.index_cast %q : index to i32
    %f = arith.sitofp %j : i32 to f32
    %t = arith.addf %in, %f : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}
func.func @of_affine(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  cf.assert %c, "guard"
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = affine.apply affine_map<()[s0] -> (7 mod s0)>()[%k]
    %j = arith.index_cast %q : index to i32
    %f = arith.sitofp %j : i32 to f32
    %t = arith.addf %in, %f : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}
func.func @power(%v: f32, %n: i32, %k: index, %c: i1, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<1xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<1xf32>
  memref.copy %z, %s : memref<1xf32> to memref<1xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  cf.assert %c, "guard"
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = math.ipowi %n, %n : i32
    %f = arith.sitofp %q : i32 to f32
    %t = arith.addf %in, %f : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<1xf32> to memref<1xf32>
  return
}

// 19. What is read through a vector of pointers, or by a reduction.
func.func @gather(%x: memref<64xf32, #ptr.generic_space>, %in: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %mask = arith.constant dense<true> : vector<4xi1>
  %pass = arith.constant dense<0.0> : vector<4xf32>
  %offsets = arith.constant dense<[0, 4, 8, 12]> : vector<4xindex>
  %a = memref.alloc() : memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : memref<64xf32>) outs(%a : memref<64xf32>) {
  ^bb0(%e: f32, %out: f32):
    %t = arith.addf %e, %e : f32
    linalg.yield %t : f32
  }
  %p = ptr.to_ptr %x : memref<64xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  %ps = ptr.ptr_add %p, %offsets : !ptr.ptr<#ptr.generic_space>, vector<4xindex>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  %v = ptr.gather %ps, %mask, %pass : vector<4x!ptr.ptr<#ptr.generic_space>> -> vector<4xf32>
  vector.store %v, %b[%c0] : memref<64xf32>, vector<4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xf32>) outs(%x : memref<64xf32, #ptr.generic_space>) {
  ^bb0(%e: f32, %out: f32):
    %t = arith.addf %e, %e : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%e: f32, %out: f32):
    %t = arith.addf %e, %e : f32
    linalg.yield %t : f32
  }
  return
}
func.func @reduction(%in: memref<64xf32>, %y: memref<64xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  %r = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init (%a) -> memref<64xf32> {
    scf.reduce(%b : memref<64xf32>) {
    ^bb0(%l: memref<64xf32>, %q: memref<64xf32>):
      %n = memref.alloc() : memref<64xf32>
      linalg.add ins(%l, %q : memref<64xf32>, memref<64xf32>) outs(%n : memref<64xf32>)
      scf.reduce.return %n : memref<64xf32>
    }
  }
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%d : memref<64xf32>)
  linalg.add ins(%r, %d : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
