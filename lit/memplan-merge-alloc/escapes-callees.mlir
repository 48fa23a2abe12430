// Buffers that callees capture or free stay allocations of their own.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' \
// RUN:   --allow-unregistered-dialect --split-input-file --verify-diagnostics -o /dev/null

// 1. The callee is a value.
func.func @indirect(%f: (memref<64xf32>) -> ()) {
  // expected-remark @+1 {{not merged: it is passed to an indirect call [indirect-call]}}
  %a = memref.alloc() : memref<64xf32>
  call_indirect %f(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// 2. The callee stores it, frees it, or passes it to one that does.
memref.global "private" @keep : memref<1xmemref<64xf32>> = uninitialized
func.func @store(%m: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @keep : memref<1xmemref<64xf32>>
  memref.store %m, %g[%c0] : memref<1xmemref<64xf32>>
  return
}
func.func @free(%m: memref<64xf32>) {
  memref.dealloc %m : memref<64xf32>
  return
}
func.func @pass_on(%m: memref<64xf32>) {
  call @store(%m) : (memref<64xf32>) -> ()
  return
}
func.func @only_read(%m: memref<64xf32>, %out: memref<64xf32>) {
  memref.copy %m, %out : memref<64xf32> to memref<64xf32>
  return
}
func.func @callers(%out: memref<64xf32>) {
  // expected-remark @+1 {{not merged: it is passed to a call that may capture or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  call @store(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{not merged: it is passed to a call that may capture or free it [kept-by-callee]}}
  %b = memref.alloc() : memref<64xf32>
  call @free(%b) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{not merged: it is passed to a call that may capture or free it [kept-by-callee]}}
  %d = memref.alloc() : memref<64xf32>
  call @pass_on(%d) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %e = memref.alloc() : memref<64xf32>
  call @only_read(%e, %out) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// 3. Callees that call each other.
func.func private @go() -> i1
func.func @ping(%m: memref<64xf32>) {
  call @pong(%m) : (memref<64xf32>) -> ()
  return
}
func.func @pong(%m: memref<64xf32>) {
  %c = call @go() : () -> i1
  scf.if %c {
    func.call @ping(%m) : (memref<64xf32>) -> ()
  }
  return
}
func.func @plays() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @ping(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// 4. A callee returns what it got: the caller follows.
func.func @same(%m: memref<64xf32>) -> memref<64xf32> {
  return %m : memref<64xf32>
}
func.func @follows() -> memref<64xf32> {
  // expected-remark @+1 {{not merged: it is or may be returned to the caller [returned]}}
  %a = memref.alloc() : memref<64xf32>
  %r = call @same(%a) : (memref<64xf32>) -> memref<64xf32>
  return %r : memref<64xf32>
}

// -----

// 5. Kept by a callee that is not there, if so asked; see options.mlir. Without that it is only used.
func.func private @use(memref<64xf32>)
func.func @bodyless() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// 6. A callee without a body may store one argument in another: in a memref of memrefs, whatever its shape and whether
// it is still to come, in a memref of such, or in a group. callee-stores-run.mlir executes that.
func.func private @put(memref<1xmemref<64xf32>>, memref<64xf32>)
func.func @put_in_memref(%nested: memref<1xmemref<64xf32>>) {
  // expected-remark @+1 {{not merged: it is passed to a call that may capture or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  call @put(%nested, %a) : (memref<1xmemref<64xf32>>, memref<64xf32>) -> ()
  return
}
func.func private @put_unranked(memref<*xf32>, memref<*xmemref<*xf32>>)
func.func @put_in_unranked(%nested: memref<*xmemref<*xf32>>) {
  // expected-remark @+1 {{not merged: it is passed to a call that may capture or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  %u = memref.cast %a : memref<64xf32> to memref<*xf32>
  call @put_unranked(%u, %nested) : (memref<*xf32>, memref<*xmemref<*xf32>>) -> ()
  return
}
func.func private @put_later(!async.value<memref<?xmemref<64xf32>>>, memref<64xf32>)
func.func @put_in_value_to_come(%nested: !async.value<memref<?xmemref<64xf32>>>) {
  // expected-remark @+1 {{not merged: it is passed to a call that may capture or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  call @put_later(%nested, %a) : (!async.value<memref<?xmemref<64xf32>>>, memref<64xf32>) -> ()
  return
}
func.func private @put_deeper(memref<2xmemref<?xmemref<64xf32>>>, memref<1xmemref<64xf32>>, memref<64xf32>)
func.func @put_in_deeper(%nested: memref<2xmemref<?xmemref<64xf32>>>) {
  // expected-remark @+1 {{not merged: it is passed to a call that may capture or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{not merged: the size of its element type is not known [element-type]}}
  %b = memref.alloc() : memref<1xmemref<64xf32>>
  call @put_deeper(%nested, %b, %a) : (memref<2xmemref<?xmemref<64xf32>>>, memref<1xmemref<64xf32>>, memref<64xf32>) -> ()
  return
}
func.func private @put_group(!async.group, memref<64xf32>)
func.func @put_in_group(%group: !async.group) {
  // expected-remark @+1 {{not merged: it is passed to a call that may capture or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  call @put_group(%group, %a) : (!async.group, memref<64xf32>) -> ()
  return
}

// -----

// 7. A callee that passes its arguments to one without a body; one that passes it the memref of memrefs alone does not
// store it.
func.func private @put(memref<1xmemref<64xf32>>, memref<64xf32>)
func.func private @take(memref<1xmemref<64xf32>>)
func.func @passes_both(%nested: memref<1xmemref<64xf32>>, %m: memref<64xf32>, %c: i1) {
  scf.if %c {
    %v = memref.cast %m : memref<64xf32> to memref<?xf32>
    %w = memref.cast %v : memref<?xf32> to memref<64xf32>
    func.call @put(%nested, %w) : (memref<1xmemref<64xf32>>, memref<64xf32>) -> ()
  }
  return
}
func.func @passes_one(%nested: memref<1xmemref<64xf32>>, %m: memref<64xf32>) {
  call @take(%nested) : (memref<1xmemref<64xf32>>) -> ()
  return
}
func.func @passed(%nested: memref<1xmemref<64xf32>>, %c: i1) {
  // expected-remark @+1 {{not merged: it is passed to a call that may capture or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  call @passes_both(%nested, %a, %c) : (memref<1xmemref<64xf32>>, memref<64xf32>, i1) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @passes_one(%nested, %b) : (memref<1xmemref<64xf32>>, memref<64xf32>) -> ()
  return
}

// -----

// 8. A kernel may store one argument in another, too.
module attributes {gpu.container_module} {
func.func @kernel(%n: index, %nested: memref<1xmemref<64xf32>>) {
  // expected-remark @+1 {{not merged: its address may be stored in memory [stored]}}
  %a = memref.alloc() : memref<64xf32>
  gpu.launch_func @kernels::@store blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%nested : memref<1xmemref<64xf32>>, %a : memref<64xf32>)
  return
}
gpu.module @kernels {
  gpu.func @store(%nested: memref<1xmemref<64xf32>>, %a: memref<64xf32>) kernel {
    %c0 = arith.constant 0 : index
    memref.store %a, %nested[%c0] : memref<1xmemref<64xf32>>
    gpu.return
  }
}
}
