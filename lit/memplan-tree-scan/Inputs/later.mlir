// The background writes when a flag is set, and sets another one when it has: nothing that a program prints is a race.
func.func @sum(%m: memref<1024xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c1024 step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<1024xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}

func.func @until(%flags: memref<2xi32>, %which: index) {
  scf.while : () -> () {
    %zero = arith.constant 0 : i32
    // A loop that only reads would be taken for dead.
    %flag = memref.atomic_rmw addi %zero, %flags[%which] : (i32, memref<2xi32>) -> i32
    %down = arith.cmpi eq, %flag, %zero : i32
    scf.condition(%down)
  } do {
    scf.yield
  }
  return
}

func.func @write(%m: memref<1024xf32>, %x: f32, %flags: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %up = arith.constant 1 : i32
  func.call @until(%flags, %c0) : (memref<2xi32>, index) -> ()
  linalg.fill ins(%x : f32) outs(%m : memref<1024xf32>)
  memref.atomic_rmw ori %up, %flags[%c1] : (i32, memref<2xi32>) -> i32
  return
}

func.func @sum_later(%m: memref<1024xf32>, %flags: memref<2xi32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %up = arith.constant 1 : i32
  memref.atomic_rmw ori %up, %flags[%c0] : (i32, memref<2xi32>) -> i32
  func.call @until(%flags, %c1) : (memref<2xi32>, index) -> ()
  %r = func.call @sum(%m) : (memref<1024xf32>) -> f32
  return %r : f32
}
