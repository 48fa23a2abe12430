// `statistics=FILE` writes how much each pass did, where LLVM's own statistics are compiled out.
// 1. All passes of a pipeline write one document, sorted by their names, with the sums of all functions.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{statistics=%t.json})' -o /dev/null
// RUN: FileCheck %s --check-prefix=ALL < %t.json
// ALL:      "version": 1,
// ALL:      "pass": "memplan-assign-spaces",
// ALL:      "pass": "memplan-merge-alloc",
// ALL-NEXT: "runs": 1,
// ALL:      "name": "merged",
// ALL-NEXT: "value": 3,
// ALL-NEXT: "description": "Allocations merged into arenas"
// ALL:      "name": "arenas",
// ALL-NEXT: "value": 2,
// ALL:      "pass": "memplan-reorder",

// 2. A pass on functions is one entry, whichever thread ran it, and so is one that runs twice.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{statistics=%t.functions}, \
// RUN:   memplan-merge-alloc{statistics=%t.functions}))' -o /dev/null
// RUN: FileCheck %s --check-prefix=FUNCTIONS < %t.functions
// FUNCTIONS:      "pass": "memplan-merge-alloc",
// FUNCTIONS-NEXT: "runs": 4,
// FUNCTIONS:      "name": "merged",
// FUNCTIONS-NEXT: "value": 3,
// FUNCTIONS-NOT:  "pass":

// 3. Parts of an input add up.
// RUN: sed 's/^func.func @one/\/\/ -----\n&/' %s > %t.mlir
// RUN: %memplan-opt %t.mlir --split-input-file -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{statistics=%t.parts})'
// RUN: FileCheck %s --check-prefix=PARTS < %t.parts
// PARTS:      "runs": 2,
// PARTS:      "value": 3,

// 4. `-` is standard error.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{statistics=-})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// ERROR: "pass": "memplan-merge-alloc",

// 5. A file that cannot be written is an error before any work.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan{statistics=%t.none/s.json})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
// WRONG: error: memplan-results-to-out-params: cannot write statistics '{{.*}}none/s.json': No such file or directory
// WRONG-SAME: [memplan-E003]

// 6. The file is the same text each time.
// RUN: cp %t.json %t.first
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{statistics=%t.json})' -o /dev/null
// RUN: cmp %t.json %t.first

func.func @two(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}

func.func @one(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  return
}
