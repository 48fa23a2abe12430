// 1. The pipeline that is printed holds every option that was given.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=best-fit alignment=128 free=false calls=capture verify=true report=- analyse-only=true remarks=true})' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP:      memplan-merge-alloc{
// DUMP-DAG:  planner=best-fit
// DUMP-DAG:  alignment=128
// DUMP-DAG:  free=false
// DUMP-DAG:  calls=capture
// DUMP-DAG:  verify=true
// DUMP-DAG:  report=-
// DUMP-DAG:  analyse-only=true
// DUMP-DAG:  remarks=true

// 2. The help says all of them, with what they take and the default.
// RUN: %memplan-opt --help | FileCheck %s --check-prefix=HELP
// HELP:      --memplan-merge-alloc {{.*}}Plan static allocations
// HELP-NEXT: --alignment=<N> {{.*}}(default: 64)
// HELP-NEXT: --analyse-only[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --calls=<borrow|capture> {{.*}}(default: borrow)
// HELP-NEXT: --free[=<true|false>] {{.*}}(default: true)
// HELP-NEXT: --planner=<auto|plain|first-fit|best-fit|by-size|by-area> {{.*}}(default: auto)
// HELP-NEXT: --remarks[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --report=<FILE> {{.*}}(default: none)
// HELP-NEXT: --verify[=<true|false>] {{.*}}(default: false)

// 3. A value that makes no sense: the message names the option and what it takes.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=3})' 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=0})' 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=-8})' 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=much})' 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=99999999999999999999})' 2>&1 | FileCheck %s --check-prefix=INTEGER
// INTEGER: error: memplan-merge-alloc: option 'alignment' takes a power of two from 1 to 1073741824, not '{{.*}}'
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=best})' 2>&1 | FileCheck %s --check-prefix=CHOICE
// CHOICE: error: memplan-merge-alloc: option 'planner' takes one of auto, plain, first-fit, best-fit, by-size, by-area, not 'best'
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{free=perhaps})' 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: error: memplan-merge-alloc: option 'free' takes true or false, not 'perhaps'

// 4. An option that there is not.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena=mine})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: no such option arena

// 5. Not a module and not a function.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memref.global(memplan-merge-alloc))' 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: error:{{.*}}memplan-merge-alloc

// 6. A report that cannot be written.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{report=%t.none/report.json})' 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: error: memplan-merge-alloc: cannot write report '{{.*}}.none/report.json': {{.*}}

// 7. Callees without a body may keep what they get, if so asked.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{calls=capture})' | FileCheck %s --check-prefix=CAPTURE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{calls=borrow})' | FileCheck %s --check-prefix=BORROW
// CAPTURE:     func @f
// CAPTURE-NOT:   memplan.arena
// BORROW:      func @f
// BORROW:        memplan.arena

// 8. Every planner.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=plain verify})' | FileCheck %s --check-prefix=BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=first-fit verify})' | FileCheck %s --check-prefix=BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=by-size verify})' | FileCheck %s --check-prefix=BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=by-area verify})' | FileCheck %s --check-prefix=BORROW

memref.global "private" @g : memref<4xf32>
func.func private @use(memref<64xf32>)
func.func @f() {
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  return
}
