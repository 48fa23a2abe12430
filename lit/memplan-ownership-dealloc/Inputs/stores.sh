# A function of many stores of memrefs: bash stores.sh blocks|branches COUNT
# blocks: each block hands on what it got, and stores it where the caller can see it. branches: each stores memory of its own in
# a box, which is read at the end.
if [ "$1" = blocks ]; then
    echo 'func.func @stores(%box: memref<?xmemref<8xf32>>, %i: index) {'
    echo '  %a = memref.alloc() : memref<8xf32>'
    echo '  cf.br ^next0(%a : memref<8xf32>)'
    for ((at = 0; at < $2; at++)); do
        echo "^next$at(%p$at: memref<8xf32>):"
        echo "  memref.store %p$at, %box[%i] : memref<?xmemref<8xf32>>"
        echo "  cf.br ^next$((at + 1))(%p$at : memref<8xf32>)"
    done
    echo "^next$2(%p: memref<8xf32>):"
    echo '  return'
else
    echo 'func.func @stores(%c: i1, %i: index) -> f32 {'
    echo '  %box = memref.alloc() : memref<8xmemref<8xf32>>'
    for ((at = 0; at < $2; at++)); do
        echo '  scf.if %c {'
        echo "    %a$at = memref.alloc() : memref<8xf32>"
        echo "    memref.store %a$at, %box[%i] : memref<8xmemref<8xf32>>"
        echo '  }'
    done
    echo '  %l = memref.load %box[%i] : memref<8xmemref<8xf32>>'
    echo '  %x = memref.load %l[%i] : memref<8xf32>'
    echo '  return %x : f32'
fi
echo '}'
