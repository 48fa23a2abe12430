// Arguments of private functions that nothing needs after any call.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-reuse-arguments{remarks=true})' \
// RUN:   2>%t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.said
// SAID: remark: not allocated: it lives in the memory of argument 0 [memplan-R131]
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(memplan-reuse-arguments))' \
// RUN:   | FileCheck %s --check-prefix=FUNCTION
// FUNCTION-NOT: memplan.donated

// 1. Through two functions, the first of which only passes it on.
// CHECK-LABEL: func private @inner
// CHECK-SAME:    (%[[X:[^:]*]]: memref<8xf32> {memplan.donated},
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[X]] :
func.func private @inner(%x: memref<8xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %u = memref.load %x[%c0] : memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%u : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  memref.store %v, %y[%c0] : memref<1xf32>
  return
}
// CHECK-LABEL: func private @outer
// CHECK-SAME:    (%{{.*}}: memref<8xf32> {memplan.donated},
func.func private @outer(%x: memref<8xf32>, %y: memref<1xf32>) {
  call @inner(%x, %y) : (memref<8xf32>, memref<1xf32>) -> ()
  return
}
// CHECK-LABEL: func @caller
// CHECK-SAME:    (%{{.*}}: f32, %{{.*}}: memref<1xf32>)
func.func @caller(%f: f32, %y: memref<1xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  call @outer(%a, %y) : (memref<8xf32>, memref<1xf32>) -> ()
  return
}

// -----

// 2. One call needs it afterwards, passes it twice, passes a part or memory of its own caller; one is in a loop around it; one
// function has other users.
// CHECK-NOT: memplan.donated
func.func private @needed(%x: memref<8xf32>, %z: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %u = memref.load %x[%c0] : memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%u : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  %w = memref.load %z[%c0] : memref<8xf32>
  %s = arith.addf %v, %w : f32
  return %s : f32
}
func.func private @named(%x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %u = memref.load %x[%c0] : memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%u : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  return %v : f32
}
func.func private @looped(%x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %u = memref.load %x[%c0] : memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%u : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  return %v : f32
}
func.func @callers(%f: f32, %x: memref<8xf32>, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %r = call @needed(%a, %a) : (memref<8xf32>, memref<8xf32>) -> f32
  %t = call @needed(%x, %x) : (memref<8xf32>, memref<8xf32>) -> f32
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %s = func.call @looped(%b) : (memref<8xf32>) -> f32
    "test.use"(%s) : (f32) -> ()
  }
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<8xf32>)
  %s = call @named(%d) : (memref<8xf32>) -> f32
  %g = constant @named : (memref<8xf32>) -> f32
  return %r, %t : f32, f32
}
