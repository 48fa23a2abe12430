// Right plans in which a deallocation under a flag may have a buffer as its operand.
// tests/verify_faults.rs seeds faults into them: see valid-straight-line.mlir.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-verify)' -o /dev/null

func.func private @use(memref<16xf32>)

// A loop carries a buffer, then heap memory.
// fault: iter_args(%m = %a, %owned = %false) => iter_args(%m = %a, %owned = %true)
// fault: scf.yield %b, %true => scf.yield %a, %true
// fault: scf.if %owned { => scf.if %true {
// fault: scf.if %r#1 { => scf.if %c {
func.func @carried(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %at0 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a, %owned = %false) -> (memref<16xf32>, i1) {
    func.call @use(%m) : (memref<16xf32>) -> ()
    scf.if %owned {
      memref.dealloc %m : memref<16xf32>
    }
    %b = memref.alloc() : memref<16xf32>
    scf.yield %b, %true : memref<16xf32>, i1
  }
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<16xf32>
  }
  memref.dealloc %arena : memref<64xi8>
  return
}

// Two memrefs swap places in a loop of blocks, and so do their flags; the free asks for both.
// fault: ^loop(%q, %p, %of_q, %of_p => ^loop(%p, %q, %of_q, %of_p
// fault: ^loop(%a, %b, %false, %true => ^loop(%a, %b, %true, %true
// fault: %both = arith.andi %of_p, %d => %both = arith.ori %of_p, %d
// fault: %both = arith.andi %of_p, %d => %both = arith.xori %of_p, %d
// fault: cf.cond_br %both, ^first, ^done => cf.cond_br %both, ^done, ^first
// fault: cf.cond_br %both, ^first, ^done => cf.cond_br %d, ^first, ^done
func.func @swapped(%c: i1, %d: i1) {
  %at0 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  cf.br ^loop(%a, %b, %false, %true : memref<16xf32>, memref<16xf32>, i1, i1)
^loop(%p: memref<16xf32>, %q: memref<16xf32>, %of_p: i1, %of_q: i1):
  memref.copy %p, %q : memref<16xf32> to memref<16xf32>
  %both = arith.andi %of_p, %d : i1
  cf.cond_br %c, ^loop(%q, %p, %of_q, %of_p : memref<16xf32>, memref<16xf32>, i1, i1), ^after
^after:
  cf.cond_br %both, ^first, ^done
^first:
  memref.dealloc %p : memref<16xf32>
  cf.br ^done
^done:
  memref.dealloc %arena : memref<64xi8>
  return
}
