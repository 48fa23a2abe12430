// What is copied to memory of the caller is computed there: when, and when not.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-elide-copies)' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(memplan-elide-copies))' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect -o %t.before
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{results=off})' | diff %t.before -
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{remarks=true})' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// SAID-DAG: elided: the buffer is memory of the caller now [memplan-R121]
// SAID-DAG: [aliases] [memplan-R122]

// 1. A chain that ends in an argument: no buffer is needed. The input is read before the first write.
// CHECK-LABEL: func @chain
// CHECK-NEXT:    linalg.exp ins(%[[X:.*]] : memref<64xf32>) outs(%[[Y:.*]] : memref<64xf32>)
// CHECK-NEXT:    linalg.exp ins(%[[Y]] : memref<64xf32>) outs(%[[Y]] : memref<64xf32>)
// CHECK-NEXT:    return
func.func @chain(%x: memref<64xf32>, %y: memref<64xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// 2. An argument that is read while the buffer is written may overlap the other one. The names of LLVM's attribute, and of
//    memref.distinct_objects, say that it does not.
// CHECK-LABEL: func @may_overlap
// CHECK:         memref.copy
func.func @may_overlap(%x: memref<64xf32>, %y: memref<64xf32>) {
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func @noalias_by_llvm
// CHECK-NOT:     memref.copy
func.func @noalias_by_llvm(%x: memref<64xf32> {llvm.noalias}, %y: memref<64xf32>) {
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func @distinct
// CHECK-NOT:     memref.copy
func.func @distinct(%x: memref<64xf32>, %y: memref<64xf32>) {
  %p, %q = memref.distinct_objects %x, %y : memref<64xf32>, memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// 3. An update: the first contents are computed in step with the argument, or copied from it.
// CHECK-LABEL: func @update
// CHECK-NEXT:    linalg.add ins(%[[W:.*]], %{{.*}} : memref<64xf32>, memref<64xf32>) outs(%[[W]] : memref<64xf32>)
// CHECK-NEXT:    return
func.func @update(%w: memref<64xf32>, %g: memref<64xf32> {memplan.noalias}) {
  %b = memref.alloc() : memref<64xf32>
  linalg.add ins(%w, %g : memref<64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %w : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func @store
// CHECK-NEXT:    memref.store %{{.*}}, %{{.*}}[%{{.*}}]
// CHECK-NEXT:    return
func.func @store(%w: memref<64xf32>, %v: f32, %i: index) {
  %b = memref.alloc() : memref<64xf32>
  memref.copy %w, %b : memref<64xf32> to memref<64xf32>
  memref.store %v, %b[%i] : memref<64xf32>
  memref.copy %b, %w : memref<64xf32> to memref<64xf32>
  return
}
// The other order of elements: each is read after it was written.
// CHECK-LABEL: func @reversed
// CHECK:         memref.copy
func.func @reversed(%w: memref<8x8xf32>) {
  %b = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%w : memref<8x8xf32>) outs(%b : memref<8x8xf32>) permutation = [1, 0]
  memref.copy %b, %w : memref<8x8xf32> to memref<8x8xf32>
  return
}
// The argument is read later.
// CHECK-LABEL: func @read_later
// CHECK:         memref.copy
func.func @read_later(%w: memref<64xf32>, %v: f32, %i: index) -> f32 {
  %b = memref.alloc() : memref<64xf32>
  memref.copy %w, %b : memref<64xf32> to memref<64xf32>
  memref.store %v, %b[%i] : memref<64xf32>
  %old = memref.load %w[%i] : memref<64xf32>
  memref.copy %b, %w : memref<64xf32> to memref<64xf32>
  return %old : f32
}

// 4. Parts of an argument: others are apart.
// CHECK-LABEL: func @parts
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.exp ins(%[[Q:.*]] : memref<32xf32, strided<[1], offset: 32>>) outs(%[[P:.*]] : memref<32xf32, strided<[1]>>)
// CHECK-NEXT:    return
func.func @parts(%y: memref<64xf32>) {
  %b = memref.alloc() : memref<32xf32>
  %q = memref.subview %y[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
  linalg.exp ins(%q : memref<32xf32, strided<[1], offset: 32>>) outs(%b : memref<32xf32>)
  %p = memref.subview %y[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  memref.copy %b, %p : memref<32xf32> to memref<32xf32, strided<[1]>>
  return
}

// 5. In a loop, the part of each iteration.
// CHECK-LABEL: func @rows
// CHECK:         scf.for %[[I:.*]] =
// CHECK-NEXT:      %[[ROW:.*]] = memref.subview %{{.*}}[%[[I]], 0] [1, 64] [1, 1]
// CHECK-NEXT:      linalg.fill ins(%{{.*}}) outs(%[[ROW]]
// CHECK-NEXT:      linalg.exp ins(%[[ROW]]{{.*}} outs(%[[ROW]]
// CHECK-NEXT:    }
func.func @rows(%y: memref<8x64xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
    linalg.exp ins(%b : memref<64xf32>) outs(%b : memref<64xf32>)
    %row = memref.subview %y[%i, 0] [1, 64] [1, 1] : memref<8x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %b, %row : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>>
  }
  return
}

// 6. On some paths only: the argument must keep its contents on the others.
// CHECK-LABEL: func @sometimes
// CHECK:         memref.copy
func.func @sometimes(%y: memref<64xf32>, %v: f32, %c: i1) {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%b : memref<64xf32>)
  scf.if %c {
    memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  }
  return
}

// 7. A call, an unknown operation or a global that may access the argument, between the first write and the copy.
memref.global "private" @state : memref<64xf32>
memref.global "private" constant @zeros : memref<64xf32> = dense<0.0>
func.func private @log()
// CHECK-LABEL: func @calls
// CHECK:         memref.copy
func.func @calls(%y: memref<64xf32>, %v: f32) {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%b : memref<64xf32>)
  call @log() : () -> ()
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func @calls_apart
// CHECK-NOT:     memref.copy
func.func @calls_apart(%y: memref<64xf32> {memplan.noalias}, %v: f32) {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%b : memref<64xf32>)
  call @log() : () -> ()
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func @unknown
// CHECK:         memref.copy
func.func @unknown(%y: memref<64xf32>, %v: f32) {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%b : memref<64xf32>)
  "test.unknown"() : () -> ()
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func @global
// CHECK:         memref.copy
func.func @global(%y: memref<64xf32>, %v: f32) {
  %g = memref.get_global @state : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.add ins(%b, %g : memref<64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// 8. After the copy, the buffer is read: nothing writes the argument until then.
// CHECK-LABEL: func @read_after
// CHECK-NOT:     memref.copy
// CHECK:         memref.load %{{.*}}[%{{.*}}]
func.func @read_after(%y: memref<64xf32>, %v: f32, %i: index) -> f32 {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %r = memref.load %b[%i] : memref<64xf32>
  return %r : f32
}
// CHECK-LABEL: func @written_after
// CHECK:         memref.copy
func.func @written_after(%x: memref<64xf32>, %y: memref<64xf32>, %v: f32, %i: index) -> f32 {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  memref.store %v, %x[%i] : memref<64xf32>
  %r = memref.load %b[%i] : memref<64xf32>
  return %r : f32
}
