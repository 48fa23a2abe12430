// omp.parallel, omp.terminator
func.func @parallel(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.parallel, omp.barrier
func.func @barrier(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.barrier
    %r = memref.load %a[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.parallel, omp.private: with memory of its own
// compile: no
omp.private {type = private} @own : memref<4x4xf32>
func.func @parallel_private(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  omp.parallel private(@own %a -> %own : memref<4x4xf32>) {
    memref.store %x, %own[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.private, omp.yield: allocates, copies and frees
omp.private {type = firstprivate} @own : memref<4x4xf32> init {
^bb0(%from: memref<4x4xf32>, %to: memref<4x4xf32>):
  %m = memref.alloc() : memref<4x4xf32>
  omp.yield(%m : memref<4x4xf32>)
} copy {
^bb0(%from: memref<4x4xf32>, %to: memref<4x4xf32>):
  memref.copy %from, %to : memref<4x4xf32> to memref<4x4xf32>
  omp.yield(%to : memref<4x4xf32>)
} dealloc {
^bb0(%m: memref<4x4xf32>):
  memref.dealloc %m : memref<4x4xf32>
  omp.yield
}
func.func @private_firstprivate(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  omp.parallel private(@own %a -> %own : memref<4x4xf32>) {
    memref.store %x, %own[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.declare_reduction, omp.parallel, omp.yield
// compile: no
omp.declare_reduction @add : f32 init {
^bb0(%start: f32):
  %zero = arith.constant 0.0 : f32
  omp.yield(%zero : f32)
} combiner {
^bb0(%left: f32, %right: f32):
  %sum = arith.addf %left, %right : f32
  omp.yield(%sum : f32)
}
func.func @parallel_reduction(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  omp.parallel reduction(@add %a -> %part : memref<f32>) {
    memref.store %x, %part[] : memref<f32>
    omp.terminator
  }
  %v = memref.load %a[] : memref<f32>
  return %v : f32
}
// -----
// omp.declare_reduction, omp.parallel, omp.yield: by reference
// compile: no
omp.declare_reduction @add : memref<f32> alloc {
  %m = memref.alloc() : memref<f32>
  omp.yield(%m : memref<f32>)
} init {
^bb0(%start: memref<f32>, %m: memref<f32>):
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %m[] : memref<f32>
  omp.yield(%m : memref<f32>)
} combiner {
^bb0(%left: memref<f32>, %right: memref<f32>):
  %l = memref.load %left[] : memref<f32>
  %r = memref.load %right[] : memref<f32>
  %sum = arith.addf %l, %r : f32
  memref.store %sum, %left[] : memref<f32>
  omp.yield(%left : memref<f32>)
} cleanup {
^bb0(%m: memref<f32>):
  memref.dealloc %m : memref<f32>
  omp.yield
}
func.func @parallel_reduction_byref(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  omp.parallel reduction(byref @add %a -> %part : memref<f32>) {
    memref.store %x, %part[] : memref<f32>
    omp.terminator
  }
  %v = memref.load %a[] : memref<f32>
  return %v : f32
}
// -----
// omp.teams
func.func @teams(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.teams {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.sections, omp.section
func.func @sections(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.sections {
      omp.section {
        memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
        omp.terminator
      }
      omp.terminator
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.single
func.func @single(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.single {
      memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
      omp.terminator
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.single: nobody waits for it
func.func @single_nowait(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.single nowait {
      memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
      omp.terminator
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.single: copies to the other threads
// compile: no
func.func private @copies(memref<4x4xf32>, memref<4x4xf32>)
func.func @single_copyprivate(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.single copyprivate(%a -> @copies : memref<4x4xf32>) {
      memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
      omp.terminator
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.master
func.func @master(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.master {
      memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
      omp.terminator
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.masked
func.func @masked(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.masked {
      memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
      omp.terminator
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.critical, omp.terminator
func.func @critical(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.critical {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.critical: named
omp.critical.declare @lock
func.func @critical_named(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.critical(@lock) {
      memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
      omp.terminator
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.wsloop, omp.loop_nest, omp.yield
func.func @wsloop(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
        memref.store %x, %a[%i, %c0] : memref<4x4xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.wsloop: nobody waits for it
func.func @wsloop_nowait(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.wsloop nowait {
      omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
        memref.store %x, %a[%i, %c0] : memref<4x4xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.simd
func.func @simd(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.simd {
    omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
      memref.store %x, %a[%i, %c0] : memref<4x4xf32>
      omp.yield
    }
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.simd: aligned and nontemporal
// compile: no
func.func @simd_aligned(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.simd aligned(%a : memref<4x4xf32> -> 64 : i64) nontemporal(%a : memref<4x4xf32>) {
    omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
      memref.store %x, %a[%i, %c0] : memref<4x4xf32>
      omp.yield
    }
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.loop
// compile: no
func.func @loop(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.loop {
    omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
      memref.store %x, %a[%i, %c0] : memref<4x4xf32>
      omp.yield
    }
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.distribute
func.func @distribute(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.teams {
    omp.distribute {
      omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
        memref.store %x, %a[%i, %c0] : memref<4x4xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.taskloop
func.func @taskloop(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.taskloop {
    omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
      memref.store %x, %a[%i, %c0] : memref<4x4xf32>
      omp.yield
    }
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.taskloop: nobody waits for it
func.func @taskloop_nogroup(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.taskloop nogroup {
    omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
      memref.store %x, %a[%i, %c0] : memref<4x4xf32>
      omp.yield
    }
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.workshare, omp.workshare.loop_wrapper
// compile: no
func.func @workshare(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.workshare {
      omp.workshare.loop_wrapper {
        omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
          memref.store %x, %a[%i, %c0] : memref<4x4xf32>
          omp.yield
        }
      }
      omp.terminator
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.workdistribute
// compile: no
func.func @workdistribute(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.teams {
    omp.workdistribute {
      memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
      omp.terminator
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.ordered.region
func.func @ordered_region(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.wsloop ordered(0) {
      omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
        omp.ordered.region {
          memref.store %x, %a[%i, %c0] : memref<4x4xf32>
          omp.terminator
        }
        omp.yield
      }
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.ordered
func.func @ordered(%x: f32, %n: i64) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.wsloop ordered(1) {
      omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
        omp.ordered depend_type(dependsource) depend_vec(%n : i64) {doacross_num_loops = 1 : i64}
        memref.store %x, %a[%i, %c0] : memref<4x4xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.canonical_loop, omp.new_cli
func.func @canonical_loop(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  %loop = omp.new_cli
  omp.canonical_loop(%loop) %i : index in range(%c4) {
    memref.store %x, %a[%i, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.scan
// compile: no
omp.declare_reduction @add : f32 init {
^bb0(%start: f32):
  %zero = arith.constant 0.0 : f32
  omp.yield(%zero : f32)
} combiner {
^bb0(%left: f32, %right: f32):
  %sum = arith.addf %left, %right : f32
  omp.yield(%sum : f32)
}
func.func @scan(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  %s = memref.alloc() : memref<f32>
  memref.store %x, %s[] : memref<f32>
  omp.parallel {
    omp.wsloop reduction(mod: inscan, @add %s -> %part : memref<f32>) {
      omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
        memref.store %x, %part[] : memref<f32>
        omp.scan inclusive(%part : memref<f32>)
        %r = memref.load %part[] : memref<f32>
        memref.store %r, %a[%i, %c0] : memref<4x4xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.task, omp.taskwait
func.func @task(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  omp.task {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  omp.taskwait
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.task: never waited for
func.func @task_never_awaited(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  omp.task {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.task, omp.taskwait: with a dependence
// compile: no
func.func @task_depend(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  omp.task depend(taskdependout -> %a : memref<4x4xf32>) {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  omp.taskwait
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.task, omp.taskwait: detached
// compile: no
func.func @task_detach(%x: f32, %event: memref<1xi64>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  omp.task detach(%event : memref<1xi64>) {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  omp.taskwait
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.taskgroup, omp.task
func.func @taskgroup(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  omp.taskgroup {
    omp.task {
      memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
      omp.terminator
    }
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.taskyield
func.func @taskyield(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  omp.task {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.taskyield
    omp.terminator
  }
  omp.taskwait
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.flush
// compile: no
func.func @flush(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  omp.flush(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.atomic.read
// compile: no
func.func @atomic_read(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  %b = memref.alloc() : memref<f32>
  omp.atomic.read %b = %a : memref<f32>, memref<f32>, f32
  %v = memref.load %b[] : memref<f32>
  return %v : f32
}
// -----
// omp.atomic.write
// compile: no
func.func @atomic_write(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<f32>
  omp.atomic.write %a = %x : memref<f32>, f32
  %v = memref.load %a[] : memref<f32>
  return %v : f32
}
// -----
// omp.atomic.update, omp.yield
// compile: no
func.func @atomic_update(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  omp.atomic.update %a : memref<f32> {
  ^bb0(%old: f32):
    %new = arith.addf %old, %x : f32
    omp.yield(%new : f32)
  }
  %v = memref.load %a[] : memref<f32>
  return %v : f32
}
// -----
// omp.atomic.capture
// compile: no
func.func @atomic_capture(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  %b = memref.alloc() : memref<f32>
  omp.atomic.capture {
    omp.atomic.update %a : memref<f32> {
    ^bb0(%old: f32):
      %new = arith.addf %old, %x : f32
      omp.yield(%new : f32)
    }
    omp.atomic.read %b = %a : memref<f32>, memref<f32>, f32
    omp.terminator
  }
  %v = memref.load %b[] : memref<f32>
  return %v : f32
}
// -----
// omp.target, omp.map.info
// compile: no
func.func @target(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %map = omp.map.info var_ptr(%a : memref<4x4xf32>, memref<4x4xf32>) map_clauses(tofrom) capture(ByRef)
      -> memref<4x4xf32> {name = "a"}
  omp.target map_entries(%map -> %m : memref<4x4xf32>) {
    %d0 = arith.constant 0 : index
    %r = memref.load %m[%d0, %d0] : memref<4x4xf32>
    memref.store %r, %m[%d0, %d0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.target: nobody waits for it
// compile: no
func.func @target_nowait(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %map = omp.map.info var_ptr(%a : memref<4x4xf32>, memref<4x4xf32>) map_clauses(tofrom) capture(ByRef)
      -> memref<4x4xf32> {name = "a"}
  omp.target nowait map_entries(%map -> %m : memref<4x4xf32>) {
    %d0 = arith.constant 0 : index
    %r = memref.load %m[%d0, %d0] : memref<4x4xf32>
    memref.store %r, %m[%d0, %d0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.target: of an address on the device
// compile: no
func.func @target_has_device_addr(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %map = omp.map.info var_ptr(%a : memref<4x4xf32>, memref<4x4xf32>) map_clauses(tofrom) capture(ByRef)
      -> memref<4x4xf32> {name = "a"}
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  omp.target has_device_addr(%map -> %m : memref<4x4xf32>) {
    %d0 = arith.constant 0 : index
    %r = memref.load %m[%d0, %d0] : memref<4x4xf32>
    memref.store %r, %m[%d0, %d0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.target_data, omp.map.info
// compile: no
func.func @target_data(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %map = omp.map.info var_ptr(%a : memref<4x4xf32>, memref<4x4xf32>) map_clauses(tofrom) capture(ByRef)
      -> memref<4x4xf32> {name = "a"}
  omp.target_data map_entries(%map : memref<4x4xf32>) {
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.target_data: gives the address on the device
// compile: no
func.func @target_data_use_device(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %map = omp.map.info var_ptr(%a : memref<4x4xf32>, memref<4x4xf32>) map_clauses(tofrom) capture(ByRef)
      -> memref<4x4xf32> {name = "a"}
  omp.target_data map_entries(%map : memref<4x4xf32>) use_device_ptr(%map -> %m : memref<4x4xf32>) {
    memref.store %x, %m[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.target_enter_data, omp.target_exit_data, omp.map.info
// compile: no
func.func @target_enter_data(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %entered = omp.map.info var_ptr(%a : memref<4x4xf32>, memref<4x4xf32>) map_clauses(to) capture(ByRef)
      -> memref<4x4xf32> {name = "a"}
  omp.target_enter_data map_entries(%entered : memref<4x4xf32>)
  %left = omp.map.info var_ptr(%a : memref<4x4xf32>, memref<4x4xf32>) map_clauses(from) capture(ByRef)
      -> memref<4x4xf32> {name = "a"}
  omp.target_exit_data map_entries(%left : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.target_enter_data: nobody waits for it
// compile: no
func.func @target_enter_data_nowait(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %entered = omp.map.info var_ptr(%a : memref<4x4xf32>, memref<4x4xf32>) map_clauses(to) capture(ByRef)
      -> memref<4x4xf32> {name = "a"}
  omp.target_enter_data map_entries(%entered : memref<4x4xf32>) nowait
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.target_update
// compile: no
func.func @target_update(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %map = omp.map.info var_ptr(%a : memref<4x4xf32>, memref<4x4xf32>) map_clauses(from) capture(ByRef)
      -> memref<4x4xf32> {name = "a"}
  omp.target_update map_entries(%map : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.target_allocmem, omp.target_freemem
func.func @target_allocmem(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %device = arith.constant 0 : i32
  %number = omp.target_allocmem %device : i32, f32
  omp.target_freemem %device, %number : i32, i64
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.declare_mapper, omp.declare_mapper.info, omp.map.info
// compile: no
omp.declare_mapper @whole : memref<4x4xf32> {
^bb0(%m: memref<4x4xf32>):
  %info = omp.map.info var_ptr(%m : memref<4x4xf32>, memref<4x4xf32>) map_clauses(tofrom) capture(ByRef)
      -> memref<4x4xf32>
  omp.declare_mapper.info map_entries(%info : memref<4x4xf32>)
}
func.func @declare_mapper(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %map = omp.map.info var_ptr(%a
      : memref<4x4xf32>, memref<4x4xf32>) map_clauses(from) capture(ByRef) mapper(@whole)
          -> memref<4x4xf32> {name = "a"}
  omp.target_update map_entries(%map : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.threadprivate
// compile: no
memref.global @shared : memref<4x4xf32> = uninitialized
func.func @threadprivate(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @shared : memref<4x4xf32>
  %a = omp.threadprivate %g : memref<4x4xf32> -> memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.allocate_dir
// compile: no
func.func @allocate_dir(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.allocate_dir(%a : memref<4x4xf32>) align(64)
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.cancel
func.func @cancel(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.cancel cancellation_construct_type(parallel)
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// omp.cancellation_point
func.func @cancellation_point(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  omp.parallel {
    omp.cancellation_point cancellation_construct_type(parallel)
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    omp.terminator
  }
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
