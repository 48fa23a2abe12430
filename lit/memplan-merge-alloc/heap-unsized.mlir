// An arena beside a result whose size is known only at run time.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{when-larger=leave verify})' | FileCheck %s

func.func private @use(memref<1024xf32>)
func.func private @set(memref<?xf32>)

// 1. The result is held where most is needed: what separate buffers hold there with it, one arena may hold with it
// anywhere.
// CHECK-LABEL: func @early
// CHECK:         memplan.arena} : memref<8192xi8>
// CHECK-NOT:     memplan.arena
// CHECK:         return
func.func @early(%n: index) -> memref<?xf32> {
  %r = memref.alloc(%n) : memref<?xf32>
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  call @use(%a) : (memref<1024xf32>) -> ()
  call @use(%b) : (memref<1024xf32>) -> ()
  call @use(%a) : (memref<1024xf32>) -> ()
  call @use(%b) : (memref<1024xf32>) -> ()
  %c = memref.alloc() : memref<1024xf32>
  call @use(%c) : (memref<1024xf32>) -> ()
  call @set(%r) : (memref<?xf32>) -> ()
  return %r : memref<?xf32>
}

// 2. It is allocated after that: an arena of 8192 bytes beside it would be more than separate buffers ever hold.
// CHECK-LABEL: func @late
// CHECK:         memplan.arena} : memref<4096xi8>
// CHECK:         memplan.arena} : memref<4096xi8>
// CHECK:         memref.alloc(%{{.*}}) : memref<?xf32>
func.func @late(%n: index) -> memref<?xf32> {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  call @use(%a) : (memref<1024xf32>) -> ()
  call @use(%b) : (memref<1024xf32>) -> ()
  call @use(%a) : (memref<1024xf32>) -> ()
  call @use(%b) : (memref<1024xf32>) -> ()
  %r = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<1024xf32>) -> ()
  call @set(%r) : (memref<?xf32>) -> ()
  return %r : memref<?xf32>
}

// 3. Only one branch needs most: the paths of the other one hold less.
// CHECK-LABEL: func @branch
// CHECK-NOT:     memref<8192xi8>
// CHECK:         memplan.arena} : memref<4096xi8>
// CHECK:         scf.if
// CHECK:           memplan.arena} : memref<4096xi8>
// CHECK:         return
func.func @branch(%n: index, %c: i1) -> memref<?xf32> {
  %r = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    %a = memref.alloc() : memref<1024xf32>
    %b = memref.alloc() : memref<1024xf32>
    func.call @use(%a) : (memref<1024xf32>) -> ()
    func.call @use(%b) : (memref<1024xf32>) -> ()
    func.call @use(%a) : (memref<1024xf32>) -> ()
    func.call @use(%b) : (memref<1024xf32>) -> ()
  }
  %d = memref.alloc() : memref<1024xf32>
  call @use(%d) : (memref<1024xf32>) -> ()
  call @set(%r) : (memref<?xf32>) -> ()
  return %r : memref<?xf32>
}

// 4. Two results of unknown sizes: no moment with both of them needs two buffers.
// CHECK-LABEL: func @two
// CHECK:         memplan.arena} : memref<4096xi8>
// CHECK:         memplan.arena} : memref<4096xi8>
// CHECK:         return
func.func @two(%n: index) -> (memref<?xf32>, memref<?xf32>) {
  %r = memref.alloc(%n) : memref<?xf32>
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  call @use(%a) : (memref<1024xf32>) -> ()
  call @use(%b) : (memref<1024xf32>) -> ()
  call @use(%a) : (memref<1024xf32>) -> ()
  call @use(%b) : (memref<1024xf32>) -> ()
  %s = memref.alloc(%n) : memref<?xf32>
  call @use(%b) : (memref<1024xf32>) -> ()
  call @set(%r) : (memref<?xf32>) -> ()
  call @set(%s) : (memref<?xf32>) -> ()
  return %r, %s : memref<?xf32>, memref<?xf32>
}
