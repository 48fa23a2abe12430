// Orders that are kept because of the effects of an operation. In each case, the last use of
// %a would move before the operation that fills %b, except for one thing.
// RUN: %memplan-opt %s --allow-unregistered-dialect -o %t.before
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-reorder)' -o %t.after
// RUN: diff %t.before %t.after
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-reorder{effort=thorough calls=capture}))' -o %t.after
// RUN: diff %t.before %t.after

#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> (0)>
func.func private @unseen()

// 1. A call of a function that is not seen.
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

// 2. An atomic operation.
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

// 3. An unregistered operation.
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

// 4. Reads through a vector of pointers, or by a reduction.
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
