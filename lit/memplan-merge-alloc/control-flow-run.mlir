// Unstructured loops, switches and unreachable blocks: planned programs print the same as without the pass.
// RUN: for pass in '' 'memplan-merge-alloc{verify},' 'memplan-merge-alloc{verify in-place=false},' \
// RUN:   'memplan-merge-alloc{verify planner=first-fit alignment=1 arena=alloca},' \
// RUN:   'convert-linalg-to-loops,convert-scf-to-cf,memplan-merge-alloc{verify},' \
// RUN:   'memplan-merge-alloc{verify scope=module},'; do \
// RUN:   echo "$pass"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module($pass %to-llvm)" \
// RUN:     | %runner | FileCheck %s || exit 1; \
// RUN: done
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s --check-prefix=PLAN

func.func private @printF32(f32)
func.func private @printNewline()

func.func @print(%x: f32) attributes {no_inline} {
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @fill(%m: memref<16xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<16xf32>)
  return
}

func.func @sum(%m: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<16xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// 1. A loop with two entries: ^one and ^two each run before the other.
// PLAN-LABEL: func @two_entries
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
func.func @two_entries(%first: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %t = memref.alloc() : memref<16xf32>
  call @fill(%a, %one) : (memref<16xf32>, f32) -> ()
  call @fill(%b, %two) : (memref<16xf32>, f32) -> ()
  cf.cond_br %first, ^one(%c0 : index), ^two(%c0 : index)
^one(%i: index):
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%a : memref<16xf32>)
  %i1 = arith.addi %i, %c1 : index
  cf.br ^two(%i1 : index)
^two(%j: index):
  linalg.sub ins(%b, %a : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
  %j1 = arith.addi %j, %c1 : index
  %more = arith.cmpi ult, %j1, %c4 : index
  cf.cond_br %more, ^one(%j1 : index), ^end
^end:
  %s = call @sum(%a) : (memref<16xf32>) -> f32
  call @fill(%t, %one) : (memref<16xf32>, f32) -> ()
  %u = call @sum(%b) : (memref<16xf32>) -> f32
  %v = call @sum(%t) : (memref<16xf32>) -> f32
  %w = arith.addf %s, %v : f32
  %x = arith.subf %w, %u : f32
  return %x : f32
}

// 2. A switch: each case has a buffer of its own, one falls through to the next, and one leaves at once.
// PLAN-LABEL: func @switch
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
func.func @switch(%which: i32) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  cf.switch %which : i32, [
    default: ^none,
    1: ^one,
    2: ^two(%a : memref<16xf32>),
    3: ^three
  ]
^none:
  return %one : f32
^one:
  call @fill(%b, %one) : (memref<16xf32>, f32) -> ()
  cf.br ^two(%b : memref<16xf32>)
^two(%m: memref<16xf32>):
  call @fill(%a, %two) : (memref<16xf32>, f32) -> ()
  %s = call @sum(%m) : (memref<16xf32>) -> f32
  return %s : f32
^three:
  call @fill(%c, %three) : (memref<16xf32>, f32) -> ()
  %t = call @sum(%c) : (memref<16xf32>) -> f32
  return %t : f32
}

// 3. Blocks that nothing reaches, in a circle, use what the others use.
func.func @unreachable() -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @fill(%a, %one) : (memref<16xf32>, f32) -> ()
  %s = call @sum(%a) : (memref<16xf32>) -> f32
  cf.br ^end
^lost:
  call @fill(%b, %one) : (memref<16xf32>, f32) -> ()
  cf.br ^found
^found:
  call @fill(%a, %two) : (memref<16xf32>, f32) -> ()
  cf.br ^lost
^end:
  call @fill(%b, %two) : (memref<16xf32>, f32) -> ()
  %t = call @sum(%b) : (memref<16xf32>) -> f32
  %u = arith.addf %s, %t : f32
  return %u : f32
}

// 4. A loop of blocks in a loop of blocks: the buffer of the outer iteration lives through the inner loop, that of the
// inner one does not.
func.func @nested() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  cf.br ^outer(%c0, %zero : index, f32)
^outer(%i: index, %total: f32):
  %n = arith.index_cast %i : index to i32
  %f = arith.sitofp %n : i32 to f32
  %a = memref.alloc() : memref<16xf32>
  call @fill(%a, %f) : (memref<16xf32>, f32) -> ()
  cf.br ^inner(%c0, %total : index, f32)
^inner(%j: index, %so_far: f32):
  %b = memref.alloc() : memref<16xf32>
  call @fill(%b, %so_far) : (memref<16xf32>, f32) -> ()
  %x = memref.load %b[%j] : memref<16xf32>
  %y = memref.load %a[%j] : memref<16xf32>
  %z = arith.addf %x, %y : f32
  %j1 = arith.addi %j, %c1 : index
  %more = arith.cmpi ult, %j1, %c3 : index
  cf.cond_br %more, ^inner(%j1, %z : index, f32), ^next
^next:
  %i1 = arith.addi %i, %c1 : index
  %again = arith.cmpi ult, %i1, %c3 : index
  cf.cond_br %again, ^outer(%i1, %z : index, f32), ^end
^end:
  return %z : f32
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %n3 = arith.constant 3 : i32
  // CHECK: 96
  %1 = call @two_entries(%true) : (i1) -> f32
  call @print(%1) : (f32) -> ()
  // CHECK-NEXT: 64
  %2 = call @two_entries(%false) : (i1) -> f32
  call @print(%2) : (f32) -> ()
  // CHECK-NEXT: 1
  %3 = call @switch(%n0) : (i32) -> f32
  call @print(%3) : (f32) -> ()
  // CHECK-NEXT: 16
  %4 = call @switch(%n1) : (i32) -> f32
  call @print(%4) : (f32) -> ()
  // CHECK-NEXT: 48
  %5 = call @switch(%n3) : (i32) -> f32
  call @print(%5) : (f32) -> ()
  // CHECK-NEXT: 48
  %6 = call @unreachable() : () -> f32
  call @print(%6) : (f32) -> ()
  // CHECK-NEXT: 9
  %8 = call @nested() : () -> f32
  call @print(%8) : (f32) -> ()
  return
}
