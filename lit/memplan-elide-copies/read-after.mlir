// A buffer that is read after it was copied to a part of another one, such as a residual that was padded.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none})' | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none},memplan-elide-copies{guard=none})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan,memplan-verify)' | FileCheck %s --check-prefix=PLANNED

// 1. The sum reads the interior of the padded buffer, and takes the bytes of its other operand.
// CHECK-LABEL: func @residual
// CHECK:         %[[P:.*]] = memref.alloc() : memref<18xf32>
// CHECK:         %[[S:.*]] = memref.subview %[[P]][1] [16] [1]
// CHECK:         linalg.exp ins(%{{.*}}) outs(%[[S]]
// CHECK-NOT:     memref.copy
// CHECK:         linalg.add ins(%[[S]],
// PLANNED-LABEL: func @residual
// PLANNED:         memref.alloc() {{.*}} : memref<136xi8>
func.func @residual(%in: memref<16xf32>, %k: memref<3xf32>) -> memref<4x4xf32> {
  %z = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%x : memref<16xf32>)
  %p = memref.alloc() : memref<18xf32>
  linalg.fill ins(%z : f32) outs(%p : memref<18xf32>)
  %s = memref.subview %p[1] [16] [1] : memref<18xf32> to memref<16xf32, strided<[1], offset: 1>>
  memref.copy %x, %s : memref<16xf32> to memref<16xf32, strided<[1], offset: 1>>
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%d : memref<16xf32>)
  linalg.conv_1d ins(%p, %k : memref<18xf32>, memref<3xf32>) outs(%d : memref<16xf32>)
  %r = memref.alloc() : memref<16xf32>
  linalg.add ins(%x, %d : memref<16xf32>, memref<16xf32>) outs(%r : memref<16xf32>)
  %e = memref.expand_shape %r [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %o = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%e : memref<4x4xf32>) outs(%o : memref<4x4xf32>) permutation = [1, 0]
  return %o : memref<4x4xf32>
}

// 2. Writes of the buffer, or of the part, before the last read: the copy stays.
// CHECK-LABEL: func @written
// CHECK-COUNT-4: memref.copy
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @written(%in: memref<4xf32>, %y: memref<8xf32>, %w: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  linalg.exp ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
  %p = memref.alloc() : memref<8xf32>
  %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %t = memref.subview %p[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
  linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  linalg.exp ins(%x : memref<4xf32>) outs(%w : memref<4xf32>)
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
  memref.copy %a, %t : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%in : memref<4xf32>) outs(%t : memref<4xf32, strided<[1], offset: 4>>)
  linalg.exp ins(%a : memref<4xf32>) outs(%w : memref<4xf32>)
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  return
}

// 3. Another part may be written, and both may be read, also by one operation.
// CHECK-LABEL: func @parts
// CHECK-NOT:     memref.alloc() : memref<4xf32>
// CHECK-COUNT-2: memref.copy
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @parts(%in: memref<4xf32>, %y: memref<8xf32>, %w: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  linalg.exp ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
  %p = memref.alloc() : memref<8xf32>
  %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %t = memref.subview %p[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
  linalg.exp ins(%x : memref<4xf32>) outs(%t : memref<4xf32, strided<[1], offset: 4>>)
  linalg.add ins(%x, %s : memref<4xf32>, memref<4xf32, strided<[1]>>) outs(%w : memref<4xf32>)
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %w : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
  memref.copy %w, %in : memref<4xf32> to memref<4xf32>
  return
}

// 4. Of two copies to parts of one buffer, the second one reads the part that the first one wrote.
// CHECK-LABEL: func @twice
// CHECK:         %[[S:.*]] = memref.subview %{{.*}}[0] [4] [1]
// CHECK:         linalg.exp ins(%{{.*}}) outs(%[[S]]
// CHECK:         memref.copy %[[S]],
// CHECK-NEXT:    memref.copy %{{.*}} : memref<8xf32>
// CHECK-NEXT:    return
func.func @twice(%in: memref<4xf32>, %y: memref<8xf32>) {
  %x = memref.alloc() : memref<4xf32>
  linalg.exp ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
  %p = memref.alloc() : memref<8xf32>
  %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
  %t = memref.subview %p[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  return
}

// 5. The other buffer is freed, or becomes a part itself and is written there, while the first one is read.
// CHECK-LABEL: func @freed
// CHECK:         memref.copy %{{.*}} strided
// CHECK-LABEL: func @nested
// CHECK:         memref.copy %{{.*}} : memref<8xf32> to memref<8xf32, strided
// CHECK:         linalg.fill
func.func @freed(%in: memref<4xf32>, %y: memref<8xf32>, %w: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  linalg.exp ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
  %p = memref.alloc() : memref<8xf32>
  %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  memref.dealloc %p : memref<8xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%w : memref<4xf32>)
  memref.dealloc %x : memref<4xf32>
  return
}
func.func @nested(%in: memref<4xf32>, %y: memref<16xf32>, %w: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<4xf32>
  linalg.exp ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
  %p = memref.alloc() : memref<8xf32>
  %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %t = memref.subview %p[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.fill ins(%z : f32) outs(%p : memref<8xf32>)
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
  %q = memref.alloc() : memref<16xf32>
  %u = memref.subview %q[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  memref.copy %p, %u : memref<8xf32> to memref<8xf32, strided<[1]>>
  linalg.fill ins(%z : f32) outs(%q : memref<16xf32>)
  linalg.exp ins(%x : memref<4xf32>) outs(%w : memref<4xf32>)
  memref.copy %q, %y : memref<16xf32> to memref<16xf32>
  return
}

// 6. In a loop that allocates both; but not if the read is in another block.
// CHECK-LABEL: func @loop
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc() : memref<4xf32>
// CHECK-NOT:     strided<[1]>> to
// CHECK:         linalg.add
// CHECK-LABEL: func @other_block
// CHECK:         memref.copy %{{.*}} strided
func.func @loop(%in: memref<4xf32>, %y: memref<8xf32>, %w: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.alloc() : memref<4xf32>
    linalg.exp ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
    %p = memref.alloc() : memref<8xf32>
    linalg.fill ins(%z : f32) outs(%p : memref<8xf32>)
    %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
    linalg.add ins(%p, %y : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.add ins(%x, %w : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
    linalg.exp ins(%w : memref<4xf32>) outs(%in : memref<4xf32>)
  }
  return
}
func.func @other_block(%in: memref<4xf32>, %y: memref<8xf32>, %w: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  linalg.exp ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
  %p = memref.alloc() : memref<8xf32>
  %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  cf.br ^next
^next:
  linalg.exp ins(%x : memref<4xf32>) outs(%w : memref<4xf32>)
  return
}

// 7. A pad of which all sizes are known only when it runs: a slice of rows has no element twice.
// CHECK-LABEL: func @dynamic_pad
// CHECK-NOT:     memref.copy %{{.*}} strided
// CHECK:         return
func.func @dynamic_pad(%in: memref<?x?xf32>, %n: index, %m: index, %y: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %rows = arith.addi %n, %c2 : index
  %columns = arith.addi %m, %c2 : index
  %x = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%in : memref<?x?xf32>) outs(%x : memref<?x?xf32>)
  %p = memref.alloc(%rows, %columns) : memref<?x?xf32>
  linalg.fill ins(%z : f32) outs(%p : memref<?x?xf32>)
  %s = memref.subview %p[1, 1] [%n, %m] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  memref.copy %x, %s : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  memref.copy %p, %y : memref<?x?xf32> to memref<?x?xf32>
  return
}
