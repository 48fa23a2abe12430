// mpi.send
func.func @send(%x: f32, %tag: i32, %rank: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %comm = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  mpi.send(%a, %tag, %rank, %comm) : memref<4x4xf32>, i32, i32
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// mpi.recv
func.func @recv(%x: f32, %tag: i32, %rank: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %comm = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<4x4xf32>
  mpi.recv(%a, %tag, %rank, %comm) : memref<4x4xf32>, i32, i32
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// mpi.isend, mpi.wait
// compile: no
func.func @isend(%x: f32, %tag: i32, %rank: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %comm = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %request = mpi.isend(%a, %tag, %rank, %comm) : memref<4x4xf32>, i32, i32 -> !mpi.request
  mpi.wait(%request) : !mpi.request
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// mpi.irecv, mpi.wait
// compile: no
func.func @irecv(%x: f32, %tag: i32, %rank: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %comm = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<4x4xf32>
  %request = mpi.irecv(%a, %tag, %rank, %comm) : memref<4x4xf32>, i32, i32 -> !mpi.request
  mpi.wait(%request) : !mpi.request
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// mpi.isend: never waited for
// compile: no
func.func @isend_never_awaited(%x: f32, %tag: i32, %rank: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %comm = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %request = mpi.isend(%a, %tag, %rank, %comm) : memref<4x4xf32>, i32, i32 -> !mpi.request
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// mpi.allreduce
func.func @allreduce(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %comm = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  mpi.allreduce(%a, %b, MPI_SUM, %comm) : memref<4x4xf32>, memref<4x4xf32>
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// mpi.barrier
// compile: no
func.func @barrier(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %comm = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  mpi.barrier(%comm)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
