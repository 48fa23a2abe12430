// Buffers that do not live in the memory of a result.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-reuse-results)' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-reuse-results{arena=arg})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ARG
// RUN: not %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-reuse-results{min-size=64 max-size=32})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SIZES

// SIZES: error: {{.*}}min-size=64 is above max-size=32

// 1. The function would hold more: the result is larger than what was live at the peak. With the arena in an argument, the heap has
// results alone.
// CHECK-LABEL: func @larger
// CHECK-NEXT:    constant
// ARG-NEXT:      memref.alloc() : memref<32xf32>
// CHECK-COUNT-2: linalg.fill
// ARG-NOT:       memref.alloc
// ARG:           return
func.func @larger(%x: f32) -> memref<32xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %big = memref.alloc() : memref<48xi32>
  %i = arith.constant 7 : i32
  linalg.fill ins(%i : i32) outs(%big : memref<48xi32>)
  %j = memref.load %big[%c0] : memref<48xi32>
  %v = memref.load %a[%c0] : memref<8xf32>
  %f = arith.sitofp %j : i32 to f32
  %s = arith.addf %v, %f : f32
  %r = memref.alloc() : memref<32xf32>
  linalg.fill ins(%s : f32) outs(%r : memref<32xf32>)
  return %r : memref<32xf32>
}

// -----

// 2. Arenas would be no smaller: the peak is elsewhere.
// CHECK-LABEL: func @elsewhere
// CHECK:         memref.alloc() : memref<8xf32>
// CHECK:         memref.alloc() : memref<48xi32>
// CHECK:         memref.alloc() : memref<8xf32>
func.func @elsewhere(%x: f32, %i: i32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  %big = memref.alloc() : memref<48xi32>
  linalg.fill ins(%i : i32) outs(%big : memref<48xi32>)
  %j = memref.load %big[%c0] : memref<48xi32>
  %f = arith.sitofp %j : i32 to f32
  %s = arith.addf %v, %f : f32
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%s : f32) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}

// -----

// 3. A result that is one of two buffers, in the second block, of dynamic size, that is stored, returned twice, freed, an argument, or
// that says something of its address.
// CHECK-LABEL: func @one_of_two
// CHECK-COUNT-3: memref.alloc
func.func @one_of_two(%x: f32, %c: i1) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<8xf32>)
  %s = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<8xf32>)
  %t = arith.select %c, %r, %s : memref<8xf32>
  return %t : memref<8xf32>
}
// CHECK-LABEL: func @second_block
// CHECK-COUNT-2: memref.alloc
func.func @second_block(%x: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  cf.br ^next
^next:
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
// CHECK-LABEL: func @dynamic
// CHECK-COUNT-2: memref.alloc
func.func @dynamic(%x: f32, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  %r = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}
// CHECK-LABEL: func @stored
// CHECK-COUNT-2: memref.alloc
func.func @stored(%x: f32, %to: memref<memref<8xf32>>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  %r = memref.alloc() : memref<8xf32>
  memref.store %r, %to[] : memref<memref<8xf32>>
  linalg.fill ins(%v : f32) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
// CHECK-LABEL: func @twice
// CHECK-COUNT-2: memref.alloc
func.func @twice(%x: f32) -> (memref<8xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<8xf32>)
  return %r, %r : memref<8xf32>, memref<8xf32>
}
// CHECK-LABEL: func @argument
// CHECK:         memref.alloc
func.func @argument(%x: f32, %r: memref<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
// CHECK-LABEL: func @kept
// CHECK-COUNT-2: memref.alloc
func.func @kept(%x: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  %r = memref.alloc() {memplan.keep} : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}

// -----

// 4. Another element type, memory space, size or alignment; a buffer that is needed while the result is; an empty one.
// CHECK-LABEL: func @others
// CHECK:         memref.alloc() : memref<8xi32>
// CHECK:         memref.alloc() : memref<8xf32, 1>
// CHECK:         memref.alloc() : memref<9xf32>
// CHECK:         memref.alloc() {alignment = 256 : i64} : memref<8xf32>
// CHECK:         memref.alloc() : memref<8xf32>
// CHECK:         memref.alloc() : memref<8xf32>
func.func @others(%x: f32, %i: i32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%i : i32) outs(%a : memref<8xi32>)
  %u = memref.load %a[%c0] : memref<8xi32>
  %b = memref.alloc() : memref<8xf32, 1>
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32, 1>)
  %v = memref.load %b[%c0] : memref<8xf32, 1>
  %d = memref.alloc() : memref<9xf32>
  linalg.fill ins(%v : f32) outs(%d : memref<9xf32>)
  %w = memref.load %d[%c0] : memref<9xf32>
  %e = memref.alloc() {alignment = 256 : i64} : memref<8xf32>
  linalg.fill ins(%w : f32) outs(%e : memref<8xf32>)
  memref.assume_alignment %e, 256 : memref<8xf32>
  %y = memref.load %e[%c0] : memref<8xf32>
  %both = memref.alloc() : memref<8xf32>
  linalg.fill ins(%y : f32) outs(%both : memref<8xf32>)
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%r : memref<8xf32>)
  linalg.exp ins(%both : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
// CHECK-LABEL: func @empty
// CHECK:         memref.alloc() : memref<0xf32>
// CHECK:         memref.alloc() : memref<0xf32>
func.func @empty(%x: f32) -> memref<0xf32> {
  %a = memref.alloc() : memref<0xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<0xf32>)
  %r = memref.alloc() : memref<0xf32>
  linalg.fill ins(%x : f32) outs(%r : memref<0xf32>)
  return %r : memref<0xf32>
}

// -----

// 5. A call between that allocates: while it runs, the function would hold the result beside what the call holds.
// CHECK-LABEL: func @calls
// CHECK:         memref.alloc() : memref<16xf32>
// CHECK:         call @callee
// CHECK:         memref.alloc() : memref<16xf32>
func.func @calls(%x: f32) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = memref.load %a[%c0] : memref<16xf32>
  %w = func.call @callee(%v) : (f32) -> f32
  %r = memref.alloc() : memref<16xf32>
  linalg.fill ins(%w : f32) outs(%r : memref<16xf32>)
  return %r : memref<16xf32>
}
func.func @callee(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<32xf32>)
  %v = memref.load %a[%c0] : memref<32xf32>
  return %v : f32
}

// -----

// 6. A callee may rely on an alignment that the result does not have: it has a vector operation, or no body.
// CHECK-LABEL: func @aligned
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// CHECK:         memref.alloc() : memref<16xf32>
func.func private @vectors(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %aligned = memref.assume_alignment %x, 64 : memref<16xf32>
  %v = arith.constant dense<1.0> : vector<8xf32>
  vector.store %v, %aligned[%c0] {alignment = 32 : i64} : memref<16xf32>, vector<8xf32>
  return
}
func.func private @unknown(memref<16xf32>) attributes {memplan.nocallback}
func.func @aligned() -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  call @vectors(%a) : (memref<16xf32>) -> ()
  %u = memref.load %a[%c0] : memref<16xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  call @unknown(%b) : (memref<16xf32>) -> ()
  %v = memref.load %b[%c0] : memref<16xf32>
  %s = arith.addf %u, %v : f32
  %r = memref.alloc() : memref<16xf32>
  linalg.fill ins(%s : f32) outs(%r : memref<16xf32>)
  return %r : memref<16xf32>
}
