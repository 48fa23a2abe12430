// Copies that stay because something reads or writes the part before it is complete, and their remarks.
// RUN: %memplan-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none results=off remarks=true})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none results=off remarks=true})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=IDS
// IDS-DAG: not elided: another operation reads or writes the part before it is complete, or frees memory that is needed afterwards [touched] [memplan-R122]
// IDS-DAG: not elided: the other buffer, or the offset of the part, is known too late [late] [memplan-R122]
// IDS-DAG: elided; {{[0-9]+}} bytes are live at once, {{[0-9]+}} before [memplan-R121]

// 1. The part is read before it is complete: by what computes the buffer.
// CHECK-LABEL: func @read_before
// CHECK:         memref.copy %{{.*}}, %{{.*}} : memref<4xf32> to memref<4xf32, strided<[1]>>
func.func @read_before(%y: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<8xf32>)
  %a = memref.alloc() : memref<4xf32>
  %q = memref.subview %b[1] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 1>>
  linalg.exp ins(%q : memref<4xf32, strided<[1], offset: 1>>) outs(%a : memref<4xf32>)
  %p = memref.subview %b[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  // expected-remark @below {{not elided: another operation reads or writes the part before it is complete, or frees memory that is needed afterwards [touched]}}
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 2. The operation reads what the part was.
// CHECK-LABEL: func @reads_old
// CHECK:         memref.alloc() : memref<4xf32>
func.func @reads_old(%x: memref<4xf32>, %y: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<8xf32>)
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %p = memref.subview %b[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  // expected-remark @below {{not elided: the operation also reads the part, or reads the buffer in another order [reads]}}
  linalg.add ins(%a, %p : memref<4xf32>, memref<4xf32, strided<[1], offset: 2>>) outs(%p : memref<4xf32, strided<[1], offset: 2>>)
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 3. Parts that share elements, where what is written last is computed first.
// CHECK-LABEL: func @overlap
// CHECK:         memref.alloc() : memref<6xf32>
// CHECK:         memref.copy
func.func @overlap(%x: memref<4xf32>, %y: memref<6xf32>) {
  %c = memref.alloc() : memref<4xf32>
  linalg.sqrt ins(%x : memref<4xf32>) outs(%c : memref<4xf32>)
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %b = memref.alloc() : memref<6xf32>
  %p = memref.subview %b[0] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1]>>
  // expected-remark @below {{elided}}
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
  %q = memref.subview %b[2] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1], offset: 2>>
  // expected-remark @below {{[touched]}}
  memref.copy %c, %q : memref<4xf32> to memref<4xf32, strided<[1], offset: 2>>
  memref.copy %b, %y : memref<6xf32> to memref<6xf32>
  return
}

// -----

// 4. Where the part is depends on what is computed in between; the size on the buffer itself.
// CHECK-LABEL: func @late
// CHECK:         memref.copy
// CHECK-LABEL: func @of_itself
// CHECK:         memref.copy
func.func @late(%x: memref<4xf32>, %k: memref<index>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %b = memref.alloc() : memref<8xf32>
  %i = memref.load %k[] : memref<index>
  %p = memref.subview %b[%i] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  // expected-remark @below {{[late]}}
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}
func.func @of_itself(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %q = memref.cast %a : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %d = memref.dim %q, %c0 : memref<?xf32, strided<[?], offset: ?>>
  %b = memref.alloc(%d) : memref<?xf32>
  %p = memref.subview %b[0] [%d] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  // expected-remark @below {{[late]}}
  memref.copy %a, %p : memref<?xf32> to memref<?xf32, strided<[1]>>
  memref.copy %b, %y : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 5. An operation that started before the copy may write the source until it is awaited; other threads may, where
// there is a fence.
// CHECK-LABEL: func @started
// CHECK:         memref.copy
// CHECK-LABEL: func @fence
// CHECK:         memref.copy
func.func @started(%x: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = async.execute {
    memref.store %v, %x[%c0] : memref<4xf32>
    async.yield
  }
  %a = memref.alloc() : memref<4xf32>
  // expected-remark @below {{[written]}}
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  async.await %t : !async.token
  %r = memref.load %a[%c0] : memref<4xf32>
  return %r : f32
}
func.func @fence(%x: memref<4xf32>, %flag: memref<1xi32>, %n: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  // expected-remark @below {{[written]}}
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %o = memref.atomic_rmw addi %n, %flag[%c0] : (i32, memref<1xi32>) -> i32
  %r = memref.load %a[%c0] : memref<4xf32>
  return %r : f32
}
