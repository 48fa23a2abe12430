// State in the arena of entry points keeps its contents between calls. The output is the same as without the pass.
// RUN: for pass in '' 'memplan-merge-alloc{verify arena=global share=entry-points state=arena},' \
// RUN:   'memplan-merge-alloc{verify arena=global share=entry-points state=arena scope=module forbid=0-8},' \
// RUN:   'memplan-merge-alloc{verify arena=global share=entry-points state=arena arena-limit=512},' \
// RUN:   'memplan{verify arena=global share=entry-points state=arena},'; do \
// RUN:   echo "$pass"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module($pass %to-llvm)" \
// RUN:     | %runner | FileCheck %s || exit 1; \
// RUN: done

func.func private @printF32(f32) attributes {memplan.nocallback}
func.func private @printNewline() attributes {memplan.nocallback}

memref.global "private" @sum : memref<8xf32> = dense<0.0>
memref.global "private" @last : memref<8xf32> = uninitialized
memref.global "private" @calls : memref<index> = dense<0>
memref.global "private" @factor : memref<f32> = dense<2.0>

// 1. An entry point that sets state.
func.func @init(%x: f32) {
  %last = memref.get_global @last : memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  linalg.add ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%last : memref<8xf32>)
  return
}

// 2. One that updates it, with large buffers of its own.
func.func @step(%x: f32) {
  %sum = memref.get_global @sum : memref<8xf32>
  %last = memref.get_global @last : memref<8xf32>
  %factor = memref.get_global @factor : memref<f32>
  %f = memref.load %factor[] : memref<f32>
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  linalg.mul ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
  %part = memref.subview %a[8] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 8>>
  linalg.add ins(%sum, %part : memref<8xf32>, memref<8xf32, strided<[1], offset: 8>>)
    outs(%sum : memref<8xf32>)
  linalg.add ins(%sum, %last : memref<8xf32>, memref<8xf32>) outs(%last : memref<8xf32>)
  call @count() : () -> ()
  return
}

// 3. State in a private function with a buffer.
func.func private @count() {
  %calls = memref.get_global @calls : memref<index>
  %a = memref.alloc() : memref<4xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.load %calls[] : memref<index>
  linalg.fill ins(%n : index) outs(%a : memref<4xindex>)
  %m = memref.load %a[%c0] : memref<4xindex>
  %next = arith.addi %m, %c1 : index
  memref.store %next, %calls[] : memref<index>
  return
}

func.func @main() {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  call @init(%one) : (f32) -> ()
  call @step(%one) : (f32) -> ()
  call @step(%two) : (f32) -> ()
  call @step(%two) : (f32) -> ()
  // 2 + 4 + 4 = 10, and 2 + (2) + (6) + (10) = 20
  %sum = memref.get_global @sum : memref<8xf32>
  %last = memref.get_global @last : memref<8xf32>
  %calls = memref.get_global @calls : memref<index>
  %s = memref.load %sum[%c3] : memref<8xf32>
  %l = memref.load %last[%c3] : memref<8xf32>
  %n = memref.load %calls[] : memref<index>
  %i = arith.index_cast %n : index to i32
  %f = arith.sitofp %i : i32 to f32
  // CHECK: 10
  call @printF32(%s) : (f32) -> ()
  call @printNewline() : () -> ()
  // CHECK-NEXT: 20
  call @printF32(%l) : (f32) -> ()
  call @printNewline() : () -> ()
  // CHECK-NEXT: 3
  call @printF32(%f) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}
