// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-regions)' -verify-diagnostics
// RUN: not %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-regions{alignment=3})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALIGNMENT
// RUN: not %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(memplan-regions))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FUNCTION
// ALIGNMENT: option 'alignment' takes a power of two in bytes from 16 B to 1 MiB, not '3'
// FUNCTION: memplan-regions

// 1. A name of the runtime's that is something else: nothing is changed.
// expected-error @+1 {{memplan-regions: 'memplan_region_make' is not the runtime function, which is a private function without a body, with llvm.emit_c_interface, of type () -> i64 [memplan-E501]}}
func.func private @memplan_region_make() -> i32 attributes {llvm.emit_c_interface}
func.func @f(%n: index, %x: memref<?xf32>) {
  %t = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 2. Without llvm.emit_c_interface, it would be called otherwise.
// expected-error @+1 {{'memplan_region_allocate' is not the runtime function, which is a private function without a body, with llvm.emit_c_interface, of type (i64, index, index, memref<memref<?xi8>>) -> ()}}
func.func private @memplan_region_allocate(i64, index, index, memref<memref<?xi8>>)
func.func @f(%n: index, %x: memref<?xf32>) {
  %t = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 3. Where no memory goes to a region, there is no remark.
func.func private @memplan_region_make() -> i32
func.func @f() {
  return
}

// -----

// 4. A runtime that is declared already, some of it.
func.func private @memplan_region_make() -> i64 attributes {llvm.emit_c_interface}
func.func @f(%n: index, %x: memref<?xf32>) {
  %t = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  return
}
