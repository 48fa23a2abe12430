// gpu.alloc, gpu.dealloc
// compile: no
func.func @alloc(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = gpu.alloc () : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  gpu.dealloc %a : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.alloc: not freed
// compile: no
func.func @alloc_not_freed(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = gpu.alloc () : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.alloc, gpu.dealloc, gpu.wait: asynchronous
// compile: no
func.func @alloc_async(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<4x4xf32>
  gpu.wait [%t1]
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  %t2 = gpu.wait async
  %t3 = gpu.dealloc async [%t2] %a : memref<4x4xf32>
  gpu.wait [%t3]
  return %v : f32
}
// -----
// gpu.alloc: shared with the host
// compile: no
func.func @alloc_host_shared(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = gpu.alloc host_shared () : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.memcpy
// compile: no
func.func @memcpy(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  gpu.memcpy %b, %a : memref<4x4xf32>, memref<4x4xf32>
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.memcpy, gpu.wait: asynchronous, waited for
// compile: no
func.func @memcpy_async(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %b, %a : memref<4x4xf32>, memref<4x4xf32>
  gpu.wait [%t1]
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.memcpy, gpu.wait: asynchronous, only a token comes after it
// compile: no
func.func @memcpy_async_after(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %y, %a : memref<4x4xf32>, memref<4x4xf32>
  %t2 = gpu.wait async [%t1]
  %v = memref.load %y[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.memcpy, gpu.wait: asynchronous, waited for through a token that comes after it
// compile: no
func.func @memcpy_async_wait_after(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %y, %a : memref<4x4xf32>, memref<4x4xf32>
  %t2 = gpu.wait async [%t1]
  gpu.wait [%t2]
  %v = memref.load %y[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.memcpy, gpu.memset, gpu.wait: asynchronous, the last of a chain is waited for
// compile: no
func.func @memcpy_async_chain(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %y, %a : memref<4x4xf32>, memref<4x4xf32>
  %t2 = gpu.memset async [%t1] %y, %x : memref<4x4xf32>, f32
  gpu.wait [%t2]
  %v = memref.load %y[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.memcpy: asynchronous, never waited for
// compile: no
func.func @memcpy_async_never_awaited(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t1 = gpu.memcpy async %y, %a : memref<4x4xf32>, memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.memset
// compile: no
func.func @memset(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  gpu.memset %a, %x : memref<4x4xf32>, f32
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.memset, gpu.wait: asynchronous
// compile: no
func.func @memset_async(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %a, %x : memref<4x4xf32>, f32
  gpu.wait [%t1]
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.wait
// compile: no
func.func @wait(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  gpu.wait
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.host_register, gpu.host_unregister
// compile: no
func.func @host_register(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %u = memref.cast %a : memref<4x4xf32> to memref<*xf32>
  gpu.host_register %u : memref<*xf32>
  gpu.host_unregister %u : memref<*xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.launch, gpu.terminator
// compile: no
func.func @launch(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    gpu.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.launch, gpu.wait: asynchronous
// compile: no
func.func @launch_async(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x4xf32>
  %t0 = gpu.wait async
  %t1 = gpu.launch async [%t0] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    gpu.terminator
  }
  gpu.wait [%t1]
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.launch: with memory of its own
// compile: no
func.func @launch_attributions(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
      workgroup(%w: memref<4x4xf32, 3>) private(%p: memref<1xf32, 5>) {
    memref.store %x, %w[%c0, %c0] : memref<4x4xf32, 3>
    memref.store %x, %p[%c0] : memref<1xf32, 5>
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    gpu.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.launch, gpu.barrier
// compile: no
func.func @launch_barrier(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%tx, %c0] : memref<4x4xf32>
    gpu.barrier
    %r = memref.load %a[%c0, %c0] : memref<4x4xf32>
    memref.store %r, %a[%c0, %tx] : memref<4x4xf32>
    gpu.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.dynamic_shared_memory
// compile: no
func.func @dynamic_shared_memory(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4x4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %s = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %w = memref.view %s[%c0][]
        : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xf32, #gpu.address_space<workgroup>>
    memref.store %x, %w[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
    %r = memref.load %w[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
    memref.store %r, %a[%c0, %c0] : memref<4x4xf32>
    gpu.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.launch_func, gpu.module, gpu.func, gpu.return
// compile: no
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @stores(%m: memref<4x4xf32>, %x: f32) kernel {
      %c0 = arith.constant 0 : index
      memref.store %x, %m[%c0, %c0] : memref<4x4xf32>
      gpu.return
    }
  }
  func.func @launch_func(%x: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<4x4xf32>
    gpu.launch_func @kernels::@stores blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4x4xf32>, %x : f32)
    %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
    return %v : f32
  }
}
// -----
// gpu.launch_func, gpu.wait: asynchronous
// compile: no
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @stores(%m: memref<4x4xf32>, %x: f32) kernel {
      %c0 = arith.constant 0 : index
      memref.store %x, %m[%c0, %c0] : memref<4x4xf32>
      gpu.return
    }
  }
  func.func @launch_func_async(%x: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<4x4xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@stores blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4x4xf32>, %x : f32)
    gpu.wait [%t1]
    %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
    return %v : f32
  }
}
// -----
// gpu.launch_func, gpu.wait: asynchronous, waited for through a token that comes after it
// compile: no
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @stores(%m: memref<4x4xf32>, %x: f32) kernel {
      %c0 = arith.constant 0 : index
      memref.store %x, %m[%c0, %c0] : memref<4x4xf32>
      gpu.return
    }
  }
  func.func @launch_func_async_after(%x: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<4x4xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@stores blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4x4xf32>, %x : f32)
    %t2 = gpu.wait async [%t1]
    gpu.wait [%t2]
    %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
    return %v : f32
  }
}
// -----
// gpu.func, gpu.return: with memory of its own
// compile: no
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @own(%m: memref<4x4xf32>, %x: f32) workgroup(%w: memref<4xf32, 3>) kernel {
      %c0 = arith.constant 0 : index
      memref.store %x, %w[%c0] : memref<4xf32, 3>
      gpu.barrier
      %r = memref.load %w[%c0] : memref<4xf32, 3>
      memref.store %r, %m[%c0, %c0] : memref<4x4xf32>
      gpu.return
    }
  }
  func.func @func(%x: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<4x4xf32>
    %r = memref.load %a[%c0, %c0] : memref<4x4xf32>
    gpu.launch_func @kernels::@own blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4x4xf32>, %x : f32)
    %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
    return %v : f32
  }
}
// -----
// gpu.printf
// compile: no
func.func @printf(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  gpu.printf "%f", %v : f32
  return %v : f32
}
// -----
// gpu.set_default_device
// compile: no
func.func @set_default_device(%x: f32, %device: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  gpu.set_default_device %device
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.subgroup_mma_load_matrix, gpu.subgroup_mma_store_matrix
// compile: no
func.func @subgroup_mma(%x: f16) -> f16 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf16>
  %b = memref.alloc() : memref<16x16xf16>
  memref.store %x, %a[%c0, %c0] : memref<16x16xf16>
  %m = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16>
      -> !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %m, %b[%c0, %c0] {leadDimension = 16 : index}
      : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
  %v = memref.load %b[%c0, %c0] : memref<16x16xf16>
  return %v : f16
}
// -----
// gpu.subgroup_broadcast
// compile: no
func.func @subgroup_broadcast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %number = memref.extract_aligned_pointer_as_index %a : memref<4x4xf32> -> index
  %int = arith.index_cast %number : index to i64
  %same = gpu.subgroup_broadcast %int, first_active_lane : i64
  %p = llvm.inttoptr %same : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  return %v : f32
}
// -----
// gpu.all_reduce, gpu.yield
// compile: no
func.func @all_reduce(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<4x4xf32>
  %a = memref.alloc() : memref<4x4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %sum = gpu.all_reduce %x {
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      gpu.yield %s : f32
    } : (f32) -> f32
    memref.store %sum, %a[%c0, %c0] : memref<4x4xf32>
    gpu.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.warp_execute_on_lane_0, gpu.yield
// compile: no
func.func @warp_execute_on_lane_0(%x: f32, %lane: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = gpu.warp_execute_on_lane_0(%lane)[32] -> (f32) {
    %r = memref.load %a[%c0, %c0] : memref<4x4xf32>
    gpu.yield %r : f32
  }
  return %v : f32
}
// -----
// gpu.create_coo, gpu.destroy_sp_mat
// compile: no
func.func @create_coo(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %rows = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %m = gpu.create_coo %n, %n, %n, %rows, %columns, %a : memref<?xindex>, memref<?xindex>, memref<?xf32>
  gpu.destroy_sp_mat %m
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_coo_aos, gpu.destroy_sp_mat
// compile: no
func.func @create_coo_aos(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %places = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %m = gpu.create_coo_aos %n, %n, %n, %places, %a : memref<?xindex>, memref<?xf32>
  gpu.destroy_sp_mat %m
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_csr, gpu.destroy_sp_mat
// compile: no
func.func @create_csr(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %m = gpu.create_csr %n, %n, %n, %positions, %columns, %a : memref<?xindex>, memref<?xindex>, memref<?xf32>
  gpu.destroy_sp_mat %m
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_csc, gpu.destroy_sp_mat
// compile: no
func.func @create_csc(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %rows = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %m = gpu.create_csc %n, %n, %n, %positions, %rows, %a : memref<?xindex>, memref<?xindex>, memref<?xf32>
  gpu.destroy_sp_mat %m
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_bsr, gpu.destroy_sp_mat
// compile: no
func.func @create_bsr(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %m = gpu.create_bsr %n, %n, %n, %c2, %c2, %positions, %columns, %a : memref<?xindex>, memref<?xindex>, memref<?xf32>
  gpu.destroy_sp_mat %m
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_2to4_spmat, gpu.destroy_sp_mat
// compile: no
func.func @create_2to4_spmat(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %m = gpu.create_2to4_spmat {PRUNE_AND_CHECK} %n, %n, %a : memref<?xf32>
  gpu.destroy_sp_mat %m
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_dn_tensor, gpu.destroy_dn_tensor
// compile: no
func.func @create_dn_tensor(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %m = gpu.create_dn_tensor %a, %n : index into memref<?xf32>
  gpu.destroy_dn_tensor %m
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.spmv_buffer_size, gpu.spmv, gpu.create_csr, gpu.create_dn_tensor
// compile: no
func.func @spmv(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %right = memref.alloc(%n) : memref<?xf32>
  %result = memref.alloc(%n) : memref<?xf32>
  %m = gpu.create_csr %n, %n, %n, %positions, %columns, %a : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %dx = gpu.create_dn_tensor %right, %n : index into memref<?xf32>
  %dy = gpu.create_dn_tensor %result, %n : index into memref<?xf32>
  %size = gpu.spmv_buffer_size %m, %dx, %dy into f32
  %space = memref.alloc(%size) : memref<?xi8>
  gpu.spmv %m, %dx, %dy, %space : memref<?xi8> into f32
  gpu.destroy_dn_tensor %dx
  gpu.destroy_dn_tensor %dy
  gpu.destroy_sp_mat %m
  %v = memref.load %result[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.spmm_buffer_size, gpu.spmm
// compile: no
func.func @spmm(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %right = memref.alloc(%n) : memref<?xf32>
  %result = memref.alloc(%n) : memref<?xf32>
  %m = gpu.create_csr %n, %n, %n, %positions, %columns, %a : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %dx = gpu.create_dn_tensor %right, %n, %n : index, index into memref<?xf32>
  %dy = gpu.create_dn_tensor %result, %n, %n : index, index into memref<?xf32>
  %size = gpu.spmm_buffer_size %m, %dx, %dy : index into f32
  %space = memref.alloc(%size) : memref<?xi8>
  gpu.spmm %m, %dx, %dy, %space : memref<?xi8> into f32
  %v = memref.load %result[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.sddmm_buffer_size, gpu.sddmm
// compile: no
func.func @sddmm(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %right = memref.alloc(%n) : memref<?xf32>
  %result = memref.alloc(%n) : memref<?xf32>
  %m = gpu.create_csr %n, %n, %n, %positions, %columns, %result : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %dx = gpu.create_dn_tensor %right, %n, %n : index, index into memref<?xf32>
  %dy = gpu.create_dn_tensor %a, %n, %n : index, index into memref<?xf32>
  %size = gpu.sddmm_buffer_size %dx, %dy, %m into f32
  %space = memref.alloc(%size) : memref<?xi8>
  gpu.sddmm %dx, %dy, %m, %space : memref<?xi8> into f32
  %v = memref.load %result[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.spgemm_create_descr, gpu.spgemm_work_estimation_or_compute, gpu.spmat_get_size, gpu.set_csr_pointers, gpu.spgemm_copy, gpu.spgemm_destroy_descr
// compile: no
func.func @spgemm(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %right = memref.alloc(%n) : memref<?xf32>
  %result = memref.alloc(%n) : memref<?xf32>
  %empty = memref.alloc() : memref<0xi8>
  %m = gpu.create_csr %n, %n, %n, %positions, %columns, %a : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %k = gpu.create_csr %n, %n, %n, %positions, %columns, %right : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %r = gpu.create_csr %n, %n, %n, %positions, %columns, %result : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %d = gpu.spgemm_create_descr 
  %size = gpu.spgemm_work_estimation_or_compute {WORK_ESTIMATION} %m, %k, %r, %d, %c0, %empty : f32 into memref<0xi8>
  %space = memref.alloc(%size) : memref<?xi8>
  %used = gpu.spgemm_work_estimation_or_compute {COMPUTE} %m, %k, %r, %d, %size, %space : f32 into memref<?xi8>
  %height, %width, %count = gpu.spmat_get_size %r
  %positions2 = memref.alloc(%count) : memref<?xindex>
  %columns2 = memref.alloc(%count) : memref<?xindex>
  %values2 = memref.alloc(%count) : memref<?xf32>
  gpu.set_csr_pointers %r, %positions2, %columns2, %values2 : memref<?xindex>, memref<?xindex>, memref<?xf32>
  gpu.spgemm_copy %m, %k, %r, %d : f32
  gpu.spgemm_destroy_descr %d
  %v = memref.load %values2[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_coo, gpu.destroy_sp_mat: asynchronous
// compile: no
func.func @create_coo_async(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %rows = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_coo async [%t0] %n, %n, %n, %rows, %columns, %a
      : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %t2 = gpu.destroy_sp_mat async [%t1] %m
  gpu.wait [%t2]
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_coo_aos, gpu.destroy_sp_mat: asynchronous
// compile: no
func.func @create_coo_aos_async(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %places = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_coo_aos async [%t0] %n, %n, %n, %places, %a : memref<?xindex>, memref<?xf32>
  %t2 = gpu.destroy_sp_mat async [%t1] %m
  gpu.wait [%t2]
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_csr, gpu.destroy_sp_mat: asynchronous
// compile: no
func.func @create_csr_async(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_csr async [%t0] %n, %n, %n, %positions, %columns, %a
      : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %t2 = gpu.destroy_sp_mat async [%t1] %m
  gpu.wait [%t2]
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_csc, gpu.destroy_sp_mat: asynchronous
// compile: no
func.func @create_csc_async(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %rows = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_csc async [%t0] %n, %n, %n, %positions, %rows, %a
      : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %t2 = gpu.destroy_sp_mat async [%t1] %m
  gpu.wait [%t2]
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_bsr, gpu.destroy_sp_mat: asynchronous
// compile: no
func.func @create_bsr_async(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_bsr async [%t0] %n, %n, %n, %c2, %c2, %positions, %columns, %a
      : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %t2 = gpu.destroy_sp_mat async [%t1] %m
  gpu.wait [%t2]
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_2to4_spmat, gpu.destroy_sp_mat: asynchronous
// compile: no
func.func @create_2to4_spmat_async(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_2to4_spmat async [%t0] {PRUNE_AND_CHECK} %n, %n, %a : memref<?xf32>
  %t2 = gpu.destroy_sp_mat async [%t1] %m
  gpu.wait [%t2]
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.create_dn_tensor, gpu.destroy_dn_tensor: asynchronous
// compile: no
func.func @create_dn_tensor_async(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_dn_tensor async [%t0] %a, %n : index into memref<?xf32>
  %t2 = gpu.destroy_dn_tensor async [%t1] %m
  gpu.wait [%t2]
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.spmv_buffer_size, gpu.spmv, gpu.create_csr, gpu.create_dn_tensor: asynchronous
// compile: no
func.func @spmv_async(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %right = memref.alloc(%n) : memref<?xf32>
  %result = memref.alloc(%n) : memref<?xf32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_csr async [%t0] %n, %n, %n, %positions, %columns, %a
      : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %dx, %t2 = gpu.create_dn_tensor async [%t1] %right, %n : index into memref<?xf32>
  %dy, %t3 = gpu.create_dn_tensor async [%t2] %result, %n : index into memref<?xf32>
  %size, %t4 = gpu.spmv_buffer_size async [%t3] %m, %dx, %dy into f32
  %space = memref.alloc(%size) : memref<?xi8>
  %t5 = gpu.spmv async [%t4] %m, %dx, %dy, %space : memref<?xi8> into f32
  %t6 = gpu.destroy_dn_tensor async [%t5] %dx
  %t7 = gpu.destroy_dn_tensor async [%t6] %dy
  %t8 = gpu.destroy_sp_mat async [%t7] %m
  gpu.wait [%t8]
  %v = memref.load %result[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.spmm_buffer_size, gpu.spmm: asynchronous
// compile: no
func.func @spmm_async(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %right = memref.alloc(%n) : memref<?xf32>
  %result = memref.alloc(%n) : memref<?xf32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_csr async [%t0] %n, %n, %n, %positions, %columns, %a
      : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %dx, %t2 = gpu.create_dn_tensor async [%t1] %right, %n, %n : index, index into memref<?xf32>
  %dy, %t3 = gpu.create_dn_tensor async [%t2] %result, %n, %n : index, index into memref<?xf32>
  %size, %t4 = gpu.spmm_buffer_size async [%t3] %m, %dx, %dy : index into f32
  %space = memref.alloc(%size) : memref<?xi8>
  %t5 = gpu.spmm async [%t4] %m, %dx, %dy, %space : memref<?xi8> into f32
  gpu.wait [%t5]
  %v = memref.load %result[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.sddmm_buffer_size, gpu.sddmm: asynchronous
// compile: no
func.func @sddmm_async(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %right = memref.alloc(%n) : memref<?xf32>
  %result = memref.alloc(%n) : memref<?xf32>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_csr async [%t0] %n, %n, %n, %positions, %columns, %result
      : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %dx, %t2 = gpu.create_dn_tensor async [%t1] %right, %n, %n : index, index into memref<?xf32>
  %dy, %t3 = gpu.create_dn_tensor async [%t2] %a, %n, %n : index, index into memref<?xf32>
  %size, %t4 = gpu.sddmm_buffer_size async [%t3] %dx, %dy, %m into f32
  %space = memref.alloc(%size) : memref<?xi8>
  %t5 = gpu.sddmm async [%t4] %dx, %dy, %m, %space : memref<?xi8> into f32
  gpu.wait [%t5]
  %v = memref.load %result[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.spgemm_create_descr, gpu.spgemm_work_estimation_or_compute, gpu.spmat_get_size, gpu.set_csr_pointers, gpu.spgemm_copy, gpu.spgemm_destroy_descr: asynchronous
// compile: no
func.func @spgemm_async(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %positions = memref.alloc(%n) : memref<?xindex>
  %columns = memref.alloc(%n) : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %right = memref.alloc(%n) : memref<?xf32>
  %result = memref.alloc(%n) : memref<?xf32>
  %empty = memref.alloc() : memref<0xi8>
  %t0 = gpu.wait async
  %m, %t1 = gpu.create_csr async [%t0] %n, %n, %n, %positions, %columns, %a
      : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %k, %t2 = gpu.create_csr async [%t1] %n, %n, %n, %positions, %columns, %right
      : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %r, %t3 = gpu.create_csr async [%t2] %n, %n, %n, %positions, %columns, %result
      : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %d, %t4 = gpu.spgemm_create_descr async [%t3] 
  %size, %t5 = gpu.spgemm_work_estimation_or_compute async [%t4] {WORK_ESTIMATION} %m, %k, %r, %d, %c0, %empty
      : f32 into memref<0xi8>
  %space = memref.alloc(%size) : memref<?xi8>
  %used, %t6 = gpu.spgemm_work_estimation_or_compute async [%t5] {COMPUTE} %m, %k, %r, %d, %size, %space
      : f32 into memref<?xi8>
  %height, %width, %count, %t7 = gpu.spmat_get_size async [%t6] %r
  %positions2 = memref.alloc(%count) : memref<?xindex>
  %columns2 = memref.alloc(%count) : memref<?xindex>
  %values2 = memref.alloc(%count) : memref<?xf32>
  %t8 = gpu.set_csr_pointers async [%t7] %r, %positions2, %columns2, %values2
      : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %t9 = gpu.spgemm_copy async [%t8] %m, %k, %r, %d : f32
  %t10 = gpu.spgemm_destroy_descr async [%t9] %d
  gpu.wait [%t10]
  %v = memref.load %values2[%c0] : memref<?xf32>
  return %v : f32
}
// -----
// gpu.memcpy, gpu.dealloc, gpu.wait: asynchronous, frees what was copied
// compile: no
func.func @dealloc_async(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %y, %a : memref<4x4xf32>, memref<4x4xf32>
  %t2 = gpu.dealloc async [%t1] %a : memref<4x4xf32>
  gpu.wait [%t2]
  %v = memref.load %y[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.memcpy: after others, and waited for at once
// compile: no
func.func @memcpy_after(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t0 = gpu.wait async
  gpu.memcpy [%t0] %y, %a : memref<4x4xf32>, memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// gpu.launch_func: on a queue, never waited for
// compile: no
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @stores(%m: memref<4x4xf32>, %x: f32) kernel {
      %c0 = arith.constant 0 : index
      memref.store %x, %m[%c0, %c0] : memref<4x4xf32>
      gpu.return
    }
  }
  func.func @launch_func_queue(%x: f32, %y: f32, %queue: !llvm.ptr) -> f32 {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<4x4xf32>
    gpu.launch_func <%queue : !llvm.ptr> @kernels::@stores blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4x4xf32>, %x : f32)
    return %y : f32
  }
}
