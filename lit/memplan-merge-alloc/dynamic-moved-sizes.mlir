// Two arenas of one block are computed from the same size, which stands behind both: it moves in front of the first one,
// and stays there when the second one needs it.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s

func.func private @use(memref<?xf32>)

// CHECK-LABEL: func @two_arenas(
// CHECK-SAME:    %[[N:[0-9a-z_]+]]: index, %[[CELL:[0-9a-z_]+]]: memref<index>
// CHECK:         %[[MORE:.*]] = arith.addi %[[N]], %{{.*}} : index
// CHECK:         memref.alloc(%{{.*}}) {{{.*}}memplan.arena}
// CHECK:         %[[X:.*]] = memref.load %[[CELL]]
// CHECK:         arith.muli %[[X]], %[[MORE]] : index
// CHECK:         memref.alloc(%{{.*}}) {{{.*}}memplan.arena}
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @two_arenas(%n: index, %cell: memref<index>) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  %x = memref.load %cell[] : memref<index>
  %b = memref.alloc(%x) : memref<?xf32>
  call @use(%b) : (memref<?xf32>) -> ()
  %more = arith.addi %n, %c1 : index
  %c = memref.alloc(%more) : memref<?xf32>
  call @use(%c) : (memref<?xf32>) -> ()
  %product = arith.muli %x, %more : index
  %d = memref.alloc(%product) : memref<?xf32>
  call @use(%d) : (memref<?xf32>) -> ()
  call @use(%a) : (memref<?xf32>) -> ()
  return
}
