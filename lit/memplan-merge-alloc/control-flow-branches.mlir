// Live ranges over branches.
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

// 3. Touched before and after: the branches are in between. The branch has an arena of its own.
func.func private @use(memref<64xf32>)
func.func @across(%c: i1) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  scf.if %c {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
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

// 5. The result is a buffer that is already live on the other path.
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

// 6. Cases of a switch exclude each other.
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
