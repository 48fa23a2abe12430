// A use through a select, a call or a chain of views is a use of each buffer that it may be.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics \
// RUN:   | FileCheck %s

// 1. A select is either of two buffers.
func.func private @use(memref<64xf32>)
func.func @select(%c: i1) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 768 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 768 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  %s = arith.select %c, %a, %b : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 512 of an arena of 768 bytes}}
  %d = memref.alloc() : memref<64xf32>
  call @use(%d) : (memref<64xf32>) -> ()
  call @use(%s) : (memref<64xf32>) -> ()
  return
}

// -----

// 2. The result of a call may be any of its arguments.
func.func private @use(memref<64xf32>)
func.func private @either(memref<64xf32>, memref<64xf32>) -> memref<64xf32>
func.func @call_result() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 768 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 768 bytes}}
  %b = memref.alloc() : memref<64xf32>
  %r = call @either(%a, %b) : (memref<64xf32>, memref<64xf32>) -> memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 512 of an arena of 768 bytes}}
  %d = memref.alloc() : memref<64xf32>
  call @use(%d) : (memref<64xf32>) -> ()
  call @use(%r) : (memref<64xf32>) -> ()
  return
}

// -----

// 3. Slices are not separate storage: what promises that goes; where it speaks of other memory it stays.
func.func private @use2(memref<64xf32>, memref<64xf32>)
// CHECK-LABEL: func @distinct
// CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>
// CHECK:         %[[A:.*]] = memref.view
// CHECK:         %[[B:.*]] = memref.view
// CHECK-NOT:     distinct_objects
// CHECK:         call @use2(%[[A]], %[[B]])
// CHECK:         memref.distinct_objects %[[X]], %[[Y]]
func.func @distinct(%x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  %p, %q = memref.distinct_objects %a, %b : memref<64xf32>, memref<64xf32>
  call @use2(%p, %q) : (memref<64xf32>, memref<64xf32>) -> ()
  %r, %s = memref.distinct_objects %x, %y : memref<64xf32>, memref<64xf32>
  call @use2(%r, %s) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// 4. An asserted alignment is one that the slice must have.
func.func private @use(memref<64xf32>)
func.func private @first(memref<3xi8>)
// CHECK-LABEL: func @asserted
// CHECK:         memref.alloc() {alignment = 512 : i64,
func.func @asserted() {
  // expected-remark @+1 {{merged: 3 bytes at offset 256 of an arena of 259 bytes}}
  %s = memref.alloc() : memref<3xi8>
  call @first(%s) : (memref<3xi8>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 259 bytes}}
  %a = memref.alloc() : memref<64xf32>
  %b = memref.assume_alignment %a, 512 : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  call @first(%s) : (memref<3xi8>) -> ()
  return
}

// -----

// 5. A long chain of views of both branches' results.
func.func private @use(memref<64xf32>)
func.func private @any(memref<?xf32>)
func.func @chain(%c: i1) {
  // expected-remark @+1 {{merged: 256 bytes at offset}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  %r = scf.if %c -> memref<?xf32> {
    %v = memref.cast %a : memref<64xf32> to memref<?xf32>
    scf.yield %v : memref<?xf32>
  } else {
    // expected-remark @+1 {{merged: 256 bytes at offset}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
    %v = memref.cast %b : memref<64xf32> to memref<?xf32>
    scf.yield %v : memref<?xf32>
  }
  // expected-remark @+1 {{merged: 256 bytes at offset}}
  %d = memref.alloc() : memref<64xf32>
  call @use(%d) : (memref<64xf32>) -> ()
  call @any(%r) : (memref<?xf32>) -> ()
  return
}
