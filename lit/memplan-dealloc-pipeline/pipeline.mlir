// The pipeline by its name: on a module, on functions, with options of its passes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,MODULE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-dealloc-pipeline))' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,FUNCTION
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-dealloc-pipeline{private-function-dynamic-ownership=true})' \
// RUN:   | FileCheck %s --check-prefix=DYNAMIC
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-dealloc-pipeline{private-function-dynamic-ownership=true})' \
// RUN:   --dump-pass-pipeline 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=PASSES
// RUN: not %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-dealloc-pipeline{private-function-dynamic-ownership=maybe})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VALUE
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-dealloc-pipeline{other=1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// RUN: %memplan-opt --help | FileCheck %s --check-prefix=HELP

// PASSES: memplan-where{op=memref.realloc passes=expand-realloc{emit-deallocs=false}{{ ?}}}
// PASSES-NEXT: memplan-where{op=bufferization.clone passes=memplan-ownership-dealloc{only-clones=true}{{ ?}}}
// PASSES-NEXT: memplan-fold-merges
// PASSES-NEXT: memplan-ownership-dealloc{{.*}}private-function-dynamic-ownership=true
// PASSES-NEXT: memplan-where{op=bufferization.dealloc passes=memplan-simplify-dealloc,memplan-lower-dealloc,memplan-fold-merges{{ ?}}}

// VALUE: memplan-dealloc-pipeline: option 'private-function-dynamic-ownership' takes true or false, not 'maybe' [memplan-E002]
// OTHER: no such option other
// OTHER: memplan-dealloc-pipeline takes: private-function-dynamic-ownership=true|false {{.*}} [memplan-E002]
// HELP: --memplan-dealloc-pipeline
// HELP-NEXT: --placement=<last-use|block-end>
// HELP-NEXT: --private-function-dynamic-ownership

func.func private @use(memref<8xf32>)

// CHECK-LABEL: @branch
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.dealloc %[[A]]
// CHECK-NEXT: return
func.func @branch(%b: memref<8xf32>, %c: i1) {
  %a = memref.alloc() : memref<8xf32>
  %p = arith.select %c, %a, %b : memref<8xf32>
  func.call @use(%p) : (memref<8xf32>) -> ()
  return
}

// On a function, what is no function's own is copied; on a module, a private function need not.
// FUNCTION-LABEL: func.func private @given(
// FUNCTION: memref.copy
// MODULE-LABEL: func.func private @given(
// MODULE-SAME: -> (memref<8xf32> {memplan.borrowed})
// MODULE-NEXT: return %arg0
// DYNAMIC-LABEL: func.func private @given(
// DYNAMIC-SAME: -> (memref<8xf32>, i1)
// DYNAMIC-NOT: {{memref.copy|bufferization.clone}}
func.func private @given(%a: memref<8xf32>) -> memref<8xf32> {
  return %a : memref<8xf32>
}
func.func @caller(%a: memref<8xf32>) {
  %b = func.call @given(%a) : (memref<8xf32>) -> memref<8xf32>
  func.call @use(%b) : (memref<8xf32>) -> ()
  return
}
