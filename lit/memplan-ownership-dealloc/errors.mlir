// What cannot be handled is told at the operation; what touches no memref is no obstacle.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. An operation of unknown effects.
func.func @unknown() {
  %a = memref.alloc() : memref<8xf32>
  // expected-error @+1 {{'test.use' uses memrefs, but does not say how: let it implement MemoryEffectOpInterface [memplan-E301]}}
  "test.use"(%a) : (memref<8xf32>) -> ()
  return
}

// -----

// 2. One that touches no memref.
func.func @elsewhere(%x: i32) {
  %a = memref.alloc() : memref<8xf32>
  "test.use"(%x) : (i32) -> ()
  return
}

// -----

// 3. A free of memory that may be an argument, or else is needed behind it.
func.func @mixed(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %x : memref<8xf32>
  // expected-error @+1 {{'memref.dealloc' frees or takes memory that may be needed behind it [memplan-E303]}}
  memref.dealloc %s : memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 4. memref.realloc has to be expanded.
func.func @realloc(%n: index) {
  %a = memref.alloc() : memref<8xf32>
  // expected-error @+1 {{'memref.realloc' has to be expanded first: run expand-realloc before [memplan-E308]}}
  %b = memref.realloc %a(%n) : memref<8xf32> to memref<?xf32>
  return
}

// -----

// 5. The caller of a function that returns its argument gets a copy.
func.func @argument(%x: memref<8xf32>) -> memref<8xf32> {
  // expected-warning @+1 {{returns memory that the function does not own: the caller gets a copy, and does not see what is written to the original later [memplan-W302]}}
  return %x : memref<8xf32>
}

// -----

// 6. A memref that is still to come is handed to the caller, but belongs to somebody else.
func.func @not_ours(%v: !async.value<memref<8xf32>>) -> !async.value<memref<8xf32>> {
  // expected-error @+1 {{'func.return' hands a memref that is still to come to the caller, who would own it, but it may be someone else's [memplan-E310]}}
  return %v : !async.value<memref<8xf32>>
}

// -----

// 7. What a reduction starts with belongs to somebody else, what it comes to does not: no flag can go with it.
func.func @reduced(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.parallel' cannot hand on a flag beside a memref that says who frees it: let all that it may be have one owner, such as by copies [memplan-E312]}}
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> memref<8xf32> {
    %b = memref.alloc() : memref<8xf32>
    scf.reduce(%b : memref<8xf32>) {
    ^bb0(%l: memref<8xf32>, %m: memref<8xf32>):
      memref.copy %l, %m : memref<8xf32> to memref<8xf32>
      scf.reduce.return %m : memref<8xf32>
    }
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 8. What is stored in memory that others know, or was stored in a turn before, is not followed.
func.func private @take(memref<2xmemref<4xf32>>)
func.func @exposed(%x: f32) {
  %c0 = arith.constant 0 : index
  %c = memref.alloc() : memref<2xmemref<4xf32>>
  // expected-warning @+1 {{is not freed: something else may hold on to it for longer than can be seen [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{handed on here}}
  memref.store %a, %c[%c0] : memref<2xmemref<4xf32>>
  call @take(%c) : (memref<2xmemref<4xf32>>) -> ()
  return
}
func.func @turn_before(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = memref.alloc() : memref<2xmemref<4xf32>>
  %b = memref.alloc() : memref<4xf32>
  memref.store %b, %c[%c0] : memref<2xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %o = memref.load %c[%c0] : memref<2xmemref<4xf32>>
    // expected-warning @+1 {{is not freed: something else may hold on to it for longer than can be seen [memplan-W301]}}
    %a = memref.alloc() : memref<4xf32>
    memref.copy %o, %a : memref<4xf32> to memref<4xf32>
    // expected-note @+1 {{handed on here}}
    memref.store %a, %c[%c0] : memref<2xmemref<4xf32>>
  }
  %l = memref.load %c[%c0] : memref<2xmemref<4xf32>>
  %r = memref.load %l[%c0] : memref<4xf32>
  return %r : f32
}
// Of what the program frees itself where it is loaded from memory of the function's own, nothing is said.
func.func @freed_by_the_program(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = memref.alloc() : memref<memref<4xf32>>
  %b = memref.alloc() : memref<4xf32>
  memref.store %b, %c[] : memref<memref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %x, %a[%i] : memref<4xf32>
    %o = memref.load %c[] : memref<memref<4xf32>>
    memref.dealloc %o : memref<4xf32>
    memref.store %a, %c[] : memref<memref<4xf32>>
  }
  %l = memref.load %c[] : memref<memref<4xf32>>
  memref.dealloc %l : memref<4xf32>
  return
}
func.func @freed_in_memory_of_others(%c: memref<memref<4xf32>>) {
  // expected-warning @+1 {{is not freed: something else may hold on to it for longer than can be seen [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{handed on here}}
  memref.store %a, %c[] : memref<memref<4xf32>>
  %l = memref.load %c[] : memref<memref<4xf32>>
  memref.dealloc %l : memref<4xf32>
  return
}

// -----

func.func private @sometimes(%m: memref<8xf32>, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<8xf32>
  }
  return
}
func.func private @always(%m: memref<8xf32>, %c: i1) {
  cf.cond_br %c, ^one, ^other
^one:
  cf.br ^other
^other:
  memref.dealloc %m : memref<8xf32>
  return
}
// By one of two.
func.func private @either(%m: memref<8xf32>, %c: i1) {
  cf.cond_br %c, ^one, ^other
^one:
  memref.dealloc %m : memref<8xf32>
  cf.br ^end
^other:
  memref.dealloc %m : memref<8xf32>
  cf.br ^end
^end:
  return
}
func.func private @inside(%m: memref<8xf32>, %c: i1, %i: index) {
  scf.if %c {
    scf.index_switch %i
    case 1 {
      memref.dealloc %m : memref<8xf32>
      scf.yield
    }
    default {
      func.call @always(%m, %c) : (memref<8xf32>, i1) -> ()
      scf.yield
    }
  } else {
    memref.dealloc %m : memref<8xf32>
  }
  return
}
// By one of three.
func.func private @rarely(%m: memref<8xf32>, %c: i1, %i: index) {
  scf.if %c {
    scf.index_switch %i
    case 1 {
      memref.dealloc %m : memref<8xf32>
      scf.yield
    }
    default {
    }
  } else {
    memref.dealloc %m : memref<8xf32>
  }
  return
}
func.func @perhaps(%x: memref<8xf32>, %c: i1) {
  %a = memref.alloc() : memref<8xf32>
  // expected-warning @+1 {{frees memory that it is given, but perhaps not on all ways: where it does not, nobody does [memplan-W303]}}
  call @sometimes(%a, %c) : (memref<8xf32>, i1) -> ()
  %b = memref.alloc() : memref<8xf32>
  call @always(%b, %c) : (memref<8xf32>, i1) -> ()
  %d = memref.alloc() : memref<8xf32>
  call @either(%d, %c) : (memref<8xf32>, i1) -> ()
  %i = arith.constant 1 : index
  %e = memref.alloc() : memref<8xf32>
  call @inside(%e, %c, %i) : (memref<8xf32>, i1, index) -> ()
  %f = memref.alloc() : memref<8xf32>
  // expected-warning @+1 {{frees memory that it is given, but perhaps not on all ways: where it does not, nobody does [memplan-W303]}}
  call @rarely(%f, %c, %i) : (memref<8xf32>, i1, index) -> ()
  // What is the caller's is the caller's.
  call @sometimes(%x, %c) : (memref<8xf32>, i1) -> ()
  // One of two.
  %g = memref.alloc() : memref<8xf32>
  %h = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %g, %h : memref<8xf32>
  // expected-warning @+1 {{frees memory that it is given, but perhaps not on all ways: where it does not, nobody does [memplan-W303]}}
  call @sometimes(%s, %c) : (memref<8xf32>, i1) -> ()
  return
}

// -----

// Memory that is stored where a symbol says, and addresses that are pointers of another dialect: by a callee, too.
ml_program.global private mutable @cell : memref<4xf32>
func.func private @stores_in_global(%m: memref<4xf32>) {
  ml_program.global_store @cell = %m : memref<4xf32>
  return
}
func.func @gives_to_global(%x: f32, %i: index) {
  // expected-warning @+1 {{is not freed: something else may hold on to it for longer than can be seen [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{handed on here}}
  ml_program.global_store @cell = %a : memref<4xf32>
  // expected-warning @+1 {{is not freed: something else may hold on to it for longer than can be seen [memplan-W301]}}
  %b = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{handed on here}}
  call @stores_in_global(%b) : (memref<4xf32>) -> ()
  return
}
func.func private @stores_pointer(%m: memref<4xf32, #ptr.generic_space>, %cell: !ptr.ptr<#ptr.generic_space>) {
  %p = ptr.to_ptr %m : memref<4xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  ptr.store %p, %cell : !ptr.ptr<#ptr.generic_space>, !ptr.ptr<#ptr.generic_space>
  return
}
func.func @gives_pointer(%cell: !ptr.ptr<#ptr.generic_space>) {
  // expected-warning @+1 {{is not freed: something else may hold on to it for longer than can be seen [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32, #ptr.generic_space>
  // expected-note @+1 {{handed on here}}
  call @stores_pointer(%a, %cell) : (memref<4xf32, #ptr.generic_space>, !ptr.ptr<#ptr.generic_space>) -> ()
  return
}

// What has no strides cannot be written out, and canonicalize would take it for the clone behind its end.
func.func @clones_without_strides(%a: memref<4x8xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>, %i: index) -> f32 {
  // expected-error @+1 {{'bufferization.clone' cannot be written out as memref.alloc and memref.copy: give it strides that go forwards [memplan-E309]}}
  %d = bufferization.clone %a : memref<4x8xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>> to memref<4x8xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>
  %y = memref.load %d[%i, %i] : memref<4x8xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>
  return %y : f32
}
func.func @returns_without_strides(%a: memref<4xf32, strided<[-1], offset: 3>>) -> memref<4xf32, strided<[-1], offset: 3>> {
  // expected-error @+1 {{'func.return' may return memory that the function does not own, and that cannot be copied: give it strides that go forwards [memplan-E310]}}
  return %a : memref<4xf32, strided<[-1], offset: 3>>
}
// A layout that neither the type nor what is cloned tells.
func.func @clones_to_open_layout(%a: memref<4x8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'bufferization.clone' cannot be written out as memref.alloc and memref.copy: give it the layout of what it copies, or one that its type tells [memplan-E309]}}
  %d = bufferization.clone %a : memref<4x8xf32> to memref<4x8xf32, strided<[1, ?]>>
  %y = memref.load %d[%c0, %c0] : memref<4x8xf32, strided<[1, ?]>>
  return %y : f32
}
func.func @clones_to_another_shape(%a: memref<4x8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'bufferization.clone' cannot be written out as memref.alloc and memref.copy: it has another shape or other elements than what it copies [memplan-E309]}}
  %d = bufferization.clone %a : memref<4x8xf32> to memref<8x4xf32>
  %y = memref.load %d[%c0, %c0] : memref<8x4xf32>
  return %y : f32
}
func.func @returns_too_much(%a: memref<4611686018427387904x2xf32, strided<[4, 1]>>) -> memref<4611686018427387904x2xf32, strided<[4, 1]>> {
  // expected-error @+1 {{'func.return' may return memory that the function does not own, and that cannot be copied: it has more elements than can be counted [memplan-E310]}}
  return %a : memref<4611686018427387904x2xf32, strided<[4, 1]>>
}

// -----

// Strides of what has no rank cannot be asked for, and a cast relies on them.
func.func @without_rank(%a: memref<*xf32>) -> memref<*xf32> {
  // expected-error @+1 {{'func.return' may return memory that the function does not own, and that cannot be copied: give it a rank: a memref.cast from one without a rank relies on strides that a copy does not have [memplan-E310]}}
  return %a : memref<*xf32>
}
func.func @relies_on_strides(%a: memref<4x8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %s = memref.subview %a[1, 1] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1], offset: 9>>
  %u = memref.cast %s : memref<2x3xf32, strided<[8, 1], offset: 9>> to memref<*xf32>
  %r = call @without_rank(%u) : (memref<*xf32>) -> memref<*xf32>
  %q = memref.cast %r : memref<*xf32> to memref<2x3xf32, strided<[8, 1], offset: 9>>
  %y = memref.load %q[%c0, %c0] : memref<2x3xf32, strided<[8, 1], offset: 9>>
  return %y : f32
}

// -----

// A branch of which it is not known what it hands on.
func.func @branch(%a: memref<8xf32>) {
  // expected-error @+1 {{'test.branch' ends a block and hands memrefs on, but does not say where to: let it implement BranchOpInterface or RegionBranchTerminatorOpInterface [memplan-E302]}}
  "test.branch"(%a)[^b] : (memref<8xf32>) -> ()
^b:
  return
}

// -----

// Elements that are memrefs, which an operation computes with.
#id = affine_map<(d0) -> (d0)>
func.func @elements(%a: memref<4xmemref<2xf32>>, %b: memref<4xmemref<2xf32>>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<4xmemref<2xf32>>) outs(%b : memref<4xmemref<2xf32>>) {
  ^bb0(%x: memref<2xf32>, %y: memref<2xf32>):
    // expected-error @+1 {{'linalg.yield' hands memrefs on to 'linalg.generic', which does not say where they go: lower that before, or let it implement RegionBranchOpInterface [memplan-E302]}}
    linalg.yield %x : memref<2xf32>
  }
  return
}

// -----

// Memory of one of two allocators.
func.func @mixed_allocators(%c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^a, ^b
^a:
  %x = memref.alloc() : memref<8xf32>
  cf.br ^join(%x : memref<8xf32>)
^b:
  %y = gpu.alloc() : memref<8xf32>
  cf.br ^join(%y : memref<8xf32>)
^join(%m: memref<8xf32>):
  // expected-error @+1 {{'memref.store' gets memory of different allocators, which are freed differently [memplan-E311]}}
  memref.store %v, %m[%c0] : memref<8xf32>
  return
}

// -----

// Callers would free by memref.dealloc what they get of a device.
func.func private @gives_device_memory() -> memref<8xf32> {
  %a = gpu.alloc() : memref<8xf32>
  // expected-error @+1 {{'func.return' returns memory that 'gpu.dealloc' gives back, and whoever calls the function frees what it gets by memref.dealloc [memplan-E311]}}
  return %a : memref<8xf32>
}
func.func @gets_device_memory() {
  %a = call @gives_device_memory() : () -> memref<8xf32>
  return
}

// -----

// One return gives memory of a device, and another one does not.
func.func @mixed_returns(%c: i1) -> memref<8xf32> {
  cf.cond_br %c, ^host, ^device
^host:
  %a = memref.alloc() : memref<8xf32>
  return %a : memref<8xf32>
^device:
  %b = gpu.alloc() : memref<8xf32>
  // expected-error @+1 {{'func.return' may return memory of different allocators, or a copy: callers cannot know which operation frees it [memplan-E311]}}
  return %b : memref<8xf32>
}

// -----

// An argument would be copied, and the copy is no memory of a device.
func.func @device_memory_or_a_copy(%c: i1, %x: memref<8xf32>) -> memref<8xf32> {
  %a = gpu.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %x : memref<8xf32>
  // expected-error @+1 {{'func.return' may return memory of different allocators, or a copy: callers cannot know which operation frees it [memplan-E311]}}
  return %s : memref<8xf32>
}

// -----

// Which function is called is not known, and by its type one that returns memory of a device may be; another one may not.
func.func @gives() -> memref<8xf32> {
  %a = gpu.alloc() : memref<8xf32>
  return %a : memref<8xf32>
}
func.func @takes_its_address() -> (() -> memref<8xf32>) {
  %f = func.constant @gives : () -> memref<8xf32>
  return %f : () -> memref<8xf32>
}
func.func @calls_any(%f: () -> memref<8xf32>, %g: () -> memref<4xf32>) {
  %b = call_indirect %g() : () -> memref<4xf32>
  // expected-error @+1 {{'func.call_indirect' may get memory of different allocators, as only the run knows what it calls [memplan-E311]}}
  %a = call_indirect %f() : () -> memref<8xf32>
  return
}

// -----

// What a reduction came to before ends with each turn, and the region that reduces has no place for a free.
func.func @replaced(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  // expected-error @+1 {{'scf.parallel' memory would have to be freed between its regions, where no operation can stand [memplan-E313]}}
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> memref<8xf32> {
    %b = memref.alloc() : memref<8xf32>
    scf.reduce(%b : memref<8xf32>) {
    ^bb0(%l: memref<8xf32>, %m: memref<8xf32>):
      scf.reduce.return %m : memref<8xf32>
    }
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}

// -----

// A body without a location, as that of what is written as one name: told at the operation around it.
func.func @boxes(%s: memref<memref<8xf32>>, %x: memref<memref<8xf32>>) {
  // expected-error @+1 {{'linalg.yield' hands memrefs on to 'linalg.copy', which does not say where they go: lower that before, or let it implement RegionBranchOpInterface [memplan-E302]}}
  linalg.copy ins(%s : memref<memref<8xf32>>) outs(%x : memref<memref<8xf32>>)
  return
}

// -----

// A descriptor is used by what may keep it.
func.func @descriptor(%v: vector<16xf32>) {
  // expected-warning @+1 {{is not freed: something else may hold on to it for longer than can be seen [memplan-W301]}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @+1 {{handed on here}}
  %t = xegpu.create_nd_tdesc %a : memref<16xf32> -> !xegpu.tensor_desc<16xf32>
  xegpu.store_nd %v, %t[0] : vector<16xf32>, !xegpu.tensor_desc<16xf32>
  return
}

// -----

// A callee without a body, or a kernel, may store one argument in another: in a memref of memrefs that is still to come, or in one
// of such.
func.func private @put_later(!async.value<memref<?xmemref<4xf32>>>, memref<4xf32>)
func.func @put_in_value_to_come(%box: !async.value<memref<?xmemref<4xf32>>>) {
  // expected-warning @+1 {{is not freed: something else may hold on to it for longer than can be seen [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{handed on here}}
  call @put_later(%box, %a) : (!async.value<memref<?xmemref<4xf32>>>, memref<4xf32>) -> ()
  return
}
func.func private @put_deeper(memref<2xmemref<?xmemref<4xf32>>>, memref<?xmemref<4xf32>>)
func.func @put_in_deeper(%n: index, %box: memref<2xmemref<?xmemref<4xf32>>>) {
  // expected-warning @+1 {{is not freed: something else may hold on to it for longer than can be seen [memplan-W301]}}
  %a = memref.alloc(%n) : memref<?xmemref<4xf32>>
  // expected-note @+1 {{handed on here}}
  call @put_deeper(%box, %a) : (memref<2xmemref<?xmemref<4xf32>>>, memref<?xmemref<4xf32>>) -> ()
  return
}

// -----

module attributes {gpu.container_module} {
func.func @kernel(%n: index, %box: memref<1xmemref<4xf32>>) {
  // expected-warning @+1 {{is not freed: something else may hold on to it for longer than can be seen [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{handed on here}}
  gpu.launch_func @kernels::@store blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%box : memref<1xmemref<4xf32>>, %a : memref<4xf32>)
  return
}
gpu.module @kernels {
  gpu.func @store(%box: memref<1xmemref<4xf32>>, %a: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
    gpu.return
  }
}
}

// -----

// 9. A flag that starts as true frees the argument, which the caller needs.
func.func @owned(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  cf.br ^head(%c0, %x, %y, %true, %false : index, memref<4xf32>, memref<4xf32>, i1, i1)
^head(%i: index, %kept: memref<4xf32>, %last: memref<4xf32>, %own_kept: i1, %own_last: i1):
  %a = memref.alloc() : memref<4xf32>
  memref.copy %last, %a : memref<4xf32> to memref<4xf32>
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %next, %n : index
  cf.cond_br %more, ^again, ^out
^again:
  %same = bufferization.dealloc (%last : memref<4xf32>) if (%own_last) retain (%kept : memref<4xf32>)
  %own = arith.ori %same, %own_kept : i1
  cf.br ^head(%next, %kept, %a, %own, %true : index, memref<4xf32>, memref<4xf32>, i1, i1)
^out:
  memref.dealloc %a : memref<4xf32>
  bufferization.dealloc (%last : memref<4xf32>) if (%own_last)
  bufferization.dealloc (%kept : memref<4xf32>) if (%own_kept)
  return
}
func.func @calls_owned(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  // expected-warning @+1 {{frees memory that it is given, but perhaps not on all ways: where it does not, only what stands in this function frees it [memplan-W303]}}
  call @owned(%m, %o, %n) : (memref<4xf32>, memref<4xf32>, index) -> ()
  cf.br ^next
^next:
  %x = memref.load %m[%c0] : memref<4xf32>
  %y = memref.load %o[%c0] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}
