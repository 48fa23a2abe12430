# A call that gives buffers, which may be each other: bash results.sh COUNT
count=$1
types='memref<8xf32>'
for ((at = 1; at < count; at++)); do
    types+=', memref<8xf32>'
done
echo "func.func private @give() -> ($types)"
echo 'func.func @results(%x: f32, %i: index) {'
echo "  %r:$count = call @give() : () -> ($types)"
for ((at = 0; at < count; at++)); do
    echo "  memref.store %x, %r#$at[%i] : memref<8xf32>"
done
echo '  return'
echo '}'
