// Buffers that the user excludes from the plan, or fixes at a place.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify min-size=64 max-size=256})' \
// RUN:   | FileCheck %s --check-prefix=SIZES
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{min-size=64 max-size=256 report=%t.json})' -o /dev/null
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: for pass in '' 'memplan-merge-alloc{verify},' 'memplan-merge-alloc{verify planner=first-fit},' \
// RUN:   'memplan-merge-alloc{verify planner=hill-climb arena=alloca},' \
// RUN:   'memplan-merge-alloc{verify min-size=64 max-size=256},' \
// RUN:   'memplan-merge-alloc{analyse-only},memplan-merge-alloc{verify},'; do \
// RUN:   echo "$pass"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module($pass %to-llvm)" \
// RUN:     | %runner | FileCheck %s --check-prefix=PRINTS || exit 1; \
// RUN: done

func.func private @printF32(f32)
func.func private @printNewline()

// 1. One that is kept stays as it is, with its deallocation.
// CHECK-LABEL: func @kept
// CHECK:         memref.alloc() {memplan.keep} : memref<64xf32>
// CHECK:         memref.alloc() {{{.*}}memplan.arena} : memref<256xi8>
// CHECK:         memref.dealloc %{{.*}} : memref<64xf32>
func.func @kept(%x: f32) -> f32 {
  %c7 = arith.constant 7 : index
  %a = memref.alloc() {memplan.keep} : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.add ins(%a, %a : memref<64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  memref.dealloc %a : memref<64xf32>
  %v = memref.load %b[%c7] : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return %v : f32
}

// 2. Sizes between the two, both included.
// SIZES-LABEL: func @sizes
// SIZES:         memref.alloc() : memref<15xf32>
// SIZES:         memref.alloc() {{{.*}}memplan.arena} : memref<320xi8>
// SIZES-NEXT:    memref.view {{.*}} to memref<16xf32>
// SIZES-NEXT:    memref.view {{.*}} to memref<64xf32>
// SIZES-NEXT:    memref.alloc() : memref<65xf32>
// REPORT:      {"name":"sizes"
// REPORT:      "type":"memref<15xf32>","reason":"below-min-size"
// REPORT-NEXT: "type":"memref<65xf32>","reason":"above-max-size"
func.func @sizes(%x: f32) -> f32 {
  %c7 = arith.constant 7 : index
  %a = memref.alloc() : memref<15xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<64xf32>
  %d = memref.alloc() : memref<65xf32>
  memref.store %x, %a[%c7] : memref<15xf32>
  memref.store %x, %b[%c7] : memref<16xf32>
  memref.store %x, %c[%c7] : memref<64xf32>
  memref.store %x, %d[%c7] : memref<65xf32>
  %e = memref.load %a[%c7] : memref<15xf32>
  %f = memref.load %b[%c7] : memref<16xf32>
  %g = memref.load %c[%c7] : memref<64xf32>
  %h = memref.load %d[%c7] : memref<65xf32>
  %i = arith.addf %e, %f : f32
  %j = arith.addf %g, %h : f32
  %k = arith.addf %i, %j : f32
  return %k : f32
}

// 3. Fixed where the others leave space; two that are never live at once may be fixed at one place.
// CHECK-LABEL: func @pinned
// CHECK-DAG:     %[[C0:[0-9a-z_]+]] = arith.constant 0 : index
// CHECK-DAG:     %[[C128:[0-9a-z_]+]] = arith.constant 128 : index
// CHECK-DAG:     memref.alloc() {{{.*}}memplan.arena} : memref<256xi8>
// CHECK:         memref.view %{{.*}}[%[[C128]]][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
// CHECK:         memref.view %{{.*}}[%[[C0]]][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<32xf32>
// CHECK:         memref.view %{{.*}}[%[[C128]]][] {memplan.buffer = 2 : i64} : memref<256xi8> to memref<32xf32>
func.func @pinned(%x: f32) -> f32 {
  %c7 = arith.constant 7 : index
  %a = memref.alloc() {memplan.offset = 128 : i64} : memref<16xf32>
  %b = memref.alloc() : memref<32xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = memref.load %a[%c7] : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<32xf32>)
  %u = memref.load %a[%c7] : memref<16xf32>
  %c = memref.alloc() {memplan.offset = 128 : i64} : memref<32xf32>
  linalg.fill ins(%u : f32) outs(%c : memref<32xf32>)
  linalg.add ins(%b, %c : memref<32xf32>, memref<32xf32>) outs(%c : memref<32xf32>)
  %w = memref.load %c[%c7] : memref<32xf32>
  return %w : f32
}

func.func @main() {
  %one = arith.constant 1.0 : f32
  // PRINTS: 2
  %a = call @kept(%one) : (f32) -> f32
  call @printF32(%a) : (f32) -> ()
  call @printNewline() : () -> ()
  // PRINTS-NEXT: 8
  %b = call @sizes(%a) : (f32) -> f32
  call @printF32(%b) : (f32) -> ()
  call @printNewline() : () -> ()
  // PRINTS-NEXT: 16
  %c = call @pinned(%b) : (f32) -> f32
  call @printF32(%c) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}
