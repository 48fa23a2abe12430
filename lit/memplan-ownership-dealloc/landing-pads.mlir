// Edges that cannot hold code as others do: edges to landing pads, and jumps by address.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.err
// The placement is valid for all passes that put operations in blocks.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},\
// RUN:   memplan-simplify-dealloc,memplan-lower-dealloc)' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=PADS
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' 2>/dev/null | FileCheck %s --check-prefix=PADS
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{dynamic=regions})' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=PADS
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions,memplan-dealloc-pipeline)' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=PADS
// PADS-LABEL: llvm.func @two_edges_to_a_pad(
// PADS:         llvm.landingpad
// PADS-LABEL: llvm.func @jumps_by_address(
// PADS:         llvm.indirectbr
// PADS-NEXT:    ^bb1,
// PADS-NEXT:    ^bb2
// PADS:         llvm.indirectbr
// PADS-NEXT:    ^bb2,
// PADS-NEXT:    ^bb3
// PADS:         llvm.br ^bb3
// PADS:       ^bb3:
// PADS:         llvm.return

llvm.func @personality(...) -> i32
llvm.func @may_throw(!llvm.ptr)
func.func private @use(memref<8xf32>)
func.func private @use_any(memref<?xf32>)

// 1. Two edges to one pad: each gets a pad of its own, with what is freed there.
// CHECK-LABEL: llvm.func @two_edges_to_a_pad(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK:         llvm.invoke @may_throw(%{{.*}}) to ^[[NEXT:.*]] unwind ^[[PAD:.*]] :
// CHECK:       ^[[NEXT]]:
// CHECK:         %[[B:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         llvm.invoke @may_throw(%{{.*}}) to ^{{.*}} unwind ^[[OTHER:.*]] :
// CHECK:       ^[[PAD]]:
// CHECK-NEXT:    %[[L:.*]] = llvm.landingpad cleanup
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.br ^[[END:.*]](%[[L]] :
// CHECK:       ^[[OTHER]]:
// CHECK-NEXT:    %[[M:.*]] = llvm.landingpad cleanup
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    cf.br ^[[END]](%[[M]] :
// CHECK:       ^[[END]](%[[BOTH:.*]]: !llvm.struct<(ptr, i32)>):
// CHECK-NEXT:    llvm.resume %[[BOTH]]
llvm.func @two_edges_to_a_pad(%q: !llvm.ptr, %size: i64) attributes {personality = @personality} {
  %c0 = arith.constant 0 : index
  %n = arith.index_cast %size : i64 to index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  memref.store %v, %a[%c0] : memref<8xf32>
  llvm.invoke @may_throw(%q) to ^next unwind ^pad : (!llvm.ptr) -> ()
^next:
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %v, %b[%c0] : memref<?xf32>
  llvm.invoke @may_throw(%q) to ^end unwind ^pad : (!llvm.ptr) -> ()
^end:
  func.call @use_any(%b) : (memref<?xf32>) -> ()
  func.call @use(%a) : (memref<8xf32>) -> ()
  llvm.return
^pad:
  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %l : !llvm.struct<(ptr, i32)>
}

// 2. One edge: a free at the start of the block stands after the landing pad. The operands of the edge are kept.
// CHECK-LABEL: llvm.func @one_edge_to_a_pad(
// CHECK:         llvm.invoke @may_throw(%{{.*}}) to ^{{.*}} unwind ^[[PAD:bb[0-9]+]](%{{.*}} : i64) :
// CHECK:       ^[[PAD]](%{{.*}}: i64):
// CHECK-NEXT:    llvm.landingpad cleanup
// CHECK-NEXT:    memref.dealloc
llvm.func @one_edge_to_a_pad(%q: !llvm.ptr, %k: i64) -> i64 attributes {personality = @personality} {
  %a = memref.alloc() : memref<8xf32>
  llvm.invoke @may_throw(%q) to ^end unwind ^pad(%k : i64) : (!llvm.ptr) -> ()
^end:
  func.call @use(%a) : (memref<8xf32>) -> ()
  llvm.return %k : i64
^pad(%j: i64):
  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return %j : i64
}

// 3. Two edges that forward numbers.
// CHECK-LABEL: llvm.func @pads_with_arguments(
// CHECK:         %[[ONE:.*]] = llvm.landingpad cleanup
// CHECK-NEXT:    cf.br ^[[END:.*]](%arg1, %[[ONE]] : i64, !llvm.struct<(ptr, i32)>)
// CHECK:         %[[OTHER:.*]] = llvm.landingpad cleanup
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    cf.br ^[[END]](%arg2, %[[OTHER]] : i64, !llvm.struct<(ptr, i32)>)
// CHECK:       ^[[END]](%[[J:.*]]: i64, %{{.*}}: !llvm.struct<(ptr, i32)>):
// CHECK-NEXT:    llvm.return %[[J]]
llvm.func @pads_with_arguments(%q: !llvm.ptr, %k: i64, %m: i64) -> i64 attributes {personality = @personality} {
  llvm.invoke @may_throw(%q) to ^next unwind ^pad(%k : i64) : (!llvm.ptr) -> ()
^next:
  %a = memref.alloc() : memref<8xf32>
  llvm.invoke @may_throw(%q) to ^end unwind ^pad(%m : i64) : (!llvm.ptr) -> ()
^end:
  func.call @use(%a) : (memref<8xf32>) -> ()
  llvm.return %k : i64
^pad(%j: i64):
  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return %j : i64
}

// 4. A jump by address: what is not needed on one of its edges is freed in the block that it goes to, by all paths.
// CHECK-LABEL: llvm.func @jumps_by_address(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK:       ^bb1:
// CHECK-NEXT:    llvm.blocktag <id = 1>
// CHECK-NEXT:    llvm.indirectbr %{{.*}} : !llvm.ptr, [
// CHECK-NEXT:    ^bb2,
// CHECK-NEXT:    ^bb3
// CHECK:       ^bb2:
// CHECK-NOT:     memref.dealloc
// CHECK:         llvm.br ^bb3
// CHECK:       ^bb3:
// CHECK:         memref.dealloc %[[A]]
// CHECK:         llvm.return
llvm.func @jumps_by_address(%k: i1) {
  %p1 = llvm.blockaddress <function = @jumps_by_address, tag = <id = 1>> : !llvm.ptr
  %p2 = llvm.blockaddress <function = @jumps_by_address, tag = <id = 2>> : !llvm.ptr
  %t = llvm.select %k, %p1, %p2 : i1, !llvm.ptr
  %a = memref.alloc() : memref<8xf32>
  llvm.indirectbr %t : !llvm.ptr, [
    ^one, ^two
  ]
^one:
  llvm.blocktag <id = 1>
  llvm.indirectbr %p2 : !llvm.ptr, [
    ^two, ^three
  ]
^two:
  llvm.blocktag <id = 2>
  func.call @use(%a) : (memref<8xf32>) -> ()
  llvm.br ^three
^three:
  llvm.blocktag <id = 3>
  llvm.return
}

// 5. A flag goes with what it forwards.
// CHECK-LABEL: llvm.func @flag_by_address(
// CHECK:         llvm.indirectbr %{{.*}} : !llvm.ptr, [
// CHECK-NEXT:    ^bb1(%{{.*}}, %true{{.*}} : memref<8xf32>, i1),
// CHECK-NEXT:    ^bb2
// CHECK:       ^bb1(%[[M:.*]]: memref<8xf32>, %[[F:.*]]: i1):
// CHECK:         bufferization.dealloc (%[[M]] : memref<8xf32>) if (%[[F]])
llvm.func @flag_by_address(%k: i1) {
  %p1 = llvm.blockaddress <function = @flag_by_address, tag = <id = 1>> : !llvm.ptr
  %p2 = llvm.blockaddress <function = @flag_by_address, tag = <id = 2>> : !llvm.ptr
  %t = llvm.select %k, %p1, %p2 : i1, !llvm.ptr
  %a = memref.alloc() : memref<8xf32>
  %g = memref.get_global @global : memref<8xf32>
  llvm.indirectbr %t : !llvm.ptr, [
    ^one(%a : memref<8xf32>), ^two
  ]
^one(%x: memref<8xf32>):
  llvm.blocktag <id = 1>
  func.call @use(%x) : (memref<8xf32>) -> ()
  llvm.br ^three
^two:
  llvm.blocktag <id = 2>
  cf.br ^one(%g : memref<8xf32>)
^three:
  llvm.return
}
memref.global @global : memref<8xf32> = uninitialized

// 6. Memory that has no name where it would have to be freed is not freed.
// CHECK-LABEL: llvm.func @lost_by_address(
// CHECK-NOT:     memref.dealloc
// CHECK:         llvm.return
// SAYS: landing-pads.mlir:[[#@LINE+6]]:8: warning: is not freed: no operation can be inserted where it is dead
// SAYS: landing-pads.mlir:[[#@LINE+6]]:3: note: between this and a successor block
llvm.func @lost_by_address(%k: i1) {
  %p2 = llvm.blockaddress <function = @lost_by_address, tag = <id = 2>> : !llvm.ptr
  llvm.cond_br %k, ^one, ^two
^one:
  %a = memref.alloc() : memref<8xf32>
  llvm.indirectbr %p2 : !llvm.ptr, [
    ^two, ^three
  ]
^two:
  llvm.blocktag <id = 2>
  llvm.br ^four
^three:
  llvm.blocktag <id = 3>
  func.call @use(%a) : (memref<8xf32>) -> ()
  llvm.br ^four
^four:
  llvm.return
}
