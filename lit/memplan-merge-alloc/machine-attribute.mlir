// A description of the machine in the program: on the module, or in the description of the target.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{verify=true}))' | FileCheck %s

// 1. On the module.
// CHECK-LABEL: func @on_the_module
// CHECK:         memplan.arena} : memref<256xi8>{{$}}
// CHECK:         memplan.arena} : memref<256xi8, 1>{{$}}
module attributes {memplan.machine = {version = 1, spaces = [
  {name = "fast", memory_space = 1, size = "256B", slower = "dram"},
  {name = "dram", memory_space = "default", read = 10.5, write = 2}]}} {
  func.func @on_the_module(%x: memref<64xf32>, %y: memref<64xf32>) {
    %b = memref.alloc() : memref<64xf32, 1>
    memref.copy %x, %b : memref<64xf32> to memref<64xf32, 1>
    %a = memref.alloc() : memref<64xf32, 1>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
    memref.copy %a, %y : memref<64xf32, 1> to memref<64xf32>
    memref.copy %b, %y : memref<64xf32, 1> to memref<64xf32>
    return
  }
}

// -----

// 2. In the description of the target. Memory spaces may be attributes.
// CHECK-LABEL: func @of_the_target
// CHECK:         memplan.arena} : memref<256xi8, "l2">
// CHECK:         memplan.arena} : memref<256xi8, #gpu.address_space<private>>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"NPU" = #dlti.target_device_spec<
  "memplan.machine" = {version = 1, unit = "cycle", spaces = [
    {name = "fast", memory_space = #gpu.address_space<private>, size = 256, slower = "l2", copies_beside = true},
    {name = "l2", memory_space = "l2", read = 10, write = 2}]}>>} {
  func.func @of_the_target(%x: memref<64xf32>, %y: memref<64xf32>) {
    %b = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    memref.copy %x, %b : memref<64xf32> to memref<64xf32, #gpu.address_space<private>>
    %a = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32, #gpu.address_space<private>>
    memref.copy %a, %y : memref<64xf32, #gpu.address_space<private>> to memref<64xf32>
    memref.copy %b, %y : memref<64xf32, #gpu.address_space<private>> to memref<64xf32>
    return
  }
}
