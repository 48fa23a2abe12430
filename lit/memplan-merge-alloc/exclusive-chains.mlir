// Branches that exclude each other over several levels share bytes, whatever the sizes of their buffers.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify report=%t.json})' \
// RUN:   --split-input-file | FileCheck %s
// RUN: memplan table %t.json | FileCheck %s --check-prefix=TABLE
// TABLE: 6 arenas for 19 allocations

// 1. An else-if: two levels, the inner result also written where it is.
// CHECK-LABEL: func @else_if
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
func.func @else_if(%p: i1, %q: i1, %in: memref<64xf32>, %out: memref<64xf32>) {
  %r = scf.if %p -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    scf.yield %a : memref<64xf32>
  } else {
    %i = scf.if %q -> memref<64xf32> {
      %b = memref.alloc() : memref<64xf32>
      memref.copy %in, %b : memref<64xf32> to memref<64xf32>
      scf.yield %b : memref<64xf32>
    } else {
      %c = memref.alloc() : memref<64xf32>
      memref.copy %out, %c : memref<64xf32> to memref<64xf32>
      scf.yield %c : memref<64xf32>
    }
    linalg.exp ins(%i : memref<64xf32>) outs(%i : memref<64xf32>)
    scf.yield %i : memref<64xf32>
  }
  linalg.exp ins(%r : memref<64xf32>) outs(%r : memref<64xf32>)
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 2. The same of blocks.
// CHECK-LABEL: func @blocks
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
func.func @blocks(%which: i32, %in: memref<64xf32>, %out: memref<64xf32>) {
  cf.switch %which : i32, [
    default: ^one,
    1: ^two,
    2: ^three
  ]
^one:
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  cf.br ^end(%a : memref<64xf32>)
^two:
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  cf.br ^both(%b : memref<64xf32>)
^three:
  %c = memref.alloc() : memref<64xf32>
  memref.copy %in, %c : memref<64xf32> to memref<64xf32>
  cf.br ^both(%c : memref<64xf32>)
^both(%i: memref<64xf32>):
  linalg.exp ins(%i : memref<64xf32>) outs(%i : memref<64xf32>)
  cf.br ^end(%i : memref<64xf32>)
^end(%r: memref<64xf32>):
  linalg.exp ins(%r : memref<64xf32>) outs(%r : memref<64xf32>)
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 3. Buffers of three sizes: the bytes of the largest.
// CHECK-LABEL: func @sizes
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
func.func @sizes(%p: i1, %q: i1, %in: memref<64xf32>, %half: memref<32xf32>, %x: f32, %out: memref<?xf32>) {
  %r = scf.if %p -> (memref<?xf32>) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    %k = memref.cast %a : memref<16xf32> to memref<?xf32>
    scf.yield %k : memref<?xf32>
  } else {
    %i = scf.if %q -> (memref<?xf32>) {
      %a = memref.alloc() : memref<64xf32>
      memref.copy %in, %a : memref<64xf32> to memref<64xf32>
      %k = memref.cast %a : memref<64xf32> to memref<?xf32>
      scf.yield %k : memref<?xf32>
    } else {
      %a = memref.alloc() : memref<32xf32>
      memref.copy %half, %a : memref<32xf32> to memref<32xf32>
      %k = memref.cast %a : memref<32xf32> to memref<?xf32>
      scf.yield %k : memref<?xf32>
    }
    linalg.exp ins(%i : memref<?xf32>) outs(%i : memref<?xf32>)
    scf.yield %i : memref<?xf32>
  }
  linalg.exp ins(%r : memref<?xf32>) outs(%r : memref<?xf32>)
  memref.copy %r, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 4. In one place, the small buffer would take the bytes of the large one while another is live: apart is better.
// CHECK-LABEL: func @apart
// CHECK:         memref.alloc() {{.*}} : memref<320xi8>
func.func @apart(%p: i1, %in: memref<64xf32>, %x: f32, %out: memref<?xf32>) {
  %s = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<16xf32>)
  %r = scf.if %p -> (memref<?xf32>) {
    %b = memref.alloc() : memref<64xf32>
    memref.copy %in, %b : memref<64xf32> to memref<64xf32>
    memref.copy %b, %in : memref<64xf32> to memref<64xf32>
    %k = memref.cast %s : memref<16xf32> to memref<?xf32>
    scf.yield %k : memref<?xf32>
  } else {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    %k = memref.cast %a : memref<64xf32> to memref<?xf32>
    scf.yield %k : memref<?xf32>
  }
  memref.copy %r, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 5. The inner result is needed after the outer one: two values need each buffer at once, so they stay apart.
// CHECK-LABEL: func @inner_needed
// CHECK:         memref.alloc() {{.*}} : memref<768xi8>
func.func @inner_needed(%p: i1, %q: i1, %in: memref<64xf32>, %out: memref<64xf32>) {
  %i = scf.if %q -> memref<64xf32> {
    %b = memref.alloc() : memref<64xf32>
    memref.copy %in, %b : memref<64xf32> to memref<64xf32>
    scf.yield %b : memref<64xf32>
  } else {
    %c = memref.alloc() : memref<64xf32>
    memref.copy %out, %c : memref<64xf32> to memref<64xf32>
    scf.yield %c : memref<64xf32>
  }
  %r = scf.if %p -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    scf.yield %a : memref<64xf32>
  } else {
    scf.yield %i : memref<64xf32>
  }
  linalg.exp ins(%r : memref<64xf32>) outs(%r : memref<64xf32>)
  linalg.add ins(%i, %r : memref<64xf32>, memref<64xf32>) outs(%out : memref<64xf32>)
  return
}

// -----

// 6. A switch in a switch.
// CHECK-LABEL: func @switches
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
func.func @switches(%p: index, %in: memref<64xf32>, %out: memref<64xf32>) {
  %r = scf.index_switch %p -> memref<64xf32>
  case 0 {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    scf.yield %a : memref<64xf32>
  }
  default {
    %i = scf.index_switch %p -> memref<64xf32>
    case 1 {
      %a = memref.alloc() : memref<64xf32>
      memref.copy %in, %a : memref<64xf32> to memref<64xf32>
      scf.yield %a : memref<64xf32>
    }
    case 2 {
      %a = memref.alloc() : memref<64xf32>
      memref.copy %out, %a : memref<64xf32> to memref<64xf32>
      scf.yield %a : memref<64xf32>
    }
    default {
      %a = memref.alloc() : memref<64xf32>
      linalg.exp ins(%in : memref<64xf32>) outs(%a : memref<64xf32>)
      scf.yield %a : memref<64xf32>
    }
    scf.yield %i : memref<64xf32>
  }
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  return
}
