// 1. The pipeline that is printed holds every option that was given.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=best-fit effort=quick \
// RUN:   alignment=128 free=false arena=alloca scope=module alloca-limit=4096 hoist-parallel=8 min-size=16 \
// RUN:   max-size=1024 capacity=default:4096,1:64 budget=1:32 forbid=1:0-8 spill=1->default calls=capture verify=true \
// RUN:   report=- assert-bounds=false bounds=known shape=d0=4 \
// RUN:   analyse-only=true remarks=true in-place=false when-larger=leave lifetimes=dataflow})' \
// RUN:   --dump-pass-pipeline -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-DUMP
// CHECK-DUMP:      memplan-merge-alloc{
// CHECK-DUMP-DAG:  planner=best-fit
// CHECK-DUMP-DAG:  effort=quick
// CHECK-DUMP-DAG:  alignment=128
// CHECK-DUMP-DAG:  free=false
// CHECK-DUMP-DAG:  arena=alloca
// CHECK-DUMP-DAG:  scope=module
// CHECK-DUMP-DAG:  alloca-limit=4096
// CHECK-DUMP-DAG:  hoist-parallel=8
// CHECK-DUMP-DAG:  min-size=16
// CHECK-DUMP-DAG:  max-size=1024
// CHECK-DUMP-DAG:  capacity=default:4096,1:64
// CHECK-DUMP-DAG:  budget=1:32
// CHECK-DUMP-DAG:  forbid=1:0-8
// CHECK-DUMP-DAG:  spill=1->default
// CHECK-DUMP-DAG:  assert-bounds=false
// CHECK-DUMP-DAG:  bounds=known
// CHECK-DUMP-DAG:  shape=d0=4
// CHECK-DUMP-DAG:  calls=capture
// CHECK-DUMP-DAG:  verify=true
// CHECK-DUMP-DAG:  report=-
// CHECK-DUMP-DAG:  analyse-only=true
// CHECK-DUMP-DAG:  remarks=true
// CHECK-DUMP-DAG:  in-place=false
// CHECK-DUMP-DAG:  when-larger=leave
// CHECK-DUMP-DAG:  lifetimes=dataflow

// 2. The help says all of them, with what they take and the default.
// RUN: %memplan-opt --help | FileCheck %s --check-prefix=CHECK-HELP
// CHECK-HELP:      --memplan-merge-alloc {{.*}}Plan static allocations
// CHECK-HELP-NEXT: --alignment=<BYTES> {{.*}}(default: 64 B)
// CHECK-HELP-NEXT: --alloca-limit=<BYTES> {{.*}}(default: 64 KiB)
// CHECK-HELP-NEXT: --allocas[=<true|false>] {{.*}}(default: false)
// CHECK-HELP-NEXT: --analyse-only[=<true|false>] {{.*}}(default: false)
// CHECK-HELP-NEXT: --arena=<alloc|alloca|global|arg> {{.*}}(default: alloc)
// CHECK-HELP-NEXT: --arena-limit=<BYTES> {{.*}}(default: 0)
// CHECK-HELP-NEXT: --assert-bounds[=<true|false>] {{.*}}(default: true)
// CHECK-HELP-NEXT: --assert-size[=<true|false>] {{.*}}(default: true)
// CHECK-HELP-NEXT: --bounds=<[FUNCTION:][LEAST<=]dN<=MOST,…> {{.*}}(default: none)
// CHECK-HELP-NEXT: --budget=<[SPACE:]BYTES,…> {{.*}}(default: none)
// CHECK-HELP-NEXT: --calls=<borrow|capture> {{.*}}(default: borrow)
// CHECK-HELP-NEXT: --capacity=<[SPACE:]BYTES,…> {{.*}}(default: none)
// CHECK-HELP-NEXT: --dynamic=<slots|skip> {{.*}}(default: slots)
// CHECK-HELP-NEXT: --effort=<quick|normal|thorough|N> {{.*}}(default: normal)
// CHECK-HELP-NEXT: --forbid=<[SPACE:]FROM-TO,…> {{.*}}(default: none)
// CHECK-HELP-NEXT: --free[=<true|false>] {{.*}}(default: true)
// CHECK-HELP-NEXT: --hoist-parallel=<N> {{.*}}(default: 0)
// CHECK-HELP-NEXT: --in-place[=<true|false>] {{.*}}(default: true)
// CHECK-HELP-NEXT: --lifetimes=<dataflow> {{.*}}(default: dataflow)
// CHECK-HELP-NEXT: --machine=<FILE> {{.*}}(default: none)
// CHECK-HELP-NEXT: --max-size=<BYTES> {{.*}}(default: none)
// CHECK-HELP-NEXT: --min-size=<BYTES> {{.*}}(default: 0)
// CHECK-HELP-NEXT: --min-trips=<1|0> {{.*}}(default: 1)
// CHECK-HELP-NEXT: --plan=<FILE> {{.*}}(default: none)
// CHECK-HELP-NEXT: --planner=<auto|plain|first-fit|best-fit|by-size|by-area|by-conflicts|locality|hill-climb|large|exact{{[a-z|-]*}}> {{.*}}(default: auto)
// CHECK-HELP-NEXT: --remarks[=<true|false>] {{.*}}(default: false)
// CHECK-HELP-NEXT: --report=<FILE> {{.*}}(default: none)
// CHECK-HELP-NEXT: --scope=<function|module> {{.*}}(default: function)
// CHECK-HELP-NEXT: --shape=<[FUNCTION:]dN=VALUE,…> {{.*}}(default: none)
// CHECK-HELP-NEXT: --share=<none|entry-points> {{.*}}(default: none)
// CHECK-HELP-NEXT: --spill=<SPACE->SPACE,…> {{.*}}(default: none)
// CHECK-HELP-NEXT: --state=<globals|arena> {{.*}}(default: globals)
// CHECK-HELP-NEXT: --statistics=<FILE> {{.*}}
// CHECK-HELP-NEXT: --verify[=<true|false>] {{.*}}(default: false)
// CHECK-HELP-NEXT: --when-larger=<merge|leave> {{.*}}(default: merge)

// 3. An invalid value: the message names the option and what it takes.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=3})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-INTEGER
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=0})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-INTEGER
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=-8})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-INTEGER
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=much})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-INTEGER
// RUN: not %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=99999999999999999999})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-INTEGER
// CHECK-INTEGER: error: memplan-merge-alloc: option 'alignment' takes a power of two in bytes from 1 B to 1 GiB, not '{{.*}}' [memplan-E002]
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=best})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-CHOICE
// CHECK-CHOICE: error: memplan-merge-alloc: option 'planner' takes one of auto, plain, first-fit, best-fit, by-size, by-area, by-conflicts, locality, hill-climb, large, exact{{[a-z, -]*}}, not 'best' [memplan-E002]
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{effort=much})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-LEVEL
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{effort=-1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-LEVEL
// RUN: not %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{effort=99999999999999999999})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-LEVEL
// CHECK-LEVEL: error: memplan-merge-alloc: option 'effort' takes one of quick, normal, thorough, or an integer, not '{{.*}}' [memplan-E002]
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{free=perhaps})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-FLAG
// CHECK-FLAG: error: memplan-merge-alloc: option 'free' takes true or false, not 'perhaps' [memplan-E002]

// 4. An option that there is not.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arenas=mine})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-UNKNOWN
// CHECK-UNKNOWN: no such option arenas
// CHECK-UNKNOWN: memplan-merge-alloc takes: planner={{.*}} [memplan-E002]

// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{min-size=9 max-size=8})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-SIZES
// CHECK-SIZES: error: memplan-merge-alloc: min-size=9 is above max-size=8: no allocation would be planned [memplan-E002]
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{capacity=much})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-CAPACITY
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{capacity=1:much})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-CAPACITY
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{capacity=1:-1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-CAPACITY
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{capacity=:64})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-CAPACITY
// CHECK-CAPACITY: error: memplan-merge-alloc: option 'capacity' takes [SPACE:]BYTES, such as default:65536, 1:4KiB or 1MiB, not '{{.*}}' [memplan-E002]
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{capacity=1:8,1:9})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-TWICE
// CHECK-TWICE: error: memplan-merge-alloc: option 'capacity' has two entries for the memory space of '1:9' [memplan-E002]
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{capacity=default:8,0:9})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-ZERO
// CHECK-ZERO: error: memplan-merge-alloc: option 'capacity' has two entries for the memory space of '0:9' [memplan-E002]
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{spill=1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-SPILL
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{spill=1->1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-SPILL
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{spill=1->})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-SPILL
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{spill=0->default})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-SPILL
// CHECK-SPILL: error: memplan-merge-alloc: option 'spill' takes SPACE->SPACE with two memory spaces, such as 1->default, not '{{.*}}' [memplan-E002]
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{spill=1->#nowhere})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-NOWHERE
// CHECK-NOWHERE: error: memplan-merge-alloc: option 'spill': '#nowhere' is not a memory space [memplan-E002]

// 5. Not a module and not a function.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memref.global(memplan-merge-alloc))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-PLACE
// CHECK-PLACE: error:{{.*}}memplan-merge-alloc

// 6. A report that cannot be written.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{report=%t.none/report.json})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-REPORT
// CHECK-REPORT: error: memplan-merge-alloc: cannot write report '{{.*}}.none/report.json': {{.*}} [memplan-E003]

// 7. Callees without a body may keep what they get, if so asked.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{calls=capture})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-CAPTURE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{calls=borrow})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// CHECK-CAPTURE:     func @f
// CHECK-CAPTURE-NOT:   memplan.arena
// CHECK-BORROW:      func @f
// CHECK-BORROW:        memplan.arena

// 8. Every planner and every effort.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=plain verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=first-fit verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=best-fit verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=by-size verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=by-area verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=by-conflicts verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=locality verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=hill-climb verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{planner=exact verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{effort=quick verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{effort=normal verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{effort=thorough verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{effort=0 verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{effort=1000 verify})' \
// RUN:   | FileCheck %s --check-prefix=CHECK-BORROW

memref.global "private" @g : memref<4xf32>
func.func private @use(memref<64xf32>)
func.func @f() {
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  return
}
// With a dimension, for `shape`.
func.func @shaped(%x: memref<?xf32>) {
  return
}
