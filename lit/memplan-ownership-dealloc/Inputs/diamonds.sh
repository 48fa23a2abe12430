# A function with a row of branches that meet again: bash diamonds.sh COUNT
echo 'func.func @diamonds(%x: memref<8xf32>, %c: i1) {'
echo '  %a = memref.alloc() : memref<8xf32>'
echo '  cf.br ^head0(%a : memref<8xf32>)'
for ((at = 0; at < $1; at++)); do
    echo "^head$at(%p$at: memref<8xf32>):"
    echo "  cf.cond_br %c, ^left$at, ^right$at"
    echo "^left$at:"
    echo "  %b$at = memref.alloc() : memref<8xf32>"
    echo "  memref.copy %p$at, %b$at : memref<8xf32> to memref<8xf32>"
    echo "  cf.br ^head$((at + 1))(%b$at : memref<8xf32>)"
    echo "^right$at:"
    echo "  cf.br ^head$((at + 1))(%p$at : memref<8xf32>)"
done
echo "^head$1(%p: memref<8xf32>):"
echo '  memref.copy %p, %x : memref<8xf32> to memref<8xf32>'
echo '  return'
echo '}'
