# A loop that carries buffers, each of which is itself or the next one after an iteration: bash rotation.sh COUNT
all() { # of PATTERN, with @ for each number
    local at all=${1//@/0}
    for ((at = 1; at < count; at++)); do
        all+=", ${1//@/$at}"
    done
    echo "$all"
}
count=$1
types=$(all 'memref<8xf32>')
echo 'func.func @rotation(%n: index, %x: f32, %c: i1) {'
echo '  %c0 = arith.constant 0 : index'
echo '  %c1 = arith.constant 1 : index'
for ((at = 0; at < count; at++)); do
    echo "  %a$at = memref.alloc() : memref<8xf32>"
done
echo "  %r:$count = scf.for %i = %c0 to %n step %c1 iter_args($(all '%p@ = %a@')) -> ($types) {"
for ((at = 0; at < count; at++)); do
    echo "    memref.store %x, %p$at[%i] : memref<8xf32>"
    echo "    %s$at = arith.select %c, %p$at, %p$(((at + 1) % count)) : memref<8xf32>"
done
echo "    scf.yield $(all '%s@') : $types"
echo '  }'
echo '  memref.store %x, %r#0[%n] : memref<8xf32>'
echo '  return'
echo '}'
