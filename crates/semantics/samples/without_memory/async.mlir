// async.runtime.num_worker_threads
func.func @async_num_worker_threads(%x: index) -> (i1, index) {
  %n = async.runtime.num_worker_threads : index
  %c0 = arith.constant 0 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  %r = arith.select %some, %x, %c0 : index
  return %some, %r : i1, index
}
