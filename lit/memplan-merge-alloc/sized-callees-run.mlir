// Executed: callees that receive arenas of dynamic size compute the same as in the program without a plan.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: for options in scope=module arena=arg 'scope=module free=false' 'scope=module in-place=false' \
// RUN:   'scope=module assert-size=false planner=first-fit' 'arena=arg alignment=256'; do \
// RUN:   echo "$options"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(memplan-merge-alloc{verify $options},canonicalize,cse,\
// RUN:     memplan-verify,%to-llvm)" | %runner | diff %t.expected - || exit 1; \
// RUN: done
// RUN: for options in scope=module arena=arg 'scope=module free=false'; do \
// RUN:   echo "$options, deallocated"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(memplan-merge-alloc{verify $options},%upstream-dealloc,cse,\
// RUN:     canonicalize,%to-llvm)" | %runner | diff %t.expected - || exit 1; \
// RUN: done

// CHECK-COUNT-9: {{[0-9]}}
func.func private @printF32(f32)
func.func private @printNewline()

// 1. Static and dynamic sizes; one depends on a number.
func.func private @leaf(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %c1 = arith.constant 1 : index
  %nk = arith.addi %n, %k : index
  %m = arith.addi %nk, %c1 : index
  %a = memref.alloc(%m) : memref<?xf32>
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %b : memref<?xf32> to memref<?xf32>
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%s : memref<4xf32>)
  %v = memref.load %s[%c0] : memref<4xf32>
  %w = memref.load %a[%c0] : memref<?xf32>
  %z = arith.addf %v, %w : f32
  linalg.fill ins(%z : f32) outs(%a : memref<?xf32>)
  %sub = memref.subview %a[0][%n][1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  linalg.add ins(%b, %sub : memref<?xf32>, memref<?xf32, strided<[1]>>) outs(%x : memref<?xf32>)
  return
}

// 2. In a loop: a size that depends on the counter.
func.func private @mid(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
    func.call @leaf(%t, %k) : (memref<?xf32>, index) -> ()
    func.call @leaf(%t, %i) : (memref<?xf32>, index) -> ()
    memref.copy %t, %x : memref<?xf32> to memref<?xf32>
  }
  return
}

// 3. Recursion.
func.func private @rec(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %p = arith.cmpi ugt, %k, %c0 : index
  scf.if %p {
    %l = arith.subi %k, %c1 : index
    func.call @rec(%a, %l) : (memref<?xf32>, index) -> ()
    func.call @leaf(%a, %l) : (memref<?xf32>, index) -> ()
  }
  linalg.add ins(%a, %x : memref<?xf32>, memref<?xf32>) outs(%x : memref<?xf32>)
  return
}

// 4. Branches, a division in a size, and all of these.
func.func @entry(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %q = arith.divui %n, %c2 : index
  %t = memref.alloc(%q) : memref<?xf32>
  %one = arith.constant 0.5 : f32
  linalg.fill ins(%one : f32) outs(%t : memref<?xf32>)
  call @mid(%t, %c2) : (memref<?xf32>, index) -> ()
  call @leaf(%x, %k) : (memref<?xf32>, index) -> ()
  %cc = arith.cmpi ugt, %n, %c2 : index
  scf.if %cc {
    func.call @mid(%x, %n) : (memref<?xf32>, index) -> ()
  } else {
    func.call @rec(%x, %c2) : (memref<?xf32>, index) -> ()
  }
  call @rec(%t, %c2) : (memref<?xf32>, index) -> ()
  %sub = memref.subview %x[0][%q][1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  linalg.add ins(%t, %sub : memref<?xf32>, memref<?xf32, strided<[1]>>) outs(%sub : memref<?xf32, strided<[1]>>)
  return
}

// 5. Sizes 1 to 8, and 0.
func.func @main() attributes {memplan.arena_in = "alloc"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1.5 : f32
  scf.for %i = %c0 to %c9 step %c1 {
    %x = memref.alloc(%i) : memref<?xf32>
    linalg.fill ins(%one : f32) outs(%x : memref<?xf32>)
    func.call @entry(%x, %i) : (memref<?xf32>, index) -> ()
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %j = %c0 to %i step %c1 iter_args(%s = %zero) -> f32 {
      %v = memref.load %x[%j] : memref<?xf32>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    func.call @printF32(%sum) : (f32) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
