func.func @f(%x: memref<256xf32>, %y: memref<256xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  linalg.exp ins(%x : memref<256xf32>) outs(%a : memref<256xf32>)
  memref.copy %a, %y : memref<256xf32> to memref<256xf32>
  linalg.abs ins(%x : memref<256xf32>) outs(%b : memref<256xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %c = memref.alloc() : memref<256xf32>
    linalg.exp ins(%y : memref<256xf32>) outs(%c : memref<256xf32>)
    linalg.add ins(%c, %b : memref<256xf32>, memref<256xf32>) outs(%y : memref<256xf32>)
  }
  linalg.exp ins(%y : memref<256xf32>) outs(%a : memref<256xf32>)
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  return
}
