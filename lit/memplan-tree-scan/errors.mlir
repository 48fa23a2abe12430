// What has no layout.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan)' --split-input-file --verify-diagnostics -o /dev/null

// 1. Not a tree.
func.func @branch(%c: i1) {
  // expected-error @+1 {{there is a branch that joins again}}
  scf.if %c {
  }
  return
}

// -----

// 2. What goes on behind control.
func.func @asynchronous() {
  %a = memref.alloc() : memref<4xf32>
  // expected-error @+1 {{it goes on when control has passed it}}
  %t = async.execute {
    memref.dealloc %a : memref<4xf32>
    async.yield
  }
  async.await %t : !async.token
  return
}
