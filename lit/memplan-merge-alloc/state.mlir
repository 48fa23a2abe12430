// `state=arena`: globals that the program writes are part of the arena that entry points share.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global share=entry-points state=arena verify})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan{arena=global share=entry-points state=arena verify},memplan-verify)' \
// RUN:   | FileCheck %s
// A second run leaves what is there.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{arena=global share=entry-points state=arena verify},\
// RUN:   memplan{arena=global share=entry-points state=arena verify})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s -o /dev/null --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global \
// RUN:   share=entry-points state=arena remarks=true})' 2>&1 | FileCheck %s --check-prefix=REMARK
// The offsets of an analysis are those of the plan.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global share=entry-points \
// RUN:   state=arena analyse-only=true})' | FileCheck %s --check-prefix=ANALYSIS
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global share=entry-points \
// RUN:   state=arena analyse-only=true},memplan-merge-alloc{arena=global share=entry-points state=arena verify})' \
// RUN:   | FileCheck %s

// ANALYSIS: memref.global "private" @count {{.*}} {memplan.offset = 0 : i64}
// ANALYSIS: memref.global "private" @history {{.*}} {alignment = 128 : i64, memplan.offset = 128 : i64}
// ANALYSIS: memref.alloc() {{.*}}memplan.offset = 576

// 1. What starts as zeros or undefined, each at the first free address. Memory spaces have arenas of their own.
// CHECK-NOT:  memref.global "private" @{{count|history|other}}
// REMARK-DAG: state: 8 bytes at offset 0 of the arena [memplan-R104]
// REMARK-DAG: state: 400 bytes at offset 128 of the arena [memplan-R104]
// REMARK-DAG: state: 16 bytes at offset 0 of the arena in memory space 1 [memplan-R104]
memref.global "private" @count : memref<i64> = dense<0>
memref.global "private" @history : memref<100xf32> = uninitialized {alignment = 128}
memref.global "private" @other : memref<4xf32, 1> = uninitialized

// Complex zeros, and a mark that says no.
// CHECK-NOT:  memref.global "private" @{{complex|not_kept}}
memref.global "private" @complex : memref<2xcomplex<f32>, 2> = dense<(0.0, 0.0)>
memref.global "private" @not_kept : memref<4xf32, 2> = uninitialized {memplan.keep = false}

// 2. What stays: constants, other contents, what other modules may see or define, what is not used or empty.
// CHECK:      memref.global "private" constant @weights
memref.global "private" constant @weights : memref<4xf32> = dense<0.0>
// CHECK:      memref.global "private" @ones
// REMARK-DAG: outside the arena: its first contents are neither zero nor undefined [initial-contents] [memplan-R105]
memref.global "private" @ones : memref<4xf32> = dense<1.0>
// CHECK:      memref.global "private" @minus_zero
memref.global "private" @minus_zero : memref<4xf32> = dense<-0.0>
// CHECK:      memref.global "private" @wide
memref.global "private" @wide : memref<2xi128> = dense<18446744073709551616>
// CHECK:      memref.global @visible
// REMARK-DAG: outside the arena: it is not private, so other modules may refer to it [public]
memref.global @visible : memref<4xf32> = dense<0.0>
// CHECK:      memref.global "private" @elsewhere
// REMARK-DAG: outside the arena: another module defines it [declared]
memref.global "private" @elsewhere : memref<4xf32>
// CHECK:      memref.global "private" @unused
// REMARK-DAG: outside the arena: nothing refers to it [unused]
memref.global "private" @unused : memref<4xf32> = uninitialized
// CHECK:      memref.global "private" @empty
// REMARK-DAG: outside the arena: it has no bytes [empty]
memref.global "private" @empty : memref<0xf32> = uninitialized
// CHECK:      memref.global "private" @kept
// REMARK-DAG: outside the arena: it is marked `memplan.keep` [kept]
memref.global "private" @kept : memref<4xf32> = uninitialized {memplan.keep}
// CHECK:      memref.global "private" @named
// REMARK-DAG: outside the arena: 'test.refers' refers to it [referred-to]
memref.global "private" @named : memref<4xf32> = uninitialized
// CHECK:      memref.global "private" @strided
// REMARK-DAG: outside the arena: its size is not known or too large, or its layout is not row-major [no-size]
memref.global "private" @strided : memref<4xf32, strided<[2]>> = uninitialized

// 3. The plans of entry points leave the state alone.
// CHECK:         memref.global "private" @entry_points_arena : memref<976xi8> = dense<0>
// CHECK-SAME:      {alignment = 128 : i64, memplan.state = array<i64: 0, 8, 128, 528>}
// CHECK-LABEL: func @init
// CHECK-DAG:     %[[ARENA:.*]] = memref.get_global @entry_points_arena : memref<976xi8> {memplan.arena = 128
// CHECK-DAG:     %[[ALSO:.*]] = memref.get_global @entry_points_arena : memref<976xi8> {memplan.state
// CHECK-DAG:     %[[AT_STATE:.*]] = arith.constant 128
// CHECK-DAG:     memref.view %[[ALSO]][%[[AT_STATE]]][] : memref<976xi8> to memref<100xf32>
// CHECK-DAG:     %[[AT:.*]] = arith.constant 576
// CHECK-DAG:     memref.view %[[ARENA]][%[[AT]]][] {memplan.buffer = 0 : i64}
func.func @init(%x: memref<100xf32>) {
  %h = memref.get_global @history : memref<100xf32>
  %a = memref.alloc() : memref<100xf32>
  linalg.transpose ins(%x : memref<100xf32>) outs(%a : memref<100xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<100xf32>) outs(%h : memref<100xf32>) permutation = [0]
  return
}

// 4. Functions without an arena, private ones among them, refer to state, too.
// CHECK-LABEL: func private @bump
// CHECK:         memref.get_global @entry_points_arena : memref<976xi8> {memplan.state
// CHECK:         memref.view %{{.*}} : memref<976xi8> to memref<i64>
func.func private @bump() -> i64 {
  %c = memref.get_global @count : memref<i64>
  %n = memref.load %c[] : memref<i64>
  %one = arith.constant 1 : i64
  %m = arith.addi %n, %one : i64
  memref.store %m, %c[] : memref<i64>
  return %m : i64
}

// CHECK-LABEL: func @uses
// CHECK-DAG:     memref.get_global @entry_points_arena_0 : memref<16xi8, 1> {memplan.state = array<i64: 0, 16>}
// CHECK-DAG:     memref.get_global @ones
func.func @uses() -> f32 {
  %c0 = arith.constant 0 : index
  %p = memref.get_global @other : memref<4xf32, 1>
  %q = memref.get_global @ones : memref<4xf32>
  %r = memref.get_global @minus_zero : memref<4xf32>
  %s = memref.get_global @visible : memref<4xf32>
  %t = memref.get_global @elsewhere : memref<4xf32>
  %u = memref.get_global @empty : memref<0xf32>
  %v = memref.get_global @kept : memref<4xf32>
  %w = memref.get_global @named : memref<4xf32>
  %x = memref.get_global @strided : memref<4xf32, strided<[2]>>
  %y = memref.get_global @wide : memref<2xi128>
  %z0 = memref.get_global @complex : memref<2xcomplex<f32>, 2>
  %z1 = memref.get_global @not_kept : memref<4xf32, 2>
  %a = memref.load %p[%c0] : memref<4xf32, 1>
  memref.store %a, %q[%c0] : memref<4xf32>
  memref.store %a, %r[%c0] : memref<4xf32>
  memref.store %a, %s[%c0] : memref<4xf32>
  memref.store %a, %t[%c0] : memref<4xf32>
  memref.store %a, %v[%c0] : memref<4xf32>
  memref.store %a, %w[%c0] : memref<4xf32>
  memref.store %a, %x[%c0] : memref<4xf32, strided<[2]>>
  %i = memref.load %y[%c0] : memref<2xi128>
  memref.store %i, %y[%c0] : memref<2xi128>
  return %a : f32
}
"test.refers"() {to = @named} : () -> ()
