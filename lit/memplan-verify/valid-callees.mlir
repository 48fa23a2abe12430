// Correct plans around calls.
// tests/verify_faults.rs seeds faults into them: see valid-straight-line.mlir.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-verify)' | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -o /dev/null

// CHECK-LABEL: func.func private @use
func.func private @use(memref<16xf32>)

func.func private @same(memref<16xf32>) -> memref<16xf32>
func.func private @take(memref<1xmemref<16xf32>>)
func.func private @put(memref<1xmemref<16xf32>>, memref<16xf32>)
func.func private @put_later(memref<16xf32>, !async.value<memref<1xmemref<16xf32>>>)
func.func private @put_unranked(memref<*xmemref<*xf32>>, memref<16xf32>)
func.func private @put_in_group(!async.group, memref<16xf32>)
func.func private @store_nothing(%nested: memref<1xmemref<16xf32>>, %a: memref<16xf32>) { return }

// 1. The result of a call may be its argument.
// apart: 0-1
// CHECK-LABEL: func.func @call
func.func @call(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %r = func.call @same(%a) : (memref<16xf32>) -> memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  func.call @use(%b) : (memref<16xf32>) -> ()
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  func.call @use(%c) : (memref<16xf32>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// 2. A callee without a body, or one that is a value, may store one argument in another, and use it when the caller
// has written
//     other buffers there; a callee with a body is not taken for one that does.
// apart: 0-1 1-2
// fault: call @use(%a) : (memref<16xf32>) => call @put(%nested, %a) : (memref<1xmemref<16xf32>>, memref<16xf32>)
// fault: call @use(%a) : (memref<16xf32>) => call_indirect %f(%nested, %a) : (memref<1xmemref<16xf32>>, memref<16xf32>)
// fault: call @use(%a) : (memref<16xf32>) => call @put_later(%a, %later) : (memref<16xf32>, !async.value<memref<1xmemref<16xf32>>>)
// fault: call @use(%a) : (memref<16xf32>) => call @put_unranked(%any, %a) : (memref<*xmemref<*xf32>>, memref<16xf32>)
// fault: call @use(%a) : (memref<16xf32>) => call @put_in_group(%group, %a) : (!async.group, memref<16xf32>)
// CHECK-LABEL: func.func @may_store
func.func @may_store(%in: memref<16xf32>, %out: memref<16xf32>, %nested: memref<1xmemref<16xf32>>, %f: (memref<1xmemref<16xf32>>, memref<16xf32>) -> (), %later: !async.value<memref<1xmemref<16xf32>>>, %any: memref<*xmemref<*xf32>>, %group: !async.group) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  call @use(%a) : (memref<16xf32>) -> ()
  call @take(%nested) : (memref<1xmemref<16xf32>>) -> ()
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  call @store_nothing(%nested, %c) : (memref<1xmemref<16xf32>>, memref<16xf32>) -> ()
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}
