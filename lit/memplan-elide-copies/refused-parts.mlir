// Copies that stay because of the part, of the buffer or of their uses, and their remarks.
// RUN: %memplan-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none results=off remarks=true})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none results=off remarks=true})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=IDS
// IDS-DAG: not elided: an operation that uses the buffer does not accept the strides of the part [strides] [memplan-R122]
// IDS-DAG: elided; {{[0-9]+}} bytes are live at once, {{[0-9]+}} before [memplan-R121]

// 1. A callee takes no strides, nor does what keeps an address, nor a promise of alignment.
// CHECK-LABEL: func @strides
// CHECK:         memref.copy
// CHECK-LABEL: func @aligned
// CHECK:         memref.copy
func.func private @callee(memref<4xf32>)
func.func @strides(%y: memref<8xf32>) {
  %a = memref.alloc() : memref<4xf32>
  call @callee(%a) : (memref<4xf32>) -> ()
  %b = memref.alloc() : memref<8xf32>
  %p = memref.subview %b[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  // expected-remark @below {{[strides]}}
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}
func.func @aligned(%y: memref<8xf32>, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  vector.store %v, %a[%c0] {alignment = 16 : i64} : memref<4xf32>, vector<4xf32>
  %b = memref.alloc() : memref<8xf32>
  %p = memref.subview %b[1] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 1>>
  // expected-remark @below {{[strides]}}
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 2. Buffers that are written after the copy, that others may know, parts that hold an element twice, arguments,
// buffers that are kept or have an offset, and buffers that one iteration passes to the next.
// CHECK-LABEL: func @no_candidates
// CHECK-COUNT-8: memref.copy
func.func @no_candidates(%x: memref<4xf32>, %y: memref<8xf32>, %z: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %b = memref.alloc() : memref<8xf32>
  %p = memref.subview %b[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %needed = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%needed : memref<4xf32>)
  // expected-remark @below {{not elided: the buffer is used after it (after a copy: written, or used in another block), or its contents are written at several times or on several paths [needed]}}
  memref.copy %needed, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
  linalg.exp ins(%needed : memref<4xf32>) outs(%needed : memref<4xf32>)
  linalg.exp ins(%needed : memref<4xf32>) outs(%z : memref<4xf32>)
  %known = memref.alloc() : memref<4xf32>
  "some.thing"(%known) : (memref<4xf32>) -> ()
  // expected-remark @below {{not elided: one of the buffers cannot be followed}}
  memref.copy %known, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
  %twice = memref.reinterpret_cast %b to offset: [0], sizes: [4], strides: [0] : memref<8xf32> to memref<4xf32, strided<[0]>>
  %one = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%one : memref<4xf32>)
  // expected-remark @below {{not elided: elements of the part may overlap}}
  memref.copy %one, %twice : memref<4xf32> to memref<4xf32, strided<[0]>>
  %outside = memref.subview %y[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %two = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%two : memref<4xf32>)
  memref.copy %two, %outside : memref<4xf32> to memref<4xf32, strided<[1]>>
  %kept = memref.alloc() {memplan.keep} : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%kept : memref<4xf32>)
  // expected-remark @below {{not elided: one of the buffers cannot be followed}}
  memref.copy %kept, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
  %fixed = memref.alloc() {memplan.offset = 0 : i64} : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%fixed : memref<4xf32>)
  // expected-remark @below {{not elided: one of the buffers cannot be followed}}
  memref.copy %fixed, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
  %first = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%first : memref<4xf32>)
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%m = %first) -> (memref<4xf32>) {
    // expected-remark @below {{not elided: the buffer is used after it}}
    memref.copy %m, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
    // expected-remark @below {{removed: each iteration writes the buffer that the loop carries}}
    %n = memref.alloc() : memref<4xf32>
    linalg.exp ins(%m : memref<4xf32>) outs(%n : memref<4xf32>)
    scf.yield %n : memref<4xf32>
  }
  linalg.exp ins(%last : memref<4xf32>) outs(%z : memref<4xf32>)
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 3. In the bodies of parallel loops, only what they own.
// CHECK-LABEL: func @parallel
// CHECK:         scf.parallel
// CHECK:           memref.copy
func.func @parallel(%x: memref<4xf32>, %y: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %b = memref.alloc() : memref<4x4xf32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %a = memref.alloc() : memref<4xf32>
    linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
    %p = memref.subview %b[%i, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    // expected-remark @below {{not elided: one of the buffers is allocated in another block or body}}
    memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  memref.copy %b, %y : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// 4. Nothing to do, and functions without a body.
// CHECK-LABEL: func private @declared
// CHECK-LABEL: func @empty
func.func private @declared(memref<4xf32>)
func.func @empty() {
  return
}

// -----

// 5. A copy that can be elided only after another one is not reported as refused.
// CHECK-LABEL: func @later
// CHECK-NOT:     memref.copy
// CHECK-NOT:     linalg.transpose
func.func @later(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %z: memref<8x8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  // expected-remark @below {{elided; }}
  memref.copy %b, %a : memref<8x8xf32> to memref<8x8xf32>
  // expected-remark @below {{elided; }}
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%b, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}

// -----

// 6. Operations on vectors, which may be compiled as if addresses were aligned as the allocation says; as it says
// nothing, they cannot rely on that.
// CHECK-LABEL: func @vectors
// CHECK:         %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK:         vector.load %[[A]]
// CHECK:         %[[P:.*]] = memref.subview %{{.*}}[1] [8] [1]
// CHECK:         vector.store %{{.*}}, %[[P]]
func.func @vectors(%x: memref<8xf32>, %y: memref<10xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %v = vector.load %a[%c0] : memref<8xf32>, vector<8xf32>
  %w = arith.addf %v, %v : vector<8xf32>
  vector.store %w, %a[%c0] : memref<8xf32>, vector<8xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<10xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<10xf32>)
  %p = memref.subview %b[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
  // expected-remark @below {{not elided: vector operations may rely on the alignment of the buffer [aligned]}}
  memref.copy %a, %p : memref<8xf32> to memref<8xf32, strided<[1], offset: 1>>
  linalg.add ins(%b, %y : memref<10xf32>, memref<10xf32>) outs(%y : memref<10xf32>)
  // expected-remark @below {{removed: nothing reads the buffer}}
  %c = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%c : memref<8xf32>)
  vector.store %w, %c[%c0] : memref<8xf32>, vector<8xf32>
  %d = memref.alloc() : memref<10xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<10xf32>)
  %q = memref.subview %d[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
  // expected-remark @below {{elided; }}
  memref.copy %c, %q : memref<8xf32> to memref<8xf32, strided<[1], offset: 1>>
  linalg.add ins(%d, %y : memref<10xf32>, memref<10xf32>) outs(%y : memref<10xf32>)
  return
}

// -----

// 7. A buffer in another shape; one of dynamic size, which the remark names with the bytes.
// CHECK-LABEL: func @shape
// CHECK:         memref.copy %{{.*}} : memref<2x4xf32> to
func.func @shape(%x: memref<8xf32>, %y: memref<4x6xf32>, %n: index, %u: memref<?xf32>, %w: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %e = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  %b = memref.alloc() : memref<4x6xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4x6xf32>)
  %p = memref.subview %b[1, 1] [2, 4] [1, 1] : memref<4x6xf32> to memref<2x4xf32, strided<[6, 1], offset: 7>>
  // expected-remark @below {{not elided: the source is a part of a buffer, or a buffer in another shape [view]}}
  memref.copy %e, %p : memref<2x4xf32> to memref<2x4xf32, strided<[6, 1], offset: 7>>
  linalg.add ins(%b, %y : memref<4x6xf32>, memref<4x6xf32>) outs(%y : memref<4x6xf32>)
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%u : memref<?xf32>) outs(%c : memref<?xf32>)
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<16xf32>)
  %q = memref.subview %d[1] [%n] [1] : memref<16xf32> to memref<?xf32, strided<[1], offset: 1>>
  // expected-remark @below {{before, if the product of the dynamic dimensions of each buffer is 16}}
  memref.copy %c, %q : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
  linalg.add ins(%d, %w : memref<16xf32>, memref<16xf32>) outs(%w : memref<16xf32>)
  return
}
