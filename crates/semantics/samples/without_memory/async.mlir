// async.runtime.num_worker_threads
func.func @async_num_worker_threads(%x: index) -> (i1, index) {
  %n = async.runtime.num_worker_threads : index
  %c0 = arith.constant 0 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  %r = arith.select %some, %x, %c0 : index
  return %some, %r : i1, index
}
// -----
// async.execute, async.await, async.yield: in a loop of another
func.func @async_loop(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %token, %value = async.execute -> !async.value<f32> {
    %sum = scf.for %i = %c0 to %c5 step %c1 iter_args(%before = %x) -> f32 {
      %t, %v = async.execute -> !async.value<f32> {
        %twice = arith.addf %before, %before : f32
        async.yield %twice : f32
      }
      %w = async.await %v : !async.value<f32>
      scf.yield %w : f32
    }
    async.yield %sum : f32
  }
  %r = async.await %value : !async.value<f32>
  return %r : f32
}
// -----
// async.execute, async.await, async.yield: in a branch, a switch and a loop of affine of another
func.func @async_branches(%x: f32) -> f32 {
  %true = arith.constant true
  %two = arith.constant 2.0 : f32
  %token, %value = async.execute -> !async.value<f32> {
    %sum = affine.for %i = 0 to 4 iter_args(%before = %x) -> f32 {
      %next = scf.if %true -> f32 {
        %chosen = scf.index_switch %i -> f32
        case 2 {
          %t, %v = async.execute -> !async.value<f32> {
            %product = arith.mulf %before, %two : f32
            async.yield %product : f32
          }
          %w = async.await %v : !async.value<f32>
          scf.yield %w : f32
        }
        default {
          scf.yield %before : f32
        }
        scf.yield %chosen : f32
      } else {
        scf.yield %two : f32
      }
      %more = arith.addf %next, %two : f32
      affine.yield %more : f32
    }
    async.yield %sum : f32
  }
  %r = async.await %value : !async.value<f32>
  return %r : f32
}
// -----
// async.func, async.call, async.return, async.await: in loops and branches
async.func @async_steps(%x: f32, %n: index, %which: i1) -> !async.value<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %x) -> f32 {
    %next = scf.if %which -> f32 {
      %v = async.call @async_step(%before) : (f32) -> !async.value<f32>
      %w = async.await %v : !async.value<f32>
      scf.yield %w : f32
    } else {
      %done = scf.while (%y = %before) : (f32) -> f32 {
        %low = arith.constant 100.0 : f32
        %is_low = arith.cmpf olt, %y, %low : f32
        scf.condition(%is_low) %y : f32
      } do {
      ^bb0(%y: f32):
        %t, %v = async.execute -> !async.value<f32> {
          %more = arith.addf %y, %one : f32
          async.yield %more : f32
        }
        %w = async.await %v : !async.value<f32>
        scf.yield %w : f32
      }
      scf.yield %done : f32
    }
    scf.yield %next : f32
  }
  return %sum : f32
}
async.func @async_step(%x: f32) -> !async.value<f32> {
  %one = arith.constant 1.0 : f32
  %r = arith.addf %x, %one : f32
  return %r : f32
}
func.func @async_all_steps(%x: f32) -> (f32, f32) {
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = async.call @async_steps(%x, %c3, %true) : (f32, index, i1) -> !async.value<f32>
  %b = async.call @async_steps(%x, %c3, %false) : (f32, index, i1) -> !async.value<f32>
  %v = async.await %a : !async.value<f32>
  %w = async.await %b : !async.value<f32>
  return %v, %w : f32, f32
}
// -----
// async.execute, async.await, async.yield: branches pass tokens, values and groups
func.func @async_passed(%x: f32, %which: i1) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %t0, %v0 = async.execute -> !async.value<f32> {
    async.yield %x : f32
  }
  %t, %v = scf.for %i = %c0 to %c4 step %c1 iter_args(%ti = %t0, %vi = %v0) -> (!async.token, !async.value<f32>) {
    %tn, %vn = async.execute [%ti] (%vi as %y : !async.value<f32>) -> !async.value<f32> {
      %next = arith.addf %y, %one : f32
      async.yield %next : f32
    }
    scf.yield %tn, %vn : !async.token, !async.value<f32>
  }
  async.await %t : !async.token
  %r = async.await %v : !async.value<f32>
  %chosen = scf.if %which -> !async.value<f32> {
    %t2, %v2 = async.execute -> !async.value<f32> {
      %product = arith.mulf %r, %r : f32
      async.yield %product : f32
    }
    scf.yield %v2 : !async.value<f32>
  } else {
    scf.yield %v0 : !async.value<f32>
  }
  %s = async.await %chosen : !async.value<f32>
  return %r, %s : f32, f32
}
