// acc.parallel, acc.copyin, acc.copyout, acc.yield
// compile: no
func.func @parallel(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.parallel dataOperands(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  acc.copyout accPtr(%d : memref<4x4xf32>) to varPtr(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.parallel, acc.copyin, acc.copyout, acc.wait: asynchronous
// compile: no
func.func @parallel_async(%x: f32, %queue: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.parallel dataOperands(%d : memref<4x4xf32>) async(%queue : i32) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  acc.wait(%queue : i32)
  acc.copyout accPtr(%d : memref<4x4xf32>) to varPtr(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.serial, acc.copyin, acc.copyout, acc.yield
// compile: no
func.func @serial(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.serial dataOperands(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  acc.copyout accPtr(%d : memref<4x4xf32>) to varPtr(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.serial, acc.copyin, acc.copyout, acc.wait: asynchronous
// compile: no
func.func @serial_async(%x: f32, %queue: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.serial dataOperands(%d : memref<4x4xf32>) async(%queue : i32) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  acc.wait(%queue : i32)
  acc.copyout accPtr(%d : memref<4x4xf32>) to varPtr(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.kernels, acc.copyin, acc.copyout, acc.terminator
// compile: no
func.func @kernels(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.kernels dataOperands(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.terminator
  }
  acc.copyout accPtr(%d : memref<4x4xf32>) to varPtr(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.kernels, acc.copyin, acc.copyout, acc.wait: asynchronous
// compile: no
func.func @kernels_async(%x: f32, %queue: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.kernels dataOperands(%d : memref<4x4xf32>) async(%queue : i32) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.terminator
  }
  acc.wait(%queue : i32)
  acc.copyout accPtr(%d : memref<4x4xf32>) to varPtr(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.parallel: asynchronous, never waited for
// compile: no
func.func @parallel_async_never_awaited(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.parallel dataOperands(%d : memref<4x4xf32>) async {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.kernel_environment
// compile: no
func.func @kernel_environment(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.kernel_environment dataOperands(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
  }
  acc.copyout accPtr(%d : memref<4x4xf32>) to varPtr(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.private, acc.private.recipe
// compile: no
acc.private.recipe @own : memref<4x4xf32> init {
^bb0(%from: memref<4x4xf32>):
  %m = memref.alloca() : memref<4x4xf32>
  acc.yield %m : memref<4x4xf32>
}
func.func @private(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.private varPtr(%a : memref<4x4xf32>) recipe(@own) -> memref<4x4xf32>
  acc.parallel private(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.firstprivate, acc.firstprivate.recipe
// compile: no
acc.firstprivate.recipe @own : memref<4x4xf32> init {
^bb0(%from: memref<4x4xf32>):
  %m = memref.alloc() : memref<4x4xf32>
  acc.yield %m : memref<4x4xf32>
} copy {
^bb0(%from: memref<4x4xf32>, %to: memref<4x4xf32>):
  memref.copy %from, %to : memref<4x4xf32> to memref<4x4xf32>
  acc.terminator
} destroy {
^bb0(%from: memref<4x4xf32>, %m: memref<4x4xf32>):
  memref.dealloc %m : memref<4x4xf32>
  acc.terminator
}
func.func @firstprivate(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.firstprivate varPtr(%a : memref<4x4xf32>) recipe(@own) -> memref<4x4xf32>
  acc.parallel firstprivate(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.firstprivate_map
// compile: no
func.func @firstprivate_map(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.firstprivate_map varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  %v = memref.load %d[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.reduction, acc.reduction.recipe
// compile: no
acc.reduction.recipe @add : memref<4x4xf32> reduction_operator<add> init {
^bb0(%from: memref<4x4xf32>):
  %zero = arith.constant 0.0 : f32
  %m = memref.alloca() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%m : memref<4x4xf32>)
  acc.yield %m : memref<4x4xf32>
} combiner {
^bb0(%left: memref<4x4xf32>, %right: memref<4x4xf32>):
  linalg.add ins(%left, %right : memref<4x4xf32>, memref<4x4xf32>) outs(%left : memref<4x4xf32>)
  acc.yield %left : memref<4x4xf32>
}
func.func @reduction(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.reduction varPtr(%a : memref<4x4xf32>) recipe(@add) -> memref<4x4xf32>
  acc.parallel reduction(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.loop
// compile: no
func.func @loop(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.parallel dataOperands(%d : memref<4x4xf32>) {
    acc.loop control(%i : index) = (%c0 : index) to (%c4 : index) step (%c1 : index) {
      memref.store %x, %d[%i, %c0] : memref<4x4xf32>
      acc.yield
    } attributes {independent = [#acc.device_type<none>]}
    acc.yield
  }
  acc.copyout accPtr(%d : memref<4x4xf32>) to varPtr(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.cache
// compile: no
func.func @cache(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.parallel dataOperands(%d : memref<4x4xf32>) {
    %k = acc.cache varPtr(%d : memref<4x4xf32>) -> memref<4x4xf32>
    acc.loop cache(%k : memref<4x4xf32>) control(%i : index) = (%c0 : index) to (%c4 : index) step (%c1 : index) {
      memref.store %x, %k[%i, %c0] : memref<4x4xf32>
      acc.yield
    } attributes {independent = [#acc.device_type<none>]}
    acc.yield
  }
  acc.copyout accPtr(%d : memref<4x4xf32>) to varPtr(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.data, acc.create, acc.copyout
// compile: no
func.func @data(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %d = acc.create varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.data dataOperands(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.terminator
  }
  acc.copyout accPtr(%d : memref<4x4xf32>) to varPtr(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.host_data, acc.use_device
// compile: no
func.func @host_data(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.use_device varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.host_data dataOperands(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.present
// compile: no
func.func @present(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.present varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.parallel dataOperands(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  acc.delete accPtr(%d : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.nocreate
// compile: no
func.func @nocreate(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.nocreate varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.parallel dataOperands(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  acc.delete accPtr(%d : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.deviceptr
// compile: no
func.func @deviceptr(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.deviceptr varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.parallel dataOperands(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.attach, acc.detach
// compile: no
func.func @attach(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.attach varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.parallel dataOperands(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.yield
  }
  acc.detach accPtr(%d : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.enter_data, acc.exit_data, acc.copyin, acc.getdeviceptr, acc.delete
// compile: no
func.func @enter_data(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.enter_data dataOperands(%d : memref<4x4xf32>)
  %g = acc.getdeviceptr varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.exit_data dataOperands(%g : memref<4x4xf32>)
  acc.delete accPtr(%g : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.enter_data, acc.wait: asynchronous
// compile: no
func.func @enter_data_async(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.enter_data async dataOperands(%d : memref<4x4xf32>)
  acc.wait
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.update, acc.update_device
// compile: no
func.func @update_device(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.update_device varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.update dataOperands(%d : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.update, acc.update_host, acc.getdeviceptr
// compile: no
func.func @update_host(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.getdeviceptr varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.update dataOperands(%d : memref<4x4xf32>)
  acc.update_host accPtr(%d : memref<4x4xf32>) to varPtr(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.declare
// compile: no
func.func @declare(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.present varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  acc.declare dataOperands(%d : memref<4x4xf32>) {
    memref.store %x, %d[%c0, %c0] : memref<4x4xf32>
    acc.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.declare_enter, acc.declare_exit, acc.declare_device_resident
// compile: no
func.func @declare_enter(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.declare_device_resident varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  %token = acc.declare_enter dataOperands(%d : memref<4x4xf32>)
  acc.declare_exit token(%token) dataOperands(%d : memref<4x4xf32>)
  acc.delete accPtr(%d : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.declare_enter, acc.declare_link
// compile: no
func.func @declare_link(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.declare_link varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
  %token = acc.declare_enter dataOperands(%d : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.atomic.read
// compile: no
func.func @atomic_read(%x: f32) -> f32 {
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  %b = memref.alloc() : memref<f32>
  acc.atomic.read %b = %a : memref<f32>, memref<f32>, f32
  %v = memref.load %b[] : memref<f32>
  return %v : f32
}
// -----
// acc.atomic.write
// compile: no
func.func @atomic_write(%x: f32) -> f32 {
  %a = memref.alloc() : memref<f32>
  acc.atomic.write %a = %x : memref<f32>, f32
  %v = memref.load %a[] : memref<f32>
  return %v : f32
}
// -----
// acc.atomic.update, acc.yield
// compile: no
func.func @atomic_update(%x: f32) -> f32 {
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  acc.atomic.update %a : memref<f32> {
  ^bb0(%old: f32):
    %new = arith.addf %old, %x : f32
    acc.yield %new : f32
  }
  %v = memref.load %a[] : memref<f32>
  return %v : f32
}
// -----
// acc.atomic.capture, acc.terminator
// compile: no
func.func @atomic_capture(%x: f32) -> f32 {
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  %b = memref.alloc() : memref<f32>
  acc.atomic.capture {
    acc.atomic.update %a : memref<f32> {
    ^bb0(%old: f32):
      %new = arith.addf %old, %x : f32
      acc.yield %new : f32
    }
    acc.atomic.read %b = %a : memref<f32>, memref<f32>, f32
    acc.terminator
  }
  %v = memref.load %b[] : memref<f32>
  return %v : f32
}
// -----
// acc.init, acc.set, acc.shutdown, acc.wait
// compile: no
func.func @init(%x: f32, %device: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  acc.init
  acc.set device_num(%device : i32)
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  acc.wait
  acc.shutdown
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.global_ctor, acc.global_dtor
// compile: no
memref.global @table : memref<4x4xf32> = uninitialized
acc.global_ctor @enter {
  %g = memref.get_global @table : memref<4x4xf32>
  %d = acc.create varPtr(%g : memref<4x4xf32>) -> memref<4x4xf32>
  acc.declare_enter dataOperands(%d : memref<4x4xf32>)
  acc.terminator
}
acc.global_dtor @exit {
  %g = memref.get_global @table : memref<4x4xf32>
  %d = acc.getdeviceptr varPtr(%g : memref<4x4xf32>) -> memref<4x4xf32>
  acc.declare_exit dataOperands(%d : memref<4x4xf32>)
  acc.delete accPtr(%d : memref<4x4xf32>)
  acc.terminator
}
func.func @global(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.get_global @table : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.enter_data: asynchronous, never waited for
// compile: no
func.func @enter_data_async_never_awaited(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.copyin varPtr(%a : memref<4x4xf32>) async -> memref<4x4xf32>
  acc.enter_data async dataOperands(%d : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.update, acc.update_device: asynchronous, never waited for
// compile: no
func.func @update_device_async_never_awaited(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.update_device varPtr(%a : memref<4x4xf32>) async -> memref<4x4xf32>
  acc.update async dataOperands(%d : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// acc.exit_data, acc.getdeviceptr, acc.copyout: asynchronous, never waited for
// compile: no
func.func @exit_data_async_never_awaited(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  %d = acc.getdeviceptr varPtr(%a : memref<4x4xf32>) async -> memref<4x4xf32>
  acc.exit_data async dataOperands(%d : memref<4x4xf32>)
  acc.copyout accPtr(%d : memref<4x4xf32>) async to varPtr(%a : memref<4x4xf32>)
  return %v : f32
}
