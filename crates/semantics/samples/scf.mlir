// scf.if, scf.yield: gives the memref
func.func @if(%x: f32, %y: memref<4x4xf32>, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = scf.if %which -> memref<4x4xf32> {
    scf.yield %a : memref<4x4xf32>
  } else {
    scf.yield %y : memref<4x4xf32>
  }
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// scf.if, scf.yield: allocates in a branch
func.func @if_allocates(%x: f32, %y: memref<4x4xf32>, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %t = scf.if %which -> memref<4x4xf32> {
    %a = memref.alloc() : memref<4x4xf32>
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    scf.yield %a : memref<4x4xf32>
  } else {
    scf.yield %y : memref<4x4xf32>
  }
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// scf.for
func.func @for(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %a[%i, %c0] : memref<4x4xf32>
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// scf.for, scf.yield: carries the memref
func.func @for_carries(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = scf.for %i = %c0 to %c4 step %c1 iter_args(%m = %a) -> (memref<4x4xf32>) {
    memref.store %x, %m[%i, %c0] : memref<4x4xf32>
    scf.yield %m : memref<4x4xf32>
  }
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// scf.for, scf.yield: carries a memref that each iteration allocates
func.func @for_allocates(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = scf.for %i = %c0 to %c4 step %c1 iter_args(%m = %a) -> (memref<4x4xf32>) {
    %b = memref.alloc() : memref<4x4xf32>
    %y = memref.load %m[%c0, %c0] : memref<4x4xf32>
    memref.store %y, %b[%c0, %c0] : memref<4x4xf32>
    scf.yield %b : memref<4x4xf32>
  }
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// scf.while, scf.condition, scf.yield
func.func @while(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t, %end = scf.while (%m = %a, %i = %c0) : (memref<4x4xf32>, index) -> (memref<4x4xf32>, index) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %m, %i : memref<4x4xf32>, index
  } do {
  ^bb0(%m: memref<4x4xf32>, %i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %m, %next : memref<4x4xf32>, index
  }
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// scf.parallel, scf.reduce
func.func @parallel(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %x, %a[%i, %c0] : memref<4x4xf32>
    scf.reduce
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// scf.parallel, scf.reduce, scf.reduce.return: reduces
func.func @parallel_reduces(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %v = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%x) -> f32 {
    %one = memref.load %a[%i] : memref<4xf32>
    scf.reduce(%one : f32) {
    ^bb0(%left: f32, %right: f32):
      %sum = arith.addf %left, %right : f32
      scf.reduce.return %sum : f32
    }
  }
  return %v : f32
}
// -----
// scf.forall
func.func @forall(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  scf.forall (%i) in (4) {
    memref.store %x, %a[%i, %c0] : memref<4x4xf32>
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// scf.forall: allocates in each iteration, as many as a constant says
func.func @forall_allocates(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  scf.forall (%i) in (%c4) {
    %b = memref.alloc() : memref<4xf32>
    memref.store %x, %b[%i] : memref<4xf32>
    %y = memref.load %b[%i] : memref<4xf32>
    memref.store %y, %a[%i, %c0] : memref<4x4xf32>
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// scf.forall, scf.forall.in_parallel: on tensors of the memref
// compile: no
func.func @forall_in_parallel(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %whole = bufferization.to_tensor %a restrict writable : memref<4xf32> to tensor<4xf32>
  %result = scf.forall (%i) in (4) shared_outs(%t = %whole) -> (tensor<4xf32>) {
    %one = tensor.from_elements %x : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %t[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  %v = tensor.extract %result[%c0] : tensor<4xf32>
  return %v : f32
}
// -----
// scf.execute_region, scf.yield
func.func @execute_region(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = scf.execute_region -> f32 {
    %r = memref.load %a[%c0, %c0] : memref<4x4xf32>
    scf.yield %r : f32
  }
  return %v : f32
}
// -----
// scf.execute_region, scf.yield: gives the memref
func.func @execute_region_memref(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = scf.execute_region -> memref<4x4xf32> {
    %a = memref.alloc() : memref<4x4xf32>
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    scf.yield %a : memref<4x4xf32>
  }
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// scf.index_switch, scf.yield
func.func @index_switch(%x: f32, %y: memref<4x4xf32>, %which: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = scf.index_switch %which -> memref<4x4xf32>
  case 1 {
    scf.yield %a : memref<4x4xf32>
  }
  default {
    scf.yield %y : memref<4x4xf32>
  }
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
