// A given offset at forbidden addresses.
// RUN: %memplan-opt %s --verify-diagnostics --pass-pipeline='builtin.module(memplan-merge-alloc{forbid=0-1KiB})'
// RUN: %memplan-opt %s --verify-diagnostics --pass-pipeline='builtin.module(memplan{forbid=0-1KiB})'

func.func @fixed(%x: memref<64xf32>) {
  // expected-error @+1 {{its offset is given, but `forbid` excludes addresses 0 to 1024 [memplan-E112]}}
  %a = memref.alloc() {memplan.offset = 512 : i64} : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%x : memref<64xf32>)
  linalg.add ins(%x, %a : memref<64xf32>, memref<64xf32>) outs(%x : memref<64xf32>)
  return
}
