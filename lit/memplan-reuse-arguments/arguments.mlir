// Buffers live in the memory of arguments while nothing needs that.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-reuse-arguments)' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(memplan-reuse-arguments))' \
// RUN:   | FileCheck %s

// 1. A donated argument is free after its last read, for two buffers one after the other. One is in another shape, one smaller.
// CHECK-LABEL: func @donated
// CHECK-SAME:    (%[[X:.*]]: memref<8x8xf32> {memplan.donated}, %[[Y:[^:]*]]: memref<8x8xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.load %[[X]]
// CHECK:         %[[ROW:.*]] = memref.collapse_shape %[[X]]
// CHECK:         %[[A:.*]] = memref.expand_shape %[[ROW]] {{.*}} into memref<4x16xf32>
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[A]] :
// CHECK:         %[[B:.*]] = memref.{{.*}} %{{.*}} : memref<{{.*}}> to memref<3xf32>
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[B]] :
func.func @donated(%x: memref<8x8xf32> {memplan.donated}, %y: memref<8x8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %first = memref.load %x[%c0, %c0] : memref<8x8xf32>
  %a = memref.alloc() : memref<4x16xf32>
  linalg.fill ins(%first : f32) outs(%a : memref<4x16xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x16xf32>
  %b = memref.alloc() : memref<3xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<3xf32>)
  %w = memref.load %b[%c0] : memref<3xf32>
  return %w : f32
}

// -----

// 2. An out-param is free before it is written, in the branch that writes it, and between two writes of all of it.
// CHECK-LABEL: func @out_param
// CHECK-SAME:    %[[Y:[^:]*]]: memref<8xf32> {memplan.noalias}
// CHECK:         scf.if
// CHECK-NOT:       memref.alloc
// CHECK:           linalg.exp ins(%{{.*}}) outs(%[[Y]] :
// CHECK:           linalg.fill ins(%{{.*}}) outs(%[[Y]] :
// CHECK:           linalg.fill ins(%{{.*}}) outs(%[[Y]] :
// CHECK:           linalg.fill ins(%{{.*}}) outs(%[[Y]] :
// CHECK:         } else {
// CHECK:           memref.alloc
func.func @out_param(%x: memref<8xf32>, %y: memref<8xf32> {memplan.noalias}, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> f32 {
    %a = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
    %u = memref.load %a[%c0] : memref<8xf32>
    linalg.fill ins(%u : f32) outs(%y : memref<8xf32>)
    %z = memref.load %y[%c0] : memref<8xf32>
    %d = memref.alloc() : memref<8xf32>
    linalg.fill ins(%z : f32) outs(%d : memref<8xf32>)
    %v = memref.load %d[%c0] : memref<8xf32>
    linalg.fill ins(%v : f32) outs(%y : memref<8xf32>)
    scf.yield %v : f32
  } else {
    %b = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
    %v = memref.load %b[%c0] : memref<8xf32>
    scf.yield %v : f32
  }
  return %r : f32
}

// -----

// 3. Two buffers that share bytes in place share the argument.
// CHECK-LABEL: func @in_place
// CHECK-SAME:    %[[Y:[^:]*]]: memref<8xf32> {llvm.noalias}
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.exp ins(%{{.*}} : memref<8xf32>) outs(%[[Y]] :
// CHECK:         linalg.log ins(%[[Y]] : memref<8xf32>) outs(%[[Y]] :
func.func @in_place(%x: memref<8xf32>, %y: memref<8xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.log ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  %v = memref.load %b[%c0] : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%y : memref<8xf32>)
  return
}

// -----

// 4. The largest buffer at the peak, although another one is larger.
// CHECK-LABEL: func @peak
// CHECK:         memref.alloc() : memref<30xf32>
// CHECK-NOT:     memref.alloc() : memref<28xf32>
// CHECK-COUNT-2: memref.alloc() : memref<24xf32>
// CHECK-NOT:     memref.alloc
func.func @peak(%x: memref<32xf32> {memplan.donated}) -> f32 {
  %c0 = arith.constant 0 : index
  %first = memref.load %x[%c0] : memref<32xf32>
  %large = memref.alloc() : memref<30xf32>
  linalg.fill ins(%first : f32) outs(%large : memref<30xf32>)
  %a = memref.alloc() : memref<28xf32>
  linalg.fill ins(%first : f32) outs(%a : memref<28xf32>)
  %u = memref.load %large[%c0] : memref<30xf32>
  %b = memref.alloc() : memref<24xf32>
  linalg.fill ins(%u : f32) outs(%b : memref<24xf32>)
  %d = memref.alloc() : memref<24xf32>
  linalg.fill ins(%u : f32) outs(%d : memref<24xf32>)
  %v = memref.load %a[%c0] : memref<28xf32>
  %w = memref.load %b[%c0] : memref<24xf32>
  %t = memref.load %d[%c0] : memref<24xf32>
  %s = arith.addf %v, %w : f32
  %r = arith.addf %s, %t : f32
  return %r : f32
}

// -----

// 5. After a loop of blocks.
// CHECK-LABEL: func @unstructured
// CHECK-SAME:    %[[X:[^:]*]]: memref<8xf32> {jax.buffer_donor = true}
// CHECK:       ^bb1
// CHECK:         memref.load %[[X]]
// CHECK:       ^bb2
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[X]] :
func.func @unstructured(%x: memref<8xf32> {jax.buffer_donor = true}, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %v = memref.load %x[%c0] : memref<8xf32>
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %next, %n : index
  cf.cond_br %more, ^loop(%next : index), ^end(%v : f32)
^end(%last: f32):
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%last : f32) outs(%b : memref<8xf32>)
  %w = memref.load %b[%c0] : memref<8xf32>
  return %w : f32
}
