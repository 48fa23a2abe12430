// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics \
// RUN:   | FileCheck %s

// 1. With deallocations, without, with some: the arena's alone is left.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @some
// CHECK:         %[[ARENA:.*]] = memref.alloc()
// CHECK-NOT:     memref.dealloc
// CHECK:         memref.dealloc %[[ARENA]] {bufferization.manual_deallocation}
// CHECK-NEXT:    return
func.func @some() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  memref.dealloc %a : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  return
}

// -----

// 2. All of them freed by hand; nothing of that is left.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @all
// CHECK-COUNT-1: memref.dealloc
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @all() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  memref.dealloc %a : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  memref.dealloc %b : memref<64xf32>
  return
}

// -----

// 3. Freed on one path only, as upstream's deallocation writes it.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @conditional
// CHECK:         scf.if
// CHECK-NEXT:    }
// CHECK:         memref.dealloc {{.*}} {bufferization.manual_deallocation}
func.func @conditional(%c: i1) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  scf.if %c {
    memref.dealloc %a : memref<64xf32>
  }
  return
}

// -----

// 4. A deallocation may go only if all that it may free is planned: %b is returned on another path, so neither is.
func.func private @use(memref<64xf32>)
func.func @group(%c: i1, %d: i1) -> memref<64xf32> {
  // expected-remark @+1 {{not merged: it is freed by a memref.dealloc that may free something unplanned [freed-with-other]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{not merged: it is or may be returned to the caller [returned]}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  call @use(%b) : (memref<64xf32>) -> ()
  %s = arith.select %c, %a, %b : memref<64xf32>
  memref.dealloc %s : memref<64xf32>
  return %b : memref<64xf32>
}

// -----

// 5. The group hangs together through a third: %a with %b, %b with %x.
func.func private @use(memref<64xf32>)
func.func @chain(%x: memref<64xf32>, %c: i1) {
  // expected-remark @+1 {{not merged: it is freed by a memref.dealloc that may free something unplanned [freed-with-other]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{not merged: it is freed by a memref.dealloc that may free something unplanned [freed-with-other]}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %e = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  call @use(%b) : (memref<64xf32>) -> ()
  call @use(%e) : (memref<64xf32>) -> ()
  %s = arith.select %c, %a, %b : memref<64xf32>
  memref.dealloc %s : memref<64xf32>
  %t = arith.select %c, %b, %x : memref<64xf32>
  memref.dealloc %t : memref<64xf32>
  memref.dealloc %e : memref<64xf32>
  return
}
