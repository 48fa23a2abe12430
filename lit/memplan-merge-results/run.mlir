// Executed: the caller frees the first result after it has used both, and nothing is left.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{results=arena verify})' | sed '/^}$/d' > %t.mlir
// RUN: cat %S/Inputs/main.mlir %S/../memplan-merge-alloc/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%to-llvm-counted)' | %runner -O0 | FileCheck %s

// The second result, one allocation, the bytes that are left.
// CHECK:      24{{$}}
// CHECK-NEXT: 1{{$}}
// CHECK-NEXT: 0{{$}}
func.func @f(%x: i64) -> (memref<8xi64>, memref<8xi64>) {
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<8xi64>)
  %b = memref.alloc() : memref<8xi64>
  linalg.add ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
  return %a, %b : memref<8xi64>, memref<8xi64>
}
