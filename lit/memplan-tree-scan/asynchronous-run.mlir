// Programs with asynchronous bodies are executed, as trees and with their branches; without the passes they print the
// same.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module()' \
// RUN:   | sed '/private @sum/d; /private @until/d; /private @write/d; /^}$/d' > %t.mlir \
// RUN:   && cat %S/Inputs/later.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%async-to-llvm)' | %runner-async | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-treeify,memplan-tree-scan{verify})' \
// RUN:   | sed '/private @sum/d; /private @until/d; /private @write/d; /^}$/d' > %t.mlir \
// RUN:   && cat %S/Inputs/later.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%async-to-llvm)' | %runner-async | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-treeify,memplan-tree-scan{verify mode=scan})' \
// RUN:   | sed '/private @sum/d; /private @until/d; /private @write/d; /^}$/d' > %t.mlir \
// RUN:   && cat %S/Inputs/later.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%async-to-llvm)' | %runner-async | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-treeify,memplan-tree-scan{verify arena=alloca})' \
// RUN:   | sed '/private @sum/d; /private @until/d; /private @write/d; /^}$/d' > %t.mlir \
// RUN:   && cat %S/Inputs/later.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%async-to-llvm)' | %runner-async | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{virtual verify})' \
// RUN:   | sed '/private @sum/d; /private @until/d; /private @write/d; /^}$/d' > %t.mlir \
// RUN:   && cat %S/Inputs/later.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%async-to-llvm)' | %runner-async | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-treeify,memplan-tree-scan{verify})' \
// RUN:   | FileCheck %s --check-prefix=PLAN
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{virtual verify})' \
// RUN:   | FileCheck %s --check-prefix=PLAN

func.func private @printF32(f32)
func.func private @printComma()
func.func private @printNewline()
func.func private @sum(memref<1024xf32>) -> f32
func.func private @sum_later(memref<1024xf32>, memref<2xi32>) -> f32
func.func private @write(memref<1024xf32>, f32, memref<2xi32>)

// 1. A buffer that is used while an operation is pending has other bytes; one that is used after the wait has the
// same.
// PLAN-LABEL: func @straight
// PLAN:         memref.alloc{{a?}}() {{.*}} : memref<8192xi8>
func.func @straight() {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %flags = memref.alloc() {memplan.keep} : memref<2xi32>
  linalg.fill ins(%zero : i32) outs(%flags : memref<2xi32>)
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<1024xf32>)
  %t = async.execute {
    func.call @write(%a, %two, %flags) : (memref<1024xf32>, f32, memref<2xi32>) -> ()
    async.yield
  }
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%three : f32) outs(%b : memref<1024xf32>)
  %meanwhile = func.call @sum_later(%b, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
  async.await %t : !async.token
  %c = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%c : memref<1024xf32>)
  %after = func.call @sum(%c) : (memref<1024xf32>) -> f32
  call @printF32(%meanwhile) : (f32) -> ()
  call @printComma() : () -> ()
  call @printF32(%after) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %flags : memref<2xi32>
  return
}

// 2. One path waits at once, the other one later.
// PLAN-LABEL: func @branch
// PLAN:         memref.alloc{{a?}}() {{.*}} : memref<8192xi8>
func.func @branch(%early: i1) {
  %zero = arith.constant 0 : i32
  %up = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %flags = memref.alloc() {memplan.keep} : memref<2xi32>
  linalg.fill ins(%zero : i32) outs(%flags : memref<2xi32>)
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<1024xf32>)
  %t = async.execute {
    func.call @write(%a, %two, %flags) : (memref<1024xf32>, f32, memref<2xi32>) -> ()
    async.yield
  }
  %r = scf.if %early -> f32 {
    memref.atomic_rmw ori %up, %flags[%c0] : (i32, memref<2xi32>) -> i32
    async.await %t : !async.token
    %b = memref.alloc() : memref<1024xf32>
    linalg.fill ins(%one : f32) outs(%b : memref<1024xf32>)
    %s = func.call @sum(%b) : (memref<1024xf32>) -> f32
    scf.yield %s : f32
  } else {
    %b = memref.alloc() : memref<1024xf32>
    linalg.fill ins(%three : f32) outs(%b : memref<1024xf32>)
    %s = func.call @sum_later(%b, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
    async.await %t : !async.token
    scf.yield %s : f32
  }
  call @printF32(%r) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %flags : memref<2xi32>
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK: 3072, 1024
  call @straight() : () -> ()
  // CHECK-NEXT: 1024
  call @branch(%true) : (i1) -> ()
  // CHECK-NEXT: 3072
  call @branch(%false) : (i1) -> ()
  return
}
