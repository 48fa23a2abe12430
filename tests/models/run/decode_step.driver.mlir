  func.func private @fill_1_i64(%m: memref<?xi64>, %arg: i64, %s: f32, %o: f32, %mul: i64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k0 = arith.constant 0 : index
    %n0 = memref.dim %m, %k0 : memref<?xi64>
    scf.for %i0 = %c0 to %n0 step %c1 {
    %t0 = arith.muli %c0, %n0 : index
    %l0 = arith.addi %t0, %i0 : index
    %l = arith.index_cast %l0 : index to i64
    %a0 = arith.muli %l, %mul : i64
    %v = arith.remsi %a0, %arg : i64
    memref.store %v, %m[%i0] : memref<?xi64>
    }
    return
  }
  func.func private @fill_2_f32(%m: memref<?x?xf32>, %arg: i64, %s: f32, %o: f32, %mul: i64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k0 = arith.constant 0 : index
    %n0 = memref.dim %m, %k0 : memref<?x?xf32>
    %k1 = arith.constant 1 : index
    %n1 = memref.dim %m, %k1 : memref<?x?xf32>
    scf.for %i0 = %c0 to %n0 step %c1 {
    %t0 = arith.muli %c0, %n0 : index
    %l0 = arith.addi %t0, %i0 : index
    scf.for %i1 = %c0 to %n1 step %c1 {
    %t1 = arith.muli %l0, %n1 : index
    %l1 = arith.addi %t1, %i1 : index
    %l = arith.index_cast %l1 : index to i64
    %p = arith.constant 7919 : i64
    %a0 = arith.muli %l, %p : i64
    %q = arith.constant 104729 : i64
    %a1 = arith.muli %arg, %q : i64
    %a2 = arith.addi %a0, %a1 : i64
    %r = arith.constant 1009 : i64
    %h = arith.remsi %a2, %r : i64
    %f = arith.sitofp %h : i64 to f32
    %m504 = arith.constant 504.0 : f32
    %g = arith.subf %f, %m504 : f32
    %inv = arith.constant 0.001953125 : f32
    %g1 = arith.mulf %g, %inv : f32
    %g2 = arith.mulf %g1, %s : f32
    %v = arith.addf %g2, %o : f32
    memref.store %v, %m[%i0, %i1] : memref<?x?xf32>
    }
    }
    return
  }
  func.func private @sum_2(%m: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f64
    %acc = memref.alloca() : memref<3xf64>
    %c2 = arith.constant 2 : index
    memref.store %z, %acc[%c0] : memref<3xf64>
    memref.store %z, %acc[%c1] : memref<3xf64>
    memref.store %z, %acc[%c2] : memref<3xf64>
    %k0 = arith.constant 0 : index
    %n0 = memref.dim %m, %k0 : memref<?x?xf32>
    %k1 = arith.constant 1 : index
    %n1 = memref.dim %m, %k1 : memref<?x?xf32>
    scf.for %i0 = %c0 to %n0 step %c1 {
    %t0 = arith.muli %c0, %n0 : index
    %l0 = arith.addi %t0, %i0 : index
    scf.for %i1 = %c0 to %n1 step %c1 {
    %t1 = arith.muli %l0, %n1 : index
    %l1 = arith.addi %t1, %i1 : index
    %x = memref.load %m[%i0, %i1] : memref<?x?xf32>
    %y = arith.extf %x : f32 to f64
    %ya = math.absf %y : f64
    %l = arith.index_cast %l1 : index to i64
    %c17 = arith.constant 17 : i64
    %w = arith.remsi %l, %c17 : i64
    %wf = arith.sitofp %w : i64 to f64
    %yw = arith.mulf %y, %wf : f64
    %s0 = memref.load %acc[%c0] : memref<3xf64>
    %s1 = memref.load %acc[%c1] : memref<3xf64>
    %s2 = memref.load %acc[%c2] : memref<3xf64>
    %r0 = arith.addf %s0, %y : f64
    %r1 = arith.addf %s1, %ya : f64
    %r2 = arith.addf %s2, %yw : f64
    memref.store %r0, %acc[%c0] : memref<3xf64>
    memref.store %r1, %acc[%c1] : memref<3xf64>
    memref.store %r2, %acc[%c2] : memref<3xf64>
    }
    }
    %p0 = memref.load %acc[%c0] : memref<3xf64>
    %p1 = memref.load %acc[%c1] : memref<3xf64>
    %p2 = memref.load %acc[%c2] : memref<3xf64>
    vector.print %p0 : f64
    vector.print %p1 : f64
    vector.print %p2 : f64
    return
  }
  func.func private @fill_4_f32(%m: memref<?x?x?x?xf32>, %arg: i64, %s: f32, %o: f32, %mul: i64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k0 = arith.constant 0 : index
    %n0 = memref.dim %m, %k0 : memref<?x?x?x?xf32>
    %k1 = arith.constant 1 : index
    %n1 = memref.dim %m, %k1 : memref<?x?x?x?xf32>
    %k2 = arith.constant 2 : index
    %n2 = memref.dim %m, %k2 : memref<?x?x?x?xf32>
    %k3 = arith.constant 3 : index
    %n3 = memref.dim %m, %k3 : memref<?x?x?x?xf32>
    scf.for %i0 = %c0 to %n0 step %c1 {
    %t0 = arith.muli %c0, %n0 : index
    %l0 = arith.addi %t0, %i0 : index
    scf.for %i1 = %c0 to %n1 step %c1 {
    %t1 = arith.muli %l0, %n1 : index
    %l1 = arith.addi %t1, %i1 : index
    scf.for %i2 = %c0 to %n2 step %c1 {
    %t2 = arith.muli %l1, %n2 : index
    %l2 = arith.addi %t2, %i2 : index
    scf.for %i3 = %c0 to %n3 step %c1 {
    %t3 = arith.muli %l2, %n3 : index
    %l3 = arith.addi %t3, %i3 : index
    %l = arith.index_cast %l3 : index to i64
    %p = arith.constant 7919 : i64
    %a0 = arith.muli %l, %p : i64
    %q = arith.constant 104729 : i64
    %a1 = arith.muli %arg, %q : i64
    %a2 = arith.addi %a0, %a1 : i64
    %r = arith.constant 1009 : i64
    %h = arith.remsi %a2, %r : i64
    %f = arith.sitofp %h : i64 to f32
    %m504 = arith.constant 504.0 : f32
    %g = arith.subf %f, %m504 : f32
    %inv = arith.constant 0.001953125 : f32
    %g1 = arith.mulf %g, %inv : f32
    %g2 = arith.mulf %g1, %s : f32
    %v = arith.addf %g2, %o : f32
    memref.store %v, %m[%i0, %i1, %i2, %i3] : memref<?x?x?x?xf32>
    }
    }
    }
    }
    return
  }
  func.func private @sum_4(%m: memref<?x?x?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f64
    %acc = memref.alloca() : memref<3xf64>
    %c2 = arith.constant 2 : index
    memref.store %z, %acc[%c0] : memref<3xf64>
    memref.store %z, %acc[%c1] : memref<3xf64>
    memref.store %z, %acc[%c2] : memref<3xf64>
    %k0 = arith.constant 0 : index
    %n0 = memref.dim %m, %k0 : memref<?x?x?x?xf32>
    %k1 = arith.constant 1 : index
    %n1 = memref.dim %m, %k1 : memref<?x?x?x?xf32>
    %k2 = arith.constant 2 : index
    %n2 = memref.dim %m, %k2 : memref<?x?x?x?xf32>
    %k3 = arith.constant 3 : index
    %n3 = memref.dim %m, %k3 : memref<?x?x?x?xf32>
    scf.for %i0 = %c0 to %n0 step %c1 {
    %t0 = arith.muli %c0, %n0 : index
    %l0 = arith.addi %t0, %i0 : index
    scf.for %i1 = %c0 to %n1 step %c1 {
    %t1 = arith.muli %l0, %n1 : index
    %l1 = arith.addi %t1, %i1 : index
    scf.for %i2 = %c0 to %n2 step %c1 {
    %t2 = arith.muli %l1, %n2 : index
    %l2 = arith.addi %t2, %i2 : index
    scf.for %i3 = %c0 to %n3 step %c1 {
    %t3 = arith.muli %l2, %n3 : index
    %l3 = arith.addi %t3, %i3 : index
    %l = arith.index_cast %l3 : index to i64
    %x = memref.load %m[%i0, %i1, %i2, %i3] : memref<?x?x?x?xf32>
    %y = arith.extf %x : f32 to f64
    %ya = math.absf %y : f64
    %c17 = arith.constant 17 : i64
    %w = arith.remsi %l, %c17 : i64
    %wf = arith.sitofp %w : i64 to f64
    %yw = arith.mulf %y, %wf : f64
    %s0 = memref.load %acc[%c0] : memref<3xf64>
    %s1 = memref.load %acc[%c1] : memref<3xf64>
    %s2 = memref.load %acc[%c2] : memref<3xf64>
    %r0 = arith.addf %s0, %y : f64
    %r1 = arith.addf %s1, %ya : f64
    %r2 = arith.addf %s2, %yw : f64
    memref.store %r0, %acc[%c0] : memref<3xf64>
    memref.store %r1, %acc[%c1] : memref<3xf64>
    memref.store %r2, %acc[%c2] : memref<3xf64>
    }
    }
    }
    }
    %p0 = memref.load %acc[%c0] : memref<3xf64>
    %p1 = memref.load %acc[%c1] : memref<3xf64>
    %p2 = memref.load %acc[%c2] : memref<3xf64>
    vector.print %p0 : f64
    vector.print %p1 : f64
    vector.print %p2 : f64
    return
  }
  func.func private @show(%v: i64) {
    vector.print %v : i64
    return
  }
  func.func @main() {
    %a0 = memref.alloc() : memref<1xi64>
    %m0 = memref.cast %a0 : memref<1xi64> to memref<?xi64>
    %x0 = arith.constant 997 : i64
    %u0 = arith.constant 7 : i64
    %s0 = arith.constant 9.970000000e+02 : f32
    %o0 = arith.constant 0.000000000e+00 : f32
    func.call @fill_1_i64(%m0, %x0, %s0, %o0, %u0) : (memref<?xi64>, i64, f32, f32, i64) -> ()
    %a1 = memref.alloc() : memref<64x32xf32>
    %m1 = memref.cast %a1 : memref<64x32xf32> to memref<?x?xf32>
    %x1 = arith.constant 1 : i64
    %u1 = arith.constant 1 : i64
    %s1 = arith.constant 2.125000000e-01 : f32
    %o1 = arith.constant 0.000000000e+00 : f32
    func.call @fill_2_f32(%m1, %x1, %s1, %o1, %u1) : (memref<?x?xf32>, i64, f32, f32, i64) -> ()
    %a2 = memref.alloc() : memref<32x96xf32>
    %m2 = memref.cast %a2 : memref<32x96xf32> to memref<?x?xf32>
    %x2 = arith.constant 2 : i64
    %u2 = arith.constant 1 : i64
    %s2 = arith.constant 3.005203820e-01 : f32
    %o2 = arith.constant 0.000000000e+00 : f32
    func.call @fill_2_f32(%m2, %x2, %s2, %o2, %u2) : (memref<?x?xf32>, i64, f32, f32, i64) -> ()
    %a3 = memref.alloc() : memref<32x96xf32>
    %m3 = memref.cast %a3 : memref<32x96xf32> to memref<?x?xf32>
    %x3 = arith.constant 3 : i64
    %u3 = arith.constant 1 : i64
    %s3 = arith.constant 3.005203820e-01 : f32
    %o3 = arith.constant 0.000000000e+00 : f32
    func.call @fill_2_f32(%m3, %x3, %s3, %o3, %u3) : (memref<?x?xf32>, i64, f32, f32, i64) -> ()
    %a4 = memref.alloc() : memref<32x32xf32>
    %m4 = memref.cast %a4 : memref<32x32xf32> to memref<?x?xf32>
    %x4 = arith.constant 4 : i64
    %u4 = arith.constant 1 : i64
    %s4 = arith.constant 3.005203820e-01 : f32
    %o4 = arith.constant 0.000000000e+00 : f32
    func.call @fill_2_f32(%m4, %x4, %s4, %o4, %u4) : (memref<?x?xf32>, i64, f32, f32, i64) -> ()
    %a5 = memref.alloc() : memref<32x32xf32>
    %m5 = memref.cast %a5 : memref<32x32xf32> to memref<?x?xf32>
    %x5 = arith.constant 5 : i64
    %u5 = arith.constant 1 : i64
    %s5 = arith.constant 3.005203820e-01 : f32
    %o5 = arith.constant 0.000000000e+00 : f32
    func.call @fill_2_f32(%m5, %x5, %s5, %o5, %u5) : (memref<?x?xf32>, i64, f32, f32, i64) -> ()
    %a6 = memref.alloc() : memref<32x128xf32>
    %m6 = memref.cast %a6 : memref<32x128xf32> to memref<?x?xf32>
    %x6 = arith.constant 6 : i64
    %u6 = arith.constant 1 : i64
    %s6 = arith.constant 3.005203820e-01 : f32
    %o6 = arith.constant 0.000000000e+00 : f32
    func.call @fill_2_f32(%m6, %x6, %s6, %o6, %u6) : (memref<?x?xf32>, i64, f32, f32, i64) -> ()
    %a7 = memref.alloc() : memref<32x128xf32>
    %m7 = memref.cast %a7 : memref<32x128xf32> to memref<?x?xf32>
    %x7 = arith.constant 7 : i64
    %u7 = arith.constant 1 : i64
    %s7 = arith.constant 3.005203820e-01 : f32
    %o7 = arith.constant 0.000000000e+00 : f32
    func.call @fill_2_f32(%m7, %x7, %s7, %o7, %u7) : (memref<?x?xf32>, i64, f32, f32, i64) -> ()
    %a8 = memref.alloc() : memref<128x32xf32>
    %m8 = memref.cast %a8 : memref<128x32xf32> to memref<?x?xf32>
    %x8 = arith.constant 8 : i64
    %u8 = arith.constant 1 : i64
    %s8 = arith.constant 1.502601910e-01 : f32
    %o8 = arith.constant 0.000000000e+00 : f32
    func.call @fill_2_f32(%m8, %x8, %s8, %o8, %u8) : (memref<?x?xf32>, i64, f32, f32, i64) -> ()
    %a9 = memref.alloc() : memref<128x32xf32>
    %m9 = memref.cast %a9 : memref<128x32xf32> to memref<?x?xf32>
    %x9 = arith.constant 9 : i64
    %u9 = arith.constant 1 : i64
    %s9 = arith.constant 1.502601910e-01 : f32
    %o9 = arith.constant 0.000000000e+00 : f32
    func.call @fill_2_f32(%m9, %x9, %s9, %o9, %u9) : (memref<?x?xf32>, i64, f32, f32, i64) -> ()
    %a10 = memref.alloc() : memref<i64>
    %five = arith.constant 5 : i64
    memref.store %five, %a10[] : memref<i64>
    %a11 = memref.alloc() : memref<2x4x16x8xf32>
    %m11 = memref.cast %a11 : memref<2x4x16x8xf32> to memref<?x?x?x?xf32>
    %x11 = arith.constant 11 : i64
    %u11 = arith.constant 1 : i64
    %s11 = arith.constant 1.000000000e+00 : f32
    %o11 = arith.constant 0.000000000e+00 : f32
    func.call @fill_4_f32(%m11, %x11, %s11, %o11, %u11) : (memref<?x?x?x?xf32>, i64, f32, f32, i64) -> ()
    %a12 = memref.alloc() : memref<2x4x16x8xf32>
    %m12 = memref.cast %a12 : memref<2x4x16x8xf32> to memref<?x?x?x?xf32>
    %x12 = arith.constant 12 : i64
    %u12 = arith.constant 1 : i64
    %s12 = arith.constant 1.000000000e+00 : f32
    %o12 = arith.constant 0.000000000e+00 : f32
    func.call @fill_4_f32(%m12, %x12, %s12, %o12, %u12) : (memref<?x?x?x?xf32>, i64, f32, f32, i64) -> ()
    %r:5 = func.call @forward(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12) : (memref<1xi64>, memref<64x32xf32>, memref<32x96xf32>, memref<32x96xf32>, memref<32x32xf32>, memref<32x32xf32>, memref<32x128xf32>, memref<32x128xf32>, memref<128x32xf32>, memref<128x32xf32>, memref<i64>, memref<2x4x16x8xf32>, memref<2x4x16x8xf32>) -> (memref<1x64xf32>, memref<1xi64>, memref<i64>, memref<2x4x16x8xf32>, memref<2x4x16x8xf32>)
    %w0 = memref.cast %r#0 : memref<1x64xf32> to memref<?x?xf32>
    func.call @sum_2(%w0) : (memref<?x?xf32>) -> ()
    %z = arith.constant 0 : index
    %token = memref.load %r#1[%z] : memref<1xi64>
    func.call @show(%token) : (i64) -> ()
    %next = memref.load %r#2[] : memref<i64>
    func.call @show(%next) : (i64) -> ()
    %w3 = memref.cast %r#3 : memref<2x4x16x8xf32> to memref<?x?x?x?xf32>
    func.call @sum_4(%w3) : (memref<?x?x?x?xf32>) -> ()
    %w4 = memref.cast %r#4 : memref<2x4x16x8xf32> to memref<?x?x?x?xf32>
    func.call @sum_4(%w4) : (memref<?x?x?x?xf32>) -> ()
    return
  }
