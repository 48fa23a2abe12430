// Memory that is captured where its uses cannot be followed, and copies that cannot be written out.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. Memory that is stored where others know it, or in an earlier iteration, is not followed.
func.func private @take(memref<2xmemref<4xf32>>)
func.func @exposed(%x: f32) {
  %c0 = arith.constant 0 : index
  %c = memref.alloc() : memref<2xmemref<4xf32>>
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{it escapes here}}
  memref.store %a, %c[%c0] : memref<2xmemref<4xf32>>
  call @take(%c) : (memref<2xmemref<4xf32>>) -> ()
  return
}
func.func @iteration_before(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = memref.alloc() : memref<2xmemref<4xf32>>
  %b = memref.alloc() : memref<4xf32>
  memref.store %b, %c[%c0] : memref<2xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %o = memref.load %c[%c0] : memref<2xmemref<4xf32>>
    // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
    %a = memref.alloc() : memref<4xf32>
    memref.copy %o, %a : memref<4xf32> to memref<4xf32>
    // expected-note @+1 {{it escapes here}}
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
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{it escapes here}}
  memref.store %a, %c[] : memref<memref<4xf32>>
  %l = memref.load %c[] : memref<memref<4xf32>>
  memref.dealloc %l : memref<4xf32>
  return
}

// -----

// 2. Memory that is stored where a symbol says, and addresses that are pointers of another dialect: by a callee, too.
ml_program.global private mutable @cell : memref<4xf32>
func.func private @stores_in_global(%m: memref<4xf32>) {
  ml_program.global_store @cell = %m : memref<4xf32>
  return
}
func.func @gives_to_global(%x: f32, %i: index) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{it escapes here}}
  ml_program.global_store @cell = %a : memref<4xf32>
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %b = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{it escapes here}}
  call @stores_in_global(%b) : (memref<4xf32>) -> ()
  return
}
func.func private @stores_pointer(%m: memref<4xf32, #ptr.generic_space>, %cell: !ptr.ptr<#ptr.generic_space>) {
  %p = ptr.to_ptr %m : memref<4xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  ptr.store %p, %cell : !ptr.ptr<#ptr.generic_space>, !ptr.ptr<#ptr.generic_space>
  return
}
func.func @gives_pointer(%cell: !ptr.ptr<#ptr.generic_space>) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32, #ptr.generic_space>
  // expected-note @+1 {{it escapes here}}
  call @stores_pointer(%a, %cell) : (memref<4xf32, #ptr.generic_space>, !ptr.ptr<#ptr.generic_space>) -> ()
  return
}

// A memref without strides cannot be written out, and canonicalize would replace the clone by its source after that is
// freed.
func.func @clones_without_strides(%a: memref<4x8xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>, %i: index) -> f32 {
  // expected-error @+1 {{'bufferization.clone' cannot become memref.alloc and memref.copy: its strides must not be negative [memplan-E309]}}
  %d = bufferization.clone %a : memref<4x8xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>> to memref<4x8xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>
  %y = memref.load %d[%i, %i] : memref<4x8xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>
  return %y : f32
}
func.func @returns_without_strides(%a: memref<4xf32, strided<[-1], offset: 3>>) -> memref<4xf32, strided<[-1], offset: 3>> {
  // expected-error @+1 {{'func.return' may return memory that the function does not own, and that cannot be copied: its strides must not be negative [memplan-E310]}}
  return %a : memref<4xf32, strided<[-1], offset: 3>>
}
// A layout that neither the type nor the source of the clone shows.
func.func @clones_to_open_layout(%a: memref<4x8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'bufferization.clone' cannot become memref.alloc and memref.copy: give it the layout of the source, or a static one [memplan-E309]}}
  %d = bufferization.clone %a : memref<4x8xf32> to memref<4x8xf32, strided<[1, ?]>>
  %y = memref.load %d[%c0, %c0] : memref<4x8xf32, strided<[1, ?]>>
  return %y : f32
}
func.func @clones_to_another_shape(%a: memref<4x8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'bufferization.clone' cannot become memref.alloc and memref.copy: its shape or element type differs from that of the source [memplan-E309]}}
  %d = bufferization.clone %a : memref<4x8xf32> to memref<8x4xf32>
  %y = memref.load %d[%c0, %c0] : memref<8x4xf32>
  return %y : f32
}
func.func @returns_too_much(%a: memref<4611686018427387904x2xf32, strided<[4, 1]>>) -> memref<4611686018427387904x2xf32, strided<[4, 1]>> {
  // expected-error @+1 {{'func.return' may return memory that the function does not own, and that cannot be copied: its number of elements overflows [memplan-E310]}}
  return %a : memref<4611686018427387904x2xf32, strided<[4, 1]>>
}

// -----

// 3. A callee without a body, or a kernel, may store one argument in another: in a memref of memrefs that is still to
// come, or in one of such.
func.func private @put_later(!async.value<memref<?xmemref<4xf32>>>, memref<4xf32>)
func.func @put_in_value_to_come(%nested: !async.value<memref<?xmemref<4xf32>>>) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{it escapes here}}
  call @put_later(%nested, %a) : (!async.value<memref<?xmemref<4xf32>>>, memref<4xf32>) -> ()
  return
}
func.func private @put_deeper(memref<2xmemref<?xmemref<4xf32>>>, memref<?xmemref<4xf32>>)
func.func @put_in_deeper(%n: index, %nested: memref<2xmemref<?xmemref<4xf32>>>) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc(%n) : memref<?xmemref<4xf32>>
  // expected-note @+1 {{it escapes here}}
  call @put_deeper(%nested, %a) : (memref<2xmemref<?xmemref<4xf32>>>, memref<?xmemref<4xf32>>) -> ()
  return
}

// -----

// 4. A kernel without a body may store one argument in another, too.
module attributes {gpu.container_module} {
func.func @kernel(%n: index, %nested: memref<1xmemref<4xf32>>) {
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{it escapes here}}
  gpu.launch_func @kernels::@store blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%nested : memref<1xmemref<4xf32>>, %a : memref<4xf32>)
  return
}
gpu.module @kernels {
  gpu.func @store(%nested: memref<1xmemref<4xf32>>, %a: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    memref.store %a, %nested[%c0] : memref<1xmemref<4xf32>>
    gpu.return
  }
}
}
