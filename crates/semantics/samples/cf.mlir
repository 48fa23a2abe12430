// cf.br
func.func @br(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  cf.br ^next(%a : memref<4x4xf32>)
^next(%t: memref<4x4xf32>):
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// cf.cond_br
func.func @cond_br(%x: f32, %y: memref<4x4xf32>, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  cf.cond_br %which, ^next(%a : memref<4x4xf32>), ^next(%y : memref<4x4xf32>)
^next(%t: memref<4x4xf32>):
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// cf.cond_br: a loop that carries the memref
func.func @cond_br_loop(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  cf.br ^head(%a, %c0 : memref<4x4xf32>, index)
^head(%t: memref<4x4xf32>, %i: index):
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %next, %n : index
  cf.cond_br %more, ^head(%t, %next : memref<4x4xf32>, index), ^end
^end:
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// cf.switch
func.func @switch(%x: f32, %y: memref<4x4xf32>, %which: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  cf.switch %which : i32, [
    default: ^next(%a : memref<4x4xf32>),
    1: ^next(%y : memref<4x4xf32>)
  ]
^next(%t: memref<4x4xf32>):
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// cf.assert
func.func @assert(%x: f32, %holds: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  cf.assert %holds, "holds"
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
