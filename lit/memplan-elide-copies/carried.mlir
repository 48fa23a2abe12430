// A buffer that each iteration allocates, writes and hands on, and that the next one does not use: all iterations write the
// buffer that the loop starts with.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-elide-copies)' | FileCheck %s

func.func private @use(memref<8xf32>)

// 1. The result of a loop is the last buffer.
// CHECK-LABEL: func @result
// CHECK:         %[[R:.*]] = memref.alloc() : memref<8xf32>
// CHECK:         scf.for
// CHECK-NOT:       iter_args
// CHECK-NOT:       memref.alloc
// CHECK:           linalg.exp {{.*}} outs(%[[R]] :
// CHECK-NOT:       scf.yield
// CHECK:         return %[[R]]
func.func @result(%x: memref<8xf32>, %n: index, %z: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<8xf32>) {
    %b = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
    func.call @use(%b) : (memref<8xf32>) -> ()
    scf.yield %b : memref<8xf32>
  }
  return %s : memref<8xf32>
}

// -----

// 2. The next iteration reads it: two buffers are needed.
// CHECK-LABEL: func @read
// CHECK:         scf.for
// CHECK:           memref.alloc
func.func @read(%x: memref<8xf32>, %n: index, %z: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<8xf32>) {
    %b = memref.alloc() : memref<8xf32>
    linalg.transpose ins(%x : memref<8xf32>) outs(%b : memref<8xf32>) permutation = [0]
    %c = memref.load %a[%c0] : memref<8xf32>
    memref.store %c, %b[%c1] : memref<8xf32>
    %d = memref.load %a[%c1] : memref<8xf32>
    memref.store %d, %b[%c0] : memref<8xf32>
    scf.yield %b : memref<8xf32>
  }
  return %s : memref<8xf32>
}

// -----

// 3. The first buffer is used in the loop, or after it; the other one is handed on twice.
// CHECK-LABEL: func @used
// CHECK-COUNT-2: scf.for
// CHECK:           memref.alloc
func.func @used(%x: memref<8xf32>, %n: index, %z: f32) -> (memref<8xf32>, f32, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<8xf32>) {
    %b = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
    scf.yield %b : memref<8xf32>
  }
  %v = memref.load %r[%c0] : memref<8xf32>
  %p = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%p : memref<8xf32>)
  %q = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%q : memref<8xf32>)
  %t:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q) -> (memref<8xf32>, memref<8xf32>) {
    %d = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%d : memref<8xf32>)
    scf.yield %d, %d : memref<8xf32>, memref<8xf32>
  }
  return %s, %v, %t#1 : memref<8xf32>, f32, memref<8xf32>
}

// -----

// 4. It is stored where an older one may be found; another type; an argument at the start.
// CHECK-LABEL: func @others
// CHECK-COUNT-2: memref.alloc() : memref<8xf32>
// CHECK:         memref.alloc() : memref<4xf32>
func.func @others(%cells: memref<4xmemref<8xf32>>, %n: index, %z: f32, %x: memref<4xf32>) -> (memref<8xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<8xf32>) {
    %b = memref.alloc() : memref<8xf32>
    linalg.fill ins(%z : f32) outs(%b : memref<8xf32>)
    memref.store %b, %cells[%i] : memref<4xmemref<8xf32>>
    scf.yield %b : memref<8xf32>
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    linalg.fill ins(%z : f32) outs(%b : memref<4xf32>)
    scf.yield %b : memref<4xf32>
  }
  return %s, %t : memref<8xf32>, memref<4xf32>
}

// -----

// 5. The first buffer is needed again in the next iteration of a loop around this one: there, or where this one does not run.
// CHECK-LABEL: func @outer
// CHECK:         memref.alloc
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK:           scf.for
// CHECK:             memref.alloc
func.func @outer(%x: memref<8xf32>, %n: index, %z: f32, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  scf.for %j = %c0 to %n step %c1 {
    %v = memref.load %r[%c0] : memref<8xf32>
    memref.store %v, %out[%j] : memref<8xf32>
    %s = scf.for %i = %c0 to %j step %c1 iter_args(%a = %r) -> (memref<8xf32>) {
      %b = memref.alloc() : memref<8xf32>
      linalg.exp ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
      scf.yield %b : memref<8xf32>
    }
    %w = memref.load %s[%c0] : memref<8xf32>
    memref.store %w, %out[%c0] : memref<8xf32>
  }
  return
}

// 6. If it is allocated in that iteration, it is not.
// CHECK-LABEL: func @inner
// CHECK:         scf.for
// CHECK:           memref.alloc
// CHECK:           scf.for
// CHECK-NOT:         memref.alloc
// CHECK:         return
func.func @inner(%x: memref<8xf32>, %n: index, %z: f32, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %r = memref.alloc() : memref<8xf32>
    linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
    %s = scf.for %i = %c0 to %j step %c1 iter_args(%a = %r) -> (memref<8xf32>) {
      %b = memref.alloc() : memref<8xf32>
      linalg.exp ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
      scf.yield %b : memref<8xf32>
    }
    %w = memref.load %s[%c0] : memref<8xf32>
    memref.store %w, %out[%c0] : memref<8xf32>
  }
  return
}

// -----

// 7. The result leaves the region in which both buffers are.
// CHECK-LABEL: func @leaves
// CHECK:         scf.execute_region
// CHECK:           %[[R:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NOT:       memref.alloc
// CHECK:           scf.yield %[[R]]
func.func @leaves(%x: memref<8xf32>, %n: index, %z: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = scf.execute_region -> memref<8xf32> {
    %r = memref.alloc() : memref<8xf32>
    linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<8xf32>) {
      %b = memref.alloc() : memref<8xf32>
      linalg.exp ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
      scf.yield %b : memref<8xf32>
    }
    scf.yield %s : memref<8xf32>
  }
  return %t : memref<8xf32>
}
