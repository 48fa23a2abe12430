// Memory of asynchronous operations goes to regions where they are awaited before the scope ends. The region is emptied
// after the wait, no earlier. Groups and tags.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{remarks})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{release=last-use})' --split-input-file \
// RUN:   | FileCheck %s

// 1. A group in which all iterations add theirs: what the iterations use of outside goes after the wait for the group.
// CHECK-LABEL: func @group
// CHECK:         async.await_all
// CHECK-NEXT:    call @memplan_region_empty
func.func @group(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  memref.copy %x, %b : memref<?xf32> to memref<?xf32>
  %group = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %made = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
    %t = async.execute {
      memref.copy %a, %made : memref<?xf32> to memref<?xf32>
      async.yield
    }
    async.add_to_group %t, %group : !async.token
  }
  async.await_all %group
  memref.copy %x, %x : memref<?xf32> to memref<?xf32>
  memref.copy %x, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 2. A group that each iteration creates, and one that not all iterations add to.
func.func @groups(%n: index, %x: memref<?xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  %common = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %made = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of a loop}}
    %own = async.create_group %c1 : !async.group
    %t = async.execute {
      memref.copy %x, %made : memref<?xf32> to memref<?xf32>
      async.yield
    }
    async.add_to_group %t, %own : !async.token
    %s = async.execute {
      memref.copy %a, %x : memref<?xf32> to memref<?xf32>
      async.yield
    }
    scf.if %c {
      async.add_to_group %s, %common : !async.token
    }
    async.await_all %own
  }
  async.await_all %common
  return
}

// -----

// 3. A tag: in each iteration, and over iterations for what is of outside.
func.func @tags(%n: index, %y: memref<?xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tag = memref.alloc() : memref<2xi32> // expected-remark {{skipped: its size is static, and it stays in the function}}
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  memref.dma_start %a[%c0], %y[%c0], %n, %tag[%c1] : memref<?xf32>, memref<?xf32, 1>, memref<2xi32>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of a loop}}
    memref.dma_start %y[%c0], %b[%c0], %n, %tag[%c0] : memref<?xf32, 1>, memref<?xf32>, memref<2xi32>
    memref.dma_wait %tag[%c1], %n : memref<2xi32>
    memref.dma_start %a[%c0], %y[%c0], %n, %tag[%c1] : memref<?xf32>, memref<?xf32, 1>, memref<2xi32>
    memref.dma_wait %tag[%c0], %n : memref<2xi32>
  }
  memref.dma_wait %tag[%c1], %n : memref<2xi32>
  return
}

// -----

// 4. A wait for another tag, one on one path only, a tag that others may use, and one for two transfers.
func.func @other_tags(%n: index, %y: memref<?xf32, 1>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tags = memref.alloc() : memref<4xi32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  memref.dma_start %a[%c0], %y[%c0], %n, %tags[%c0] : memref<?xf32>, memref<?xf32, 1>, memref<4xi32>
  memref.dma_wait %tags[%c1], %n : memref<4xi32>
  %one = memref.alloc() : memref<1xi32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  memref.dma_start %b[%c0], %y[%c0], %n, %one[%c0] : memref<?xf32>, memref<?xf32, 1>, memref<1xi32>
  scf.if %c {
    memref.dma_wait %one[%c0], %n : memref<1xi32>
  }
  %known = memref.alloc() : memref<1xi32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  %d = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  call @uses(%known) : (memref<1xi32>) -> ()
  memref.dma_start %d[%c0], %y[%c0], %n, %known[%c0] : memref<?xf32>, memref<?xf32, 1>, memref<1xi32>
  memref.dma_wait %known[%c0], %n : memref<1xi32>
  %both = memref.alloc() : memref<1xi32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  %e = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  scf.for %i = %c0 to %n step %c1 {
    memref.dma_start %e[%c0], %y[%c0], %n, %both[%c0] : memref<?xf32>, memref<?xf32, 1>, memref<1xi32>
  }
  memref.dma_wait %both[%c0], %n : memref<1xi32>
  return
}
func.func private @uses(memref<1xi32>)

// -----

// 5. Of bodies that run at once, each may wait for the transfer of another, if they share a tag.
func.func @at_once(%n: index, %y: memref<?xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %shared = memref.alloc() : memref<1xi32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
    memref.dma_start %a[%c0], %y[%c0], %n, %shared[%c0] : memref<?xf32>, memref<?xf32, 1>, memref<1xi32>
    memref.dma_wait %shared[%c0], %n : memref<1xi32>
    %own = memref.alloca() : memref<1xi32>
    %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of a loop}}
    memref.dma_start %b[%c0], %y[%c0], %n, %own[%c0] : memref<?xf32>, memref<?xf32, 1>, memref<1xi32>
    memref.dma_wait %own[%c0], %n : memref<1xi32>
  }
  return
}

// -----

// 6. Groups of transfers: until no more than so many are left.
func.func @drained(%n: index, %s: memref<32xf32, 3>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  %d = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  %t = nvgpu.device_async_copy %a[%c0], %s[%c0], 4 : memref<?xf32> to memref<32xf32, 3>
  %g = nvgpu.device_async_create_group %t
  %u = nvgpu.device_async_copy %b[%c0], %s[%c0], 4 : memref<?xf32> to memref<32xf32, 3>
  %h = nvgpu.device_async_create_group %u
  nvgpu.device_async_wait %h {numGroups = 1 : i32}
  %v = nvgpu.device_async_copy %d[%c0], %s[%c0], 4 : memref<?xf32> to memref<32xf32, 3>
  nvgpu.device_async_wait %h {numGroups = 0 : i32}
  return
}
