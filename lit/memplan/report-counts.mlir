// What the table counts, where sizes are known only at run time.
// RUN: rm -rf %t && mkdir %t
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{report=%t/slots.json})' -o /dev/null
// RUN: memplan table --check %t/slots.json | FileCheck %s --check-prefix=SLOTS
// RUN: memplan table --check %t/slots.json --dim d0=64 | FileCheck %s --check-prefix=VALUE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{dynamic=regions report=%t/regions.json})' -o /dev/null
// RUN: memplan table --check %t/regions.json | FileCheck %s --check-prefix=REGIONS
// RUN: cat %s > %t/two.mlir && echo '// --''---' >> %t/two.mlir && cat %s >> %t/two.mlir
// RUN: %memplan-opt %t/two.mlir --split-input-file -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan{dynamic=regions report=%t/two.json})'
// RUN: memplan table --check %t/two.json | FileCheck %s --check-prefix=TWO

// 1. Buffers of dynamic size are counted. There is no sum of bytes, no ratio and no gain where they are known only at run time.
// SLOTS:      function scope allocs before after naive bytes lower bound proof planned ratio planner optimal
// SLOTS:      both     function          4     1           ?           ? nothing     ?     -           -
// SLOTS:      apart    function          2     1         512         256 load      256 1.000 by-size yes
// SLOTS:      alone    -                 1     1
// SLOTS:      total                      7     3     512 + ?     256 + ?       256 + ? - -
// SLOTS:      2 arenas for 6 allocations: 256 B instead of 512 B, and more of sizes that are known only at run time
// SLOTS-NEXT: sizes that are known only at run time are not in the bytes: --dim gives their dimensions values, as in --dim d0=N
// SLOTS-NEXT: 1 function without allocations
// VALUE:      both (d0=64) function      4     1       1,024         256 load      256
// VALUE:      2 arenas for 6 allocations: 512 B instead of 1.50 KiB, 66.7% less

// 2. Allocations in regions are of the program, and regions stay. An arena is no allocation that was left alone.
// REGIONS:      both  function 4 2 512 256 load 256 1.000 by-size yes
// REGIONS:      apart function 2 1 512 256 load 256 1.000 by-size yes
// REGIONS:      alone -        1 1
// REGIONS:      total          7 4 1,024 512 512 1.000 yes
// REGIONS:      2 arenas for 4 allocations: 512 B instead of 1.00 KiB, 50.0% less
// REGIONS-NEXT: 1 function without allocations
// REGIONS-NOT:  skipped reason
// TWO:          total          14 8 2,048 1,024 1,024 1.000 yes
// TWO:          4 arenas for 8 allocations: 1.00 KiB instead of 2.00 KiB, 50.0% less
func.func private @use(memref<?xf32>)
func.func @both(%n: index, %x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%y : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%y : memref<64xf32>)
  %d = memref.alloc(%n) : memref<?xf32>
  call @use(%d) : (memref<?xf32>) -> ()
  %e = memref.alloc(%n) : memref<?xf32>
  call @use(%e) : (memref<?xf32>) -> ()
  return
}
func.func @apart(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%y : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
func.func @alone(%n: index) {
  %d = memref.alloc(%n) : memref<?xf32>
  call @use(%d) : (memref<?xf32>) -> ()
  return
}
func.func @nothing() {
  return
}
