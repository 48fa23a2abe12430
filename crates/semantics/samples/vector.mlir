// vector.load, vector.store
func.func @load(%x: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  vector.store %x, %a[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
  %v = vector.load %a[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
  return %v : vector<4xf32>
}
// -----
// vector.maskedload, vector.maskedstore
func.func @maskedload(%x: vector<4xf32>, %mask: vector<4xi1>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  vector.maskedstore %a[%c0, %c0], %mask, %x : memref<4x4xf32>, vector<4xi1>, vector<4xf32>
  %v = vector.maskedload %a[%c0, %c0], %mask, %x
      : memref<4x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %v : vector<4xf32>
}
// -----
// vector.gather, vector.scatter
func.func @gather(%x: vector<4xf32>, %at: vector<4xindex>, %mask: vector<4xi1>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  vector.scatter %a[%c0] [%at], %mask, %x : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  %v = vector.gather %a[%c0] [%at], %mask, %x
      : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %v : vector<4xf32>
}
// -----
// vector.expandload, vector.compressstore
func.func @expandload(%x: vector<4xf32>, %mask: vector<4xi1>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  vector.compressstore %a[%c0], %mask, %x : memref<16xf32>, vector<4xi1>, vector<4xf32>
  %v = vector.expandload %a[%c0], %mask, %x : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %v : vector<4xf32>
}
// -----
// vector.transfer_read, vector.transfer_write
func.func @transfer_read(%x: vector<4xf32>, %padding: f32) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  vector.transfer_write %x, %a[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<4x4xf32>
  %v = vector.transfer_read %a[%c0, %c0], %padding {in_bounds = [true]} : memref<4x4xf32>, vector<4xf32>
  return %v : vector<4xf32>
}
// -----
// vector.mask, vector.yield
func.func @mask(%x: vector<4xf32>, %mask: vector<4xi1>, %padding: f32) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  vector.transfer_write %x, %a[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<4x4xf32>
  %v = vector.mask %mask {
    %r = vector.transfer_read %a[%c0, %c0], %padding {in_bounds = [true]} : memref<4x4xf32>, vector<4xf32>
    vector.yield %r : vector<4xf32>
  } : vector<4xi1> -> vector<4xf32>
  return %v : vector<4xf32>
}
// -----
// vector.type_cast
func.func @type_cast(%x: f32) -> vector<4x4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = vector.type_cast %a : memref<4x4xf32> to memref<vector<4x4xf32>>
  %v = memref.load %t[] : memref<vector<4x4xf32>>
  return %v : vector<4x4xf32>
}
// -----
// vector.broadcast, vector.extract
func.func @broadcast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4x4xf32> -> index
  %numbers = vector.broadcast %number : index to vector<4xindex>
  %one = vector.extract %numbers[0] : index from vector<4xindex>
  %int = arith.index_cast %one : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  return %v : f32
}
// -----
// vector.broadcast, vector.extract: of pointers
func.func @broadcast_pointer(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4x4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %all = vector.broadcast %p : !llvm.ptr to vector<4x!llvm.ptr>
  %one = vector.extract %all[0] : !llvm.ptr from vector<4x!llvm.ptr>
  %v = llvm.load %one : !llvm.ptr -> f32
  return %v : f32
}
// -----
// vector.from_elements, vector.to_elements
func.func @from_elements(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4x4xf32> -> index
  %numbers = vector.from_elements %number, %c0 : vector<2xindex>
  %one:2 = vector.to_elements %numbers : vector<2xindex>
  %int = arith.index_cast %one#0 : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  return %v : f32
}
// -----
// vector.insert
func.func @insert(%x: f32, %numbers: vector<2xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4x4xf32> -> index
  %with = vector.insert %number, %numbers[1] : index into vector<2xindex>
  %one = vector.extract %with[1] : index from vector<2xindex>
  %int = arith.index_cast %one : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  return %v : f32
}
// -----
// vector.contract, vector.outerproduct
func.func @contract(%x: vector<4xf32>, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  vector.store %x, %a[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
  %row = vector.load %a[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
  %product = vector.outerproduct %row, %y : vector<4xf32>, f32
  %v = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"], kind = #vector.kind<add>} %row, %product, %y
      : vector<4xf32>, vector<4xf32> into f32
  return %v : f32
}
// -----
// vector.reduction, vector.multi_reduction
func.func @reduction(%x: vector<4xf32>, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  vector.store %x, %a[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
  %row = vector.load %a[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
  %sum = vector.reduction <add>, %row, %y : vector<4xf32> into f32
  %v = vector.multi_reduction <add>, %row, %sum [0] : vector<4xf32> to f32
  return %v : f32
}
