// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{remarks})' -verify-diagnostics -o /dev/null

// The runtime takes indices of 64 bits.
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} {
  func.func private @use(memref<?xf32>)
  func.func @f(%n: index) {
    %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: indices do not have 64 bits [memplan-R502]}}
    call @use(%a) : (memref<?xf32>) -> ()
    return
  }
}
