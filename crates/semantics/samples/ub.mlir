// ub.poison
func.func @poison(%x: f32, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %p = ub.poison : memref<4x4xf32>
  %t = arith.select %which, %a, %p : memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// ub.unreachable
func.func @unreachable(%x: f32, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  cf.cond_br %which, ^next, ^never
^next:
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
^never:
  ub.unreachable
}
