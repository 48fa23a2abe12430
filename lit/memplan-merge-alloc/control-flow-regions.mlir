// Live ranges over regions of other operations.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. A region of several blocks in the midst of structured code. ^two comes before ^one in the text, and runs after.
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

// 2. memref.alloca_scope is passed through once.
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

// 3. affine.for and affine.if are control flow like any other.
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

// 4. The body of linalg.generic runs while the operation does; what it reads from outside is live then.
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
