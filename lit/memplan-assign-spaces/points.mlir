// Costs at several budgets, in reports.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/two.toml points=4 \
// RUN:   report=%t.json})' | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file %t.json
// A second run leaves all as it is.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/two.toml points=4}, \
// RUN:   memplan-assign-spaces{machine=%S/Inputs/two.toml points=4})' | FileCheck %s
// The report of memplan has them, too, with the same numbers.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{machine=%S/Inputs/two.toml split=none elide=none \
// RUN:   reorder=none points=4 verify=true report=%t.2.json})' | FileCheck %s --check-prefix=LOWERED
// RUN: FileCheck %s --check-prefix=WHOLE --input-file %t.2.json
// Without points, a report has the costs of the assignment alone, and functions are not marked.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/two.toml \
// RUN:   report=%t.3.json})' | FileCheck %s --check-prefix=NONE
// RUN: FileCheck %s --check-prefix=ALONE --input-file %t.3.json
// On functions, each has its own.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-assign-spaces{machine=%S/Inputs/two.toml \
// RUN:   points=4 report=%t.4.json}))' | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file %t.4.json
// NONE-NOT: memplan.costs
// ALONE: "costs":{"unit":"unit","memory_space":"1","budget_bytes":512,"cost":9728.0,"lower_bound":9728.0,"copied_bytes":512}

// 1. Copied out and back: the points are from no bytes to those of all buffers. That of 512 bytes is
// chosen.
// CHECK-LABEL: func.func @reloaded
// CHECK-SAME: memplan.costs = "{\22unit\22:\22unit\22
// CHECK-COUNT-2: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
// LOWERED: func.func @reloaded
// REPORT: {"name":"reloaded","scopes":[],"skipped":[],"costs":{"unit":"unit","memory_space":"1","budget_bytes":512,"cost":9728.0,
// REPORT-SAME: "lower_bound":9728.0,"copied_bytes":512,"curve":[
// REPORT-NEXT: {"budget_bytes":0,"cost":40960.0,"lower_bound":40960.0,"copied_bytes":0,"proof":"optimal"},
// REPORT-NEXT: {"budget_bytes":256,"cost":23040.0,"lower_bound":23040.0,"copied_bytes":256,"proof":"optimal"},
// REPORT-NEXT: {"budget_bytes":512,"cost":9728.0,"lower_bound":9728.0,"copied_bytes":512,"proof":"optimal"},
// REPORT-NEXT: {"budget_bytes":768,"cost":4096.0,"lower_bound":4096.0,"copied_bytes":0,"proof":"optimal"}]}}
// WHOLE: {"name":"reloaded"
// WHOLE: "costs":{"unit":"unit","memory_space":"1","budget_bytes":512,"cost":9728.0
func.func @reloaded(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  linalg.exp ins(%a : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%b : memref<64xf32, 1>)
  %c = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
  linalg.add ins(%c, %b : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  return
}

// 2. What needs bytes has no point below them. The machine has more than all buffers take.
// CHECK-LABEL: func.func @small
// REPORT: {"name":"small",{{.*}}"budget_bytes":512,"cost":768.0,"lower_bound":768.0,"copied_bytes":0,"curve":[
// REPORT-NEXT: {"budget_bytes":256,"cost":768.0,
// REPORT-SAME: "proof":"optimal"}]}}
func.func private @other(memref<64xf32, 1>) attributes {memplan.nocallback}
func.func @small(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  call @other(%a) : (memref<64xf32, 1>) -> ()
  return
}
