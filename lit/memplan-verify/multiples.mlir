// Slices after a number of times one size.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(memplan-verify)'

// 1. The second begins where the first one ends, and the third where the second one begins, which is dead by then.
func.func @right(%n: memref<?xf32>, %to: memref<f32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %most = arith.constant 28147497671065 : index
  %d = memref.dim %n, %c0 : memref<?xf32>
  %least = arith.maxsi %d, %c0 : index
  %unit = arith.minsi %least, %most : index
  %at = arith.muli %unit, %c64 : index
  %all = arith.muli %unit, %c128 : index
  %arena = memref.alloc(%all) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a = memref.view %arena[%c0][%d] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?x16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<?x16xf32>)
  %b = memref.view %arena[%at][%d] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?x16xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<?x16xf32>)
  %c = memref.view %arena[%at][%d] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?x16xf32>
  linalg.fill ins(%z : f32) outs(%c : memref<?x16xf32>)
  %v = memref.load %a[%c0, %c0] : memref<?x16xf32>
  %w = memref.load %c[%c0, %c0] : memref<?x16xf32>
  %x = arith.addf %v, %w : f32
  memref.store %x, %to[] : memref<f32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 2. The second begins before the first one ends.
func.func @overlap(%n: memref<?xf32>, %to: memref<f32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %most = arith.constant 28147497671065 : index
  %d = memref.dim %n, %c0 : memref<?xf32>
  %least = arith.maxsi %d, %c0 : index
  %unit = arith.minsi %least, %most : index
  %at = arith.muli %unit, %c64 : index
  %all = arith.muli %unit, %c192 : index
  %arena = memref.alloc(%all) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a = memref.view %arena[%c0][%d] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?x17xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<?x17xf32>)
  %b = memref.view %arena[%at][%d] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?x16xf32>
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%z : f32) outs(%b : memref<?x16xf32>)
  // expected-error @+1 {{memplan-E201}}
  %v = memref.load %a[%c0, %c0] : memref<?x17xf32>
  memref.store %v, %to[] : memref<f32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 3. It ends after the arena.
func.func @outside(%n: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %most = arith.constant 28147497671065 : index
  %d = memref.dim %n, %c0 : memref<?xf32>
  %least = arith.maxsi %d, %c0 : index
  %unit = arith.minsi %least, %most : index
  %at = arith.muli %unit, %c64 : index
  %all = arith.muli %unit, %c128 : index
  %arena = memref.alloc(%all) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena}}
  %a = memref.view %arena[%at][%d] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?x17xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<?x17xf32>)
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 4. A limit of the size that is too low: 128 times it are memory that may be there.
func.func @limit(%n: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %most = arith.constant 1000000 : index
  %d = memref.dim %n, %c0 : memref<?xf32>
  %unit = arith.minsi %d, %most : index
  %at = arith.muli %unit, %c64 : index
  %all = arith.muli %unit, %c128 : index
  %arena = memref.alloc(%all) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena}}
  %a = memref.view %arena[%at][%d] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?x16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<?x16xf32>)
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 5. Offsets that are multiples of two sizes: one of them is not known to end before the other one starts.
func.func @two_sizes(%n: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %d = memref.dim %n, %c0 : memref<?x?xf32>
  %e = memref.dim %n, %c1 : memref<?x?xf32>
  %limit = arith.constant 35184372088832 : index
  %u = arith.minui %d, %limit : index
  %v = arith.minui %e, %limit : index
  %one = arith.muli %u, %c64 : index
  %other = arith.muli %v, %c64 : index
  %some = arith.muli %u, %c128 : index
  %more = arith.muli %v, %c128 : index
  %all = arith.addi %some, %more : index
  %arena = memref.alloc(%all) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a = memref.view %arena[%one][%d] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?x16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<?x16xf32>)
  %b = memref.view %arena[%other][%e] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?x16xf32>
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%z : f32) outs(%b : memref<?x16xf32>)
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  %x = memref.load %a[%c0, %c0] : memref<?x16xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 6. An offset that is not aligned.
func.func @aligned(%n: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %c66 = arith.constant 66 : index
  %c192 = arith.constant 192 : index
  %d = memref.dim %n, %c0 : memref<?xf32>
  %limit = arith.constant 35184372088832 : index
  %u = arith.minui %d, %limit : index
  %at = arith.muli %u, %c66 : index
  %all = arith.muli %u, %c192 : index
  %arena = memref.alloc(%all) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the elements of buffer 0 are aligned to 4, but its offset is not}}
  %a = memref.view %arena[%at][%d] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?x16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<?x16xf32>)
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 7. Elements of two sizes at the same start: the operation overwrites what it has not read yet.
func.func @wider(%n: memref<?xf32>, %to: memref<f64>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %c64 = arith.constant 64 : index
  %d = memref.dim %n, %c0 : memref<?xf32>
  %limit = arith.constant 35184372088832 : index
  %u = arith.minui %d, %limit : index
  %all = arith.muli %u, %c64 : index
  %arena = memref.alloc(%all) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a = memref.view %arena[%c0][%d] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<?xf32>)
  %b = memref.view %arena[%c0][%d] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xf64>
  // expected-note @+2 {{overwritten here}}
  // expected-error @+1 {{memplan-E20}}
  linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%a : memref<?xf32>) outs(%b : memref<?xf64>) {
  ^bb0(%in: f32, %out: f64):
    %wide = arith.extf %in : f32 to f64
    linalg.yield %wide : f64
  }
  %v = memref.load %b[%c0] : memref<?xf64>
  memref.store %v, %to[] : memref<f64>
  memref.dealloc %arena : memref<?xi8>
  return
}
