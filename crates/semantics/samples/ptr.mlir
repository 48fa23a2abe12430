// ptr.to_ptr, ptr.load
// compile: no
func.func @load(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32, #ptr.generic_space>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32, #ptr.generic_space>
  %p = ptr.to_ptr %a : memref<4x4xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  %v = ptr.load %p : !ptr.ptr<#ptr.generic_space> -> f32
  return %v : f32
}
// -----
// ptr.to_ptr, ptr.store
// compile: no
func.func @store(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32, #ptr.generic_space>
  %p = ptr.to_ptr %a : memref<4x4xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  ptr.store %x, %p : f32, !ptr.ptr<#ptr.generic_space>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32, #ptr.generic_space>
  return %v : f32
}
// -----
// ptr.from_ptr, ptr.get_metadata
func.func @from_ptr(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32, #ptr.generic_space>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32, #ptr.generic_space>
  %p = ptr.to_ptr %a : memref<4x4xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  %data = ptr.get_metadata %a : memref<4x4xf32, #ptr.generic_space>
  %t = ptr.from_ptr %p metadata %data : !ptr.ptr<#ptr.generic_space> -> memref<4x4xf32, #ptr.generic_space>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32, #ptr.generic_space>
  return %v : f32
}
// -----
// ptr.ptr_add, ptr.type_offset
// compile: no
func.func @ptr_add(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32, #ptr.generic_space>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32, #ptr.generic_space>)
  %p = ptr.to_ptr %a : memref<4x4xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  %bytes = ptr.type_offset f32 : index
  %q = ptr.ptr_add %p, %bytes : !ptr.ptr<#ptr.generic_space>, index
  %v = ptr.load %q : !ptr.ptr<#ptr.generic_space> -> f32
  return %v : f32
}
// -----
// ptr.ptr_diff
// compile: no
func.func @ptr_diff(%x: f32, %other: !ptr.ptr<#ptr.generic_space>) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32, #ptr.generic_space>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32, #ptr.generic_space>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32, #ptr.generic_space>
  %p = ptr.to_ptr %a : memref<4x4xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  %bytes = ptr.ptr_diff %p, %other : !ptr.ptr<#ptr.generic_space> -> index
  return %v, %bytes : f32, index
}
// -----
// ptr.constant
// compile: no
func.func @constant(%x: f32, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32, #ptr.generic_space>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32, #ptr.generic_space>
  %p = ptr.to_ptr %a : memref<4x4xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  %null = ptr.constant #ptr.null : !ptr.ptr<#ptr.generic_space>
  %q = arith.select %which, %p, %null : !ptr.ptr<#ptr.generic_space>
  %v = ptr.load %q : !ptr.ptr<#ptr.generic_space> -> f32
  return %v : f32
}
// -----
// ptr.gather, ptr.scatter, ptr.ptr_add
// compile: no
func.func @gather(%x: vector<4xf32>, %mask: vector<4xi1>) -> vector<4xf32> {
  %a = memref.alloc() : memref<4x4xf32, #ptr.generic_space>
  %p = ptr.to_ptr %a : memref<4x4xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  %at = arith.constant dense<[0, 4, 8, 12]> : vector<4xindex>
  %q = ptr.ptr_add %p, %at : !ptr.ptr<#ptr.generic_space>, vector<4xindex>
  ptr.scatter %x, %q, %mask : vector<4xf32>, vector<4x!ptr.ptr<#ptr.generic_space>>
  %v = ptr.gather %q, %mask, %x : vector<4x!ptr.ptr<#ptr.generic_space>> -> vector<4xf32>
  return %v : vector<4xf32>
}
// -----
// ptr.masked_load, ptr.masked_store
// compile: no
func.func @masked_load(%x: vector<4xf32>, %mask: vector<4xi1>) -> vector<4xf32> {
  %a = memref.alloc() : memref<4x4xf32, #ptr.generic_space>
  %p = ptr.to_ptr %a : memref<4x4xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  ptr.masked_store %x, %p, %mask : vector<4xf32>, !ptr.ptr<#ptr.generic_space>
  %v = ptr.masked_load %p, %mask, %x : !ptr.ptr<#ptr.generic_space> -> vector<4xf32>
  return %v : vector<4xf32>
}
