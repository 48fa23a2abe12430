// Results of callees without a body are new memory, which is freed; a remark says so.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc)' --split-input-file --verify-diagnostics \
// RUN:   | FileCheck %s

// 1. Its argument might be what it returns: both are freed, nothing is copied.
// expected-remark @below {{the result is assumed to be new memory, which callers free, and not an argument: no attribute says so [memplan-R305]}}
func.func private @made(memref<8xf32>) -> memref<8xf32>

// CHECK-LABEL: func @assumed
func.func @assumed(%x: memref<8xf32>) {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK-NOT: memref.alloc
  // CHECK: %[[B:.*]] = call @made(%[[A]])
  // CHECK-DAG: memref.dealloc %[[A]]
  // CHECK-DAG: memref.dealloc %[[B]]
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  // expected-note @below {{called here}}
  %b = call @made(%a) : (memref<8xf32>) -> memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  return
}

// Said once.
func.func @again(%x: memref<8xf32>) -> memref<8xf32> {
  %b = call @made(%x) : (memref<8xf32>) -> memref<8xf32>
  return %b : memref<8xf32>
}

// -----

// 2. The declaration says it.
func.func private @said(memref<8xf32>) -> (memref<8xf32> {memplan.owned})

// CHECK-LABEL: func @by_attribute
func.func @by_attribute(%x: memref<8xf32>) {
  // CHECK: %[[B:.*]] = call @said
  // CHECK: memref.dealloc %[[B]]
  %b = call @said(%x) : (memref<8xf32>) -> memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 3. It is given no memref, or gives none.
func.func private @from_size(index) -> memref<?xf32>
func.func private @reads(memref<?xf32>) -> f32

// CHECK-LABEL: func @nothing_to_say
func.func @nothing_to_say(%n: index) -> f32 {
  // CHECK: %[[B:.*]] = call @from_size
  // CHECK: memref.dealloc %[[B]]
  %b = call @from_size(%n) : (index) -> memref<?xf32>
  %s = call @reads(%b) : (memref<?xf32>) -> f32
  return %s : f32
}
