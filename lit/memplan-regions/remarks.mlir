// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{remarks})' -verify-diagnostics -o /dev/null

func.func private @use(memref<?xf32>)
func.func private @keep(memref<?xf32>, memref<memref<?xf32>>)
func.func private @keep_later(memref<?xf32>, !async.value<memref<memref<?xf32>>>)
func.func private @give() -> memref<?xf32>

// 1. A callee without a body uses its argument no longer than it runs; one that receives memory for memrefs may
// capture it.
func.func @outside(%n: index, %cell: memref<memref<?xf32>>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function [memplan-R501]}}
  call @use(%a) : (memref<?xf32>) -> ()
  %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: a memref to it is stored in memory that other code may read}}
  call @keep(%b, %cell) : (memref<?xf32>, memref<memref<?xf32>>) -> ()
  return
}
func.func @later(%n: index, %cell: !async.value<memref<memref<?xf32>>>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: a memref to it is stored in memory that other code may read}}
  call @keep_later(%a, %cell) : (memref<?xf32>, !async.value<memref<memref<?xf32>>>) -> ()
  return
}

// 2. Memory that the program frees, or a callee does.
func.func private @frees(%a: memref<?xf32>) {
  memref.dealloc %a : memref<?xf32>
  return
}
func.func @freed(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: the program frees it [memplan-R502]}}
  call @frees(%a) : (memref<?xf32>) -> ()
  return
}

// 3. Memory that a callee stores, through an argument.
memref.global @cell : memref<memref<?xf32>>
func.func private @stores(%a: memref<?xf32>) {
  %cell = memref.get_global @cell : memref<memref<?xf32>>
  memref.store %a, %cell[] : memref<memref<?xf32>>
  return
}
func.func @stored(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: a memref to it is stored in memory that other code may read}}
  call @stores(%a) : (memref<?xf32>) -> ()
  return
}

// 4. Other memory spaces and layouts, elements that are memrefs, and marks.
func.func @forms(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32, 1> // expected-remark {{skipped: regions do not support its memory space, layout or element type}}
  %b = memref.alloc(%n) : memref<?xmemref<?xf32>> // expected-remark {{skipped: regions do not support its memory space, layout or element type}}
  %c = memref.alloc(%n) {memplan.keep} : memref<?xf32> // expected-remark {{skipped: it is marked}}
  %d = memref.alloc(%n, %n) : memref<?x?xf32, affine_map<(i, j) -> (j, i)>> // expected-remark {{skipped: regions do not support its memory space, layout or element type}}
  return
}

// 5. Its address.
func.func @address(%n: index) -> index {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: its address is taken}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
  return %p : index
}

// 6. Asynchronous operations, and unknown ones.
func.func @asynchronous(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  %t = async.execute {
    memref.copy %a, %x : memref<?xf32> to memref<?xf32>
    async.yield
  }
  return
}
func.func @tensor(%n: index) -> tensor<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an operation of unknown effects uses it}}
  %t = bufferization.to_tensor %a : memref<?xf32> to tensor<?xf32>
  return %t : tensor<?xf32>
}

// 7. It meets memory that is not followed, or is owned.
func.func @meets(%c: i1, %n: index, %cell: memref<memref<?xf32>>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: a memref to it is stored in memory that other code may read}}
  %b = memref.load %cell[] : memref<memref<?xf32>>
  %d = arith.select %c, %a, %b : memref<?xf32>
  %e = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: it is passed to an unknown callee}}
  %f = call @give() : () -> memref<?xf32>
  %g = arith.select %c, %e, %f : memref<?xf32>
  %x = memref.load %d[%c0] : memref<?xf32>
  %y = memref.load %g[%c0] : memref<?xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// 8. Allocated by one of several iterations that run at once, and carried out of it; or where the number of executions
// is unknown.
func.func @carried_out(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: it is returned to a caller that frees it}}
  return %a : memref<?xf32>
}
func.func @in_a_body(%n: index, %x: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%x : memref<?xf32>) {
  ^bb0(%v: f32):
    %c0 = arith.constant 0 : index
    %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: it is allocated in a body of unknown execution}}
    memref.store %v, %a[%c0] : memref<?xf32>
    linalg.yield %v : f32
  }
  return
}

func.func @on_a_device(%n: index, %x: memref<?xf32>) {
  scf.forall (%i) in (%n) {
    %t = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: it is allocated in a body of unknown execution}}
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// 9. A loop would pile it up.
func.func @adds_up(%n: index, %c: i1, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> memref<?xf32> {
    %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: its instances of loop iterations or recursion levels would accumulate until the loop or recursion ends}}
    %d = arith.select %c, %a, %b : memref<?xf32>
    scf.yield %d : memref<?xf32>
  }
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}

// 10. A known size.
func.func @known(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32> // expected-remark {{skipped: its size is static, and it stays in the function}}
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return
}

// 11. The kind of the memory precedes its region.
func.func @returns_form(%n: index) -> (memref<?xf32, 1>, memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32, 1> // expected-remark {{skipped: regions do not support its memory space, layout or element type}}
  %b = memref.alloc(%n) {memplan.keep} : memref<?xf32> // expected-remark {{skipped: it is marked}}
  return %a, %b : memref<?xf32, 1>, memref<?xf32>
}

// 12. Sizes that no memory has.
func.func @sizes(%n: index) {
  %negative = arith.constant -5 : index
  %large = arith.constant 4611686018427387904 : index
  %a = memref.alloc(%negative) : memref<?xf32> // expected-remark {{skipped: its size exceeds the address space}}
  %b = memref.alloc(%large) : memref<?xf32> // expected-remark {{skipped: its size exceeds the address space}}
  %c = memref.alloc() : memref<4611686018427387904x4xf32> // expected-remark {{skipped: its size exceeds the address space}}
  %d = memref.alloc(%n, %large) : memref<?x?xf32> // expected-remark {{in the region of the function [memplan-R501]}}
  call @use(%a) : (memref<?xf32>) -> ()
  call @use(%b) : (memref<?xf32>) -> ()
  return
}

// 13. A coroutine, and a function that has been worked on.
func.func @coroutine(%n: index) {
  %id = async.coro.id
  %handle = async.coro.begin %id
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: it is in a coroutine}}
  call @use(%a) : (memref<?xf32>) -> ()
  async.coro.free %id, %handle
  async.coro.end %handle
  return
}
func.func private @worked_on(%a: memref<?xf32>) attributes {memplan.regions} {
  return
}
func.func @calls_worked_on(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: it is passed to a function that already has regions}}
  call @worked_on(%a) : (memref<?xf32>) -> ()
  return
}

// 14. Memory of memrefs that is copied, passed to a callee, or the same bytes as something else: what it holds is not
// followed.
func.func private @looks(memref<1xmemref<?xf32>>)
func.func @held(%n: index, %bytes: memref<40xi8>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.alloca() : memref<1xmemref<?xf32>>
  %y = memref.alloca() : memref<1xmemref<?xf32>>
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: a memref to it is stored in memory that other code may read}}
  memref.store %a, %x[%c0] : memref<1xmemref<?xf32>>
  memref.copy %x, %y : memref<1xmemref<?xf32>> to memref<1xmemref<?xf32>>
  %z = memref.alloca() : memref<1xmemref<?xf32>>
  %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: a memref to it is stored in memory that other code may read}}
  memref.store %b, %z[%c0] : memref<1xmemref<?xf32>>
  func.call @looks(%z) : (memref<1xmemref<?xf32>>) -> ()
  %v = memref.view %bytes[%c0][] : memref<40xi8> to memref<1xmemref<?xf32>>
  %c = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: a memref to it is stored in memory that other code may read}}
  memref.store %c, %v[%c0] : memref<1xmemref<?xf32>>
  %w = memref.alloca() : memref<1xmemref<?xf32>>
  %d = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  memref.store %d, %w[%c0] : memref<1xmemref<?xf32>>
  %l = memref.load %w[%c0] : memref<1xmemref<?xf32>>
  %r = memref.load %l[%c0] : memref<?xf32>
  return %r : f32
}

// 15. Memory of memrefs that is made larger: what was in it is in the new one.
func.func @larger(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<2xmemref<?xf32>> // expected-remark {{skipped: regions do not support its memory space, layout or element type}}
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: a memref to it is stored in memory that other code may read}}
  memref.store %a, %b[%c0] : memref<2xmemref<?xf32>>
  %d = memref.realloc %b : memref<2xmemref<?xf32>> to memref<4xmemref<?xf32>>
  %l = memref.load %d[%c0] : memref<4xmemref<?xf32>>
  %r = memref.load %l[%c0] : memref<?xf32>
  return %r : f32
}

// 16. Memory that iterations pass on is not the memory that a memref of memrefs holds, though the initial one is: it
// goes to two regions that the iterations swap.
func.func @first_is_held(%n: index, %iterations: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1 = arith.constant 1.0 : f32
  %g = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  memref.store %f1, %g[%c0] : memref<?xf32>
  %b = memref.alloca() : memref<1xmemref<?xf32>>
  memref.store %g, %b[%c0] : memref<1xmemref<?xf32>>
  %x = scf.for %i = %c0 to %iterations step %c1 iter_args(%z = %g) -> memref<?xf32> {
    %v = memref.load %z[%c0] : memref<?xf32>
    %w = arith.addf %v, %f1 : f32
    %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{swap}}
    memref.store %w, %a[%c0] : memref<?xf32>
    scf.yield %a : memref<?xf32>
  }
  %r = memref.load %x[%c0] : memref<?xf32>
  return %r : f32
}
