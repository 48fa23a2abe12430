func.func private @scaled(%n: index loc("n"), %x: memref<?xf32> loc("x")) -> memref<?xf32> {
  %t = memref.alloc(%n) : memref<?xf32> loc("own")
  linalg.exp ins(%x : memref<?xf32>) outs(%t : memref<?xf32>)
  %r = memref.alloc(%n) : memref<?xf32> loc("result")
  linalg.add ins(%t, %x : memref<?xf32>, memref<?xf32>) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}
func.func @f(%n: index loc("n"), %x: memref<?xf32> loc("x")) {
  %y = call @scaled(%n, %x) : (index, memref<?xf32>) -> memref<?xf32> loc("region")
  %z = call @scaled(%n, %y) : (index, memref<?xf32>) -> memref<?xf32> loc("z")
  linalg.add ins(%y, %z : memref<?xf32>, memref<?xf32>) outs(%x : memref<?xf32>)
  return
}
