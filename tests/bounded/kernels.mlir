// Control kernels. Each is a function of a number that prints its results. `$N` is its size, one of those listed after
// `sizes`, and `$M` is $N - 1.

// fir sizes 3 5 8: a filter of $N taps over a window of samples that is shifted between two buffers that are swapped.
func.func @fir_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cm = arith.constant $M : index
  %cn = arith.constant $N : index
  %zero = arith.constant 0.0 : f64
  %taps = memref.alloc() : memref<$Nxf64>
  scf.for %i = %c0 to %cn step %c1 {
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f64
    memref.store %f, %taps[%i] : memref<$Nxf64>
  }
  %w0 = memref.alloc() : memref<$Nxf64>
  linalg.fill ins(%zero : f64) outs(%w0 : memref<$Nxf64>)
  %end = scf.for %t = %c0 to %cn step %c1 iter_args(%w = %w0) -> (memref<$Nxf64>) {
    %next = memref.alloc() : memref<$Nxf64>
    scf.for %i = %c0 to %cm step %c1 {
      %j = arith.addi %i, %c1 : index
      %v = memref.load %w[%i] : memref<$Nxf64>
      memref.store %v, %next[%j] : memref<$Nxf64>
    }
    %n = arith.index_cast %t : index to i64
    %m = arith.muli %n, %seed : i64
    %x = arith.sitofp %m : i64 to f64
    memref.store %x, %next[%c0] : memref<$Nxf64>
    %y = scf.for %i = %c0 to %cn step %c1 iter_args(%s = %zero) -> (f64) {
      %a = memref.load %taps[%i] : memref<$Nxf64>
      %b = memref.load %next[%i] : memref<$Nxf64>
      %p = arith.mulf %a, %b : f64
      %q = arith.addf %s, %p : f64
      scf.yield %q : f64
    }
    func.call @printF64(%y) : (f64) -> ()
    func.call @printNewline() : () -> ()
    scf.yield %next : memref<$Nxf64>
  }
  %last = memref.load %end[%cm] : memref<$Nxf64>
  func.call @printF64(%last) : (f64) -> ()
  func.call @printNewline() : () -> ()
  return
}

// iir sizes 2 3 4: $N consecutive second-order sections, each with a state of its own.
func.func @iir_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %cn = arith.constant $N : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %in = arith.trunci %seed : i64 to i32
  %r = scf.for %s = %c0 to %cn step %c1 iter_args(%x = %in) -> (i32) {
    %state = memref.alloc() : memref<2xi32>
    linalg.fill ins(%zero : i32) outs(%state : memref<2xi32>)
    %y = scf.for %t = %c0 to %c3 step %c1 iter_args(%v = %x) -> (i32) {
      %a = memref.load %state[%c0] : memref<2xi32>
      %b = memref.load %state[%c1] : memref<2xi32>
      %p = arith.muli %v, %two : i32
      %q = arith.addi %p, %a : i32
      %o = arith.subi %q, %b : i32
      memref.store %a, %state[%c1] : memref<2xi32>
      memref.store %o, %state[%c0] : memref<2xi32>
      scf.yield %o : i32
    }
    scf.yield %y : i32
  }
  %e = arith.extsi %r : i32 to i64
  func.call @printI64(%e) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}

// crc sizes 2 4 6: $N bytes, bit by bit, with a table of intermediate remainders.
func.func @crc_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %cn = arith.constant $N : index
  %one = arith.constant 1 : i16
  %poly = arith.constant -24575 : i16
  %bytes = memref.alloc() : memref<$Nxi8>
  scf.for %i = %c0 to %cn step %c1 {
    %n = arith.index_cast %i : index to i64
    %m = arith.muli %n, %seed : i64
    %b = arith.trunci %m : i64 to i8
    memref.store %b, %bytes[%i] : memref<$Nxi8>
  }
  %start = arith.constant -1 : i16
  %crc = scf.for %i = %c0 to %cn step %c1 iter_args(%c = %start) -> (i16) {
    %steps = memref.alloc() : memref<8xi16>
    %b = memref.load %bytes[%i] : memref<$Nxi8>
    %e = arith.extui %b : i8 to i16
    %x = arith.xori %c, %e : i16
    %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%v = %x) -> (i16) {
      %low = arith.andi %v, %one : i16
      %is = arith.cmpi eq, %low, %one : i16
      %h = arith.shrui %v, %one : i16
      %y = arith.xori %h, %poly : i16
      %s = arith.select %is, %y, %h : i16
      memref.store %s, %steps[%k] : memref<8xi16>
      scf.yield %s : i16
    }
    %c7 = arith.constant 7 : index
    %l = memref.load %steps[%c7] : memref<8xi16>
    scf.yield %l : i16
  }
  %e = arith.extui %crc : i16 to i64
  func.call @printI64(%e) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}

// sort sizes 4 6 9: odd-even transposition of $N numbers, each round into a buffer of its own.
func.func @sort_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %cm = arith.constant $M : index
  %cn = arith.constant $N : index
  %k = arith.constant 37 : i64
  %mask = arith.constant 127 : i64
  %a0 = memref.alloc() : memref<$Nxi64>
  %last = scf.for %i = %c0 to %cn step %c1 iter_args(%v = %seed) -> (i64) {
    %m = arith.muli %v, %k : i64
    %n = arith.addi %m, %k : i64
    %w = arith.andi %n, %mask : i64
    memref.store %w, %a0[%i] : memref<$Nxi64>
    scf.yield %n : i64
  }
  %sorted = scf.for %r = %c0 to %cn step %c1 iter_args(%a = %a0) -> (memref<$Nxi64>) {
    %b = memref.alloc() : memref<$Nxi64>
    memref.copy %a, %b : memref<$Nxi64> to memref<$Nxi64>
    %odd = arith.remui %r, %c2 : index
    scf.for %i = %odd to %cm step %c2 {
      %j = arith.addi %i, %c1 : index
      %x = memref.load %b[%i] : memref<$Nxi64>
      %y = memref.load %b[%j] : memref<$Nxi64>
      %low = arith.minsi %x, %y : i64
      %high = arith.maxsi %x, %y : i64
      memref.store %low, %b[%i] : memref<$Nxi64>
      memref.store %high, %b[%j] : memref<$Nxi64>
    }
    scf.yield %b : memref<$Nxi64>
  }
  scf.for %i = %c0 to %cn step %c1 {
    %v = memref.load %sorted[%i] : memref<$Nxi64>
    func.call @printI64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}

// pid sizes 1 2 3: $N steps of a controller with limits; values outside of them are kept in a log of its own.
func.func @pid_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant $N : index
  %goal = arith.constant 20 : i64
  %top = arith.constant 12 : i64
  %low = arith.constant -12 : i64
  %zero = arith.constant 0 : i64
  %gains = memref.alloc() : memref<3xi64>
  linalg.fill ins(%top : i64) outs(%gains : memref<3xi64>)
  %r:2 = scf.for %t = %c0 to %cn step %c1 iter_args(%x = %seed, %sum = %zero) -> (i64, i64) {
    %error = arith.subi %goal, %x : i64
    %all = arith.addi %sum, %error : i64
    %g = memref.load %gains[%c0] : memref<3xi64>
    %p = arith.divsi %error, %g : i64
    %u = arith.addi %p, %all : i64
    %is_high = arith.cmpi sgt, %u, %top : i64
    %v = scf.if %is_high -> (i64) {
      %log = memref.alloc() : memref<9xi8>
      %b = arith.trunci %u : i64 to i8
      memref.store %b, %log[%c1] : memref<9xi8>
      %l = memref.load %log[%c1] : memref<9xi8>
      %e = arith.extsi %l : i8 to i64
      func.call @printI64(%e) : (i64) -> ()
      func.call @printNewline() : () -> ()
      scf.yield %top : i64
    } else {
      %is_low = arith.cmpi slt, %u, %low : i64
      %w = scf.if %is_low -> (i64) {
        %log = memref.alloc() : memref<5xi64>
        memref.store %u, %log[%c0] : memref<5xi64>
        %l = memref.load %log[%c0] : memref<5xi64>
        func.call @printI64(%l) : (i64) -> ()
        func.call @printNewline() : () -> ()
        scf.yield %low : i64
      } else {
        scf.yield %u : i64
      }
      scf.yield %w : i64
    }
    %y = arith.addi %x, %v : i64
    scf.yield %y, %all : i64, i64
  }
  func.call @printI64(%r#0) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}

// machine sizes 2 3 4: $N steps of a machine of four states, each with work of a different size.
func.func @machine_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %cn = arith.constant $N : index
  %s = arith.index_cast %seed : i64 to index
  %start = arith.andi %s, %c3 : index
  %tape = memref.alloc() : memref<4xi64>
  linalg.fill ins(%seed : i64) outs(%tape : memref<4xi64>)
  %end = scf.for %t = %c0 to %cn step %c1 iter_args(%state = %start) -> (index) {
    %next = scf.index_switch %state -> index
    case 0 {
      %w = memref.alloc() : memref<3xi64>
      %v = memref.load %tape[%c0] : memref<4xi64>
      linalg.fill ins(%v : i64) outs(%w : memref<3xi64>)
      %x = memref.load %w[%c1] : memref<3xi64>
      %y = arith.addi %x, %v : i64
      memref.store %y, %tape[%c1] : memref<4xi64>
      %c2 = arith.constant 2 : index
      scf.yield %c2 : index
    }
    case 2 {
      %w = memref.alloc() : memref<7xi16>
      %v = memref.load %tape[%c1] : memref<4xi64>
      %b = arith.trunci %v : i64 to i16
      linalg.fill ins(%b : i16) outs(%w : memref<7xi16>)
      %x = memref.load %w[%c3] : memref<7xi16>
      %y = arith.extsi %x : i16 to i64
      memref.store %y, %tape[%c3] : memref<4xi64>
      scf.yield %c1 : index
    }
    default {
      %v = memref.load %tape[%c3] : memref<4xi64>
      memref.store %v, %tape[%c0] : memref<4xi64>
      scf.yield %c0 : index
    }
    scf.yield %next : index
  }
  %e = arith.index_cast %end : index to i64
  func.call @printI64(%e) : (i64) -> ()
  func.call @printNewline() : () -> ()
  scf.for %i = %c0 to %c3 step %c1 {
    %v = memref.load %tape[%i] : memref<4xi64>
    func.call @printI64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}

// power sizes 2 3 4: a matrix of $N rows to the eighth power, by squaring: a buffer for each product.
func.func @power_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %cn = arith.constant $N : index
  %zero = arith.constant 0 : i64
  %a0 = memref.alloc() : memref<$Nx$Nxi64>
  scf.for %i = %c0 to %cn step %c1 {
    scf.for %j = %c0 to %cn step %c1 {
      %s = arith.addi %i, %j : index
      %n = arith.index_cast %s : index to i64
      %v = arith.addi %n, %seed : i64
      memref.store %v, %a0[%i, %j] : memref<$Nx$Nxi64>
    }
  }
  %r = scf.for %t = %c0 to %c3 step %c1 iter_args(%a = %a0) -> (memref<$Nx$Nxi64>) {
    %b = memref.alloc() : memref<$Nx$Nxi64>
    linalg.fill ins(%zero : i64) outs(%b : memref<$Nx$Nxi64>)
    linalg.matmul ins(%a, %a : memref<$Nx$Nxi64>, memref<$Nx$Nxi64>) outs(%b : memref<$Nx$Nxi64>)
    scf.yield %b : memref<$Nx$Nxi64>
  }
  affine.for %i = 0 to $N {
    affine.for %j = 0 to $N step 2 {
      %v = affine.load %r[%i, %j] : memref<$Nx$Nxi64>
      func.call @printI64(%v) : (i64) -> ()
      func.call @printNewline() : () -> ()
    }
  }
  return
}

// network sizes 2 4 7: two dense layers with $N neurons between, and a choice by the first output.
func.func @network_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %b = arith.trunci %seed : i64 to i16
  %v = arith.sitofp %b : i16 to f32
  %x = memref.alloc() : memref<1x3xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<1x3xf32>)
  %w1 = memref.alloc() : memref<3x$Nxf32>
  linalg.fill ins(%half : f32) outs(%w1 : memref<3x$Nxf32>)
  %h = memref.alloc() : memref<1x$Nxf32>
  linalg.fill ins(%zero : f32) outs(%h : memref<1x$Nxf32>)
  linalg.matmul ins(%x, %w1 : memref<1x3xf32>, memref<3x$Nxf32>) outs(%h : memref<1x$Nxf32>)
  affine.for %i = 0 to $N {
    %y = affine.load %h[0, %i] : memref<1x$Nxf32>
    %p = arith.maximumf %y, %zero : f32
    affine.store %p, %h[0, %i] : memref<1x$Nxf32>
  }
  %w2 = memref.alloc() : memref<$Nx2xf32>
  linalg.fill ins(%half : f32) outs(%w2 : memref<$Nx2xf32>)
  %o = memref.alloc() : memref<1x2xf32>
  linalg.fill ins(%zero : f32) outs(%o : memref<1x2xf32>)
  linalg.matmul ins(%h, %w2 : memref<1x$Nxf32>, memref<$Nx2xf32>) outs(%o : memref<1x2xf32>)
  %first = memref.load %o[%c0, %c0] : memref<1x2xf32>
  %is = arith.cmpf ogt, %first, %half : f32
  %out = scf.if %is -> (memref<1x2xf32>) {
    scf.yield %o : memref<1x2xf32>
  } else {
    %n = memref.alloc() : memref<1x2xf32>
    linalg.fill ins(%half : f32) outs(%n : memref<1x2xf32>)
    scf.yield %n : memref<1x2xf32>
  }
  %r = memref.load %out[%c0, %c1] : memref<1x2xf32>
  func.call @printF32(%r) : (f32) -> ()
  func.call @printNewline() : () -> ()
  return
}

// median sizes 3 5 8: the median of each three of $N + 2 numbers.
func.func @median_$N(%seed: i64) {
  %k = arith.constant 29 : i64
  %p = arith.constant 101 : i64
  %in = memref.alloc() : memref<12xi64>
  %out = memref.alloc() : memref<$Nxi64>
  %last = affine.for %i = 0 to 12 iter_args(%v = %seed) -> (i64) {
    %m = arith.muli %v, %k : i64
    %r = arith.remsi %m, %p : i64
    affine.store %r, %in[%i] : memref<12xi64>
    affine.yield %r : i64
  }
  affine.for %i = 0 to $N {
    %a = affine.load %in[%i] : memref<12xi64>
    %b = affine.load %in[%i + 1] : memref<12xi64>
    %c = affine.load %in[%i + 2] : memref<12xi64>
    %low = arith.minsi %a, %b : i64
    %high = arith.maxsi %a, %b : i64
    %mid = arith.minsi %high, %c : i64
    %m = arith.maxsi %low, %mid : i64
    affine.store %m, %out[%i] : memref<$Nxi64>
  }
  affine.for %i = 0 to $N {
    %v = affine.load %out[%i] : memref<$Nxi64>
    func.call @printI64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}

// pieces sizes 2 4 8: fragmented free space: in $N rounds, a live buffer remains between two dead ones; views of it are
// used after each move.
func.func @pieces_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %cn = arith.constant $N : index
  %k = arith.constant 3 : i64
  %a = memref.alloc() : memref<4xi64>
  %keep = memref.alloc() : memref<3xi64>
  %part = memref.subview %keep[1] [2] [1] : memref<3xi64> to memref<2xi64, strided<[1], offset: 1>>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%seed : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%k : i64) outs(%keep : memref<3xi64>)
  linalg.fill ins(%seed : i64) outs(%b : memref<4xi64>)
  %x = memref.load %a[%c1] : memref<4xi64>
  %y = memref.load %b[%c2] : memref<4xi64>
  %s = arith.addi %x, %y : i64
  memref.store %s, %part[%c1] : memref<2xi64, strided<[1], offset: 1>>
  %t = scf.for %i = %c0 to %cn step %c1 iter_args(%v = %s) -> (i64) {
    %large = memref.alloc() : memref<8xi64>
    linalg.fill ins(%v : i64) outs(%large : memref<8xi64>)
    %small = memref.alloc() : memref<2xi64>
    memref.copy %part, %small : memref<2xi64, strided<[1], offset: 1>> to memref<2xi64>
    %l = memref.load %large[%c2] : memref<8xi64>
    %tiny = memref.alloc() : memref<5xi32>
    %z = arith.trunci %l : i64 to i32
    linalg.fill ins(%z : i32) outs(%tiny : memref<5xi32>)
    %m = memref.load %small[%c1] : memref<2xi64>
    %again = memref.alloc() : memref<9xi64>
    linalg.fill ins(%m : i64) outs(%again : memref<9xi64>)
    %g = memref.load %again[%c0] : memref<9xi64>
    %q = memref.load %tiny[%c1] : memref<5xi32>
    %w = arith.extsi %q : i32 to i64
    %u = arith.addi %w, %g : i64
    memref.store %u, %part[%c0] : memref<2xi64, strided<[1], offset: 1>>
    scf.yield %u : i64
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %v = memref.load %part[%i] : memref<2xi64, strided<[1], offset: 1>>
    func.call @printI64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  %h = memref.load %keep[%c0] : memref<3xi64>
  func.call @printI64(%h) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}

// swap sizes 1 2 3: two buffers of one type are swapped in $N iterations, and one of them is written on one path.
func.func @swap_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant $N : index
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %a = memref.alloc() : memref<6xi64>
  %b = memref.alloc() : memref<6xi64>
  linalg.fill ins(%seed : i64) outs(%a : memref<6xi64>)
  linalg.fill ins(%one : i64) outs(%b : memref<6xi64>)
  %r:3 = scf.for %i = %c0 to %cn step %c1 iter_args(%x = %a, %y = %b, %s = %seed) -> (memref<6xi64>, memref<6xi64>, i64) {
    %low = arith.andi %s, %one : i64
    %is = arith.cmpi ne, %low, %zero : i64
    %h = arith.shrsi %s, %one : i64
    scf.if %is {
      %t = memref.alloc() : memref<6xi64>
      memref.copy %x, %t : memref<6xi64> to memref<6xi64>
      %v = memref.load %t[%i] : memref<6xi64>
      %w = arith.addi %v, %h : i64
      memref.store %w, %y[%i] : memref<6xi64>
    }
    scf.yield %y, %x, %h : memref<6xi64>, memref<6xi64>, i64
  }
  %picked = arith.cmpi sgt, %r#2, %zero : i64
  %p = arith.select %picked, %r#0, %r#1 : memref<6xi64>
  scf.for %i = %c0 to %cn step %c1 {
    %v = memref.load %p[%i] : memref<6xi64>
    func.call @printI64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}

// sums sizes 3 6 10: running sums of $N numbers and of these again, and the frequency of each digit.
func.func @sums_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %ten = arith.constant 10 : i64
  %one = arith.constant 1 : i8
  %zero = arith.constant 0 : i64
  %none = arith.constant 0 : i8
  %in = memref.alloc() : memref<$Nxi64>
  linalg.fill ins(%seed : i64) outs(%in : memref<$Nxi64>)
  %s1 = memref.alloc() : memref<$Nxi64>
  %t1 = affine.for %i = 0 to $N iter_args(%s = %zero) -> (i64) {
    %v = affine.load %in[%i] : memref<$Nxi64>
    %t = arith.addi %s, %v : i64
    affine.store %t, %s1[%i] : memref<$Nxi64>
    affine.yield %t : i64
  }
  %s2 = memref.alloc() : memref<$Nxi64>
  %t2 = affine.for %i = 0 to $N iter_args(%s = %zero) -> (i64) {
    %v = affine.load %s1[%i] : memref<$Nxi64>
    %t = arith.addi %s, %v : i64
    affine.store %t, %s2[%i] : memref<$Nxi64>
    affine.yield %t : i64
  }
  %counts = memref.alloc() : memref<10xi8>
  linalg.fill ins(%none : i8) outs(%counts : memref<10xi8>)
  affine.for %i = 0 to $N {
    %v = affine.load %s2[%i] : memref<$Nxi64>
    %d = arith.remui %v, %ten : i64
    %x = arith.index_cast %d : i64 to index
    %c = memref.load %counts[%x] : memref<10xi8>
    %n = arith.addi %c, %one : i8
    memref.store %n, %counts[%x] : memref<10xi8>
  }
  affine.for %i = 0 to 10 {
    %c = affine.load %counts[%i] : memref<10xi8>
    %e = arith.extsi %c : i8 to i64
    func.call @printI64(%e) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}

// fixed sizes 2 3 5: the largest of $N numbers by a tournament, with a branch for each match and a buffer for each winner.
func.func @fixed_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant $N : index
  %k = arith.constant 17 : i64
  %p = arith.constant 23 : i64
  %first = memref.alloc() : memref<2xi64>
  linalg.fill ins(%seed : i64) outs(%first : memref<2xi64>)
  %r:2 = scf.for %i = %c0 to %cn step %c1 iter_args(%best = %first, %v = %seed) -> (memref<2xi64>, i64) {
    %m = arith.muli %v, %k : i64
    %n = arith.remsi %m, %p : i64
    %b = memref.load %best[%c0] : memref<2xi64>
    %is = arith.cmpi sgt, %n, %b : i64
    %winner = scf.if %is -> (memref<2xi64>) {
      %new = memref.alloc() : memref<2xi64>
      memref.store %n, %new[%c0] : memref<2xi64>
      memref.store %b, %new[%c1] : memref<2xi64>
      scf.yield %new : memref<2xi64>
    } else {
      scf.yield %best : memref<2xi64>
    }
    scf.yield %winner, %n : memref<2xi64>, i64
  }
  %x = memref.load %r#0[%c0] : memref<2xi64>
  %y = memref.load %r#0[%c1] : memref<2xi64>
  func.call @printI64(%x) : (i64) -> ()
  func.call @printNewline() : () -> ()
  func.call @printI64(%y) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}

// solve sizes 2 3 4: a triangular system of $N rows, from the last row up, with inner bounds that depend on the row.
func.func @solve_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cm = arith.constant $M : index
  %cn = arith.constant $N : index
  %a = memref.alloc() : memref<$Nx$Nxf64>
  %f = arith.sitofp %seed : i64 to f64
  linalg.fill ins(%f : f64) outs(%a : memref<$Nx$Nxf64>)
  %x = memref.alloc() : memref<$Nxf64>
  linalg.fill ins(%f : f64) outs(%x : memref<$Nxf64>)
  scf.for %t = %c0 to %cn step %c1 {
    %i = arith.subi %cm, %t : index
    %from = arith.addi %i, %c1 : index
    %row = memref.alloc() : memref<f64>
    %y = memref.load %x[%i] : memref<$Nxf64>
    memref.store %y, %row[] : memref<f64>
    scf.for %j = %from to %cn step %c1 {
      %s = memref.load %row[] : memref<f64>
      %c = memref.load %a[%i, %j] : memref<$Nx$Nxf64>
      %v = memref.load %x[%j] : memref<$Nxf64>
      %p = arith.mulf %c, %v : f64
      %d = arith.subf %s, %p : f64
      memref.store %d, %row[] : memref<f64>
    }
    %r = memref.load %row[] : memref<f64>
    memref.store %r, %x[%i] : memref<$Nxf64>
  }
  scf.for %i = %c0 to %cn step %c1 {
    %v = memref.load %x[%i] : memref<$Nxf64>
    func.call @printF64(%v) : (f64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}

// address sizes 1 3 6: $N iterations of a filter whose state is accessed through its address. Other buffers of an
// iteration are placed around it, and one buffer has its address taken in each iteration and ends there.
func.func @address_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant $N : index
  %first = memref.alloc() : memref<5xi64>
  linalg.fill ins(%seed : i64) outs(%first : memref<5xi64>)
  %state = memref.alloc() : memref<$Nxi64>
  linalg.fill ins(%seed : i64) outs(%state : memref<$Nxi64>)
  %address = memref.extract_aligned_pointer_as_index %state : memref<$Nxi64> -> index
  %word = arith.index_cast %address : index to i64
  %pointer = llvm.inttoptr %word : i64 to !llvm.ptr
  %start = memref.load %first[%c1] : memref<5xi64>
  scf.for %i = %c0 to %cn step %c1 {
    %taps = memref.alloc() : memref<9xi64>
    linalg.fill ins(%start : i64) outs(%taps : memref<9xi64>)
    %small = memref.alloc() : memref<2xi64>
    linalg.fill ins(%start : i64) outs(%small : memref<2xi64>)
    %inner = memref.extract_aligned_pointer_as_index %small : memref<2xi64> -> index
    %inner_word = arith.index_cast %inner : index to i64
    %inner_pointer = llvm.inttoptr %inner_word : i64 to !llvm.ptr
    %k = arith.index_cast %i : index to i64
    %at = llvm.getelementptr %pointer[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %y = memref.load %taps[%c1] : memref<9xi64>
    %z = arith.addi %y, %k : i64
    llvm.store %z, %at : i64, !llvm.ptr
    llvm.store %k, %inner_pointer : i64, !llvm.ptr
    %shown = memref.load %small[%c0] : memref<2xi64>
    func.call @printI64(%shown) : (i64) -> ()
    func.call @printNewline() : () -> ()
    memref.dealloc %small : memref<2xi64>
  }
  scf.for %i = %c0 to %cn step %c1 {
    %v = memref.load %state[%i] : memref<$Nxi64>
    func.call @printI64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  %head = llvm.load %pointer : !llvm.ptr -> i64
  func.call @printI64(%head) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}

// workers sizes 2 5: parallel loops, each iteration with memory of its own and memory that all iterations share, with
// moves before and after them.
func.func @workers_$N(%seed: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant $N : index
  %first = memref.alloc() : memref<4xi64>
  linalg.fill ins(%seed : i64) outs(%first : memref<4xi64>)
  %shared = memref.alloc() : memref<$Nxi64>
  linalg.fill ins(%seed : i64) outs(%shared : memref<$Nxi64>)
  %third = memref.alloc() : memref<4xi64>
  linalg.fill ins(%seed : i64) outs(%third : memref<4xi64>)
  %part = memref.subview %shared[1] [$M] [1] : memref<$Nxi64> to memref<$Mxi64, strided<[1], offset: 1>>
  %x = memref.load %first[%c1] : memref<4xi64>
  %y = memref.load %third[%c1] : memref<4xi64>
  %large = memref.alloc() : memref<8xi64>
  linalg.fill ins(%x : i64) outs(%large : memref<8xi64>)
  scf.parallel (%i) = (%c0) to (%cn) step (%c1) {
    %own = memref.alloc() : memref<3xi64>
    %k = arith.index_cast %i : index to i64
    linalg.fill ins(%k : i64) outs(%own : memref<3xi64>)
    %u = memref.load %large[%i] : memref<8xi64>
    %v = memref.load %own[%c1] : memref<3xi64>
    %w = arith.addi %u, %v : i64
    memref.store %w, %shared[%i] : memref<$Nxi64>
    memref.dealloc %own : memref<3xi64>
  }
  %next = memref.alloc() : memref<9xi64>
  linalg.fill ins(%y : i64) outs(%next : memref<9xi64>)
  scf.forall (%i) in ($M) {
    %own = memref.alloc() : memref<5xi64>
    %u = memref.load %part[%i] : memref<$Mxi64, strided<[1], offset: 1>>
    linalg.fill ins(%u : i64) outs(%own : memref<5xi64>)
    %v = memref.load %own[%c1] : memref<5xi64>
    %w = memref.load %next[%i] : memref<9xi64>
    %s = arith.muli %v, %w : i64
    memref.store %s, %part[%i] : memref<$Mxi64, strided<[1], offset: 1>>
    memref.dealloc %own : memref<5xi64>
  }
  affine.parallel (%i) = (0) to ($N) {
    %own = memref.alloc() : memref<2xi64>
    %u = memref.load %shared[%i] : memref<$Nxi64>
    linalg.fill ins(%u : i64) outs(%own : memref<2xi64>)
    %v = memref.load %own[%c1] : memref<2xi64>
    %s = arith.addi %v, %u : i64
    memref.store %s, %shared[%i] : memref<$Nxi64>
    memref.dealloc %own : memref<2xi64>
  }
  scf.for %i = %c0 to %cn step %c1 {
    %v = memref.load %shared[%i] : memref<$Nxi64>
    func.call @printI64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
