// ml_program.global, ml_program.global_load, ml_program.global_store
// compile: no
ml_program.global private mutable @kept : memref<4x4xf32>
func.func @global(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  ml_program.global_store @kept = %a : memref<4x4xf32>
  %t = ml_program.global_load @kept : memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// ml_program.global_load_const
// compile: no
ml_program.global private @two(2.0 : f32) : f32
func.func @global_load_const() -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %x = ml_program.global_load_const @two : f32
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// ml_program.func, ml_program.return
// compile: no
ml_program.func @func(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  ml_program.return %v : f32
}
// -----
// ml_program.func, ml_program.return: gives the memref
// compile: no
ml_program.func @func_memref(%x: f32) -> memref<4x4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  ml_program.return %a : memref<4x4xf32>
}
// -----
// ml_program.subgraph, ml_program.output, ml_program.token, ml_program.global_load_graph, ml_program.global_store_graph
// compile: no
ml_program.global private mutable @kept : memref<4x4xf32>
ml_program.subgraph @subgraph(%x: f32) -> (memref<4x4xf32>, !ml_program.token) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %start = ml_program.token
  %stored = ml_program.global_store_graph @kept = %a ordering(%start -> !ml_program.token) : memref<4x4xf32>
  %t, %loaded = ml_program.global_load_graph @kept ordering(%stored -> !ml_program.token) : memref<4x4xf32>
  ml_program.output %t, %loaded : memref<4x4xf32>, !ml_program.token
}
