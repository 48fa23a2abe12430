// The whole job by its name: dynamic sizes share slots, go to regions, or to the heap.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{results=off})' | FileCheck %s --check-prefix=SLOTS
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{results=off dynamic=regions})' \
// RUN:   | FileCheck %s --check-prefix=REGIONS
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{results=off dynamic=malloc alignment=128})' \
// RUN:   | FileCheck %s --check-prefix=MALLOC
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan{dynamic=pages})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VALUE
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan{results=off dynamic=regions report=%t.json})' -o /dev/null \
// RUN:   && memplan table --check %t.json | FileCheck %s --check-prefix=REPORT
// RUN: %memplan-opt --help | FileCheck %s --check-prefix=HELP
// VALUE: memplan: option 'dynamic' takes one of slots, regions, malloc, not 'pages'
// Both passes say what they did, in one file.
// REPORT: function  scope     allocs before  after
// REPORT: f         function              4      2
// REPORT: function  receives  borrowed  regions
// REPORT: f         no         0        1
// HELP: --memplan {{ *}}-
// HELP: --dynamic=<slots|regions|malloc>

// SLOTS: %[[ARENA:.*]] = memref.alloc(%{{.*}}) {{.*}}memplan.arena
// SLOTS-NOT: memref.alloc
// SLOTS: memref.dealloc %[[ARENA]]
// REGIONS: func.func @f
// REGIONS: %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena
// REGIONS: memref.dealloc %[[ARENA]]
// REGIONS-NOT: memref.alloc(
// REGIONS: call @memplan_region_allocate
// REGIONS: call @memplan_region_allocate
// REGIONS-NOT: memref.alloc(
// MALLOC: %[[ARENA:.*]] = memref.alloc() {alignment = 128 : i64{{.*}}memplan.arena
// MALLOC: %[[ONE:.*]] = memref.alloc(%{{.*}})
// MALLOC: memref.dealloc %[[ONE]]
func.func @f(%n: index, %x: memref<64xf32>, %y: memref<?xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  memref.copy %y, %c : memref<?xf32> to memref<?xf32>
  memref.copy %c, %y : memref<?xf32> to memref<?xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  memref.copy %y, %d : memref<?xf32> to memref<?xf32>
  memref.copy %d, %y : memref<?xf32> to memref<?xf32>
  return
}
