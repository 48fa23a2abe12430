// Memory that upstream's pipeline does not free, or frees by the wrong operation: our pass and upstream's side by
// side.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/compare.sh %t %memplan-opt

//--- omp.mlir
// 1. Regions whose terminator has neither interface.
// CHECK-LABEL:    func @parallel(
// CHECK:            omp.parallel {
// CHECK-NEXT:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:         memref.copy %{{.*}}, %[[A]]
// CHECK-NEXT:         memref.copy %[[A]]
// CHECK-NEXT:         memref.dealloc %[[A]]
// CHECK-NEXT:         omp.terminator
// UPSTREAM-LABEL: func @parallel(
// UPSTREAM:         memref.alloc
// UPSTREAM-NOT:     dealloc
// UPSTREAM:         omp.terminator
func.func @parallel(%x: memref<8xf32>) {
  omp.parallel {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.copy %a, %x : memref<8xf32> to memref<8xf32>
    omp.terminator
  }
  return
}

//--- gpu.mlir
// 2. gpu.alloc is freed by gpu.dealloc.
// CHECK-LABEL:    func @device(
// CHECK:            %[[A:.*]] = gpu.alloc
// CHECK-NEXT:       memref.copy
// CHECK-NEXT:       gpu.dealloc %[[A]]
// CHECK-NEXT:       return
// UPSTREAM-LABEL: func @device(
// UPSTREAM:         %[[A:.*]] = gpu.alloc
// UPSTREAM:         memref.dealloc %[[A]]
func.func @device(%x: memref<8xf32>) {
  %a = gpu.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  return
}

//--- gpu_func.mlir
// 3. Functions of all dialects.
// CHECK-LABEL:    gpu.func @kernel(
// CHECK:            %[[A:.*]] = memref.alloc()
// CHECK-NEXT:       memref.copy
// CHECK-NEXT:       memref.dealloc %[[A]]
// CHECK-NEXT:       gpu.return
// UPSTREAM-LABEL: gpu.func @kernel(
// UPSTREAM-NOT:     dealloc
gpu.module @kernels {
  gpu.func @kernel(%x: memref<8xf32>) {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    gpu.return
  }
}

//--- async_func.mlir
// 4. The same of the dialect async, a use of which counts until it is done.
// CHECK-LABEL:    async.func @function(
// CHECK:            %[[A:.*]] = memref.alloc()
// CHECK-NEXT:       memref.copy
// CHECK-NEXT:       memref.dealloc %[[A]]
// CHECK-NEXT:       return
// UPSTREAM-LABEL: async.func @function(
// UPSTREAM-NOT:     dealloc
async.func @function(%x: memref<8xf32>) -> !async.token {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  return
}

//--- llvm_func.mlir
// 5. The same of the dialect llvm.
// CHECK-LABEL:    llvm.func @function(
// CHECK:            %[[A:.*]] = memref.alloc()
// CHECK-NEXT:       memref.store
// CHECK-NEXT:       memref.dealloc %[[A]]
// CHECK-NEXT:       llvm.return
// UPSTREAM-LABEL: llvm.func @function(
// UPSTREAM-NOT:     dealloc
llvm.func @function(%x: f32) {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  llvm.return
}

//--- launch.mlir
// 6. gpu.launch with memory of the workgroup.
// CHECK-LABEL:    func @launch(
// CHECK:            workgroup(%[[W:.*]] : memref<8xf32, #gpu.address_space<workgroup>>)
// CHECK-NEXT:       %[[A:.*]] = memref.alloc()
// CHECK-NEXT:       memref.copy %[[A]], %[[W]]
// CHECK-NEXT:       memref.dealloc %[[A]]
// CHECK-NEXT:       gpu.terminator
// UPSTREAM:       {{crashes|error}}
func.func @launch() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) workgroup(%w : memref<8xf32, #gpu.address_space<workgroup>>) {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %a, %w : memref<8xf32> to memref<8xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

//--- layout.mlir
// 7. A layout that is no strided one.
// CHECK-LABEL:    func @layout(
// CHECK:            %[[A:.*]] = memref.alloc()
// CHECK-NEXT:       memref.copy
// CHECK-NEXT:       memref.dealloc %[[A]]
// UPSTREAM:       {{crashes|error}}
func.func @layout(%x: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32, affine_map<(d0, d1) -> (d0 + d1, d1 mod 2)>>
  memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32, affine_map<(d0, d1) -> (d0 + d1, d1 mod 2)>>
  return
}
