# A chain of branches, each of which gives the buffer before or a new one. Each buffer is read after the next branch: bash chain.sh COUNT
count=$1
echo 'func.func @chain(%c: i1, %x: f32, %i: index) {'
echo '  %b0 = memref.alloc() : memref<8xf32>'
for ((at = 0; at < count; at++)); do
    echo "  %b$((at + 1)) = scf.if %c -> (memref<8xf32>) {"
    echo "    %n$at = memref.alloc() : memref<8xf32>"
    echo "    scf.yield %n$at : memref<8xf32>"
    echo '  } else {'
    echo "    scf.yield %b$at : memref<8xf32>"
    echo '  }'
    echo "  memref.store %x, %b$at[%i] : memref<8xf32>"
done
echo "  memref.store %x, %b$count[%i] : memref<8xf32>"
echo '  return'
echo '}'
