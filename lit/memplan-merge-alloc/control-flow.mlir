// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics \
// RUN:   | FileCheck %s

// 1. Only one branch runs: what is born in them shares.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @branches
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         scf.if
// CHECK-NOT:     memref.dealloc
// CHECK:         memref.dealloc
// CHECK-NEXT:    return
func.func @branches(%c: i1) {
  scf.if %c {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
  } else {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
  }
  return
}

// -----

// 2. Born outside, each used in a branch of its own: the touches never meet on a path.
func.func private @use(memref<64xf32>)
func.func @born_outside(%c: i1) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  scf.if %c {
    func.call @use(%a) : (memref<64xf32>) -> ()
  } else {
    func.call @use(%b) : (memref<64xf32>) -> ()
  }
  return
}

// -----

// 3. Touched before and after: the branches are in between.
func.func private @use(memref<64xf32>)
func.func @across(%c: i1) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  scf.if %c {
    // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
  }
  call @use(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// 4. Born in branches, used after through the result. Both may have the same place, but not what is live then.
func.func private @use(memref<64xf32>)
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func @through_result(%c: i1) {
  %r = scf.if %c -> memref<64xf32> {
    // expected-remark @+1 {{merged: 256 bytes at offset}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
    scf.yield %a : memref<64xf32>
  } else {
    // expected-remark @+1 {{merged: 256 bytes at offset}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
    scf.yield %b : memref<64xf32>
  }
  // expected-remark @+1 {{merged: 256 bytes at offset}}
  %d = memref.alloc() : memref<64xf32>
  call @use2(%r, %d) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// 5. The result is one that lives already on the other path.
func.func private @use(memref<64xf32>)
func.func @maybe_older(%c: i1) {
  // expected-remark @+1 {{merged: 256 bytes at offset}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  %r = scf.if %c -> memref<64xf32> {
    // expected-remark @+1 {{merged: 256 bytes at offset}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
    scf.yield %b : memref<64xf32>
  } else {
    scf.yield %a : memref<64xf32>
  }
  call @use(%r) : (memref<64xf32>) -> ()
  return
}

// -----

// 6. A loop's turns come one after the other: what is born inside needs one place.
func.func private @use(memref<64xf32>)
func.func @loop(%lo: index, %hi: index, %step: index) {
  scf.for %i = %lo to %hi step %step {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
  }
  return
}

// -----

// 7. Written in one turn, read in the next: live all through the loop.
func.func private @read(memref<64xf32>)
func.func private @write(memref<64xf32>)
func.func @next_turn(%lo: index, %hi: index, %step: index) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  scf.for %i = %lo to %hi step %step {
    func.call @read(%a) : (memref<64xf32>) -> ()
    // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
    %b = memref.alloc() : memref<64xf32>
    func.call @write(%b) : (memref<64xf32>) -> ()
    func.call @write(%a) : (memref<64xf32>) -> ()
    // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
    %d = memref.alloc() : memref<64xf32>
    func.call @write(%d) : (memref<64xf32>) -> ()
  }
  return
}

// -----

// 8. Used in an outer loop's turn before an inner loop, and in none after: live across both.
func.func private @use(memref<64xf32>)
func.func @nested(%lo: index, %hi: index, %step: index) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  scf.for %i = %lo to %hi step %step {
    func.call @use(%a) : (memref<64xf32>) -> ()
    scf.for %j = %lo to %hi step %step {
      // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
      %b = memref.alloc() : memref<64xf32>
      func.call @use(%b) : (memref<64xf32>) -> ()
    }
  }
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %d = memref.alloc() : memref<64xf32>
  call @use(%d) : (memref<64xf32>) -> ()
  return
}

// -----

// 9. Born in the outer loop's turn, used before the inner loop only: the inner one's share.
func.func private @use(memref<64xf32>)
func.func @nested_share(%lo: index, %hi: index, %step: index) {
  scf.for %i = %lo to %hi step %step {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
    scf.for %j = %lo to %hi step %step {
      // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
      %b = memref.alloc() : memref<64xf32>
      func.call @use(%b) : (memref<64xf32>) -> ()
    }
  }
  return
}

// -----

// 10. Zero turns: what the loop would have written is still what was there before. After any turn that is not needed.
func.func private @use(memref<64xf32>)
func.func @zero_trip(%lo: index, %hi: index, %step: index) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  %r = scf.for %i = %lo to %hi step %step iter_args(%m = %a) -> memref<64xf32> {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes, one with another buffer}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
    scf.yield %b : memref<64xf32>
  }
  call @use(%r) : (memref<64xf32>) -> ()
  return
}

// -----

// 11. A while loop: the condition's region runs once more than the body's.
func.func private @use(memref<64xf32>)
func.func private @go() -> i1
func.func @while() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  scf.while : () -> () {
    func.call @use(%a) : (memref<64xf32>) -> ()
    // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
    %c = func.call @go() : () -> i1
    scf.condition(%c)
  } do {
    // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
    %d = memref.alloc() : memref<64xf32>
    func.call @use(%d) : (memref<64xf32>) -> ()
    scf.yield
  }
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %e = memref.alloc() : memref<64xf32>
  call @use(%e) : (memref<64xf32>) -> ()
  return
}

// -----

// 12. A while loop hands a buffer from its condition to its body and out of it.
func.func private @use(memref<64xf32>)
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func private @go() -> i1
func.func @while_hands_on(%x: memref<64xf32>) {
  %r = scf.while : () -> memref<64xf32> {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
    %c = func.call @go() : () -> i1
    scf.condition(%c) %b : memref<64xf32>
  } do {
  ^bb0(%m: memref<64xf32>):
    // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
    %d = memref.alloc() : memref<64xf32>
    func.call @use2(%d, %m) : (memref<64xf32>, memref<64xf32>) -> ()
    scf.yield
  }
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %e = memref.alloc() : memref<64xf32>
  call @use2(%e, %r) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// 13. Cases of a switch exclude each other.
func.func private @use(memref<64xf32>)
func.func @switch(%n: index) {
  scf.index_switch %n
  case 2 {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
    scf.yield
  }
  case 5 {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
    scf.yield
  }
  default {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %c = memref.alloc() : memref<64xf32>
    func.call @use(%c) : (memref<64xf32>) -> ()
  }
  return
}

// -----

// 14. A region of several blocks in the midst of structured code. ^two comes before ^one in the text, and runs after.
func.func private @use(memref<64xf32>)
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func @execute_region() {
  %r = scf.execute_region -> memref<64xf32> {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
    %a = memref.alloc() : memref<64xf32>
    cf.br ^one
  ^two:
    // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use2(%a, %b) : (memref<64xf32>, memref<64xf32>) -> ()
    scf.yield %b : memref<64xf32>
  ^one:
    func.call @use(%a) : (memref<64xf32>) -> ()
    // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
    %c = memref.alloc() : memref<64xf32>
    func.call @use(%c) : (memref<64xf32>) -> ()
    cf.br ^two
  }
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %d = memref.alloc() : memref<64xf32>
  call @use2(%r, %d) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// 15. memref.alloca_scope is passed through once.
func.func private @use(memref<64xf32>)
func.func @alloca_scope() {
  memref.alloca_scope {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
  }
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  return
}

// -----

// 16. affine.for and affine.if are control flow like any other.
#positive = affine_set<(d0) : (d0 - 1 >= 0)>
func.func private @use(memref<64xf32>)
func.func @affine() {
  affine.for %i = 0 to 8 {
    affine.if #positive(%i) {
      // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
      %a = memref.alloc() : memref<64xf32>
      func.call @use(%a) : (memref<64xf32>) -> ()
    } else {
      // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
      %b = memref.alloc() : memref<64xf32>
      func.call @use(%b) : (memref<64xf32>) -> ()
    }
  }
  return
}

// -----

// 17. The body of linalg.generic runs while the operation does; what it reads from outside is live then.
#id = affine_map<(d0) -> (d0)>
func.func private @use(memref<64xf32>)
func.func @generic(%out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 256 of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<64xf32>) outs(%out : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = memref.load %a[%c0] : memref<64xf32>
    %s = arith.addf %x, %z : f32
    linalg.yield %s : f32
  }
  return
}
