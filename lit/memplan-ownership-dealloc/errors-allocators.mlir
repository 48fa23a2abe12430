// Results that would be freed by another operation than their allocator needs, and copies without strides.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. The caller of a function that returns its argument gets a copy.
func.func @argument(%x: memref<8xf32>) -> memref<8xf32> {
  // expected-warning @+1 {{returns memory that the function does not own: the caller receives a copy, and does not see later writes to the original [memplan-W302]}}
  return %x : memref<8xf32>
}

// -----

// 2. Strides of what has no rank cannot be asked for, and a cast relies on them.
func.func @without_rank(%a: memref<*xf32>) -> memref<*xf32> {
  // expected-error @+1 {{'func.return' may return memory that the function does not own, and that cannot be copied: give it a rank: a memref.cast from an unranked memref relies on strides that a copy does not have [memplan-E310]}}
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

// 3. Memory of one of two allocators.
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
  // expected-error @+1 {{'memref.store' may be memory of different allocators, which need different deallocations [memplan-E311]}}
  memref.store %v, %m[%c0] : memref<8xf32>
  return
}

// -----

// 4. Callers would free by memref.dealloc what they get of a device.
func.func private @gives_device_memory() -> memref<8xf32> {
  %a = gpu.alloc() : memref<8xf32>
  // expected-error @+1 {{'func.return' returns memory that 'gpu.dealloc' frees, but callers free results by memref.dealloc [memplan-E311]}}
  return %a : memref<8xf32>
}
func.func @gets_device_memory() {
  %a = call @gives_device_memory() : () -> memref<8xf32>
  return
}

// -----

// 5. One return gives memory of a device, and another one does not.
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

// 6. An argument would be copied, and the copy is no memory of a device.
func.func @device_memory_or_a_copy(%c: i1, %x: memref<8xf32>) -> memref<8xf32> {
  %a = gpu.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %x : memref<8xf32>
  // expected-error @+1 {{'func.return' may return memory of different allocators, or a copy: callers cannot know which operation frees it [memplan-E311]}}
  return %s : memref<8xf32>
}

// -----

// 7. The callee is not known, and by its type it may be a function that returns memory of a device; another one may
// not.
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
  // expected-error @+1 {{'func.call_indirect' may be memory of different allocators, as the callee is known only at run time [memplan-E311]}}
  %a = call_indirect %f() : () -> memref<8xf32>
  return
}
