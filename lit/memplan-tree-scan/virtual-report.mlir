// The program as it is: attributes, every value, modes, the report.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{virtual=true fit=first apply=false})' \
// RUN:   | FileCheck %s --check-prefix=ATTR
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{virtual=true fit=first values=all})' \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{virtual=true mode=plain})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PLAIN
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-tree-scan{virtual=true fit=first report=%t.json})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --allow-empty
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// RUN: memplan table --check %t.json | FileCheck %s --check-prefix=TABLE
// RUN: memplan plot %t.json -o %t.svg && FileCheck %s --check-prefix=PLOT --input-file=%t.svg

// 1. Fragmented on one of two paths. A scan takes 112 bytes; moving 16 bytes gets that down to the 80 that are live at
// once, and so does another place for each buffer, which is applied.
// ATTR-LABEL: @figure
// ATTR: memref.alloc() {memplan.offset = 0 : i64} : memref<32xi8>
// ATTR: memref.alloc() {memplan.offset = 64 : i64} : memref<16xi8>
// ATTR: memref.alloc() {memplan.offset = 32 : i64} : memref<32xi8>
// ATTR: memref.alloc() {memplan.offset = {{[0-9]+}} : i64} : memref<64xi8>
// ALL-LABEL: @figure
// ALL: arith.constant {memplan.offset = {{[0-9]+}} : i64} 0 : index
// ALL: memref.alloc() {memplan.offset = {{[0-9]+}} : i64} : memref<32xi8>
// ALL: memref.load {{.*}} {memplan.offset = {{[0-9]+}} : i64}
// PLAIN: remark: virtual=true: nothing was changed: with mode=plain, an allocation in a loop has an offset for each iteration
// PLAIN-NEXT: @many
// PLAIN-LABEL: func.func @figure
// PLAIN: memref.alloc() {{.*}} : memref<149xi8>
// REMARK-NOT: figure
// REPORT: {"name":"figure",
// REPORT: "type":"memref<32xi8>","size":32,"alignment":1,"offset":0,
// REPORT: "max_live_bytes":80,"peak_bytes":80,"plain_bytes":144,"scan_bytes":112,"planner_bytes":80,"defrag_bytes":80
// REPORT-SAME: "path_count":2,"all_paths":"2","paths":[
// REPORT-NEXT: {"max_live_bytes":80,"peak_bytes":80,"defragmentations":0,"moves":0,"moved_bytes":0},
// REPORT-NEXT: {"max_live_bytes":80,"peak_bytes":80,"defragmentations":0,"moves":0,"moved_bytes":0}],"curve":[
// REPORT-NEXT: {"peak_bytes":112,"moved_bytes":0},
// REPORT-NEXT: {"peak_bytes":80,"moved_bytes":16}]
// TABLE: figure    function              5      1          149           80  load        80
// TABLE: figure    defrag first buffers
// PLOT: stack of 80 bytes, 16 bytes moved
func.func @figure(%c: i1, %v: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32xi8>
  %b = memref.alloc() : memref<16xi8>
  %cc = memref.alloc() : memref<32xi8>
  memref.store %v, %a[%c0] : memref<32xi8>
  memref.store %v, %cc[%c0] : memref<32xi8>
  scf.if %c {
    %d = memref.alloc() : memref<64xi8>
    memref.store %v, %d[%c0] : memref<64xi8>
  } else {
    %d = memref.alloc() : memref<5xi8>
    memref.store %v, %d[%c0] : memref<5xi8>
  }
  %x = memref.load %b[%c0] : memref<16xi8>
  return %x : i8
}

// 2. Each of 80 iterations takes one of two paths, and 2^80 paths are one number. Each iteration reads the buffer of
// the one before, so nothing is applied, and the remark has the cost of moves.
// REPORT: {"name":"many","scopes":[],"skipped":[
// REPORT: "reason":"no-one-place"
// REPORT: "path_count":18446744073709551615,"all_paths":"1208925819614629174706176","paths":[]
// TABLE: many {{.*}} 1208925819614629174706176
// TABLE: no overlap, all numbers agree
func.func @many(%c: i1, %v: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c80 = arith.constant 80 : index
  %a = memref.alloc() : memref<32xi8>
  memref.store %v, %a[%c0] : memref<32xi8>
  scf.for %i = %c0 to %c80 step %c1 iter_args(%p = %a) -> (memref<32xi8>) {
    %b = memref.alloc() : memref<32xi8>
    scf.if %c {
      memref.copy %p, %b : memref<32xi8> to memref<32xi8>
    } else {
      memref.store %v, %b[%c0] : memref<32xi8>
    }
    scf.yield %b : memref<32xi8>
  }
  return
}
