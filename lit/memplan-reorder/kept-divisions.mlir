// Orders that are kept because of divisions that upstream calls pure. The last use of %a would
// move before the operation that fills %b otherwise.
// RUN: %memplan-opt %s --allow-unregistered-dialect -o %t.before
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-reorder)' -o %t.after
// RUN: diff %t.before %t.after
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-reorder{effort=thorough calls=capture}))' -o %t.after
// RUN: diff %t.before %t.after

#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> (0)>

// 1. Divisions that upstream calls pure.
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
