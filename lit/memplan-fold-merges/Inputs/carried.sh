# Loops and branches that merge many memrefs: bash carried.sh KIND COUNT
#   swapped  a loop carries one memref COUNT times, each passed to the place of the next one
#   each     a loop carries COUNT memrefs, each of which is allocated again in each iteration; the older one is copied
#   blocks   a block of COUNT arguments that are one memref each, which branches to itself
#   nested   COUNT branches, each in the one before, by a constant flag
all() { # of PATTERN, with @ for each number
    printf '%s' "${1//@/0}"
    for ((at = 1; at < count; at++)); do
        printf '%s' ", ${1//@/$at}"
    done
}
kind=$1 count=$2
type='memref<4xi64>'
types=$(all "$type")
echo "func.func @carried(%x: $type, %n: index, %c: i1) {"
echo '  %c0 = arith.constant 0 : index'
echo '  %c1 = arith.constant 1 : index'
case $kind in
swapped)
    echo "  %r:$count = scf.for %i = %c0 to %n step %c1 iter_args($(all '%m@ = %x')) -> ($types) {"
    echo "    memref.copy %m0, %x : $type to $type"
    echo "    scf.yield $(all '%m@' | sed 's/^\([^,]*\), \(.*\)$/\2, \1/') : $types"
    echo '  }'
    ;;
each)
    for ((at = 0; at < count; at++)); do
        echo "  %a$at = memref.alloc() : $type"
    done
    echo "  %r:$count = scf.for %i = %c0 to %n step %c1 iter_args($(all '%m@ = %a@')) -> ($types) {"
    for ((at = 0; at < count; at++)); do
        echo "    %b$at = memref.alloc() : $type"
        echo "    memref.copy %m$at, %b$at : $type to $type"
    done
    echo "    scf.yield $(all '%b@') : $types"
    echo '  }'
    for ((at = 0; at < count; at++)); do
        echo "  memref.copy %r#$at, %x : $type to $type"
    done
    ;;
blocks)
    echo "  cf.br ^bb1($(all '%x') : $types)"
    echo "^bb1($(all "%m@: $type")):"
    echo "  memref.copy %m0, %x : $type to $type"
    echo "  cf.cond_br %c, ^bb1($(all '%m@' | sed 's/^\([^,]*\), \(.*\)$/\2, \1/') : $types), ^bb2"
    echo '^bb2:'
    ;;
nested)
    echo '  %true = arith.constant true'
    for ((at = 0; at < count; at++)); do
        echo "  %r$at = scf.if %true -> $type {"
    done
    echo "  memref.copy %x, %x : $type to $type"
    echo "  scf.yield %x : $type"
    for ((at = count - 1; at >= 0; at--)); do
        echo "  } else {"
        echo "  scf.yield %x : $type"
        echo '  }'
        [ $at -eq 0 ] || echo "  scf.yield %r$at : $type"
    done
    echo "  memref.copy %r0, %x : $type to $type"
    ;;
esac
echo '  return'
echo '}'
