// builtin.unrealized_conversion_cast
// compile: no
func.func @unrealized_conversion_cast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = builtin.unrealized_conversion_cast %a : memref<4x4xf32> to memref<16xf32>
  %v = memref.load %t[%c0] : memref<16xf32>
  return %v : f32
}
// -----
// builtin.unrealized_conversion_cast: to a descriptor of LLVM
func.func @unrealized_conversion_cast_descriptor(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %t = builtin.unrealized_conversion_cast %a
      : memref<4xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %p = llvm.extractvalue %t[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %v = llvm.load %p : !llvm.ptr -> f32
  return %v : f32
}
// -----
// builtin.module
builtin.module {
  func.func @module(%x: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<4x4xf32>
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
    return %v : f32
  }
}
