// On functions, nothing is known of callees, so that their donated arguments do not count.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-verify))' -o /dev/null
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-verify)' -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: buffer 0 is read after it was donated to a callee [memplan-E213]

func.func private @consume(%x: memref<8xf32> {memplan.donated}) {
  return
}
func.func @read(%in: memref<8xf32>, %out: memref<8xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  func.call @consume(%a) : (memref<8xf32>) -> ()
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}
