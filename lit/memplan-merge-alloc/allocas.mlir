// Memory on the stack: left alone with a remark, or merged like other allocations.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s --check-prefix=LEFT < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{allocas verify})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{allocas verify arena=alloca})' \
// RUN:   | FileCheck %s --check-prefix=STACK
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{allocas verify})' | FileCheck %s

// 1. Two of three share bytes, as of memref.alloc.
// LEFT-LABEL: func @three
// LEFT-COUNT-3: memref.alloca() : memref<64xf32>
// REMARK: remark: not merged: it is on the stack [on-stack]; use allocas=true [memplan-R102]
// CHECK-LABEL: func @three
// CHECK-NOT:     memref.alloca
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
// STACK-LABEL: func @three
// STACK-NOT:     memref.alloc(
// STACK:         memref.alloca() {{.*}} : memref<512xi8>
// STACK-NOT:     memref.dealloc
func.func @three(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloca() : memref<64xf32>
  %b = memref.alloca() : memref<64xf32>
  %c = memref.alloca() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.reduce { arith.addf } ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) dimensions = []
  memref.copy %x, %c : memref<64xf32> to memref<64xf32>
  linalg.add ins(%b, %c : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// 2. With memref.alloc in one arena.
// CHECK-LABEL: func @both
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK-NOT:     memref.alloca
func.func @both(%x: memref<64xf32>) {
  %a = memref.alloca() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// 3. In a loop, each iteration would take more of the stack.
// CHECK-LABEL: func @in_a_loop
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         scf.for
// CHECK-NOT:     memref.alloca
func.func @in_a_loop(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloca() : memref<64xf32>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32>
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  }
  return
}

// 4. A scope of the stack; nothing of it is used after it.
// CHECK-LABEL: func @scope
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         memref.alloca_scope
// CHECK-NOT:     memref.alloca()
func.func @scope(%x: memref<64xf32>) {
  memref.alloca_scope {
    %a = memref.alloca() : memref<64xf32>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32>
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  }
  %b = memref.alloca() : memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  return
}

// 5. A dynamic size, and one that is passed on to code that is not known, stay.
// CHECK-LABEL: func @stay
// CHECK:         memref.alloca(%{{.*}}) : memref<?xf32>
// CHECK:         memref.alloca() : memref<64xf32>
func.func private @keep(memref<64xf32>, memref<1xmemref<64xf32>>)
func.func @stay(%x: memref<?xf32>, %n: index, %m: memref<1xmemref<64xf32>>) {
  %a = memref.alloca(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  %b = memref.alloca() : memref<64xf32>
  call @keep(%b, %m) : (memref<64xf32>, memref<1xmemref<64xf32>>) -> ()
  return
}

// 6. An alignment, and memplan.keep.
// CHECK-LABEL: func @attributes
// CHECK:         memref.alloc() {alignment = 128 : i64, {{.*}}} : memref<64xi8>
// CHECK:         memref.alloca() {memplan.keep} : memref<16xf32>
func.func @attributes(%x: memref<16xf32>) {
  %a = memref.alloca() {alignment = 128 : i64} : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  %b = memref.alloca() {memplan.keep} : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}
