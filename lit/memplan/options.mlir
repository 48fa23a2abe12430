// Options of the whole job.
// 1. Each reaches the passes that know it, and what is printed runs the same passes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{hoist=loops results=off dynamic=regions \
// RUN:   planner=best-fit effort=quick alignment=128 free=false in-place=false arena=alloca scope=module \
// RUN:   alloca-limit=4096 assert-bounds=false assert-size=false bounds=known shape=d0=4 hoist-parallel=8 min-size=16 \
// RUN:   max-size=1024 capacity=default:4096,1:64 budget=1:32 promote search=quick \
// RUN:   forbid=1:0-8 spill=1->default calls=capture verify report="%t a.json" remarks sizes=all loops=enclosing \
// RUN:   release=scope-end public-abi=destination single-region \
// RUN:   auto private-function-dynamic-ownership placement=block-end statistics="%t s.json"})' \
// RUN:   --dump-pass-pipeline -o %t.mlir 2> %t.passes
// RUN: FileCheck %s --check-prefix=PASSES < %t.passes
// RUN: mv "%t a.json" %t.json
// RUN: %memplan-opt %s --pass-pipeline="$(sed '1d; / remark: /,$d' %t.passes)" -o %t.again.mlir 2> %t.errors
// RUN: cmp %t.mlir %t.again.mlir && cmp "%t a.json" %t.json
// PASSES:      memplan-hoist{calls=capture statistics={{[{].* s.json[}]}}}
// PASSES-NEXT: memplan-results-to-out-params{calls=capture statistics={{[{].* s.json[}]}}}
// PASSES-NEXT: memplan-split{alignment=128 below=forms budget=1:32 calls=capture {{.*}}forms=plain,lower,equal,none in-place=false machine={{ *}}max-code-growth=3.5 max-copy=100 max-recompute=0 max-size=1024 max-strips=30 min-size=16 promote=true remarks=true results=off split-parallel=false statistics={{[{].* s.json[}]}} strip-cost=model}
// PASSES-NEXT: memplan-verify
// PASSES-NEXT: memplan-elide-copies{alignment=128 calls=capture donated=marked guard=lower in-place=false max-size=1024 min-size=16 remarks=true results=off statistics={{[{].* s.json[}]}}}
// PASSES-NEXT: memplan-merge-workgroup{alignment=16 insert-barriers=false launch-attributions=false max-barriers=8 remarks=true report= statistics={{[{].* s.json[}]}} verify=true}
// PASSES-NEXT: memplan-reuse-arguments{calls=capture in-place=false max-size=1024 min-size=16 remarks=true results=off statistics={{[{].* s.json[}]}}}
// PASSES-NEXT: memplan-reuse-results{arena=alloca calls=capture in-place=false max-size=1024 min-size=16 min-trips=1 remarks=true results=off statistics={{[{].* s.json[}]}}}
// PASSES-NEXT: memplan-assign-spaces{alignment=128 budget=1:32 calls=capture curve={{ *}}in-place=false machine={{ *}}max-size=1024 min-size=16 points=0 promote=true remarks=true report={{ *}}search=quick statistics={{[{].* s.json[}]}}}
// PASSES-NEXT: memplan-merge-alloc{alignment=128 alloca-limit=4096 allocas=false analyse-only=false arena=alloca arena-limit=0 assert-bounds=false assert-size=false bounds=known budget=1:32 calls=capture capacity=default:4096,1:64 dynamic=skip effort=quick forbid=1:0-8 free=false hoist-parallel=8 in-place=false lifetimes=dataflow machine={{ *}}max-size=1024 min-size=16 min-trips=1 plan={{ *}} planner=best-fit remarks=true report={{[{].* a.json[}]}} scope=module shape=d0=4 share=none spill=1->default state=globals statistics={{[{].* s.json[}]}} verify=true when-larger=leave}
// PASSES-NEXT: memplan-regions{alignment=128 auto=true loops=enclosing public-abi=destination release=scope-end remarks=true report={{[{].* a.json[}]}} single-region=true sizes=all statistics={{[{].* s.json[}]}}}
// PASSES-NEXT: memplan-verify
// PASSES:      memplan-ownership-dealloc{only-clones=false placement=block-end private-function-dynamic-ownership=true}

// 2. Without any, the passes are as they are.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' -o %t.mlir
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-results-to-out-params,memplan-split{below=forms},\
// RUN:   memplan-elide-copies,memplan-reorder,memplan-reuse-arguments,memplan-reuse-results,memplan-merge-alloc,\
// RUN:   memplan-dealloc-pipeline)' \
// RUN:   | cmp - %t.mlir

// What is off by default is run where it is asked for, after buffers are in memory of the caller.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{recompute=cheap alignment=128 remarks})' \
// RUN:   --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN:      memplan-reuse-results
// AGAIN-NEXT: memplan-recompute{alignment=128 calls=borrow in-place=true max-recompute=3 max-size={{[0-9]+}} min-size=0 remarks=true statistics=}
// AGAIN-NEXT: memplan-elide-copies{alignment=128 {{.*}}guard=lower {{.*}}}
// AGAIN-NEXT: memplan-assign-spaces{
// AGAIN-NEXT: memplan-merge-alloc

// Strips and buffers have one limit; where it is that of strips by default, buffers keep theirs.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{recompute=cheap max-recompute=7})' \
// RUN:   --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT:      memplan-split{{.*}}max-recompute=7
// LIMIT:      memplan-recompute{{.*}}max-recompute=7

// 3. They do there what they do elsewhere: an arena that a later pass frees is freed by that pass.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{free=false results=off})' \
// RUN:   | FileCheck %s --check-prefix=FREE
// FREE:     %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64, memplan.arena}
// FREE:     memref.dealloc %[[ARENA]] : memref
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{remarks max-size=63})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SIZE
// SIZE-COUNT-2: remark: not merged: it is larger than max-size

// 4. The help says all of them, once, with what they take and the default.
// RUN: env COLUMNS=120 memplan help memplan | FileCheck %s --check-prefix=MANUAL
// RUN: %memplan-opt --help | FileCheck %s --check-prefix=HELP
// MANUAL-DAG: {{^}}private-function-dynamic-ownership {{ *}}false
// MANUAL-DAG: {{^}}single-region {{ *}}false
// MANUAL-DAG: {{^}}spill {{ *}}none
// HELP:      --memplan {{ *}}-
// HELP-NEXT: --alignment=<BYTES> {{.*}}(default: 64 B)
// HELP-NEXT: --alloca-limit=<BYTES> {{.*}}(default: 64 KiB)
// HELP-NEXT: --allocas[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --arena=<alloc|alloca|global|arg> {{.*}}(default: alloc)
// HELP-NEXT: --arena-limit=<BYTES> {{.*}}(default: 0)
// HELP-NEXT: --assert-bounds[=<true|false>] {{.*}}(default: true)
// HELP-NEXT: --assert-size[=<true|false>] {{.*}}(default: true)
// HELP-NEXT: --auto[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --bounds=<[FUNCTION:][LEAST<=]dN<=MOST,…> {{.*}}(default: none)
// HELP-NEXT: --budget=<[SPACE:]BYTES,…> {{.*}}(default: none)
// HELP-NEXT: --calls=<borrow|capture> {{.*}}(default: borrow)
// HELP-NEXT: --capacity=<[SPACE:]BYTES,…> {{.*}}(default: none)
// HELP-NEXT: --curve=<FILE> {{.*}}(default: none)
// HELP-NEXT: --donated=<marked|all> {{.*}}(default: marked)
// HELP-NEXT: --dynamic=<slots|regions|malloc> {{.*}}(default: slots)
// HELP-NEXT: --effort=<quick|normal|thorough|N> {{.*}}(default: normal)
// HELP-NEXT: --elide=<none|copies> {{.*}}(default: copies)
// HELP-NEXT: --explain[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --forbid=<[SPACE:]FROM-TO,…> {{.*}}(default: none)
// HELP-NEXT: --free[=<true|false>] {{.*}}(default: true)
// HELP-NEXT: --hoist=<none|loops> {{.*}}(default: none)
// HELP-NEXT: --hoist-parallel=<N> {{.*}}(default: 0)
// HELP-NEXT: --in-place[=<true|false>] {{.*}}(default: true)
// HELP-NEXT: --insert-barriers[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --loops=<auto|per-iteration|checkpoint|enclosing> {{.*}}(default: auto)
// HELP-NEXT: --machine=<FILE> {{.*}}(default: none)
// HELP-NEXT: --max-code-growth=<TIMES> {{.*}}(default: 3.5)
// HELP-NEXT: --max-copy=<N> {{.*}}(default: 100)
// HELP-NEXT: --max-recompute=<N> {{.*}}(default: 0)
// HELP-NEXT: --max-size=<BYTES> {{.*}}(default: none)
// HELP-NEXT: --max-strips=<N> {{.*}}(default: 30)
// HELP-NEXT: --min-size=<BYTES> {{.*}}(default: 0)
// HELP-NEXT: --min-trips=<1|0> {{.*}}(default: 1)
// HELP-NEXT: --out-params=<private|none> {{.*}}(default: private)
// HELP-NEXT: --placement=<last-use|block-end> {{.*}}(default: last-use)
// HELP-NEXT: --plan=<FILE> {{.*}}(default: none)
// HELP-NEXT: --planner=<auto|{{.*}}(default: auto)
// HELP-NEXT: --points=<N> {{.*}}(default: 0)
// HELP-NEXT: --private-function-dynamic-ownership[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --promote[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --public-abi=<keep|destination> {{.*}}(default: keep)
// HELP-NEXT: --recompute=<none|cheap> {{.*}}(default: none)
// HELP-NEXT: --release=<auto|scope-end|last-use> {{.*}}(default: auto)
// HELP-NEXT: --remarks[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --reorder=<none|blocks> {{.*}}(default: blocks)
// HELP-NEXT: --report=<FILE> {{.*}}(default: none)
// HELP-NEXT: --results=<on|off|arena> {{.*}}(default: on)
// HELP-NEXT: --reuse=<all|arguments|results|none> {{.*}}(default: all)
// HELP-NEXT: --scope=<function|module> {{.*}}(default: function)
// HELP-NEXT:    --search=<quick|normal|thorough> {{.*}}(default: normal)
// HELP-NEXT:    --shape=<[FUNCTION:]dN=VALUE,…> {{.*}}(default: none)
// HELP-NEXT:    --share=<none|entry-points> {{.*}}(default: none)
// HELP-NEXT: --single-region[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --sizes=<dynamic|all> {{.*}}(default: dynamic)
// HELP-NEXT: --spill=<SPACE->SPACE,…> {{.*}}(default: none)
// HELP-NEXT: --split=<none|chains> {{.*}}(default: chains)
// HELP-NEXT: --split-parallel[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --state=<globals|arena> {{.*}}(default: globals)
// HELP-NEXT: --statistics=<FILE> {{.*}}(default: none)
// HELP-NEXT: --strip-cost=<model|none> {{.*}}(default: model)
// HELP-NEXT: --verify[=<true|false>] {{.*}}(default: false)
// HELP-NEXT: --workgroup=<true|false> {{.*}}(default: true)

func.func @f(%x: memref<64xf32>, %y: memref<64xf32>, %n: index, %z: memref<?xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  memref.copy %z, %c : memref<?xf32> to memref<?xf32>
  memref.copy %c, %z : memref<?xf32> to memref<?xf32>
  return
}
