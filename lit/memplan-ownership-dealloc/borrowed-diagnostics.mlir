// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -verify-diagnostics

// Of two results, a borrowed one and an owned one, one was removed: it is not known which.
func.func private @gives(%n: index) -> memref<?xf32> {
  %b = memref.alloc(%n) : memref<?xf32>
  return %b : memref<?xf32>
}
func.func @lost(%n: index, %a: memref<?xf32>) {
  // expected-error @below {{'func.call' lost results after memplan-regions recorded which of them are borrowed: free memory before results are removed [memplan-E307]}}
  %b = call @gives(%n) {memplan.borrowed_results = array<i64: 1, 0>} : (index) -> memref<?xf32>
  memref.copy %b, %a : memref<?xf32> to memref<?xf32>
  return
}

// New memory is returned where the attribute says that callers borrow it: it would never be freed.
func.func @not_borrowed(%x: memref<4xf32>) -> (memref<4xf32> {memplan.borrowed}) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  // expected-error @below {{'func.return' returns memory that the function has to free, as a result that is marked `memplan.borrowed` [memplan-E314]}}
  return %a : memref<4xf32>
}
