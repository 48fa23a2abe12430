// Operations that the pass cannot handle are errors; operations that touch no memref are not.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. An operation of unknown effects.
func.func @unknown() {
  %a = memref.alloc() : memref<8xf32>
  // expected-error @+1 {{'test.use' has unknown effects on memrefs: let it implement MemoryEffectOpInterface [memplan-E301]}}
  "test.use"(%a) : (memref<8xf32>) -> ()
  return
}

// -----

// 2. An operation of unknown effects that touches no memref.
func.func @elsewhere(%x: i32) {
  %a = memref.alloc() : memref<8xf32>
  "test.use"(%x) : (i32) -> ()
  return
}

// -----

// 3. memref.realloc has to be expanded.
func.func @realloc(%n: index) {
  %a = memref.alloc() : memref<8xf32>
  // expected-error @+1 {{'memref.realloc' has to be expanded: run expand-realloc first [memplan-E308]}}
  %b = memref.realloc %a(%n) : memref<8xf32> to memref<?xf32>
  return
}

// -----

// 4. A branch that does not say which values it forwards.
func.func @branch(%a: memref<8xf32>) {
  // expected-error @+1 {{'test.branch' forwards memrefs to unknown destinations: let it implement BranchOpInterface or RegionBranchTerminatorOpInterface [memplan-E302]}}
  "test.branch"(%a)[^b] : (memref<8xf32>) -> ()
^b:
  return
}

// -----

// 5. Elements that are memrefs, which an operation computes with.
#id = affine_map<(d0) -> (d0)>
func.func @elements(%a: memref<4xmemref<2xf32>>, %b: memref<4xmemref<2xf32>>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<4xmemref<2xf32>>) outs(%b : memref<4xmemref<2xf32>>) {
  ^bb0(%x: memref<2xf32>, %y: memref<2xf32>):
    // expected-error @+1 {{'linalg.yield' forwards memrefs to 'linalg.generic', whose control flow is unknown: lower that first, or let it implement RegionBranchOpInterface [memplan-E302]}}
    linalg.yield %x : memref<2xf32>
  }
  return
}

// -----

// 6. A body without a location, as in the pretty form: the error is at the enclosing operation.
func.func @nested_memrefs(%s: memref<memref<8xf32>>, %x: memref<memref<8xf32>>) {
  // expected-error @+1 {{'linalg.yield' forwards memrefs to 'linalg.copy', whose control flow is unknown: lower that first, or let it implement RegionBranchOpInterface [memplan-E302]}}
  linalg.copy ins(%s : memref<memref<8xf32>>) outs(%x : memref<memref<8xf32>>)
  return
}

// -----

// 7. A descriptor is used by what may keep it.
func.func @descriptor(%v: vector<16xf32>) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @+1 {{it escapes here}}
  %t = xegpu.create_nd_tdesc %a : memref<16xf32> -> !xegpu.tensor_desc<16xf32>
  xegpu.store_nd %v, %t[0] : vector<16xf32>, !xegpu.tensor_desc<16xf32>
  return
}
