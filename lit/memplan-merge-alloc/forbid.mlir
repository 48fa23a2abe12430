// Addresses that no buffer may use, and numbers of bytes with units.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify forbid=0-1KiB})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify forbid=default:0-0x400})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{verify forbid=0-1KiB}))' \
// RUN:   | FileCheck %s
// Another memory space, and a hole that a buffer fits before.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify forbid=1:0-1KiB,0:256-1KiB})' \
// RUN:   | FileCheck %s --check-prefix=HOLE
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify scope=module arena=alloc forbid=0-1KiB})' \
// RUN:   | FileCheck %s --check-prefix=MODULE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks forbid=0-1KiB})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DYNAMIC
// A report lists the addresses, and all of its numbers agree.
// RUN: %memplan-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{forbid=0-1KiB report=%t.json})' \
// RUN:   && memplan table --check %t.json | FileCheck %s --check-prefix=REPORT
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// REPORT: above {{.*}} 1,280 {{ *}}clique {{ *}}1,280
// JSON: "excluded":[
// JSON-NEXT: {"start":0,"end":1024}]
// Units.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{forbid=0-1KiB capacity=1KiB})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CAPACITY
// CAPACITY: error: an arena takes 1280 bytes, more than its capacity of 1024 [memplan-E101]
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify min-size=1KiB alignment=4KiB max-size=0x10000})' \
// RUN:   | FileCheck %s --check-prefix=SIZES
// SIZES-NOT: memplan.arena
// Wrong ones.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{forbid=1KiB-1KiB})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{forbid=1:5})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
// WRONG: option 'forbid' takes [SPACE:]FROM-TO, such as 0-4KiB or 1:0x100-0x200, not '{{.*}}' [memplan-E002]

// 1. Both buffers are above; in place, they are one.
// CHECK-LABEL: func @above
// CHECK:         %[[AT:.*]] = arith.constant 1024 : index
// CHECK:         memref.alloc() {{.*}} : memref<1280xi8>
// CHECK:         memref.view %{{.*}}[%[[AT]]]
// CHECK:         memref.view %{{.*}}[%[[AT]]]
// HOLE-LABEL: func @above
// HOLE:         memref.alloc() {{.*}} : memref<256xi8>
func.func @above(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// 2. A callee whose arena is a part of its caller's: that part is above.
// MODULE-LABEL: func private @callee
// MODULE-NOT:     arith.constant 1024
// MODULE-LABEL: func @caller
// MODULE:         %[[AT:.*]] = arith.constant 1024 : index
// MODULE:         memref.alloc() {{.*}} : memref<1280xi8>
// MODULE:         memref.view %{{.*}}[%[[AT]]]
func.func private @callee(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}
func.func @caller(%x: memref<64xf32>) {
  call @callee(%x) : (memref<64xf32>) -> ()
  return
}

// 3. A buffer of dynamic size is no part of the arena.
// DYNAMIC: remark: not merged: {{.*}}size
func.func @dynamic(%x: memref<?xf32>, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  return
}

// A buffer without uses is not at these addresses either.
// CHECK-LABEL: func @unused
// CHECK:         %[[AT:.*]] = arith.constant 1024
// CHECK:         memref.view %{{.*}}[%[[AT]]][]
func.func @unused() {
  %a = memref.alloc() : memref<16xf32>
  return
}
