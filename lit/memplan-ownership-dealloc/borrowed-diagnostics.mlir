// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -verify-diagnostics

// Of two results, one that is lent and one that is not, one is gone: nobody knows which.
func.func private @gives(%n: index) -> memref<?xf32> {
  %b = memref.alloc(%n) : memref<?xf32>
  return %b : memref<?xf32>
}
func.func @lost(%n: index, %a: memref<?xf32>) {
  // expected-error @below {{'func.call' has lost results since memplan-regions said which of them are lent: free memory before results are taken away [memplan-E307]}}
  %b = call @gives(%n) {memplan.borrowed_results = array<i64: 1, 0>} : (index) -> memref<?xf32>
  memref.copy %b, %a : memref<?xf32> to memref<?xf32>
  return
}
