// A second run leaves the deallocations of the first one as they are.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. The base of a view goes through loops together with the view: a second run leaves that as it is, although no
// comparison needs it.
// CHECK-LABEL: func @shifted_through_loops(
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[BASE:.*]] = %{{.*}}) -> (memref<16xf32>, memref<128xi8>) {
// CHECK:           scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %[[BASE]]
// CHECK:         bufferization.dealloc{{ *$}}
// CHECK-NEXT:    return
func.func @shifted_through_loops(%n: index, %x: f32, %c: i1, %d: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<128xi8>
  %v = memref.view %a[%c64][] : memref<128xi8> to memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %v) -> memref<16xf32> {
    %s, %t = scf.while (%q = %p, %k = %c0) : (memref<16xf32>, index) -> (memref<16xf32>, index) {
      %more = arith.cmpi ult, %k, %n : index
      scf.condition(%more) %q, %k : memref<16xf32>, index
    } do {
    ^bb0(%q: memref<16xf32>, %k: index):
      %u = scf.if %c -> memref<16xf32> {
        scf.yield %q : memref<16xf32>
      } else {
        %w = scf.execute_region -> memref<16xf32> {
          linalg.fill ins(%x : f32) outs(%q : memref<16xf32>)
          cf.cond_br %c, ^one, ^next
        ^next:
          cf.switch %d : i32, [default: ^other, 1: ^one]
        ^one:
          scf.yield %p : memref<16xf32>
        ^other:
          scf.yield %q : memref<16xf32>
        }
        scf.yield %q : memref<16xf32>
      }
      %j = arith.addi %k, %c1 : index
      scf.yield %u, %j : memref<16xf32>, index
    }
    scf.yield %p : memref<16xf32>
  }
  return
}

// 2. A memref that an unreachable block would pass on does not make a deallocation one of borrowed memory: a second
// run places it where the first one did.
// CHECK-LABEL: func @never_passed_on(
// CHECK:         %[[R:.*]] = scf.execute_region
// CHECK:         memref.copy %[[R]], %[[B:.*]] :
// CHECK-NEXT:    memref.dealloc %[[R]]
// CHECK-NEXT:    memref.dealloc %[[B]]
func.func @never_passed_on(%m: memref<8xf32>) {
  %r = scf.execute_region -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %m, %a : memref<8xf32> to memref<8xf32>
    scf.yield %a : memref<8xf32>
  ^never:
    scf.yield %m : memref<8xf32>
  }
  %b = memref.alloc() : memref<8xf32>
  memref.copy %r, %b : memref<8xf32> to memref<8xf32>
  return
}

// 3. An earlier run frees an argument by a flag; but the flag does not hold for the argument, so callers free it.
// CHECK-LABEL: func @calls_carried(
// CHECK:         %[[M:.*]] = memref.alloc()
// CHECK:         %[[O:.*]] = memref.alloc()
// CHECK:         memref.load %[[M]]
// CHECK:         memref.dealloc %[[M]]
// CHECK:         memref.load %[[O]]
// CHECK:         memref.dealloc %[[O]]
func.func @carried(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  cf.br ^head(%c0, %x, %y, %false, %false : index, memref<4xf32>, memref<4xf32>, i1, i1)
^head(%i: index, %kept: memref<4xf32>, %last: memref<4xf32>, %own_kept: i1, %own_last: i1):
  %a = memref.alloc() : memref<4xf32>
  memref.copy %last, %a : memref<4xf32> to memref<4xf32>
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %next, %n : index
  cf.cond_br %more, ^again, ^out
^again:
  %same = bufferization.dealloc (%last : memref<4xf32>) if (%own_last) retain (%kept : memref<4xf32>)
  %own = arith.ori %same, %own_kept : i1
  cf.br ^head(%next, %kept, %a, %own, %true : index, memref<4xf32>, memref<4xf32>, i1, i1)
^out:
  memref.dealloc %a : memref<4xf32>
  bufferization.dealloc (%last : memref<4xf32>) if (%own_last)
  bufferization.dealloc (%kept : memref<4xf32>) if (%own_kept)
  return
}
func.func @calls_carried(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  call @carried(%m, %o, %n) : (memref<4xf32>, memref<4xf32>, index) -> ()
  cf.br ^next
^next:
  %x = memref.load %m[%c0] : memref<4xf32>
  %y = memref.load %o[%c0] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// 4. Nor does it where the flag stands for a copy that a callee returned of which nothing else is to be known.
// CHECK-LABEL: func @calls_some(
// CHECK:         %[[M:.*]] = memref.alloc()
// CHECK:         memref.load %[[M]]
// CHECK-NEXT:    memref.dealloc %[[M]]
func.func @first(%x: memref<4xf32>, %c: i1) -> memref<4xf32> {
  return %x : memref<4xf32>
}
func.func @some(%x: memref<4xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^new, ^join(%x : memref<4xf32>)
^new:
  %r = call @first(%x, %c) : (memref<4xf32>, i1) -> memref<4xf32>
  cf.br ^join(%r : memref<4xf32>)
^join(%m: memref<4xf32>):
  %v = memref.load %m[%c0] : memref<4xf32>
  return %v : f32
}
func.func @calls_some(%c: i1) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %v = call @some(%m, %c) : (memref<4xf32>, i1) -> f32
  cf.br ^next
^next:
  %x = memref.load %m[%c0] : memref<4xf32>
  return %v, %x : f32, f32
}

// 5. As 3, where the edge passes on a view of the memref that the flag stands for.
// CHECK-LABEL: func @calls_viewed(
// CHECK:         %[[M:.*]] = memref.alloc()
// CHECK:         %[[O:.*]] = memref.alloc()
// CHECK:         memref.load %[[M]]
// CHECK:         memref.dealloc %[[M]]
// CHECK:         memref.load %[[O]]
// CHECK:         memref.dealloc %[[O]]
func.func @viewed(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  cf.br ^head(%c0, %x, %y, %false, %false : index, memref<4xf32>, memref<4xf32>, i1, i1)
^head(%i: index, %kept: memref<4xf32>, %last: memref<4xf32>, %own_kept: i1, %own_last: i1):
  %a = memref.alloc() : memref<4xf32>
  memref.copy %last, %a : memref<4xf32> to memref<4xf32>
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %next, %n : index
  cf.cond_br %more, ^again, ^out
^again:
  %same = bufferization.dealloc (%last : memref<4xf32>) if (%own_last) retain (%kept : memref<4xf32>)
  %own = arith.ori %same, %own_kept : i1
  %view = memref.reinterpret_cast %kept to offset: [0], sizes: [4], strides: [1] : memref<4xf32> to memref<4xf32>
  cf.br ^head(%next, %view, %a, %own, %true : index, memref<4xf32>, memref<4xf32>, i1, i1)
^out:
  memref.dealloc %a : memref<4xf32>
  bufferization.dealloc (%last : memref<4xf32>) if (%own_last)
  bufferization.dealloc (%kept : memref<4xf32>) if (%own_kept)
  return
}
func.func @calls_viewed(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  call @viewed(%m, %o, %n) : (memref<4xf32>, memref<4xf32>, index) -> ()
  cf.br ^next
^next:
  %x = memref.load %m[%c0] : memref<4xf32>
  %y = memref.load %o[%c0] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// 6. A loop frees its memory by a flag, as an earlier run writes it. The initial value and the one that replaces new
// memory are arguments, one of two.
// CHECK-LABEL: func @program_of_flags(
// CHECK:         memref.dealloc
// CHECK:         return
func.func @program_of_flags(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %c: i1, %d: i1, %same: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  cf.cond_br %c, ^start(%a : memref<?xf32>), ^start(%b : memref<?xf32>)
^start(%p: memref<?xf32>):
  cf.br ^loop(%c0, %b, %false : index, memref<?xf32>, i1)
^loop(%i: index, %m: memref<?xf32>, %f: i1):
  %lt = arith.cmpi slt, %i, %n : index
  cf.cond_br %lt, ^body, ^exit
^body:
  cf.cond_br %d, ^new, ^old
^new:
  %x = memref.alloc(%n) : memref<?xf32>
  cf.br ^join(%x, %true : memref<?xf32>, i1)
^old:
  cf.br ^join(%p, %false : memref<?xf32>, i1)
^join(%y: memref<?xf32>, %g: i1):
  %j = arith.addi %i, %c1 : index
  %keep = arith.andi %same, %f : i1
  %not = arith.xori %same, %true : i1
  %free = arith.andi %f, %not : i1
  scf.if %free {
    memref.dealloc %m : memref<?xf32>
  }
  %h = arith.ori %keep, %g : i1
  cf.br ^loop(%j, %y, %h : index, memref<?xf32>, i1)
^exit:
  return
}
