// A step that decodes a token: the caches of keys and values are donated. They are neither copied nor allocated.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s --check-prefix=PRINTS
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify},%to-llvm)' | %runner \
// RUN:   | FileCheck %s --check-prefix=PRINTS
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify scope=module arena=global},%to-llvm)' | %runner \
// RUN:   | FileCheck %s --check-prefix=PRINTS
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{results=off},%to-llvm)' | %runner \
// RUN:   | FileCheck %s --check-prefix=PRINTS

// CHECK-LABEL: func @step
// CHECK-SAME:    -> (memref<4xf32>, memref<8x4xf32> {memplan.borrowed}, memref<8x4xf32> {memplan.borrowed})
// CHECK-NOT:     memref.copy
// CHECK-NOT:     memref.alloc() : memref<8x4xf32>
// CHECK:         return
// The callers pass the caches on: two buffers of 128 bytes for all steps.
// CHECK-LABEL: func @main
// CHECK:         memref.alloc() {{.*}} : memref<{{[0-9]+}}xi8>
// CHECK:         scf.for
// CHECK-NOT:       memref.copy
// CHECK:           func.call @step
// CHECK:         return

#v = affine_map<(i) -> (i)>
#zero = affine_map<(i) -> ()>

memref.global "private" constant @wq : memref<4x4xf32> = dense<[[1.0, 0.5, 0.0, 0.0], [0.0, 1.0, 0.5, 0.0], [0.0, 0.0, 1.0, 0.5], [0.5, 0.0, 0.0, 1.0]]>
memref.global "private" constant @wk : memref<4x4xf32> = dense<[[0.5, 0.0, 0.0, 1.0], [1.0, 0.5, 0.0, 0.0], [0.0, 1.0, 0.5, 0.0], [0.0, 0.0, 1.0, 0.5]]>
memref.global "private" constant @wv : memref<4x4xf32> = dense<[[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 0.0], [1.0, 0.0, 0.0, -1.0]]>

func.func private @printF32(f32) attributes {memplan.nocallback}
func.func private @printNewline() attributes {memplan.nocallback}

func.func @step(%x: memref<4xf32>, %k: memref<8x4xf32> {memplan.donated}, %v: memref<8x4xf32> {memplan.donated}, %pos: index)
    -> (memref<4xf32>, memref<8x4xf32>, memref<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %wq = memref.get_global @wq : memref<4x4xf32>
  %wk = memref.get_global @wk : memref<4x4xf32>
  %wv = memref.get_global @wv : memref<4x4xf32>
  // The new key and value.
  %key = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%key : memref<4xf32>)
  linalg.matvec ins(%wk, %x : memref<4x4xf32>, memref<4xf32>) outs(%key : memref<4xf32>)
  %k1 = memref.alloc() : memref<8x4xf32>
  memref.copy %k, %k1 : memref<8x4xf32> to memref<8x4xf32>
  %krow = memref.subview %k1[%pos, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.copy %key, %krow : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %value = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%value : memref<4xf32>)
  linalg.matvec ins(%wv, %x : memref<4x4xf32>, memref<4xf32>) outs(%value : memref<4xf32>)
  %v1 = memref.alloc() : memref<8x4xf32>
  memref.copy %v, %v1 : memref<8x4xf32> to memref<8x4xf32>
  %vrow = memref.subview %v1[%pos, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.copy %value, %vrow : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  // Scores, for positions up to this one.
  %q = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%q : memref<4xf32>)
  linalg.matvec ins(%wq, %x : memref<4x4xf32>, memref<4xf32>) outs(%q : memref<4xf32>)
  %scores = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<8xf32>)
  linalg.matvec ins(%k1, %q : memref<8x4xf32>, memref<4xf32>) outs(%scores : memref<8xf32>)
  %masked = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%scores : memref<8xf32>) outs(%masked : memref<8xf32>) {
  ^bb0(%s: f32, %o: f32):
    %i = linalg.index 0 : index
    %is_past = arith.cmpi ule, %i, %pos : index
    %m = arith.select %is_past, %s, %low : f32
    linalg.yield %m : f32
  }
  %most = memref.alloc() : memref<f32>
  linalg.fill ins(%low : f32) outs(%most : memref<f32>)
  linalg.generic {indexing_maps = [#v, #zero], iterator_types = ["reduction"]} ins(%masked : memref<8xf32>) outs(%most : memref<f32>) {
  ^bb0(%s: f32, %o: f32):
    %m = arith.maximumf %s, %o : f32
    linalg.yield %m : f32
  }
  %powers = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [#v, #zero, #v], iterator_types = ["parallel"]}
      ins(%masked, %most : memref<8xf32>, memref<f32>) outs(%powers : memref<8xf32>) {
  ^bb0(%s: f32, %m: f32, %o: f32):
    %d = arith.subf %s, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  %sum = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<f32>)
  linalg.generic {indexing_maps = [#v, #zero], iterator_types = ["reduction"]} ins(%powers : memref<8xf32>) outs(%sum : memref<f32>) {
  ^bb0(%s: f32, %o: f32):
    %m = arith.addf %s, %o : f32
    linalg.yield %m : f32
  }
  %weights = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [#v, #zero, #v], iterator_types = ["parallel"]}
      ins(%powers, %sum : memref<8xf32>, memref<f32>) outs(%weights : memref<8xf32>) {
  ^bb0(%s: f32, %m: f32, %o: f32):
    %d = arith.divf %s, %m : f32
    linalg.yield %d : f32
  }
  %out = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<4xf32>)
  linalg.vecmat ins(%weights, %v1 : memref<8xf32>, memref<8x4xf32>) outs(%out : memref<4xf32>)
  return %out, %k1, %v1 : memref<4xf32>, memref<8x4xf32>, memref<8x4xf32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %k = memref.alloc() : memref<8x4xf32>
  linalg.fill ins(%zero : f32) outs(%k : memref<8x4xf32>)
  %v = memref.alloc() : memref<8x4xf32>
  linalg.fill ins(%zero : f32) outs(%v : memref<8x4xf32>)
  %x = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%x : memref<4xf32>)
  memref.store %one, %x[%c0] : memref<4xf32>
  // PRINTS:      1001
  // PRINTS-NEXT: 1.85195000.148047
  // PRINTS-NEXT: 3.999991.9999901.7039
  // PRINTS-NEXT: 9.703895.999991.999992.29609
  // PRINTS-NEXT: 1.50
  %k2, %v2 = scf.for %pos = %c0 to %c4 step %c1 iter_args(%ki = %k, %vi = %v) -> (memref<8x4xf32>, memref<8x4xf32>) {
    %out, %k1, %v1 = func.call @step(%x, %ki, %vi, %pos)
      : (memref<4xf32>, memref<8x4xf32>, memref<8x4xf32>, index) -> (memref<4xf32>, memref<8x4xf32>, memref<8x4xf32>)
    scf.for %i = %c0 to %c4 step %c1 {
      %e = memref.load %out[%i] : memref<4xf32>
      func.call @printF32(%e) : (f32) -> ()
      %n = arith.index_cast %pos : index to i32
      %f = arith.sitofp %n : i32 to f32
      %g = arith.addf %e, %f : f32
      memref.store %g, %x[%i] : memref<4xf32>
    }
    func.call @printNewline() : () -> ()
    scf.yield %k1, %v1 : memref<8x4xf32>, memref<8x4xf32>
  }
  %a = memref.load %k2[%c1, %c0] : memref<8x4xf32>
  %b = memref.load %v2[%c1, %c1] : memref<8x4xf32>
  func.call @printF32(%a) : (f32) -> ()
  func.call @printF32(%b) : (f32) -> ()
  func.call @printNewline() : () -> ()
  return
}
