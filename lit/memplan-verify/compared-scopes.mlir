// Addresses that leave a scope of stack memory before they are compared.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. Right: all bits of the addresses are compared.
func.func private @pick(memref<f32>, memref<f32>) -> memref<f32>
func.func @whole(%m: memref<f32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<f32>
  %s = call @pick(%a, %m) : (memref<f32>, memref<f32>) -> memref<f32>
  %both:2 = memref.alloca_scope -> (i64, i64) {
    %bytes = memref.alloca() : memref<24xi8>
    %word = memref.view %bytes[%c0][] : memref<24xi8> to memref<index>
    %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>>
    memref.store %s, %cell[] : memref<memref<f32>>
    %first = memref.load %word[] : memref<index>
    memref.store %m, %cell[] : memref<memref<f32>>
    %second = memref.load %word[] : memref<index>
    %one = arith.index_castui %first : index to i64
    %other = arith.index_castui %second : index to i64
    memref.alloca_scope.return %one, %other : i64, i64
  }
  %same = arith.cmpi eq, %both#0, %both#1 : i64
  scf.if %same {
    memref.dealloc %s : memref<f32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 2. Wrong: only some bits of the addresses are compared.
func.func private @pick(memref<f32>, memref<f32>) -> memref<f32>
func.func @low(%m: memref<f32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<f32>
  %s = call @pick(%a, %m) : (memref<f32>, memref<f32>) -> memref<f32>
  %both:2 = memref.alloca_scope -> (i16, i16) {
    %bytes = memref.alloca() : memref<24xi8>
    %word = memref.view %bytes[%c0][] : memref<24xi8> to memref<index>
    %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>>
    memref.store %s, %cell[] : memref<memref<f32>>
    %first = memref.load %word[] : memref<index>
    memref.store %m, %cell[] : memref<memref<f32>>
    %second = memref.load %word[] : memref<index>
    %one = arith.index_castui %first : index to i16
    %other = arith.index_castui %second : index to i16
    memref.alloca_scope.return %one, %other : i16, i16
  }
  %same = arith.cmpi eq, %both#0, %both#1 : i16
  scf.if %same {
    // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
    memref.dealloc %s : memref<f32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// -----

// 3. Refused: an address leaves the scope for another use than to be compared.
func.func private @use(i64)
func.func @used() {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<f32>
  %p = memref.alloca_scope -> (i64) {
    %bytes = memref.alloca() : memref<24xi8>
    %word = memref.view %bytes[%c0][] : memref<24xi8> to memref<index>
    %cell = memref.view %bytes[%c0][] : memref<24xi8> to memref<memref<f32>>
    // expected-error @+1 {{buffer 0 escapes: it is stored or captured, but its bytes belong to the arena [memplan-E207]}}
    memref.store %a, %cell[] : memref<memref<f32>>
    %first = memref.load %word[] : memref<index>
    %one = arith.index_castui %first : index to i64
    memref.alloca_scope.return %one : i64
  }
  func.call @use(%p) : (i64) -> ()
  memref.dealloc %arena : memref<32xi8>
  return
}
