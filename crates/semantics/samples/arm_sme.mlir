// arm_sme.tile_load, arm_sme.tile_store
// compile: no
func.func @tile_load(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  %b = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  %tile = arm_sme.tile_load %a[%c0, %c0] : memref<?x?xf32>, vector<[4]x[4]xf32>
  arm_sme.tile_store %tile, %b[%c0, %c0] : memref<?x?xf32>, vector<[4]x[4]xf32>
  %v = memref.load %b[%c0, %c0] : memref<?x?xf32>
  return %v : f32
}
// -----
// arm_sme.load_tile_slice, arm_sme.store_tile_slice
// compile: no
func.func @load_tile_slice(%x: f32, %n: index, %mask: vector<[4]xi1>, %tile: vector<[4]x[4]xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  %b = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  %new = arm_sme.load_tile_slice %a[%c0, %c0], %mask, %tile, %c0
      : memref<?x?xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
  arm_sme.store_tile_slice %new, %c0, %mask, %b[%c0, %c0] : memref<?x?xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
  %v = memref.load %b[%c0, %c0] : memref<?x?xf32>
  return %v : f32
}
// -----
// arm_sme.intr.ld1b.horiz, arm_sme.intr.ld1b.vert, arm_sme.intr.st1b.horiz, arm_sme.intr.st1b.vert
// compile: no
func.func @intr_1b(%x: f32, %n: index, %mask: vector<[16]xi1>, %slice: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<?x?xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  "arm_sme.intr.ld1b.horiz"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[16]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1b.vert"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[16]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1b.horiz"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[16]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1b.vert"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[16]xi1>, !llvm.ptr, i32) -> ()
  %v = memref.load %a[%c0, %c0] : memref<?x?xf32>
  return %v : f32
}
// -----
// arm_sme.intr.ld1h.horiz, arm_sme.intr.ld1h.vert, arm_sme.intr.st1h.horiz, arm_sme.intr.st1h.vert
// compile: no
func.func @intr_1h(%x: f32, %n: index, %mask: vector<[8]xi1>, %slice: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<?x?xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  "arm_sme.intr.ld1h.horiz"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[8]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1h.vert"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[8]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1h.horiz"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[8]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1h.vert"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[8]xi1>, !llvm.ptr, i32) -> ()
  %v = memref.load %a[%c0, %c0] : memref<?x?xf32>
  return %v : f32
}
// -----
// arm_sme.intr.ld1w.horiz, arm_sme.intr.ld1w.vert, arm_sme.intr.st1w.horiz, arm_sme.intr.st1w.vert
// compile: no
func.func @intr_1w(%x: f32, %n: index, %mask: vector<[4]xi1>, %slice: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<?x?xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  "arm_sme.intr.ld1w.horiz"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1w.vert"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1w.horiz"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1w.vert"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[4]xi1>, !llvm.ptr, i32) -> ()
  %v = memref.load %a[%c0, %c0] : memref<?x?xf32>
  return %v : f32
}
// -----
// arm_sme.intr.ld1d.horiz, arm_sme.intr.ld1d.vert, arm_sme.intr.st1d.horiz, arm_sme.intr.st1d.vert
// compile: no
func.func @intr_1d(%x: f32, %n: index, %mask: vector<[2]xi1>, %slice: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<?x?xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  "arm_sme.intr.ld1d.horiz"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[2]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1d.vert"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[2]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1d.horiz"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[2]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1d.vert"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[2]xi1>, !llvm.ptr, i32) -> ()
  %v = memref.load %a[%c0, %c0] : memref<?x?xf32>
  return %v : f32
}
// -----
// arm_sme.intr.ld1q.horiz, arm_sme.intr.ld1q.vert, arm_sme.intr.st1q.horiz, arm_sme.intr.st1q.vert
// compile: no
func.func @intr_1q(%x: f32, %n: index, %mask: vector<[1]xi1>, %slice: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<?x?xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  "arm_sme.intr.ld1q.horiz"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[1]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.ld1q.vert"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[1]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1q.horiz"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[1]xi1>, !llvm.ptr, i32) -> ()
  "arm_sme.intr.st1q.vert"(%mask, %p, %slice) <{tile_id = 0 : i32}> : (vector<[1]xi1>, !llvm.ptr, i32) -> ()
  %v = memref.load %a[%c0, %c0] : memref<?x?xf32>
  return %v : f32
}
// -----
// arm_sme.intr.str
// compile: no
func.func @intr_str(%x: f32, %n: index, %at: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  %number = memref.extract_aligned_pointer_as_index %a : memref<?x?xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  "arm_sme.intr.str"(%at, %p, %at) : (i32, !llvm.ptr, i32) -> ()
  %v = memref.load %a[%c0, %c0] : memref<?x?xf32>
  return %v : f32
}
