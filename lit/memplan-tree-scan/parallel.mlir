// Loops whose iterations run in parallel are one step: memory that an iteration allocates stays its own.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first verify=true report=%t.json})' \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{virtual=true fit=first verify=true})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-bounded-pipeline{fit=first verify=true})' | FileCheck %s

func.func private @use(index) attributes {memplan.bounded}

// 1. %a and %d may share bytes, %b is live while all iterations run, and %own is there once for each iteration.
// CHECK-LABEL: func.func @iterations
// CHECK: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<64xi8>
// CHECK: scf.parallel
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<4xi64>
// CHECK: memref.store %{{.*}}, %[[OWN]]
// REPORT: "name":"iterations"
// REPORT: "type":"memref<4xi64>","reason":"opaque-region"
func.func @iterations(%v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  memref.store %v, %a[%c0] : memref<4xi64>
  %x = memref.load %a[%c0] : memref<4xi64>
  %d = memref.alloc() : memref<4xi64>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %own = memref.alloc() : memref<4xi64>
    memref.store %x, %own[%c0] : memref<4xi64>
    %y = memref.load %own[%c0] : memref<4xi64>
    memref.store %y, %b[%i] : memref<4xi64>
    memref.store %y, %d[%i] : memref<4xi64>
  }
  %z = memref.load %b[%c0] : memref<4xi64>
  return %z : i64
}

// 2. An address that an iteration takes pins its memory; memory that the iteration itself allocates is left alone.
// CHECK-LABEL: func.func @addresses
// CHECK: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<16xi8>
// CHECK: memref.view {{.*}}memplan.pinned
// CHECK: scf.forall
// CHECK: memref.alloc() : memref<3xi64>
func.func @addresses() {
  %b = memref.alloc() : memref<2xi64>
  scf.forall (%i) in (4) {
    %own = memref.alloc() : memref<3xi64>
    %p = memref.extract_aligned_pointer_as_index %own : memref<3xi64> -> index
    %q = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
    func.call @use(%p) : (index) -> ()
    func.call @use(%q) : (index) -> ()
  }
  return
}
