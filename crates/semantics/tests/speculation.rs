//! Speculatable operations.

use memplan_mlir::{
    context::with_all_dialects,
    ir::{Op, blocks, ops, regions},
    melior::ir::{BlockLike, Module, operation::OperationLike},
};
use memplan_semantics::speculation::is_safe_to_speculate;

/// Upstream's traits of divisions are not trusted: each operation here states whether it is speculatable.
#[test]
fn trapping_operations_are_not_speculatable() {
    let text = r#"
        func.func @f(%n: index, %d: index, %k: i64, %true: i1, %v: vector<4xi64>, %m: memref<4x?xf32>, %u: memref<*xf32>, %f: f32) {
          %zero = arith.constant {safe} 0 : index
          %one = arith.constant {safe} 1 : index
          %three = arith.constant {safe} 3 : index
          %minus = arith.constant {safe} -1 : index
          %three_i64 = arith.constant {safe} 3 : i64
          %minus_i64 = arith.constant {safe} -3 : i64
          %threes = arith.constant {safe} dense<3> : vector<4xi64>
          %three_index = index.constant {safe} 3

          %a0 = arith.divui %n, %d : index
          %a1 = arith.remui %n, %d : index
          %a2 = arith.ceildivui %n, %d : index
          %a3 = arith.divsi %n, %d : index
          %a4 = arith.remsi %n, %d : index
          %a5 = arith.ceildivsi %n, %d : index
          %a6 = arith.floordivsi %n, %d : index
          %b0 = arith.divui %n, %three {safe} : index
          %b1 = arith.remui %n, %three {safe} : index
          %b2 = arith.ceildivui %n, %minus {safe} : index
          %b3 = arith.divsi %n, %three {safe} : index
          %b4 = arith.remsi %n, %three {safe} : index
          %b5 = arith.ceildivsi %n, %three {safe} : index
          %b6 = arith.floordivsi %n, %three {safe} : index
          %c0 = arith.remsi %n, %minus : index
          %c1 = arith.floordivsi %n, %minus : index
          %c2 = arith.remui %n, %zero : index
          %c3 = arith.remui %v, %v : vector<4xi64>
          %c4 = arith.remui %v, %threes {safe} : vector<4xi64>

          %i0 = index.divu %n, %d
          %i1 = index.remu %n, %d
          %i2 = index.ceildivu %n, %d
          %i3 = index.divs %n, %d
          %i4 = index.rems %n, %d
          %i5 = index.ceildivs %n, %d
          %i6 = index.floordivs %n, %d
          %j0 = index.remu %n, %three_index {safe}
          %j1 = index.floordivs %n, %three_index {safe}

          %p0 = affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%n, %d]
          %p1 = affine.apply affine_map<()[s0, s1] -> (s0 mod s1)>()[%n, %d]
          %p2 = affine.min affine_map<()[s0, s1] -> (s0 ceildiv s1, 3)>()[%n, %d]
          %p3 = affine.max affine_map<()[s0, s1] -> (s0 ceildiv s1, 3)>()[%n, %d]
          %p4 = affine.apply affine_map<()[s0] -> (s0 floordiv 4 + s0 mod 3)>()[%n] {safe}
          %p5 = affine.min affine_map<()[s0] -> (s0 ceildiv 4, 3)>()[%n] {safe}
          %p6:2 = affine.delinearize_index %n into (%d, %d) : index, index
          %p7:2 = affine.delinearize_index %n into (3, 4) {safe} : index, index
          %p8 = affine.linearize_index [%n, %d] by (%d, %n) {safe} : index

          %q0 = math.ipowi %k, %k : i64
          %q1 = math.ipowi %k, %minus_i64 : i64
          %q2 = math.ipowi %k, %three_i64 {safe} : i64
          %q3 = math.sqrt %f {safe} : f32
          %q4 = arith.divf %f, %f {safe} : f32
          %q5 = complex.create %f, %f {safe} : complex<f32>
          %q6 = complex.div %q5, %q5 {safe} : complex<f32>
          %q7 = vector.broadcast %f {safe} : f32 to vector<4xf32>

          %r0 = memref.dim {safe} %m, %one : memref<4x?xf32>
          %r1 = memref.dim %m, %three : memref<4x?xf32>
          %r2 = memref.dim %m, %n : memref<4x?xf32>
          %r3 = memref.dim %u, %one : memref<*xf32>
          %r4 = memref.load %m[%zero, %zero] : memref<4x?xf32>
          cf.assert %true, "a"
          return
        }"#;
    let context = with_all_dialects();
    let module = Module::parse(&context, text).expect("the program parses");
    let block = module.body();
    let function: Op<'_> = block.first_operation().expect("a function");
    let mut count = 0;
    for op in regions(function).flat_map(blocks).flat_map(ops) {
        let expected = op.has_attribute("safe");
        assert_eq!(is_safe_to_speculate(op), expected, "{op}");
        count += 1;
    }
    assert!(count > 50, "{count}");
}
