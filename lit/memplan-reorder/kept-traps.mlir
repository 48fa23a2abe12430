// Orders that are kept because an operation may trap, fail or not terminate. In each case, the last use of %a would
// move before the operation that fills %b, except for one thing.
// RUN: %memplan-opt %s --allow-unregistered-dialect -o %t.before
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-reorder)' -o %t.after
// RUN: diff %t.before %t.after
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-reorder{effort=thorough calls=capture}))' -o %t.after
// RUN: diff %t.before %t.after

#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> (0)>

// 1. An assertion guards a division, which comes after a write that others see.
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

// 2. An assertion guards the index of a load.
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

// 3. An assertion in the body of an operation: others see what was written before it.
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

// 4. A loop that may never be over.
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

// 5. A loop whose step is not known to be more than 0 may never terminate, either.
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

// 6. Dynamic sizes may turn out to differ.
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
