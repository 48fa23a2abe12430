// Right plans in which deallocation loads the base of a memref from bytes on the stack, or compares what is stored there.
// tests/verify_faults.rs seeds faults into them: see valid-straight-line.mlir.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-verify)' -o /dev/null

func.func private @write(memref<memref<f32>>)

// A loop carries a buffer, then heap memory, and frees the base of what it carried before.
// apart: 0-1
// fault: memref.store %m, %cell[] => memref.store %start, %cell[]
// fault: memref.store %m, %cell[] : memref<memref<f32>> => scf.if %c { memref.store %m, %cell[] : memref<memref<f32>> }
// fault: memref.store %first, %words[%c1] => memref.store %n, %words[%c1]
// fault: %base = memref.load => memref.store %start, %cell[] : memref<memref<f32>> %base = memref.load
// fault: %base = memref.load => scf.if %c { memref.store %start, %cell[] : memref<memref<f32>> } %base = memref.load
// fault: %base = memref.load => func.call @write(%cell) : (memref<memref<f32>>) -> () %base = memref.load
// fault: memref.view %bytes[%c0][] : memref<24xi8> to memref<2xindex> => memref.view %bytes[%c8][] : memref<24xi8> to memref<2xindex>
// fault: memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>> => memref.view %bytes[%c8][] : memref<24xi8> to memref<memref<f32>>
// fault: scf.if %owned { => memref.store %x, %base[] : memref<f32> scf.if %owned {
// fault: scf.if %owned { => %y = memref.load %base[] : memref<f32> scf.if %owned {
// fault: scf.if %owned { => scf.if %true {
// fault: scf.if %owned { => scf.if %c {
// fault: iter_args(%m = %start, %owned = %false) => iter_args(%m = %start, %owned = %true)
// fault: scf.yield %next, %true => scf.yield %start, %true
// fault: scf.yield %next, %true => scf.yield %base, %true
// fault: scf.if %r#1 { => scf.if %true {
func.func @carried(%n: index, %c: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %at0 = arith.constant 64 : index
  %at1 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %bytes = memref.alloca() {alignment = 16 : i64} : memref<24xi8>
  %words = memref.view %bytes[%c0][] : memref<24xi8> to memref<2xindex>
  %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>>
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<128xi8>
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %start = memref.reinterpret_cast %a to offset: [0], sizes: [], strides: [] : memref<16xf32> to memref<f32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %start, %owned = %false) -> (memref<f32>, i1) {
    %value = memref.load %m[] : memref<f32>
    memref.store %m, %cell[] : memref<memref<f32>>
    %first = memref.load %words[%c0] : memref<2xindex>
    memref.store %first, %words[%c1] : memref<2xindex>
    %base = memref.load %cell[] : memref<memref<f32>>
    scf.if %owned {
      memref.dealloc %base : memref<f32>
    }
    %new = memref.alloc() : memref<16xf32>
    linalg.exp ins(%b : memref<16xf32>) outs(%new : memref<16xf32>)
    %next = memref.reinterpret_cast %new to offset: [0], sizes: [], strides: [] : memref<16xf32> to memref<f32>
    scf.yield %next, %true : memref<f32>, i1
  }
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<f32>
  }
  memref.dealloc %arena : memref<128xi8>
  return
}

// Two memrefs swap places in a loop of blocks. One is replaced by itself or by new memory, and is freed if it is owned and is
// not what replaces it; else what replaces it is owned.
// fault: %kept = arith.andi %same, %of_q => %kept = arith.andi %same, %of_p
// fault: %kept = arith.andi %same, %of_q => %kept = arith.ori %same, %of_q
// fault: %kept = arith.andi %same, %of_q => %kept = arith.andi %same, %c
// fault: %is_new = arith.xori %c, %true => %is_new = arith.xori %c, %false
// fault: %left = arith.andi %other, %of_q => %left = arith.ori %other, %of_q
// fault: %left = arith.andi %other, %of_q => %left = arith.andi %other, %of_p
// fault: ^loop(%p: memref<f32>, %q: memref<f32>, %of_p: i1, %of_q: i1) => ^loop(%p: memref<f32>, %q: memref<f32>, %of_q: i1, %of_p: i1)
// fault: ^loop(%start, %heap, %false, %true => ^loop(%start, %heap, %true, %true
// fault: ^loop(%s, %p, %of_s, %of_p => ^loop(%s, %p, %of_p, %of_s
// fault: cf.cond_br %left, ^free, ^next => cf.cond_br %left, ^next, ^free
func.func @compared(%c: i1, %last: i1) {
  %c0 = arith.constant 0 : index
  %at0 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %bytes = memref.alloca() {alignment = 16 : i64} : memref<24xi8>
  %word = memref.view %bytes[%c0][] : memref<24xi8> to memref<index>
  %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>>
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  %start = memref.reinterpret_cast %a to offset: [0], sizes: [], strides: [] : memref<16xf32> to memref<f32>
  %heap = memref.alloc() : memref<f32>
  cf.br ^loop(%start, %heap, %false, %true : memref<f32>, memref<f32>, i1, i1)
^loop(%p: memref<f32>, %q: memref<f32>, %of_p: i1, %of_q: i1):
  %new = memref.alloc() : memref<f32>
  %s = arith.select %c, %q, %new : memref<f32>
  memref.store %q, %cell[] : memref<memref<f32>>
  %first = memref.load %word[] : memref<index>
  memref.store %s, %cell[] : memref<memref<f32>>
  %second = memref.load %word[] : memref<index>
  %same = arith.cmpi eq, %first, %second : index
  %other = arith.xori %same, %true : i1
  %left = arith.andi %other, %of_q : i1
  cf.cond_br %left, ^free, ^next
^free:
  memref.dealloc %q : memref<f32>
  cf.br ^next
^next:
  %kept = arith.andi %same, %of_q : i1
  %is_new = arith.xori %c, %true : i1
  %of_s = arith.ori %kept, %is_new : i1
  cf.cond_br %last, ^end, ^loop(%s, %p, %of_s, %of_p : memref<f32>, memref<f32>, i1, i1)
^end:
  memref.dealloc %arena : memref<64xi8>
  return
}
