// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify in-place=false})' \
// RUN:   --split-input-file --verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=1 verify in-place=false})' --split-input-file \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=4096 verify})' --split-input-file \
// RUN:   | FileCheck %s --check-prefix=PAGE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{free=false verify})' --split-input-file \
// RUN:   | FileCheck %s --check-prefix=KEEP

// 1. One after the other: the same bytes.
func.func private @use(memref<64xf32>)

// CHECK-LABEL: func @reuse
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
// CHECK-NEXT:    %[[A:.*]] = memref.view %[[ARENA]][%[[ZERO]]][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<64xf32>
// CHECK-NEXT:    call @use(%[[A]])
// CHECK-NEXT:    %[[B:.*]] = memref.view %[[ARENA]][%[[ZERO]]][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<64xf32>
// CHECK-NEXT:    call @use(%[[B]])
// CHECK-NEXT:    memref.dealloc %[[ARENA]] {bufferization.manual_deallocation} : memref<256xi8>
// CHECK-NEXT:    return
// ONE-LABEL:   func @reuse
// ONE:           memref.alloc() {alignment = 4 : i64,
// PAGE-LABEL:  func @reuse
// PAGE:          memref.alloc() {alignment = 4096 : i64,
// KEEP-LABEL:  func @reuse
// KEEP:          memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
// KEEP-NOT:      memref.dealloc
func.func @reuse() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  return
}

// -----

// 2. Needed at the same time: bytes of their own.
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func @overlap() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use2(%a, %b) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// 3. Used by the same operation, although never across one.
func.func @through(%in: memref<64xf32>, %out: memref<64xf32>) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %c = memref.alloc() : memref<64xf32>
  memref.copy %b, %c : memref<64xf32> to memref<64xf32>
  memref.copy %c, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 4. Allocated early, touched late: what counts is the touch.
func.func private @use(memref<64xf32>)
func.func @first_touch() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %c = memref.alloc() : memref<64xf32>
  call @use(%c) : (memref<64xf32>) -> ()
  call @use(%a) : (memref<64xf32>) -> ()
  call @use(%b) : (memref<64xf32>) -> ()
  return
}

// -----

// 5. Deallocated late, touched early: what counts is the touch.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @last_touch
// CHECK-COUNT-1: memref.dealloc
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @last_touch() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return
}

// -----

// 6. A question that does not depend on the contents is no touch.
func.func private @use(memref<64xf32>)
func.func private @use_index(index)
func.func @mention() {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  %n = memref.dim %a, %c0 : memref<64xf32>
  call @use_index(%n) : (index) -> ()
  return
}

// -----

// 7. No bytes: the offset may be any, the arena may be empty.
func.func private @use(memref<64xf32>)
func.func private @none(memref<0xf32>)
func.func private @none2(memref<4x0x7xf32>)
func.func @zero_size() {
  // expected-remark @+1 {{merged: 0 bytes at offset 0 of an arena of 256 bytes}}
  %z = memref.alloc() : memref<0xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 0 bytes at offset 0 of an arena of 256 bytes}}
  %y = memref.alloc() : memref<4x0x7xf32>
  call @none(%z) : (memref<0xf32>) -> ()
  call @use(%a) : (memref<64xf32>) -> ()
  call @none(%z) : (memref<0xf32>) -> ()
  call @none2(%y) : (memref<4x0x7xf32>) -> ()
  return
}

// -----

func.func private @none(memref<0xf32>)
func.func @only_zero_size() {
  // expected-remark @+1 {{merged: 0 bytes at offset 0 of an arena of 0 bytes}}
  %z = memref.alloc() : memref<0xf32>
  call @none(%z) : (memref<0xf32>) -> ()
  return
}

// -----

// 8. The strictest of what the allocation says and what the option says.
func.func private @use3(memref<3xi8>, memref<3xi8>, memref<3xi8>)
// CHECK-LABEL: func @alignment
// CHECK:         memref.alloc() {alignment = 256 : i64,
// ONE-LABEL:   func @alignment
// ONE:           memref.alloc() {alignment = 256 : i64,
// PAGE-LABEL:  func @alignment
// PAGE:          memref.alloc() {alignment = 4096 : i64, {{.*}} : memref<8195xi8>
func.func @alignment() {
  // expected-remark @+1 {{merged: 3 bytes at offset 128 of an arena of 131 bytes}}
  %a = memref.alloc() : memref<3xi8>
  // expected-remark @+1 {{merged: 3 bytes at offset 0 of an arena of 131 bytes}}
  %b = memref.alloc() {alignment = 256} : memref<3xi8>
  // expected-remark @+1 {{merged: 3 bytes at offset 64 of an arena of 131 bytes}}
  %c = memref.alloc() {alignment = 2} : memref<3xi8>
  call @use3(%a, %b, %c) : (memref<3xi8>, memref<3xi8>, memref<3xi8>) -> ()
  return
}

// -----

// 9. Never touched: keeps no bytes from others.
func.func private @use(memref<64xf32>)
func.func @dead() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  memref.dealloc %a : memref<64xf32>
  return
}

// -----

// 10. Holes: a small one lies in two large ones' gap.
func.func private @use(memref<64xf32>)
func.func private @half(memref<32xf32>)
func.func @sizes() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 128 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<32xf32>
  // expected-remark @+1 {{merged: 128 bytes at offset 128 of an arena of 256 bytes}}
  %c = memref.alloc() : memref<32xf32>
  call @half(%b) : (memref<32xf32>) -> ()
  call @half(%c) : (memref<32xf32>) -> ()
  call @half(%b) : (memref<32xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %d = memref.alloc() : memref<64xf32>
  call @use(%d) : (memref<64xf32>) -> ()
  return
}

// -----

// 11. Stack memory and memory that is not the function's own stay as they are.
memref.global "private" @g : memref<64xf32> = uninitialized
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @not_ours
// CHECK:         memref.alloca() : memref<64xf32>
// CHECK:         memref.get_global @g
// CHECK-NOT:     memref.alloc()
// CHECK:         return
func.func @not_ours(%x: memref<64xf32>) {
  // expected-remark @+1 {{not merged: it is on the stack [on-stack]; use allocas=true [memplan-R102]}}
  %a = memref.alloca() : memref<64xf32>
  %g = memref.get_global @g : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  call @use(%g) : (memref<64xf32>) -> ()
  call @use(%x) : (memref<64xf32>) -> ()
  return
}

// -----

// 12. Nothing to do: empty functions, declarations, no memrefs.
// CHECK-LABEL: func @nothing
// CHECK-NEXT:    return
func.func @nothing() {
  return
}
// CHECK: func private @declared(memref<4xf32>)
func.func private @declared(memref<4xf32>)
// CHECK-LABEL: func @numbers
// CHECK-NEXT:    arith.addi
// CHECK-NEXT:    return
func.func @numbers(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  return %b : i32
}
