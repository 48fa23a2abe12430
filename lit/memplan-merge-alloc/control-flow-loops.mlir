// Live ranges over loops.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. The iterations of a loop run one after the other: a buffer that is allocated inside needs one place.
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

// 2. Written in one iteration, read in the next: live through the whole loop.
func.func private @read(memref<64xf32>)
func.func private @write(memref<64xf32>)
func.func @next_iteration(%lo: index, %hi: index, %step: index) {
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

// 3. Used in an iteration of an outer loop before an inner loop, and in no inner iteration: live across both.
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

// 4. Allocated in an iteration of the outer loop, used before the inner loop only: it shares bytes with the inner one.
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

// 5. Zero iterations: the buffer still has the contents from before the loop. After any iteration they are not needed.
func.func private @use(memref<64xf32>)
func.func @zero_trip(%lo: index, %hi: index, %step: index) {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  %r = scf.for %i = %lo to %hi step %step iter_args(%m = %a) -> memref<64xf32> {
    // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes, in place with another buffer}}
    %b = memref.alloc() : memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
    scf.yield %b : memref<64xf32>
  }
  call @use(%r) : (memref<64xf32>) -> ()
  return
}

// -----

// 6. A while loop: the condition's region runs once more than the body's.
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

// 7. A while loop hands a buffer from its condition to its body and out of it.
func.func private @use(memref<64xf32>)
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func private @go() -> i1
func.func @while_passes_on(%x: memref<64xf32>) {
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
