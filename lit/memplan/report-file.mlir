// Where reports go: one document in a file, whatever adds to it, and none that is half written.
// RUN: rm -rf %t && mkdir %t
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{dynamic=regions report=%t/both.json})' \
// RUN:   --split-input-file -o /dev/null
// RUN: FileCheck %s < %t/both.json
// RUN: memplan table --check %t/both.json
// On functions, the document is complete once the last one is done, in the order of the module.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{report=%t/functions.json}))' \
// RUN:   --split-input-file -o /dev/null
// RUN: FileCheck %s --check-prefix=FUNCTIONS < %t/functions.json
// In nested modules.
// RUN: %memplan-opt %s --split-input-file -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(builtin.module(func.func(memplan-merge-alloc{report=%t/nested.json})))'
// RUN: FileCheck %s --check-prefix=NESTED < %t/nested.json
// RUN: ls -A %t | FileCheck %s --check-prefix=FILES

// CHECK:      {"version":1,"functions":[
// CHECK-NEXT:   {"name":"first",{{.*}}"scopes":[
// CHECK:        {"name":"second",
// CHECK:        {"name":"inside",
// CHECK:      "chunks":[
// CHECK-NEXT: {"first":0,"functions":[[COUNT:[0-9]+]]},
// CHECK-NEXT: {"first":[[COUNT]],"functions":{{[0-9]+}}}]}
// CHECK-NOT:  version
// FUNCTIONS:      {"name":"first",
// FUNCTIONS:      {"name":"second",
// FUNCTIONS-NOT:  "name"
// NESTED-NOT:     "first"
// NESTED:         {"name":"inside",
// FILES:      both.json
// FILES-NEXT: functions.json
// FILES-NEXT: nested.json
// FILES-NOT:  {{.}}
func.func @first(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
func.func @second(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

module {
module {
  func.func @inside(%x: memref<64xf32>, %y: memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32>
    linalg.exp ins(%a : memref<64xf32>) outs(%y : memref<64xf32>)
    return
  }
}
}
