// Invalid options are reported, by mlir-opt, by memplan-opt and by memplan compile.
// 1. A wrong value, a value that a later pass rejects, and an unknown option.
// RUN: split-file %s %t
// RUN: bash %t/refused 1 %t -- %memplan-opt %t/good.mlir --pass-pipeline='builtin.module(memplan{OPTIONS})'
// RUN: bash %t/refused 1 %t -- memplan-opt %t/good.mlir --memplan=OPTIONS
// RUN: bash %t/refused 2 %t -- memplan compile %t/good.mlir -o %t/good.o --memplan OPTIONS
// 2. A program that cannot be freed, in words that come once, although there are two versions of the function then.
// RUN: not %memplan-opt %t/bad.mlir --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan{dynamic=regions})' 2> %t/errors
// RUN: FileCheck %s --check-prefix=ONCE < %t/errors
// ONCE-COUNT-1: error: 'test.op' has unknown effects on memrefs
// ONCE-NOT:     error:
// 3. So do warnings.
// RUN: %memplan-opt %t/kept.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan{dynamic=regions})' -o %t/kept.out 2> %t/warnings
// RUN: FileCheck %s --check-prefix=WARNS < %t/warnings
// RUN: FileCheck %s --check-prefix=VERSIONS < %t/kept.out
// WARNS-COUNT-1: warning: is not freed
// WARNS-NOT:     warning:
// VERSIONS: func.func private @make_in_region

//--- refused
# refused CODE FOLDER -- COMMAND: runs the command with each line of options; it has to print the message after them, and
# to end with the code.
code=$1 folder=$2
shift 3
while IFS='|' read -r options message; do
    [[ $options ]] || continue
    status=0
    "${@/OPTIONS/$options}" > "$folder/said" 2>&1 || status=$?
    [[ $status == "$code" ]] && grep -qF -- "$message" "$folder/said" ||
        { echo "$options: $status, and not $code with: $message"; cat "$folder/said"; exit 1; }
done < "$folder/options"

//--- options
alignment=3|memplan: option 'alignment' takes a power of two in bytes from 1 B to 1 GiB, not '3'
dynamic=pages|memplan: option 'dynamic' takes one of slots, regions, malloc, not 'pages'
verify=2|memplan: option 'verify' takes true or false, not '2'
planner=none|memplan: option 'planner' takes one of auto, plain
capacity=64:x|memplan-merge-alloc: option 'capacity' takes [SPACE:]BYTES
spill=1|memplan-merge-alloc: option 'spill' takes SPACE->SPACE
split=none elide=none reorder=none reuse=none min-size=2 max-size=1|memplan-assign-spaces: min-size=2 is above max-size=1
split=none elide=none min-size=2 max-size=1|memplan-reorder: min-size=2 is above max-size=1
min-size=2 max-size=1|memplan-split: min-size=2 is above max-size=1
dynamic=regions alignment=8|memplan-regions: option 'alignment' takes a power of two in bytes from 16 B
places=none|no such option places

//--- good.mlir
func.func @f(%x: memref<64xf32>) {
  return
}

//--- bad.mlir
func.func @make(%n: index, %x: memref<?xf32>) -> memref<?xf32> {
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %r : memref<?xf32> to memref<?xf32>
  "test.op"(%x) : (memref<?xf32>) -> ()
  return %r : memref<?xf32>
}
func.func @g(%n: index, %x: memref<?xf32>) {
  %y = call @make(%n, %x) : (index, memref<?xf32>) -> memref<?xf32>
  memref.copy %y, %x : memref<?xf32> to memref<?xf32>
  return
}

//--- kept.mlir
func.func @make(%n: index, %x: memref<?xf32>, %k: memref<1xmemref<?xf32>>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %r = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %r : memref<?xf32> to memref<?xf32>
  %s = memref.alloc(%n) : memref<?xf32>
  memref.store %s, %k[%c0] : memref<1xmemref<?xf32>>
  return %r : memref<?xf32>
}
func.func @g(%n: index, %x: memref<?xf32>, %k: memref<1xmemref<?xf32>>) {
  %y = call @make(%n, %x, %k) : (index, memref<?xf32>, memref<1xmemref<?xf32>>) -> memref<?xf32>
  memref.copy %y, %x : memref<?xf32> to memref<?xf32>
  return
}
