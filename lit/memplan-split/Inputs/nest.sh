#!/usr/bin/env bash
# nest.sh LOOPS SUMS: a chain of exp, a nest with so many loops around it that run twice, whose index is a sum of so many
# steps, and a product of matrices.
set -euo pipefail
echo "func.func @nest(%x: memref<16x16xf32>, %y: memref<16x2xf32>, %z: memref<16x2xf32> {memplan.noalias}) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%a : memref<16x16xf32>)
  %b = memref.alloc() : memref<16x16xf32>
  affine.for %i = 0 to 16 {"
for ((loop = 0; loop < $1; loop++)); do echo "affine.for %k$loop = 0 to 2 {"; done
echo "affine.for %j = 0 to 16 {
  %s0 = affine.apply affine_map<(d) -> (d + 1)>(%i)"
steps=('d + 1' 'd - 1')
for ((sum = 1; sum <= $2; sum++)); do
    echo "%s$sum = affine.apply affine_map<(d) -> (${steps[sum % 2]})>(%s$((sum - 1)))"
done
echo "  %u = memref.load %a[%s$2, %j] : memref<16x16xf32>
  memref.store %u, %b[%i, %j] : memref<16x16xf32>
}"
for ((loop = 0; loop < $1; loop++)); do echo "}"; done
echo "  }
  linalg.fill ins(%zero : f32) outs(%z : memref<16x2xf32>)
  linalg.matmul ins(%b, %y : memref<16x16xf32>, memref<16x2xf32>) outs(%z : memref<16x2xf32>)
  return
}"
