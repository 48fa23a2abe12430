// Rows of a table, as a compiler writes them: a region for each row, a mark for what dies within it, and one region for
// what is kept. Lowered by mlir-opt and run by mlir-runner.

func.func private @memplan_region_make() -> i64 attributes {llvm.emit_c_interface}
func.func private @memplan_region_release(i64) attributes {llvm.emit_c_interface}
func.func private @memplan_region_clear(i64) attributes {llvm.emit_c_interface}
func.func private @memplan_region_mark(i64) -> i64 attributes {llvm.emit_c_interface}
func.func private @memplan_region_release_to(i64, i64) attributes {llvm.emit_c_interface}
func.func private @memplan_region_refer(i64, i64) attributes {llvm.emit_c_interface}
func.func private @memplan_region_retain(i64) attributes {llvm.emit_c_interface}
func.func private @memplan_region_alive() -> i64 attributes {llvm.emit_c_interface}
func.func private @memplan_region_held() -> i64 attributes {llvm.emit_c_interface}
func.func private @memplan_region_bytes(i64) -> i64 attributes {llvm.emit_c_interface}
func.func private @memplan_region_statistics(i64, memref<9xi64>) attributes {llvm.emit_c_interface}
func.func private @memplan_region_allocate(i64, index, index, memref<memref<?xi8>>) attributes {llvm.emit_c_interface}

// Builds n numbers in the region that the consumer passes: start, start + 1, ...
func.func @numbers(%region: i64, %n: index, %start: i64) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %slot = memref.alloca() : memref<memref<?xi8>>
  %size = arith.muli %n, %c8 : index
  func.call @memplan_region_allocate(%region, %size, %c64, %slot) : (i64, index, index, memref<memref<?xi8>>) -> ()
  %bytes = memref.load %slot[] : memref<memref<?xi8>>
  %row = memref.view %bytes[%c0][%n] : memref<?xi8> to memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %at = arith.index_cast %i : index to i64
    %value = arith.addi %start, %at : i64
    memref.store %value, %row[%i] : memref<?xi64>
  }
  return %row : memref<?xi64>
}

func.func @sum(%row: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %row, %c0 : memref<?xi64>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %zero) -> i64 {
    %value = memref.load %row[%i] : memref<?xi64>
    %next = arith.addi %so_far, %value : i64
    scf.yield %next : i64
  }
  return %sum : i64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 1000 : index
  %zero = arith.constant 0 : i64
  %row_region = func.call @memplan_region_make() : () -> i64
  %kept_region = func.call @memplan_region_make() : () -> i64
  %total = scf.for %i = %c0 to %rows step %c1 iter_args(%so_far = %zero) -> i64 {
    %start = arith.index_cast %i : index to i64
    %row = func.call @numbers(%row_region, %i, %start) : (i64, index, i64) -> memref<?xi64>
    %mark = func.call @memplan_region_mark(%row_region) : (i64) -> i64
    %scratch = func.call @numbers(%row_region, %rows, %start) : (i64, index, i64) -> memref<?xi64>
    %some = func.call @sum(%scratch) : (memref<?xi64>) -> i64
    func.call @memplan_region_release_to(%row_region, %mark) : (i64, i64) -> ()
    %sum = func.call @sum(%row) : (memref<?xi64>) -> i64
    func.call @memplan_region_clear(%row_region) : (i64) -> ()
    %both = arith.addi %some, %sum : i64
    %next = arith.addi %so_far, %both : i64
    scf.yield %next : i64
  }
  // 1,000 times the sums of i .. i+999, and of i .. 2i-1.
  vector.print %total : i64

  // A value in one region that points into another, which is kept by it.
  %kept = func.call @numbers(%kept_region, %rows, %zero) : (i64, index, i64) -> memref<?xi64>
  func.call @memplan_region_refer(%row_region, %kept_region) : (i64, i64) -> ()
  func.call @memplan_region_release(%kept_region) : (i64) -> ()
  %of_kept = func.call @sum(%kept) : (memref<?xi64>) -> i64
  vector.print %of_kept : i64
  %alive = func.call @memplan_region_alive() : () -> i64
  vector.print %alive : i64

  %numbers = memref.alloca() : memref<9xi64>
  func.call @memplan_region_statistics(%row_region, %numbers) : (i64, memref<9xi64>) -> ()
  %c2 = arith.constant 2 : index
  %parents = memref.load %numbers[%c1] : memref<9xi64>
  vector.print %parents : i64
  %allocations = memref.load %numbers[%c2] : memref<9xi64>
  vector.print %allocations : i64
  %bytes = func.call @memplan_region_bytes(%row_region) : (i64) -> i64
  vector.print %bytes : i64

  func.call @memplan_region_retain(%row_region) : (i64) -> ()
  func.call @memplan_region_release(%row_region) : (i64) -> ()
  func.call @memplan_region_release(%row_region) : (i64) -> ()
  %alive_then = func.call @memplan_region_alive() : () -> i64
  vector.print %alive_then : i64
  %held = func.call @memplan_region_held() : () -> i64
  vector.print %held : i64
  return
}
