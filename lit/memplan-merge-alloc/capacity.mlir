// Memory spaces of limited size, and what moves when they are too small.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify capacity=1:256 spill=1->default})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FITS --implicit-check-not='moved from'
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify capacity=1:192 spill=1->default})' 2>&1 \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify capacity=1:0 spill=1->2})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALL
// Nothing is freed where programs run: `free` takes no pointer of another space.
// RUN: for pass in '' 'memplan-merge-alloc{verify free=false capacity=1:256},' \
// RUN:   'memplan-merge-alloc{verify free=false capacity=1:192 spill=1->default},' \
// RUN:   'memplan-merge-alloc{verify free=false capacity=1:0 spill=1->default},' \
// RUN:   'memplan-merge-alloc{verify free=false capacity=1:128,2:128 spill=1->2,2->default arena=arg},' \
// RUN:   'memplan-merge-alloc{verify free=false capacity=1:192 spill=1->default},memplan-merge-alloc{verify \
// RUN:   free=false capacity=1:192 spill=1->default},'; do \
// RUN:   echo "$pass"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module($pass %to-llvm)" \
// RUN:     | %runner | FileCheck %s --check-prefix=PRINTS || exit 1; \
// RUN: done

func.func private @printF32(f32)
func.func private @printNewline()

// %a is used once more than %b, both are used in a loop less than %c. So %b goes, and with it its views.
// FITS-LABEL: func private @work
// FITS-DAG:     memref.alloc() {{{.*}}memplan.arena} : memref<256xi8, 1>
// FITS:         memref.subview %{{.*}} : memref<16xf32, 1> to memref<4xf32, strided<[1], offset: 4>, 1>
// CHECK:       capacity.mlir:[[#@LINE+20]]:8: remark: moved from memory space 1 to the default memory space
// CHECK-NOT:   moved
// CHECK-LABEL: func private @work
// CHECK:         memref.alloc() {{{.*}}memplan.arena} : memref<192xi8, 1>
// CHECK:         %[[A:[0-9a-z_]+]] = memref.view {{.*}}memplan.buffer = 0{{.*}} to memref<16xf32, 1>
// CHECK:         memref.alloc() {{{.*}}memplan.arena} : memref<64xi8>
// CHECK:         %[[B:[0-9a-z_]+]] = memref.view {{.*}}memplan.buffer = 1{{.*}} to memref<16xf32>
// CHECK:         memref.view {{.*}}memplan.buffer = 2{{.*}} to memref<32xf32, 1>
// CHECK:         memref.subview %[[B]]{{.*}} : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
// ALL-COUNT-3: remark: moved from memory space 1 to memory space 2
// ALL-LABEL:   func private @work
// ALL-NOT:       , 1>
// ALL:           memref<256xi8, 2>
// ALL-NOT:       , 1>
// ALL:           return
func.func private @work(%x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<16xf32, 1>
  %b = memref.alloc() : memref<16xf32, 1>
  %c = memref.alloc() : memref<32xf32, 1>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32, 1>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32, 1>)
  linalg.fill ins(%x : f32) outs(%c : memref<32xf32, 1>)
  memref.copy %a, %a : memref<16xf32, 1> to memref<16xf32, 1>
  %v = memref.subview %b[4] [4] [1] : memref<16xf32, 1> to memref<4xf32, strided<[1], offset: 4>, 1>
  memref.store %x, %v[%c1] : memref<4xf32, strided<[1], offset: 4>, 1>
  scf.for %i = %c0 to %c4 step %c1 {
    %p = memref.load %c[%i] : memref<32xf32, 1>
    %q = memref.load %a[%i] : memref<16xf32, 1>
    %s = arith.addf %p, %q : f32
    memref.store %s, %c[%c0] : memref<32xf32, 1>
    memref.store %s, %c[%c4] : memref<32xf32, 1>
  }
  %e = memref.load %v[%c1] : memref<4xf32, strided<[1], offset: 4>, 1>
  %f = memref.load %a[%c4] : memref<16xf32, 1>
  %g = memref.load %c[%c4] : memref<32xf32, 1>
  %h = arith.addf %e, %f : f32
  %j = arith.addf %g, %h : f32
  return %j : f32
}

func.func @main() attributes {memplan.arena_in = "alloc"} {
  %one = arith.constant 1.0 : f32
  // PRINTS: 4
  %a = call @work(%one) : (f32) -> f32
  call @printF32(%a) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}
