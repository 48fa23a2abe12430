// The exact report of each function; a copy of a function follows it, and a second chunk is in the same document.
// RUN: rm -f %t.json %t.again.json
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-regions{report=%t.json})' --split-input-file -o /dev/null
// RUN: sed -n 's,^// JSON ,,p' %s | diff - %t.json
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{report=-})' --split-input-file \
// RUN:   --mlir-disable-threading -o /dev/null 2> %t.again.json
// RUN: memplan table %t.again.json > %t.txt
// RUN: memplan table %t.json | diff %t.txt -
// RUN: memplan table %t.json | FileCheck %s --check-prefix=TABLE --match-full-lines --strict-whitespace
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{report=%t.none/a.json})' \
// RUN:   --split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// ERROR: cannot write report
// JSON {"version":1,"functions":[
// JSON   {"name":"squares","scopes":[],"skipped":[
// JSON     {"location":"model:2:1","type":"memref<?xf32>","reason":"owned"}],"regions":{"takes_region":false,"lent_results":[],"made":[
// JSON     {"region":"function","location":"model:0:1","count":1}],"loops":[],"placed":[
// JSON     {"location":"model:1:1","type":"memref<?xf32>","region":"function"}],"calls":[]}},
// JSON   {"name":"squares_in_region","scopes":[],"skipped":[],"regions":{"takes_region":true,"lent_results":[0],"made":[
// JSON     {"region":"function","location":"model:0:1","count":1}],"loops":[],"placed":[
// JSON     {"location":"model:1:1","type":"memref<?xf32>","region":"function"},
// JSON     {"location":"model:2:1","type":"memref<?xf32>","region":"caller"}],"calls":[]}},
// JSON   {"name":"loops","scopes":[],"skipped":[],"regions":{"takes_region":false,"lent_results":[],"made":[
// JSON     {"region":"function","location":"model:10:1","count":1},
// JSON     {"region":"next-turn","location":"model:13:1","count":2},
// JSON     {"region":"parallel","location":"model:14:1","count":1}],"loops":[
// JSON     {"location":"model:12:1","way":"mark"},
// JSON     {"location":"model:13:1","way":"swap"}],"placed":[
// JSON     {"location":"model:11:1","type":"memref<?xf32>","region":"function"},
// JSON     {"location":"model:12:3","type":"memref<?xf32>","region":"loop"},
// JSON     {"location":"model:14:3","type":"memref<?xf32>","region":"parallel"}],"calls":[
// JSON     {"location":"model:13:3","callee":"squares_in_region","region":"next-turn"}]}},
// JSON   {"name":"left","scopes":[],"skipped":[
// JSON     {"location":"model:26:1","type":"memref<8xf32>","reason":"known-size"},
// JSON     {"location":"model:27:1","type":"memref<?xf32>","reason":"stored"}],"regions":{"takes_region":false,"lent_results":[],"made":[
// JSON     {"region":"last-use","location":"model:20:1","count":2}],"loops":[],"placed":[
// JSON     {"location":"model:22:1","type":"memref<?xf32>","region":"last-use"},
// JSON     {"location":"model:23:1","type":"memref<?xf32>","region":"last-use"},
// JSON     {"location":"model:24:1","type":"memref<?xf32>","region":"last-use"},
// JSON     {"location":"model:25:1","type":"memref<?xf32>","region":"last-use"}],"calls":[]}},
// JSON   {"name":"nothing","scopes":[],"skipped":[],"regions":{"takes_region":false,"lent_results":[],"made":[],"loops":[],"placed":[],"calls":[]}},
// JSON   {"name":"worked_on","scopes":[],"skipped":[
// JSON     {"location":"model:32:1","type":"memref<?xf32>","reason":"worked-on"}],"regions":{"takes_region":false,"lent_results":[],"made":[],"loops":[],"placed":[],"calls":[]}},
// JSON   {"name":"other_chunk","scopes":[],"skipped":[],"regions":{"takes_region":false,"lent_results":[],"made":[],"loops":[],"placed":[],"calls":[]}}],"chunks":[
// JSON   {"first":0,"functions":6},
// JSON   {"first":6,"functions":1}]}

// TABLE:function           receives  borrowed  regions  to caller  to function  to loop  to last use  to next iteration  skipped  mark/clear/swap  calls
// TABLE-NEXT:-----------------  --------  --------  -------  ---------  -----------  -------  -----------  -----------------  -------  ---------------  -----
// TABLE-NEXT:squares            no               0        1          0            1        0            0                  0        1            0/0/0      0
// TABLE-NEXT:squares_in_region  yes              1        1          1            1        0            0                  0        0            0/0/0      0
// TABLE-NEXT:loops              no               0        4          0            1        2            0                  0        0            1/0/1      1
// TABLE-NEXT:left               no               0        2          0            0        0            4                  0        2            0/0/0      0
// TABLE-NEXT:worked_on          no               0        0          0            0        0            0                  0        1            0/0/0      0
// TABLE-NEXT:2 functions without allocations for regions
// TABLE-EMPTY:
// TABLE-NEXT:skipped  reason      first in   location    type
// TABLE-NEXT:-------  ----------  ---------  ----------  -------------
// TABLE-NEXT:      1  owned       squares    model:2:1   memref<?xf32>
// TABLE-NEXT:      1  known-size  left       model:26:1  memref<8xf32>
// TABLE-NEXT:      1  stored      left       model:27:1  memref<?xf32>
// TABLE-NEXT:      1  worked-on   worked_on  model:32:1  memref<?xf32>

// 1. A function that takes a region, for one that keeps its type and has a copy; what it needs for itself.
func.func @squares(%n: index, %x: memref<?xf32>) -> memref<?xf32> {
  %t = memref.alloc(%n) : memref<?xf32> loc("model":1:1)
  memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32> loc("model":2:1)
  linalg.square ins(%t : memref<?xf32>) outs(%y : memref<?xf32>)
  return %y : memref<?xf32>
} loc("model":0:1)

// 2. Loops: a region that is cleared, a mark, two that are swapped; a body that runs in parallel.
func.func private @loops(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32> loc("model":11:1)
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc(%i) : memref<?xf32> loc("model":12:3)
    memref.copy %x, %b : memref<?xf32> to memref<?xf32>
    memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  } loc("model":12:1)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> memref<?xf32> {
    %d = func.call @squares(%n, %c) : (index, memref<?xf32>) -> memref<?xf32> loc("model":13:3)
    scf.yield %d : memref<?xf32>
  } loc("model":13:1)
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %e = memref.alloc(%i) : memref<?xf32> loc("model":14:3)
    memref.copy %x, %e : memref<?xf32> to memref<?xf32>
  } loc("model":14:1)
  return
} loc("model":10:1)

// 3. Four of which two are needed at once; what is left, and why; what is not looked into.
func.func @left(%n: index, %x: memref<?xf32>, %cell: memref<memref<?xf32>>) {
  call @loops(%n, %x) : (index, memref<?xf32>) -> () loc("model":21:1)
  %a = memref.alloc(%n) : memref<?xf32> loc("model":22:1)
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32> loc("model":23:1)
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32> loc("model":24:1)
  memref.copy %b, %c : memref<?xf32> to memref<?xf32>
  %d = memref.alloc(%n) : memref<?xf32> loc("model":25:1)
  memref.copy %c, %d : memref<?xf32> to memref<?xf32>
  memref.copy %d, %x : memref<?xf32> to memref<?xf32>
  %e = memref.alloc() : memref<8xf32> loc("model":26:1)
  %f = memref.alloc(%n) : memref<?xf32> loc("model":27:1)
  memref.store %f, %cell[] : memref<memref<?xf32>>
  return
} loc("model":20:1)
func.func @nothing() {
  return
} loc("model":30:1)
func.func @worked_on(%n: index) attributes {memplan.regions} {
  %a = memref.alloc(%n) : memref<?xf32> loc("model":32:1)
  return
} loc("model":31:1)

// -----

// 4. A function that makes nothing.
func.func @other_chunk() {
  return
} loc("model":40:1)
