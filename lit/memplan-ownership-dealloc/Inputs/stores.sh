# A function of many stores of memrefs: bash stores.sh blocks|branches COUNT
# blocks: each block passes its argument on, and stores it where the caller can see it. branches: each stores memory of
# its own in a memref of memrefs, which is read at the end.
if [ "$1" = blocks ]; then
    echo 'func.func @stores(%nested: memref<?xmemref<8xf32>>, %i: index) {'
    echo '  %a = memref.alloc() : memref<8xf32>'
    echo '  cf.br ^next0(%a : memref<8xf32>)'
    for ((at = 0; at < $2; at++)); do
        echo "^next$at(%p$at: memref<8xf32>):"
        echo "  memref.store %p$at, %nested[%i] : memref<?xmemref<8xf32>>"
        echo "  cf.br ^next$((at + 1))(%p$at : memref<8xf32>)"
    done
    echo "^next$2(%p: memref<8xf32>):"
    echo '  return'
else
    echo 'func.func @stores(%c: i1, %i: index) -> f32 {'
    echo '  %nested = memref.alloc() : memref<8xmemref<8xf32>>'
    for ((at = 0; at < $2; at++)); do
        echo '  scf.if %c {'
        echo "    %a$at = memref.alloc() : memref<8xf32>"
        echo "    memref.store %a$at, %nested[%i] : memref<8xmemref<8xf32>>"
        echo '  }'
    done
    echo '  %l = memref.load %nested[%i] : memref<8xmemref<8xf32>>'
    echo '  %x = memref.load %l[%i] : memref<8xf32>'
    echo '  return %x : f32'
fi
echo '}'
