// Memory of which no flag can say whether it is freed.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. A free of memory that may be an argument, or a buffer that is needed after it.
func.func @mixed(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %x : memref<8xf32>
  // expected-error @+1 {{'memref.dealloc' frees or consumes memory that may be used later [memplan-E303]}}
  memref.dealloc %s : memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 2. A pending memref is passed to the caller, but other code owns it.
func.func @not_ours(%v: !async.value<memref<8xf32>>) -> !async.value<memref<8xf32>> {
  // expected-error @+1 {{'func.return' returns an async memref to the caller, who would own it, but the function may not own it [memplan-E310]}}
  return %v : !async.value<memref<8xf32>>
}

// -----

// 3. The initial value of a reduction is borrowed, its result is owned: no flag can go with it.
func.func @reduced(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.parallel' cannot forward an ownership flag with a memref: give all memory that it may refer to one owner, for example by copies [memplan-E312]}}
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> memref<8xf32> {
    %b = memref.alloc() : memref<8xf32>
    scf.reduce(%b : memref<8xf32>) {
    ^bb0(%l: memref<8xf32>, %m: memref<8xf32>):
      memref.copy %l, %m : memref<8xf32> to memref<8xf32>
      scf.reduce.return %m : memref<8xf32>
    }
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 4. Callers cannot know whether a callee frees its argument if it does so on some paths only.
func.func private @sometimes(%m: memref<8xf32>, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<8xf32>
  }
  return
}
func.func private @always(%m: memref<8xf32>, %c: i1) {
  cf.cond_br %c, ^one, ^other
^one:
  cf.br ^other
^other:
  memref.dealloc %m : memref<8xf32>
  return
}
// By one of two.
func.func private @either(%m: memref<8xf32>, %c: i1) {
  cf.cond_br %c, ^one, ^other
^one:
  memref.dealloc %m : memref<8xf32>
  cf.br ^end
^other:
  memref.dealloc %m : memref<8xf32>
  cf.br ^end
^end:
  return
}
func.func private @inside(%m: memref<8xf32>, %c: i1, %i: index) {
  scf.if %c {
    scf.index_switch %i
    case 1 {
      memref.dealloc %m : memref<8xf32>
      scf.yield
    }
    default {
      func.call @always(%m, %c) : (memref<8xf32>, i1) -> ()
      scf.yield
    }
  } else {
    memref.dealloc %m : memref<8xf32>
  }
  return
}
// By one of three.
func.func private @rarely(%m: memref<8xf32>, %c: i1, %i: index) {
  scf.if %c {
    scf.index_switch %i
    case 1 {
      memref.dealloc %m : memref<8xf32>
      scf.yield
    }
    default {
    }
  } else {
    memref.dealloc %m : memref<8xf32>
  }
  return
}
func.func @perhaps(%x: memref<8xf32>, %c: i1) {
  %a = memref.alloc() : memref<8xf32>
  // expected-warning @+1 {{frees an argument, but perhaps not on all paths: it leaks on the others [memplan-W303]}}
  call @sometimes(%a, %c) : (memref<8xf32>, i1) -> ()
  %b = memref.alloc() : memref<8xf32>
  call @always(%b, %c) : (memref<8xf32>, i1) -> ()
  %d = memref.alloc() : memref<8xf32>
  call @either(%d, %c) : (memref<8xf32>, i1) -> ()
  %i = arith.constant 1 : index
  %e = memref.alloc() : memref<8xf32>
  call @inside(%e, %c, %i) : (memref<8xf32>, i1, index) -> ()
  %f = memref.alloc() : memref<8xf32>
  // expected-warning @+1 {{frees an argument, but perhaps not on all paths: it leaks on the others [memplan-W303]}}
  call @rarely(%f, %c, %i) : (memref<8xf32>, i1, index) -> ()
  // Memory of the caller stays with the caller.
  call @sometimes(%x, %c) : (memref<8xf32>, i1) -> ()
  // One of two.
  %g = memref.alloc() : memref<8xf32>
  %h = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %g, %h : memref<8xf32>
  // expected-warning @+1 {{frees an argument, but perhaps not on all paths: it leaks on the others [memplan-W303]}}
  call @sometimes(%s, %c) : (memref<8xf32>, i1) -> ()
  return
}

// -----

// 5. The previous result of a reduction ends with each iteration, and the region that reduces has no place for a free.
func.func @replaced(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  // expected-error @+1 {{'scf.parallel' memory would have to be freed between its regions, where no operation can be inserted [memplan-E313]}}
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> memref<8xf32> {
    %b = memref.alloc() : memref<8xf32>
    scf.reduce(%b : memref<8xf32>) {
    ^bb0(%l: memref<8xf32>, %m: memref<8xf32>):
      scf.reduce.return %m : memref<8xf32>
    }
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 6. A flag that starts as true frees the argument, which the caller needs.
func.func @owned(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  cf.br ^head(%c0, %x, %y, %true, %false : index, memref<4xf32>, memref<4xf32>, i1, i1)
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
func.func @calls_owned(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  // expected-warning @+1 {{frees an argument, but perhaps not on all paths: on the others, only the deallocations of this function free it [memplan-W303]}}
  call @owned(%m, %o, %n) : (memref<4xf32>, memref<4xf32>, index) -> ()
  cf.br ^next
^next:
  %x = memref.load %m[%c0] : memref<4xf32>
  %y = memref.load %o[%c0] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}
