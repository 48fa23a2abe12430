// Operations that compute sizes move before the arenas that need them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s

func.func private @use(memref<?xf32>)

// 1. Two arenas of one block are computed from the same size, which stands after both: it moves before the first one,
// and stays there when the second one needs it.
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

// 2. A size is computed in an operation before the arena, for a buffer that stays there: it moves before that one.
// CHECK-LABEL: func @in_front(
// CHECK:         scf.while
// CHECK:         } do {
// CHECK:         %[[SIZE:.*]] = arith.addi
// CHECK:         scf.index_switch
// CHECK:         memref.alloc(%[[SIZE]])
// CHECK:         memref.alloc(%{{.*}}) {{{.*}}memplan.arena}
// CHECK:         scf.for
// CHECK:         memref.view %{{.*}}[%{{.*}}][%[[SIZE]]]
func.func @in_front(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %larger = arith.addi %n, %c2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %sum = arith.addi %n, %c0 : index
    %rest = arith.remui %sum, %c2 : index
    %odd = arith.cmpi eq, %rest, %c1 : index
    scf.if %odd {
      %last = scf.while (%k = %c0) : (index) -> (index) {
        %a = memref.alloc(%n) : memref<?xf32>
        %b = memref.alloc(%n) : memref<?xf32>
        memref.copy %a, %b : memref<?xf32> to memref<?xf32>
        %more = arith.cmpi ult, %k, %c2 : index
        scf.condition(%more) %k : index
      } do {
      ^bb0(%k: index):
        %r = scf.index_switch %i -> memref<?xf32>
        case 0 {
          %c = memref.alloc(%n) : memref<?xf32>
          scf.yield %c : memref<?xf32>
        }
        case 1 {
          %same = arith.addi %larger, %c0 : index
          %d = memref.alloc(%same) : memref<?xf32>
          scf.yield %d : memref<?xf32>
        }
        default {
          %e = memref.alloc(%n) : memref<?xf32>
          scf.yield %e : memref<?xf32>
        }
        scf.for %j = %c0 to %c2 step %c1 {
          %f = memref.alloc(%larger) : memref<?xf32>
          memref.copy %r, %f : memref<?xf32> to memref<?xf32>
        }
        %next = arith.addi %k, %c1 : index
        scf.yield %next : index
      }
    }
  }
  return
}
