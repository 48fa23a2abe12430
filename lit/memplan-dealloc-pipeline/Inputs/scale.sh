# Functions of COUNT buffers that frees have to tell apart: bash scale.sh KIND COUNT
#   origins   a chain of selects, each of which is copied and may be any buffer before
#   merges    the same with branches
#   copies    a function returns selects, each of which may be any argument before, and is copied
#   passed    a block allocates the buffers and passes them to the next block
#   rotating  a loop carries the buffers, each to the place of the next one
#   blocks    the same with blocks that branch
#   carried   a loop carries the buffers, and allocates each anew in each iteration
all() { # of PATTERN, with @ for each number
    printf '%s' "${1//@/0}"
    for ((at = 1; at < count; at++)); do
        printf '%s' ", ${1//@/$at}"
    done
}
each() { # line of PATTERN
    for ((at = 0; at < count; at++)); do
        printf '%s\n' "${1//@/$at}"
    done
}
rotated() { # as all, from the second one on
    all "$1" | sed 's/^\([^,]*\), \(.*\)$/\2, \1/'
}
kind=$1 count=$2
type='memref<4xi64>'
types=$(all "$type")
if [ "$kind" = copies ]; then
    echo "func.func @copies($(all "%a@: $type"), %x: $type, %c: i1) -> ($types) {"
    echo "  %s0 = arith.select %c, %a0, %x : $type"
    for ((at = 1; at < count; at++)); do
        echo "  %s$at = arith.select %c, %a$at, %s$((at - 1)) : $type"
    done
    echo "  return $(all '%s@') : $types"
    echo '}'
    exit
fi
echo "func.func @$kind(%x: $type, %n: index, %c: i1, %z: i64) {"
echo '  %c0 = arith.constant 0 : index'
echo '  %c1 = arith.constant 1 : index'
each "  %a@ = memref.alloc() : $type"
case $kind in
origins | merges)
    echo "  %s0 = arith.select %c, %a0, %x : $type"
    for ((at = 1; at < count; at++)); do
        if [ $kind = origins ]; then
            echo "  %s$at = arith.select %c, %a$at, %s$((at - 1)) : $type"
        else
            echo "  %s$at = scf.if %c -> $type {"
            echo "    scf.yield %a$at : $type"
            echo '  } else {'
            echo "    scf.yield %s$((at - 1)) : $type"
            echo '  }'
        fi
        echo "  memref.copy %s$at, %x : $type to $type"
    done
    ;;
passed)
    echo "  cf.br ^next($(all '%a@') : $types)"
    echo "^next($(all "%p@: $type")):"
    each "  memref.copy %p@, %x : $type to $type"
    ;;
rotating)
    echo "  %r:$count = scf.for %i = %c0 to %n step %c1 iter_args($(all '%m@ = %a@')) -> ($types) {"
    each "    memref.store %z, %m@[%c0] : $type"
    echo "    scf.yield $(rotated '%m@') : $types"
    echo '  }'
    each "  memref.copy %r#@, %x : $type to $type"
    ;;
blocks)
    echo "  cf.br ^again($(all '%a@') : $types)"
    echo "^again($(all "%m@: $type")):"
    each "  memref.store %z, %m@[%c0] : $type"
    echo "  cf.cond_br %c, ^again($(rotated '%m@') : $types), ^end"
    echo '^end:'
    each "  memref.copy %m@, %x : $type to $type"
    ;;
carried)
    echo "  %r:$count = scf.for %i = %c0 to %n step %c1 iter_args($(all '%m@ = %a@')) -> ($types) {"
    for ((at = 0; at < count; at++)); do
        echo "    %b$at = memref.alloc() : $type"
        echo "    memref.copy %m$at, %b$at : $type to $type"
    done
    echo "    scf.yield $(all '%b@') : $types"
    echo '  }'
    each "  memref.copy %r#@, %x : $type to $type"
    ;;
esac
echo '  return'
echo '}'
