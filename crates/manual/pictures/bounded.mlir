func.func @f(%x: memref<4xf32>, %y: memref<8xf32>, %z: memref<16xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %y, %b : memref<8xf32> to memref<8xf32>
  scf.if %c {
    memref.copy %b, %y : memref<8xf32> to memref<8xf32>
    %d = memref.alloc() : memref<16xf32>
    memref.copy %z, %d : memref<16xf32> to memref<16xf32>
    memref.copy %d, %z : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  } else {
    memref.copy %a, %x : memref<4xf32> to memref<4xf32>
    %e = memref.alloc() : memref<16xf32>
    memref.copy %z, %e : memref<16xf32> to memref<16xf32>
    memref.copy %e, %z : memref<16xf32> to memref<16xf32>
    memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  }
  return
}
