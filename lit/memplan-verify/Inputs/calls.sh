# Calls that each return one of two arguments, the result of the call before and a new buffer: bash calls.sh COUNT
count=$1
echo 'func.func private @pick(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> memref<4xf32> {'
echo '  %r = arith.select %c, %a, %b : memref<4xf32>'
echo '  return %r : memref<4xf32>'
echo '}'
echo 'func.func @calls(%c: i1, %x: f32, %i: index) {'
echo '  %b0 = memref.alloc() : memref<4xf32>'
for ((at = 0; at < count; at++)); do
    echo "  %n$at = memref.alloc() : memref<4xf32>"
    echo "  %b$((at + 1)) = func.call @pick(%b$at, %n$at, %c) : (memref<4xf32>, memref<4xf32>, i1) -> memref<4xf32>"
done
echo "  memref.store %x, %b$count[%i] : memref<4xf32>"
echo '  return'
echo '}'
