// What random programs found.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. A use in a block that stands before that of the allocation in the text, and behind it in time.
// CHECK-LABEL: func @text_order(
// CHECK:       ^[[LAST:bb[0-9]+]]:
// CHECK-NEXT:    memref.copy %[[A:.*]], %
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
// CHECK:         %[[A]] = memref.alloc()
// CHECK-NEXT:    cf.br ^[[LAST]]
func.func @text_order(%x: memref<8xf32>) {
  cf.br ^first
^last:
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
^first:
  %a = memref.alloc() : memref<8xf32>
  cf.br ^last
}

// 2. Two results of a call that nobody needs: whether the second is memory of its own is known before it is freed.
func.func private @two() -> (memref<8xf32>, memref<8xf32>)
// CHECK-LABEL: func @unused_results(
// CHECK:         %[[R:.*]]:2 = call @two()
// CHECK:         %[[SAME:.*]]:2 = bufferization.dealloc (%[[R]]#0 : memref<8xf32>) if (%true) retain (%[[R]]#0, %[[R]]#1 :
// CHECK-NEXT:    %[[OWN:.*]] = arith.xori %[[SAME]]#1, %true
// CHECK-DAG:     memref.dealloc %[[R]]#0
// CHECK-DAG:     bufferization.dealloc (%[[R]]#1 : memref<8xf32>) if (%[[OWN]])
// CHECK:         return
func.func @unused_results() {
  %r:2 = call @two() : () -> (memref<8xf32>, memref<8xf32>)
  return
}

// 3. What is never reached returns what it likes.
// CHECK-LABEL: func @never_reached(
// CHECK-NOT:     {{memref.copy|bufferization.clone}}
// CHECK:         return
func.func @never_reached() -> memref<8xf32> {
  cf.br ^loop
^loop:
  cf.br ^loop
^never(%p: memref<8xf32>):
  return %p : memref<8xf32>
}

// 4. A result of a branch is none of the arguments that are returned; what is returned twice is copied once.
// CHECK-LABEL: func @copied_once(
// CHECK-SAME:      %[[X:[^:]*]]: memref<8xf32>
// CHECK:         %[[C:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[X]], %[[C]]
// CHECK-NEXT:    return %[[C]], %[[C]]
func.func @copied_once(%x: memref<8xf32>, %y: memref<8xf32>, %n: index) -> (memref<8xf32>, memref<8xf32>) {
  %r = scf.index_switch %n -> memref<8xf32>
  default {
    scf.yield %y : memref<8xf32>
  }
  return %x, %x : memref<8xf32>, memref<8xf32>
}

// 5. A loop of blocks that drops one of its two buffers and doubles the other: which is owned is known.
// CHECK-LABEL: func @doubled(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         memref.dealloc %[[A]]
// CHECK-NOT:     i1
// CHECK:       ^bb1(%{{.*}}: memref<8xf32>, %[[Q:.*]]: memref<8xf32>):
// CHECK:       ^bb3:
// CHECK-NEXT:    return %[[Q]]
func.func @doubled(%c: i1) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  cf.br ^loop(%a, %b : memref<8xf32>, memref<8xf32>)
^loop(%p: memref<8xf32>, %q: memref<8xf32>):
  cf.cond_br %c, ^end, ^again
^again:
  cf.br ^loop(%q, %q : memref<8xf32>, memref<8xf32>)
^end:
  return %q : memref<8xf32>
}

// 6. Frees on one way between blocks stand in the order of the values, as in a block of their own.
// CHECK-LABEL: func @between(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK:         %[[C:.*]] = memref.alloc()
// CHECK:       ^bb1:
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    memref.dealloc %[[C]]
// CHECK-NEXT:    cf.br
func.func @between(%k: i32, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  cf.switch %k : i32, [
    default: ^end(%a : memref<8xf32>),
    1: ^end(%b : memref<8xf32>),
    2: ^end(%c : memref<8xf32>)
  ]
^end(%p: memref<8xf32>):
  memref.copy %p, %x : memref<8xf32> to memref<8xf32>
  return
}

// 7. A flag decides about a copy alone: a dealloc of nothing says that who frees what has been decided.
// CHECK-LABEL: func @copied(
// CHECK:         scf.if %{{.*}} -> (memref<8xf32>, i1)
// CHECK:         memref.copy %{{.*}}, %{{.*}} : memref<8xf32> to memref<8xf32>
// CHECK:         bufferization.dealloc
// CHECK-NEXT:    return
func.func @copied(%c: i1, %x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %b = scf.if %c -> (memref<8xf32>) {
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %x : memref<8xf32>
  }
  return %b : memref<8xf32>
}

// What a network found.
// 8. A reshape reads the memref that it takes its shape from.
// CHECK-LABEL: func @shape(
// CHECK:         %[[SHAPE:.*]] = memref.alloc() : memref<1xindex>
// CHECK:         memref.reshape %{{.*}}(%[[SHAPE]])
// CHECK-NEXT:    memref.dealloc %[[SHAPE]]
// CHECK:         memref.copy
func.func @shape(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<1x?xf32>
  %s = memref.alloc() : memref<1xindex>
  memref.store %n, %s[%c0] : memref<1xindex>
  %r = memref.reshape %a(%s) : (memref<1x?xf32>, memref<1xindex>) -> memref<?xf32>
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}

// 9. A block without a terminator ends where its last operation does: what it uses is used whenever the region runs.
// CHECK-LABEL: func @region(
// CHECK:         memref.alloc()
// CHECK-NOT:     memref.dealloc
// CHECK:         memref.copy %[[B:.*]], %{{.*}} : memref<8xf32>
// CHECK:         memref.copy %[[C:.*]], %{{.*}} : memref<8xf32>
// CHECK-NEXT:    memref.dealloc %[[C]]
func.func @region(%c: i1, %x: memref<8xf32>) {
  %b = memref.alloc() : memref<8xf32>
  "test.region"() ({
    scf.if %c {
      memref.copy %x, %b : memref<8xf32> to memref<8xf32>
    }
  }) : () -> ()
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  return
}

// 10. The wrapper of a loop holds nothing but that.
// CHECK-LABEL: func @wrapped(
// CHECK:         omp.wsloop {
// CHECK-NEXT:      omp.loop_nest
// CHECK-NEXT:        memref.copy
// CHECK-NEXT:        omp.yield
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc
func.func @wrapped(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<8xf32>
  omp.wsloop {
    omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
      memref.copy %b, %x : memref<8xf32> to memref<8xf32>
      omp.yield
    }
  }
  return
}

// 11. A callee frees its argument: the caller does not.
// CHECK-LABEL: func private @consume(
// CHECK:         memref.dealloc
// CHECK-LABEL: func @gives(
// CHECK:         call @consume
// CHECK-NEXT:    return
func.func private @consume(%a: memref<8xf32>, %x: memref<8xf32>) {
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}
func.func @gives(%x: memref<8xf32>) {
  %b = memref.alloc() : memref<8xf32>
  call @consume(%b, %x) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// 12. A callee gives an address: its use is one of the memory.
// CHECK-LABEL: func @uses_address(
// CHECK:         llvm.load
// CHECK-NEXT:    memref.dealloc
func.func private @address(%a: memref<8xf32>) -> i64 {
  %i = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %j = arith.index_cast %i : index to i64
  return %j : i64
}
func.func @uses_address() -> f32 {
  %a = memref.alloc() : memref<8xf32>
  %j = call @address(%a) : (memref<8xf32>) -> i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}

// 13. A reduction that does not look at what came before frees that in its region.
// CHECK-LABEL: func @forgets(
// CHECK:       ^bb0(%[[L:.*]]: memref<8xf32>, %[[M:.*]]: memref<8xf32>):
// CHECK:         memref.dealloc %[[L]]
// CHECK:         scf.reduce.return %[[M]]
func.func @forgets(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> memref<8xf32> {
    %b = memref.alloc() : memref<8xf32>
    scf.reduce(%b : memref<8xf32>) {
    ^bb0(%l: memref<8xf32>, %m: memref<8xf32>):
      memref.copy %x, %m : memref<8xf32> to memref<8xf32>
      scf.reduce.return %m : memref<8xf32>
    }
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}

// 14. Two functions call each other, and one frees what it is given: what the other passes on to it is freed, too.
// CHECK-LABEL: func private @pong(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         call @ping(%{{.*}}, %[[A]])
// CHECK-NOT:     memref.dealloc %[[A]]
// CHECK:         return
func.func private @ping(%n: index, %m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %z, ^done, ^more
^done:
  return
^more:
  %k = arith.subi %n, %c1 : index
  call @pong(%k, %m) : (index, memref<8xf32>) -> ()
  return
}
func.func private @pong(%n: index, %m: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %m, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  call @ping(%n, %a) : (index, memref<8xf32>) -> ()
  return
}

// 15. A callee frees what a block, a region or a loop passes on of its argument: the caller does not.
// CHECK-LABEL: func @gives_to_blocks(
// CHECK:         call @by_block
// CHECK-NEXT:    return
func.func private @by_block(%m: memref<8xf32>, %c: i1) {
  cf.cond_br %c, ^one(%m : memref<8xf32>), ^other(%m : memref<8xf32>)
^one(%p: memref<8xf32>):
  cf.br ^other(%p : memref<8xf32>)
^other(%q: memref<8xf32>):
  memref.dealloc %q : memref<8xf32>
  return
}
func.func @gives_to_blocks(%c: i1) {
  %b = memref.alloc() : memref<8xf32>
  call @by_block(%b, %c) : (memref<8xf32>, i1) -> ()
  return
}
// CHECK-LABEL: func @gives_to_regions(
// CHECK:         call @by_region
// CHECK-NEXT:    return
func.func private @by_region(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> memref<8xf32> {
    %q = scf.execute_region -> memref<8xf32> {
      scf.yield %p : memref<8xf32>
    }
    scf.yield %q : memref<8xf32>
  }
  memref.dealloc %r : memref<8xf32>
  return
}
func.func @gives_to_regions(%n: index) {
  %b = memref.alloc() : memref<8xf32>
  call @by_region(%b, %n) : (memref<8xf32>, index) -> ()
  return
}

// 16. What a view is a view of goes with it through loops: a second run leaves that as it is, although nothing is asked.
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

// 17. What a block that is never reached would pass on is not what a callee frees.
// CHECK-LABEL: func @keeps_its_own(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         call @never(%[[A]])
// CHECK-NEXT:    memref.dealloc %[[A]]
func.func private @never(%m: memref<8xf32>) {
  %r = scf.execute_region -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %m, %a : memref<8xf32> to memref<8xf32>
    scf.yield %a : memref<8xf32>
  ^never:
    scf.yield %m : memref<8xf32>
  }
  memref.dealloc %r : memref<8xf32>
  return
^nor_here:
  memref.dealloc %m : memref<8xf32>
  return
}
func.func @keeps_its_own() {
  %a = memref.alloc() : memref<8xf32>
  call @never(%a) : (memref<8xf32>) -> ()
  return
}

// 18. What a block that is never reached would pass on makes no deallocation one of what may be somebody else's: it is
// placed in a second run where it was in the first.
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

// 19. A kernel is launched with a token: its memory is freed when that has been waited for; new memory that is made with a
// token, too.
// CHECK-LABEL: func @launched(
// CHECK:         gpu.launch async
// CHECK:         gpu.wait [
// CHECK-NEXT:    memref.dealloc
func.func @launched(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %t = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %l = memref.load %a[%n] : memref<?xf32>
    gpu.terminator
  }
  gpu.wait [%t]
  return
}
// CHECK-LABEL: func @made_with_token(
// CHECK:         gpu.alloc async
// CHECK-NEXT:    gpu.wait [
// CHECK-NEXT:    gpu.dealloc
func.func @made_with_token(%n: index) {
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] (%n) : memref<?xf32>
  gpu.wait [%t1]
  return
}

// 20. What no new memory gets to is not freed between the regions of a loop, where no code can stand.
// CHECK-LABEL: func @rotates_arguments(
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @rotates_arguments(%n: index, %c: i1, %x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %x) -> (memref<16xf32>) {
    %s:2 = scf.for %j = %c0 to %n step %c1 iter_args(%v = %x, %w = %x) -> (memref<16xf32>, memref<16xf32>) {
      %e = arith.select %c, %q, %v : memref<16xf32>
      scf.yield %w, %e : memref<16xf32>, memref<16xf32>
    }
    scf.yield %s#1 : memref<16xf32>
  }
  memref.copy %r, %y : memref<16xf32> to memref<16xf32>
  return
}

// 21. Where code finds no place behind last uses, it stands at the ends of blocks.
// CHECK-LABEL: func @same_twice(
// CHECK:         scf.for
// CHECK:         bufferization.dealloc (
// CHECK:         return
func.func @same_twice(%n: index, %c: i1, %x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %m, %s = %x) -> (memref<16xf32>, memref<16xf32>) {
    %z = scf.if %c -> memref<16xf32> {
      %d = memref.alloc() : memref<16xf32>
      scf.yield %d : memref<16xf32>
    } else {
      scf.yield %s : memref<16xf32>
    }
    scf.yield %z, %z : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %r#1, %x : memref<16xf32> to memref<16xf32>
  return
}

// 22. An address travels through a callee as a floating-point number: what is read by it is freed behind that. A function
// without a body may free what it is given the address of.
// CHECK-LABEL: func @address_as_float(
// CHECK:         llvm.load
// CHECK-NEXT:    memref.dealloc
// CHECK-LABEL: func @number_of_memory(
// CHECK:         call @norm
// CHECK-NEXT:    return
func.func private @bits_as_float(%i: index) -> f64 {
  %k = arith.index_cast %i : index to i64
  %f = arith.bitcast %k : i64 to f64
  return %f : f64
}
func.func private @norm(%i: index) -> f64
func.func @address_as_float() -> f32 {
  %a = memref.alloc() : memref<16xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %f = call @bits_as_float(%i) : (index) -> f64
  %k = arith.bitcast %f : f64 to i64
  %p = llvm.inttoptr %k : i64 to !llvm.ptr
  %y = llvm.load %p : !llvm.ptr -> f32
  return %y : f32
}
func.func @number_of_memory() -> f64 {
  %a = memref.alloc() : memref<16xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %f = call @norm(%i) : (index) -> f64
  return %f : f64
}

// 23. A loop carries one buffer by several names, one of them through a loop inside that hands it on between its regions:
// what never owns memory is not tested there.
// CHECK-LABEL: func @one_by_many_names(
// CHECK:         scf.while
// CHECK-NOT:     dealloc
// CHECK:         memref.copy
// CHECK:         memref.copy
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func private @goes_on() -> i1
func.func @one_by_many_names(%n: index, %c: i1, %x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %a, %s = %a) -> (memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %w:2 = scf.while (%t = %s, %u = %p) : (memref<16xf32>, memref<16xf32>) -> (memref<16xf32>, memref<16xf32>) {
      %k = func.call @goes_on() : () -> i1
      scf.condition(%k) %u, %t : memref<16xf32>, memref<16xf32>
    } do {
    ^bb0(%t: memref<16xf32>, %u: memref<16xf32>):
      %e = arith.select %c, %p, %s : memref<16xf32>
      scf.yield %e, %u : memref<16xf32>, memref<16xf32>
    }
    scf.yield %p, %s, %w#1 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#2, %x : memref<16xf32> to memref<16xf32>
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  return
}

// 24. A callee that frees what it is given on some ways only did not, where the caller goes on to touch it: behind the
// call, behind the loop around it, or by freeing it.
// CHECK-LABEL: func @goes_on_to_read(
// CHECK:         call @copies_or_not
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
// CHECK-LABEL: func @goes_on_to_free(
// CHECK:         call @copies_or_not
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
// CHECK-LABEL: func @goes_on_behind_a_loop(
// CHECK:         scf.for
// CHECK:         }
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func private @copies_or_not(%m: memref<4xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %t = scf.if %c -> memref<4xf32> {
    %n = memref.alloc() : memref<4xf32>
    memref.copy %m, %n : memref<4xf32> to memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  %x = memref.load %t[%c0] : memref<4xf32>
  scf.if %c {
    memref.dealloc %t : memref<4xf32>
  }
  return %x : f32
}
func.func @goes_on_to_read(%c: i1, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %x = call @copies_or_not(%a, %c) : (memref<4xf32>, i1) -> f32
  %y = memref.load %a[%i] : memref<4xf32>
  return %y : f32
}
func.func @goes_on_to_free(%c: i1) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %x = call @copies_or_not(%a, %c) : (memref<4xf32>, i1) -> f32
  memref.dealloc %a : memref<4xf32>
  return %x : f32
}
func.func @goes_on_behind_a_loop(%c: i1, %n: index, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %k = %c0 to %n step %c1 {
    %x = func.call @copies_or_not(%a, %c) : (memref<4xf32>, i1) -> f32
  }
  %y = memref.load %a[%i] : memref<4xf32>
  return %y : f32
}

// 25. Canonicalize takes what is cloned for the clone, and would read freed memory where only the run knows whether it is freed
// in between: the copy is written out.
// CHECK-LABEL: func @copied_in_turns(
// CHECK:         scf.for
// CHECK:           %[[COPY:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      memref.copy %[[Q:.*]], %[[COPY]]
// CHECK-NOT:       bufferization.clone
// CHECK-DAG:       memref.dealloc %[[COPY]]
// CHECK-DAG:       bufferization.dealloc (%[[Q]] :
// CHECK:           scf.yield
func.func @copied_in_turns(%n: index, %x: f32, %b: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %b) -> (memref<4xf32>) {
    %d = bufferization.clone %q : memref<4xf32> to memref<4xf32>
    %v = memref.load %d[%c0] : memref<4xf32>
    %w = arith.addf %v, %x : f32
    %p = memref.alloc() : memref<4xf32>
    memref.store %w, %p[%c0] : memref<4xf32>
    scf.yield %p : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}

// 26. A clone is where its type says, and what it copies may be elsewhere.
// CHECK-LABEL: func @copied_into_another_space(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32, 1>
// CHECK:         %[[COPY:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    memref.copy %[[A]], %[[COPY]] : memref<4xf32, 1> to memref<4xf32>
// CHECK-NEXT:    memref.dealloc %[[A]] : memref<4xf32, 1>
// CHECK:         memref.dealloc %[[COPY]] : memref<4xf32>
func.func @copied_into_another_space(%x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32, 1>
  memref.store %x, %a[%i] : memref<4xf32, 1>
  %d = bufferization.clone %a : memref<4xf32, 1> to memref<4xf32>
  %y = memref.load %d[%i] : memref<4xf32>
  return %y : f32
}

// 27. What an earlier run writes to ask where memory starts holds on to none: a second run leaves callers as they are.
// CHECK-LABEL: func @asks_where_memory_starts(
// CHECK-SAME:      %[[C:[^:]*]]: i1, %[[B:[^:]*]]: memref<4xf32>)
// CHECK:         memref.store %{{.*}}, %{{.*}}[] : memref<memref<f32>>
// CHECK:         bufferization.dealloc
// CHECK-LABEL: func @passes_on_what_is_asked(
// CHECK-LABEL: func @gives_what_is_asked(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %[[OTHER:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %[[X:.*]] = call @passes_on_what_is_asked(%{{.*}}, %[[A]], %[[OTHER]])
// CHECK-NEXT:    memref.dealloc %[[A]] :
// CHECK-NEXT:    memref.dealloc %[[OTHER]] :
// CHECK-NEXT:    memref.dealloc %[[X]] :
// CHECK-NEXT:    return
func.func @asks_where_memory_starts(%c: i1, %b: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %c16 = arith.constant 16 : index
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<64xi8>
    %v = memref.view %a[%c16][] : memref<64xi8> to memref<4xf32>
    scf.yield %v : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  return %b, %r : memref<4xf32>, memref<4xf32>
}
func.func @passes_on_what_is_asked(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
  %r:2 = call @asks_where_memory_starts(%c, %b) : (i1, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  %x = memref.alloc() : memref<4xf32>
  return %x : memref<4xf32>
}
func.func @gives_what_is_asked(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %x = call @passes_on_what_is_asked(%c, %a, %b) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  return
}

// 28. A word that is read of a memref is an address: what is read there uses its memory. Where such memory is more than
// memrefs and their words, or something else gets hold of it, nobody knows who does.
// CHECK-LABEL: func @word(
// CHECK-LABEL: func @uses_word(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<f32>
// CHECK-NEXT:    %[[W:.*]] = call @word(%[[A]])
// CHECK-NEXT:    call @reads_there(%[[W]])
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-LABEL: func @another_word(
// CHECK:         %[[B:.*]] = memref.alloc() : memref<f32>
// CHECK-NOT:     memref.dealloc %[[B]]
// CHECK-LABEL: func @word_behind(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func @read_elsewhere(
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: func @others_get_it(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func private @reads_there(%w: index) -> f32 {
  %i = arith.index_cast %w : index to i64
  %p = llvm.inttoptr %i : i64 to !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}
func.func private @keeps_there(memref<memref<f32>>)
func.func @word(%b: memref<f32>) -> index {
  %c0 = arith.constant 0 : index
  %stack = memref.alloca() : memref<24xi8>
  %cell = memref.view %stack[%c0][] : memref<24xi8> to memref<memref<f32>>
  %words = memref.view %stack[%c0][] : memref<24xi8> to memref<index>
  memref.store %b, %cell[] : memref<memref<f32>>
  %w = memref.load %words[] : memref<index>
  return %w : index
}
func.func @uses_word() {
  %a = memref.alloc() : memref<f32>
  %w = call @word(%a) : (memref<f32>) -> index
  %x = call @reads_there(%w) : (index) -> f32
  return
}
func.func @another_word(%w: index) -> f32 {
  %c0 = arith.constant 0 : index
  %stack = memref.alloca() : memref<24xi8>
  %cell = memref.view %stack[%c0][] : memref<24xi8> to memref<memref<f32>>
  %words = memref.view %stack[%c0][] : memref<24xi8> to memref<index>
  %b = memref.alloc() : memref<f32>
  memref.store %b, %cell[] : memref<memref<f32>>
  memref.store %w, %words[] : memref<index>
  %l = memref.load %cell[] : memref<memref<f32>>
  %x = memref.load %l[] : memref<f32>
  return %x : f32
}
func.func @word_behind(%d: memref<f32>) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %stack = memref.alloca() : memref<32xi8>
  %cell = memref.view %stack[%c0][] : memref<32xi8> to memref<memref<f32>>
  %words = memref.view %stack[%c0][] : memref<32xi8> to memref<4xindex>
  %b = memref.alloc() : memref<f32>
  memref.store %b, %cell[] : memref<memref<f32>>
  %w = memref.load %words[%c0] : memref<4xindex>
  memref.store %w, %words[%c3] : memref<4xindex>
  memref.store %d, %cell[] : memref<memref<f32>>
  %l = memref.load %words[%c3] : memref<4xindex>
  return %l : index
}
func.func @read_elsewhere(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %stack = memref.alloca() : memref<24xi8>
  %cell = memref.view %stack[%c0][] : memref<24xi8> to memref<memref<f32>>
  %b = memref.alloc() : memref<f32>
  memref.store %b, %cell[] : memref<memref<f32>>
  scf.if %c {
    %d = memref.alloc() : memref<f32>
    memref.store %d, %cell[] : memref<memref<f32>>
  }
  %l = memref.load %cell[] : memref<memref<f32>>
  %x = memref.load %l[] : memref<f32>
  return %x : f32
}
func.func @others_get_it() {
  %c0 = arith.constant 0 : index
  %stack = memref.alloca() : memref<24xi8>
  %cell = memref.view %stack[%c0][] : memref<24xi8> to memref<memref<f32>>
  %b = memref.alloc() : memref<f32>
  memref.store %b, %cell[] : memref<memref<f32>>
  call @keeps_there(%cell) : (memref<memref<f32>>) -> ()
  return
}

// 29. A flag decides about memory of a device, which is freed by its own operation: a dealloc of nothing says that who frees
// what has been decided.
// CHECK-LABEL: func @device_by_flag(
// CHECK:         scf.if %{{.*}}#1 {
// CHECK-NEXT:      gpu.dealloc
// CHECK-NEXT:    }
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    return
func.func @device_by_flag(%c: i1, %x: memref<4xf32>, %i: index) -> f32 {
  %r = scf.if %c -> memref<4xf32> {
    %a = gpu.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  %v = memref.load %r[%i] : memref<4xf32>
  return %v : f32
}

// 30. A load from what may be memory of the function's own, or memory known to others: what is stored in the own one is not
// freed in front of it, and neither is what is stored in another one that a second load may be from.
// CHECK-LABEL: func @own_or_given(
// CHECK-NOT:     memref.dealloc %{{.*}} : memref<4xf32>
// CHECK:         return
func.func @own_or_given(%c: i1, %d: i1, %given: memref<1xmemref<4xf32>>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %k = memref.alloc() : memref<1xmemref<4xf32>>
  %l = memref.alloc() : memref<1xmemref<4xf32>>
  memref.store %a, %k[%c0] : memref<1xmemref<4xf32>>
  memref.store %b, %l[%c0] : memref<1xmemref<4xf32>>
  %s = arith.select %c, %k, %given : memref<1xmemref<4xf32>>
  %t = arith.select %d, %k, %l : memref<1xmemref<4xf32>>
  %v = memref.load %s[%c0] : memref<1xmemref<4xf32>>
  %w = memref.load %t[%c0] : memref<1xmemref<4xf32>>
  %x = memref.load %v[%c0] : memref<4xf32>
  %y = memref.load %w[%c0] : memref<4xf32>
  return %x, %y : f32, f32
}

// 31. What a view makes of a memref may be no memref: a descriptor holds on to it, and memory is not freed in front of
// what goes through that.
// CHECK-LABEL: func @descriptor(
// CHECK:         xegpu.load_nd
// CHECK-NEXT:    memref.dealloc
func.func @descriptor(%v: vector<16xf32>) -> vector<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  %t = xegpu.create_nd_tdesc %a : memref<16xf32> -> !xegpu.tensor_desc<16xf32>
  xegpu.store_nd %v, %t[0] : vector<16xf32>, !xegpu.tensor_desc<16xf32>
  %r = xegpu.load_nd %t[0] : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
  memref.dealloc %a : memref<16xf32>
  return %r : vector<16xf32>
}

// 32. Nor where the descriptor goes round a loop.
// CHECK-LABEL: func @descriptor_in_loop(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @descriptor_in_loop(%n: index, %v: vector<16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %t = xegpu.create_nd_tdesc %a : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%d = %t, %w = %v) -> (!xegpu.tensor_desc<16xf32>, vector<16xf32>) {
    %x = xegpu.load_nd %d[%i] : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %b = memref.alloc() : memref<64xf32>
    %u = xegpu.create_nd_tdesc %b : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    xegpu.store_nd %x, %u[0] : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    scf.yield %u, %x : !xegpu.tensor_desc<16xf32>, vector<16xf32>
  }
  return %r#1 : vector<16xf32>
}

// 33. What an earlier run frees by a flag can be the argument alone; but the flag does not hold then, so callers free it.
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

// 34. Nor does it where the flag stands for a copy that a callee returned of which nothing else is to be known.
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

// 35. Memory that a callee makes as large as an argument is none of it, also where the module takes addresses.
// CHECK-LABEL: func @calls_measured(
// CHECK:         %[[M:.*]] = memref.alloc(
// CHECK:         memref.load %[[M]]
// CHECK-NEXT:    memref.dealloc %[[M]]
func.func @as_large(%x: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %r = memref.alloc(%d) : memref<?xf32>
  memref.copy %x, %r : memref<?xf32> to memref<?xf32>
  return %r : memref<?xf32>
}
func.func @measured(%x: memref<?xf32>, %c: i1) {
  cf.cond_br %c, ^make, ^out
^make:
  %r = call @as_large(%x) : (memref<?xf32>) -> memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  cf.br ^out
^out:
  return
}
func.func @calls_measured(%n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  call @measured(%m, %c) : (memref<?xf32>, i1) -> ()
  cf.br ^next
^next:
  %x = memref.load %m[%c0] : memref<?xf32>
  return %x : f32
}

// 36. Nor does who notes its size hold the argument.
// CHECK-LABEL: func @calls_noted(
// CHECK:         %[[M:.*]] = memref.alloc(
// CHECK:         call @noted(%[[M]])
// CHECK-NEXT:    memref.dealloc %[[M]]
memref.global "private" @sizes : memref<1xindex>
func.func @notes(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %g = memref.get_global @sizes : memref<1xindex>
  memref.store %d, %g[%c0] : memref<1xindex>
  return
}
func.func @noted(%x: memref<?xf32>) {
  %r = call @as_large(%x) : (memref<?xf32>) -> memref<?xf32>
  call @notes(%r) : (memref<?xf32>) -> ()
  return
}
func.func @calls_noted(%n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  call @noted(%m) : (memref<?xf32>) -> ()
  return
}

// 37. As 33, where the edge hands on a view of the memref that the flag stands for.
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

// 38. A loop frees what it made by a flag, as an earlier run writes it. What it starts with, and takes in place of new
// memory, are arguments, one of two.
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
