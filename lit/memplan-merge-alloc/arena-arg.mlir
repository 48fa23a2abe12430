// Arenas in arguments, and slices that callers give to callees.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify arena=arg})' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ARG
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify scope=module})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,MODULE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module report=%t.json})' -o /dev/null
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// 1. A private function takes its arena in both cases. No other function depends on its size.
// CHECK-NOT:   @leaf_arena_size
// CHECK-LABEL: func.func private @leaf(
// CHECK-SAME:    %{{[0-9a-z_]+}}: memref<8xf32>, %[[ARENA:[0-9a-z_]+]]: memref<32xi8> {memplan.arena = 64 : i64})
// CHECK:         memref.view %[[ARENA]][%{{.*}}][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func private @leaf(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// 2. A public one keeps its signature, unless arguments are asked for; then a function says what they are. The second
// call's slice lies where the first one's did, and where nothing lives across the call.
// ARG-LABEL:    func.func @public_arena_size() -> (index, index) {
// ARG-DAG:        %[[SIZE:[0-9a-z_]+]] = arith.constant 96 : index
// ARG-DAG:        %[[ALIGNMENT:[0-9a-z_]+]] = arith.constant 64 : index
// ARG:            return %[[SIZE]], %[[ALIGNMENT]] : index, index
// ARG-LABEL:    func.func @public(
// ARG-SAME:       %[[ARENA:[0-9a-z_]+]]: memref<96xi8> {memplan.arena = 64 : i64})
// MODULE-NOT:   _arena_size
// MODULE-LABEL: func.func @public(%{{.*}}: memref<8xf32>) {
// MODULE:         %[[ARENA:[0-9a-z_]+]] = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<96xi8>
// CHECK:          %[[BUFFER:[0-9a-z_]+]] = memref.view %[[ARENA]][%[[AT:[0-9a-z_]+]]][] {memplan.buffer = 0 : i64}
// CHECK:          %[[ONE:[0-9a-z_]+]] = memref.view %[[ARENA]][%[[PASSED:[0-9a-z_]+]]][] {memplan.buffer = 1 : i64, memplan.slice_alignment = 64 : i64} : memref<96xi8> to memref<32xi8>
// CHECK:          call @leaf(%[[BUFFER]], %[[ONE]]) : (memref<8xf32>, memref<32xi8>) -> ()
// CHECK:          %[[TWO:[0-9a-z_]+]] = memref.view %[[ARENA]][%[[PASSED]]][] {memplan.buffer = 2 : i64, memplan.slice_alignment = 64 : i64} : memref<96xi8> to memref<32xi8>
// CHECK:          call @leaf(%[[BUFFER]], %[[TWO]]) : (memref<8xf32>, memref<32xi8>) -> ()
// REPORT:        {"name":"leaf"
// REPORT-NEXT:   "arena":"arg"
// REPORT:        {"name":"public"
// REPORT-NEXT:   "arena":"alloc"
// REPORT-NEXT:   "type":"memref<8xf32>"
// REPORT-NEXT:   "type":"memref<32xi8>","size":32,"alignment":64,"offset":64
func.func @public(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  call @leaf(%a) : (memref<8xf32>) -> ()
  call @leaf(%a) : (memref<8xf32>) -> ()
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// 3. No arena, no argument.
// CHECK-LABEL: func.func @nothing(%{{.*}}: memref<8xf32>) {
func.func @nothing(%x: memref<8xf32>) {
  return
}

// 4. One argument for each memory space, in the order of the first buffers. Attributes of other arguments stay theirs.
// ARG-LABEL:   func.func @spaces_arena_size() -> (index, index)
// ARG-LABEL:   func.func @spaces_arena_size_1() -> (index, index)
// ARG-LABEL:   func.func @spaces(%{{.*}}: f32 {test.of = "x"}, %{{.*}}: memref<4xi8> {memplan.arena = 64 : i64}, %{{.*}}: memref<4xi8, 1> {memplan.arena = 64 : i64})
func.func @spaces(%x: f32 {test.of = "x"}) {
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<f32, 1>
  memref.store %x, %a[] : memref<f32>
  memref.store %x, %b[] : memref<f32, 1>
  return
}

// CHECK-LABEL: func.func @of_spaces(
// ARG-DAG:       %[[A:[0-9a-z_]+]] = memref.view {{.*}} : memref<4xi8> to memref<4xi8>
// ARG-DAG:       %[[B:[0-9a-z_]+]] = memref.view {{.*}} : memref<4xi8, 1> to memref<4xi8, 1>
// ARG:           call @spaces(%{{.*}}, %[[A]], %[[B]]) : (f32, memref<4xi8>, memref<4xi8, 1>) -> ()
func.func @of_spaces(%x: f32) {
  call @spaces(%x) : (f32) -> ()
  return
}

// 5. A function that calls itself needs an arena for each run: it is allocated around the call.
// CHECK-LABEL: func.func private @recursive(
// ARG-SAME:      memref<1xi8> {memplan.arena = 64 : i64}
// ARG:           %[[BYTES:[0-9a-z_]+]] = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<1xi8>
// ARG:           %[[NEW:[0-9a-z_]+]] = memref.view %[[BYTES]]{{.*}}memplan.slice_alignment = 64
// ARG:           func.call @recursive(%{{.*}}, %[[NEW]])
// ARG-NEXT:      memref.dealloc %[[BYTES]] {bufferization.manual_deallocation}
// MODULE:        memref.alloc() {{{.*}}memplan.arena} : memref<1xi8>
// MODULE:        func.call @recursive(%{{[a-z0-9_]+}}) : (i1) -> ()
func.func private @recursive(%c: i1) {
  %false = arith.constant false
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  scf.if %c {
    func.call @recursive(%false) : (i1) -> ()
    %d = memref.load %a[] : memref<i1>
  }
  return
}

// 6. Where the order of execution is not known, too.
// CHECK-LABEL: func.func @unknown(
// CHECK:         "test.unknown"
// CHECK:           memref.alloc() {{{.*}}memplan.arena} : memref<32xi8>
// CHECK:           call @leaf
// CHECK:           memref.dealloc
func.func @unknown(%x: memref<8xf32>) {
  "test.unknown"() ({
    func.call @leaf(%x) : (memref<8xf32>) -> ()
    "test.end"() : () -> ()
  }) : () -> ()
  return
}

// 7. The attribute has the last word.
// CHECK-LABEL: func.func private @stays(%{{.*}}: memref<8xf32>) attributes
// CHECK:         memref.alloca() {{{.*}}memplan.arena}
func.func private @stays(%x: memref<8xf32>) attributes {memplan.arena_in = "alloca"} {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  return
}

// 8. Calls of one symbol table do not reach into another.
// CHECK-LABEL: module @inner
module @inner {
  // CHECK: func.func private @leaf(%{{.*}}: memref<8xf32>) {
  func.func private @leaf(%x: memref<8xf32>) {
    return
  }
  func.func @calls(%x: memref<8xf32>) {
    // CHECK: call @leaf(%{{.*}}) : (memref<8xf32>) -> ()
    call @leaf(%x) : (memref<8xf32>) -> ()
    return
  }
}
