func.func @f(%x: memref<64xf32> loc("x"), %y: memref<64xf32> loc("y"), %c: i1 loc("c")) {
  %a = memref.alloc() : memref<64xf32> loc("a")
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32> loc("b")
  linalg.abs ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  scf.if %c {
    linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  } else {
    memref.copy %b, %x : memref<64xf32> to memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  }
  return
}
