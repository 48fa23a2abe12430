// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics \
// RUN:   | FileCheck %s

// 1. One arena for each memory space, in the order of the first allocation in each; all freed after their last uses.
func.func private @near(memref<64xf32>)
func.func private @far(memref<64xf32, 1>)
// CHECK-LABEL: func @integers
// CHECK-DAG:     %[[FAR:.*]] = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8, 1>
// CHECK-DAG:     %[[NEAR:.*]] = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
// CHECK-DAG:     memref.view %[[FAR]]{{.*}} : memref<256xi8, 1> to memref<64xf32, 1>
// CHECK-DAG:     memref.view %[[NEAR]]{{.*}} : memref<256xi8> to memref<64xf32>
// CHECK:         call @near
// CHECK-NEXT:    memref.dealloc %[[NEAR]]
// CHECK-NEXT:    call @far
// CHECK-NEXT:    memref.dealloc %[[FAR]]
// CHECK-NEXT:    return
func.func @integers() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes in memory space 1 : i64}}
  %a = memref.alloc() : memref<64xf32, 1>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes in memory space 1 : i64}}
  %c = memref.alloc() : memref<64xf32, 1>
  call @far(%a) : (memref<64xf32, 1>) -> ()
  call @near(%b) : (memref<64xf32>) -> ()
  call @far(%c) : (memref<64xf32, 1>) -> ()
  return
}

// -----

// 2. Spaces with a name.

func.func private @use(memref<64xf32, #gpu.address_space<workgroup>>)
// CHECK-LABEL: func @named
// CHECK:         memref.alloc() {{.*}} : memref<256xi8, #gpu.address_space<workgroup>>
// CHECK:         memref.view {{.*}} : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
func.func @named() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes in memory space #gpu.address_space<workgroup>}}
  %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  call @use(%a) : (memref<64xf32, #gpu.address_space<workgroup>>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes in memory space #gpu.address_space<workgroup>}}
  %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  call @use(%b) : (memref<64xf32, #gpu.address_space<workgroup>>) -> ()
  return
}

// -----

// 3. The same space and number of bytes, other elements: one arena.
func.func private @floats(memref<64xf32, 3>)
func.func private @ints(memref<128xi16, 3>)
func.func @one_space() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes in memory space 3 : i64}}
  %a = memref.alloc() : memref<64xf32, 3>
  call @floats(%a) : (memref<64xf32, 3>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes in memory space 3 : i64}}
  %b = memref.alloc() : memref<128xi16, 3>
  call @ints(%b) : (memref<128xi16, 3>) -> ()
  return
}
