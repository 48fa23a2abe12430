// All memrefs that public functions take and do not write are donated, unless a function of the module calls them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{donated=all})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{donated=all})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-elide-copies{donated=all}))' \
// RUN:   | FileCheck %s --check-prefix=FUNCTION

// CHECK-LABEL: func @entry
// CHECK-SAME:    (%[[X:[^:]*]]: memref<8xf32> {memplan.donated}, %{{.*}}: f32) -> (memref<8xf32> {memplan.borrowed})
// CHECK-NEXT:    linalg.exp ins(%[[X]] : memref<8xf32>) outs(%[[X]] : memref<8xf32>)
// CHECK-NEXT:    return %[[X]]
// FUNCTION-LABEL: func @entry
// FUNCTION-NOT:     memref.alloc
func.func @entry(%x: memref<8xf32>, %v: f32) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}

// CHECK-LABEL: func @called
// CHECK-SAME:    (%{{.*}}: memref<8xf32>) -> memref<8xf32>
// CHECK:         memref.alloc
func.func @called(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func @caller(%x: memref<8xf32>, %y: memref<8xf32>) {
  %r = call @called(%x) : (memref<8xf32>) -> memref<8xf32>
  linalg.add ins(%x, %r : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// What is stored, written, or not to be written, is not donated.
// CHECK-LABEL: func @stored
// CHECK-SAME:    (%{{.*}}: memref<8xf32>, %{{.*}}: memref<memref<8xf32>>, %{{.*}}: memref<8xf32> {llvm.readonly})
func.func @stored(%x: memref<8xf32>, %cell: memref<memref<8xf32>>, %y: memref<8xf32> {llvm.readonly}) {
  memref.store %x, %cell[] : memref<memref<8xf32>>
  return
}
