//! Descriptions that are wrong: an error at the operation.

use crate::setup::{FREE, MERGE, after, function};

/// What is said at an `npu.op` whose description is wrong.
#[track_caller]
fn is_wrong(op: &str, why: &str) {
    let text = function(&format!(
        "%nested = memref.alloc() : memref<2xM>
         %c = arith.constant 8 : index
         {op}"
    ));
    for pass in [MERGE, FREE] {
        let said = after(&[pass], &text).expect_err(op);
        let expected = format!("the description of 'npu.op': {why} [memplan-E006]");
        assert_eq!(said, expected, "{pass:?}: {op}");
    }
}

#[test]
fn descriptions_that_refuse_or_panic_fail_the_pass_at_the_operation() {
    for (name, why) in [
        ("npu.refused", "not for this target"),
        ("npu.panics", "it panicked: out of luck"),
    ] {
        let text = function(&format!(
            "%a = memref.alloc() : M
             \"{name}\"(%a) : (M) -> ()"
        ));
        let why = format!("the description of '{name}': {why}");
        for pass in [MERGE, FREE, ("memplan-regions", "")] {
            let said = after(&[pass], &text).expect_err(name);
            assert!(
                said.starts_with(&why) && said.ends_with(" [memplan-E006]"),
                "{pass:?}: {said}"
            );
        }
    }
}

#[test]
fn numbers_and_types_that_do_not_fit_are_errors_at_the_operation() {
    for (does, why) in [
        ("r3", "it has no operand 3"),
        ("r2", "operand 2 is not a memref"),
        ("o0 w9", "it has no operand 9"),
        ("b0", "it has no result 0"),
        ("i0:1", "operand 1 is not a memref of memrefs"),
        ("F0", "there is no registered allocator 'nobody'"),
        ("g0", "it has no result 0"),
        ("a0", "operand 0 is not a token"),
    ] {
        is_wrong(
            &format!(r#""npu.op"(%x, %y, %c) {{does = "{does}"}} : (M, M, index) -> ()"#),
            why,
        );
    }
    for (does, why) in [
        ("m1", "result 1 is not a memref"),
        ("v0:2", "operand 2 is not a memref"),
        ("h0:0:1", "operand 1 is not an index in bytes"),
        ("l0:1", "operand 1 is not a memref of memrefs"),
        ("g0", "result 0 is not a token"),
        ("g1", "result 1 is not a token"),
        ("A0:0", "result 0 is a memref or a token"),
    ] {
        is_wrong(
            &format!(
                r#"%r:2 = "npu.op"(%x, %y, %c) {{does = "{does}"}} : (M, M, index) -> (M, index)"#
            ),
            why,
        );
    }
    is_wrong(
        r#""npu.op"(%x, %s) {does = "s0:1"} : (M, memref<4xf32>) -> ()"#,
        "operands 0 and 1 have different shapes",
    );
    is_wrong(
        r#""npu.op"(%x, %i) {does = "c0:1"} : (M, memref<8xi32>) -> ()"#,
        "operands 0 and 1 have different element types",
    );
}

#[test]
fn statements_that_contradict_each_other_are_errors_at_the_operation() {
    for (does, why) in [
        ("d0 r0", "operand 0: its contents are used and not used"),
        (
            "o1 r1",
            "operand 1: it is overwritten without a read, and also read",
        ),
        (
            "s0:1 r0",
            "operand 0: it is read in step, and also used otherwise",
        ),
        (
            "s0:1 o1 w0",
            "operand 0: it is read in step, and also used otherwise",
        ),
        ("s0:1 r1", "operand 1: it is written in step, and also read"),
        (
            "c0:1 k1",
            "operand 1: it is used in step, and also freed or captured",
        ),
        (
            "f0 t0",
            "operand 0: it is freed, consumed, captured or stored twice",
        ),
        (
            "a2",
            "it depends on a token, but has no token itself: use `waits`",
        ),
        (
            "r0 r1 x",
            "it may run where it would not have run, and touches memory",
        ),
        (
            "x",
            "it may run where it would not have run, and touches memory",
        ),
    ] {
        let op = format!(
            r#"%t = "npu.op"(%x, %y) {{does = "r0 o1 g0"}} : (M, M) -> !npu.token
               "npu.op"(%x, %y, %t) {{does = "{does}"}} : (M, M, !npu.token) -> ()"#
        );
        is_wrong(&op, why);
    }
    for (does, why) in [
        ("m0 b0", "result 0 has two descriptions"),
        (
            "v0:0 r0",
            "a view may read and write other operands, and have no other effects",
        ),
        (
            "v0:0 k1",
            "a view may read and write other operands, and have no other effects",
        ),
        (
            "v0:0 s1:2",
            "a view may read and write other operands, and have no other effects",
        ),
        (
            "v0:0 W",
            "a view may read and write other operands, and have no other effects",
        ),
    ] {
        let op = format!(r#"%r = "npu.op"(%x, %y, %x) {{does = "{does}"}} : (M, M, M) -> M"#);
        is_wrong(&op, why);
    }
    is_wrong(
        r#"%t = "npu.op"(%x, %y) {does = "g0 W"} : (M, M) -> !npu.token"#,
        "it waits for its tokens, but is asynchronous: use `after` for the tokens that it depends on",
    );
}

#[test]
fn calls_ends_of_blocks_and_operations_with_regions_are_not_described() {
    let calls = "async.func private @g(memref<8xf32>) -> !async.token
        func.func @f(%x: memref<8xf32>) {
          %t = async.call @g(%x) : (memref<8xf32>) -> !async.token
          return
        }";
    let last = "func.func @f(%x: memref<8xf32>) {
          %a = memref.alloc() : memref<8xf32>
          \"npu.last\"(%a) : (memref<8xf32>) -> ()
        }";
    let regions = "func.func @f(%x: memref<8xf32>) {
          \"npu.regions\"(%x) ({}) : (memref<8xf32>) -> ()
          return
        }";
    for (text, why) in [
        (calls, "the effects of a call are those of its callee"),
        (
            regions,
            "it has regions, whose operations cannot be described",
        ),
        (last, "it is a terminator, or may be one"),
    ] {
        for pass in [MERGE, FREE] {
            let said = after(&[pass], text).expect_err(why);
            // One of the two refuses it before it asks for a description.
            let is_end = said.contains("'npu.last' forwards memrefs to unknown destinations");
            assert!(said.contains(why) || is_end, "{pass:?}: {said}");
        }
    }
}
