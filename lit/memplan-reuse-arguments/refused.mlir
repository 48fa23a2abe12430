// Buffers that cannot live in the memory of an argument.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-reuse-arguments)' | FileCheck %s
// RUN: not %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-reuse-arguments{min-size=64 max-size=32})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SIZES

// SIZES: error: {{.*}}min-size=64 is above max-size=32

// 1. Nothing says that the arguments are other memory, or the caller needs what one holds: it is written on one path alone, in a
// part, or not at all.
// CHECK-LABEL: func @kept
// CHECK:         memref.alloc
func.func @kept(%x: memref<8xf32>, %y: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%y : memref<8xf32>)
  return %v : f32
}
// CHECK-LABEL: func @one_path
// CHECK:         memref.alloc
func.func @one_path(%x: memref<8xf32>, %y: memref<8xf32> {memplan.noalias}, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  scf.if %c {
    linalg.fill ins(%v : f32) outs(%y : memref<8xf32>)
  }
  return %v : f32
}
// CHECK-LABEL: func @part
// CHECK:         memref.alloc
func.func @part(%x: memref<8xf32>, %y: memref<8xf32> {memplan.noalias}) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  %p = memref.subview %y[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  linalg.fill ins(%v : f32) outs(%p : memref<7xf32, strided<[1]>>)
  return %v : f32
}
// CHECK-LABEL: func @read_alone
// CHECK:         memref.alloc
func.func @read_alone(%x: memref<8xf32> {memplan.noalias}) -> f32 {
  %c0 = arith.constant 0 : index
  %u = memref.load %x[%c0] : memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%u : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  return %v : f32
}

// -----

// 2. Another element type, memory space, size or alignment; attributes that exclude writes or reads.
// CHECK-LABEL: func @others
// CHECK:         memref.alloc() : memref<8xi32>
// CHECK:         memref.alloc() : memref<8xf32, 1>
// CHECK:         memref.alloc() : memref<9xf32>
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK:         memref.alloc(%{{.*}}) : memref<?xf32>
func.func @others(%x: memref<8xf32> {memplan.donated, llvm.align = 16 : i64},
                  %y: memref<8xf32> {memplan.donated, llvm.readonly},
                  %z: memref<8xf32> {memplan.donated, llvm.writeonly}, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %i = arith.constant 1 : i32
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%i : i32) outs(%a : memref<8xi32>)
  %v = memref.load %a[%c0] : memref<8xi32>
  %b = memref.alloc() : memref<8xf32, 1>
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32, 1>)
  %c = memref.alloc() : memref<9xf32>
  linalg.fill ins(%f : f32) outs(%c : memref<9xf32>)
  %d = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<8xf32>)
  %w = vector.load %d[%c0] : memref<8xf32>, vector<8xf32>
  "test.use"(%w) : (vector<8xf32>) -> ()
  %e = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%e : memref<?xf32>)
  return %v : i32
}

// -----

// 3. Arguments that a loop carries, that are freed, stored or returned, and buffers that are returned or escape.
// CHECK-LABEL: func @escapes
// CHECK-COUNT-3: memref.alloc
func.func @escapes(%x: memref<8xf32> {memplan.donated}, %y: memref<8xf32> {memplan.donated},
                   %z: memref<8xf32> {memplan.donated}, %cell: memref<memref<8xf32>>, %n: index)
    -> (memref<8xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  memref.store %b, %cell[] : memref<memref<8xf32>>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<8xf32>)
  %v = memref.load %d[%c0] : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  memref.dealloc %x : memref<8xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%s = %y) -> memref<8xf32> {
    scf.yield %s : memref<8xf32>
  }
  memref.copy %last, %a : memref<8xf32> to memref<8xf32>
  return %a, %z : memref<8xf32>, memref<8xf32>
}

// -----

// 4. A buffer of an iteration, where the next one reads the argument again.
// CHECK-LABEL: func @again
// CHECK:         scf.for
// CHECK:           memref.alloc
func.func @again(%x: memref<8xf32> {memplan.donated}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %u = memref.load %x[%c0] : memref<8xf32>
    %a = memref.alloc() : memref<8xf32>
    linalg.fill ins(%u : f32) outs(%a : memref<8xf32>)
    %v = memref.load %a[%c0] : memref<8xf32>
    "test.use"(%v) : (f32) -> ()
  }
  return
}

// -----

// A callee may rely on an alignment that the argument does not have: it has a vector operation, or no body.
// CHECK-LABEL: func @aligned
// CHECK-COUNT-2: memref.alloc() {alignment = 64 : i64} : memref<16xf32>
func.func private @vectors(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %aligned = memref.assume_alignment %x, 64 : memref<16xf32>
  %v = arith.constant dense<1.0> : vector<8xf32>
  vector.store %v, %aligned[%c0] {alignment = 32 : i64} : memref<16xf32>, vector<8xf32>
  return
}
func.func private @unknown(memref<16xf32>)
func.func @aligned(%x: memref<16xf32> {memplan.donated}) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  call @vectors(%a) : (memref<16xf32>) -> ()
  %u = memref.load %a[%c0] : memref<16xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  call @unknown(%b) : (memref<16xf32>) -> ()
  %v = memref.load %b[%c0] : memref<16xf32>
  %s = arith.addf %u, %v : f32
  return %s : f32
}
