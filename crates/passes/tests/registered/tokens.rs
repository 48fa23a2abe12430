//! Asynchronous operations.

use crate::setup::{FREE, MERGE, after, arena, function};

/// A transfer to `%a`, and something else in between.
const TRANSFER: &str = r#"
    func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
      %a = memref.alloc() : memref<8xf32>
      %t = "npu.start"(%x, %a) : (memref<8xf32>, memref<8xf32>) -> !npu.token
      %b = memref.alloc() : memref<8xf32>
      "npu.add"(%x, %x, %b) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
      "npu.add"(%b, %x, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
      "npu.wait"(%t) : (!npu.token) -> ()
      %c = memref.alloc() : memref<8xf32>
      "npu.add"(%x, %x, %c) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
      "npu.add"(%c, %x, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
      return
    }"#;

#[test]
fn what_goes_on_needs_its_memory_until_its_token_has_been_waited_for() {
    let planned = after(&[MERGE], TRANSFER).expect("planned");
    assert_eq!(arena(&planned), 64, "{planned}");
    let freed = after(&[FREE], TRANSFER).expect("freed");
    let lines: Vec<&str> = freed.lines().map(str::trim).collect();
    let wait = lines
        .iter()
        .position(|line| line.starts_with("\"npu.wait\""))
        .expect("is there");
    assert_eq!(
        lines[wait + 1],
        "memref.dealloc %alloc : memref<8xf32>",
        "{freed}"
    );
}

#[test]
fn what_is_never_waited_for_is_left_alone() {
    let text = TRANSFER.replace(r#""npu.wait"(%t) : (!npu.token) -> ()"#, "");
    let planned = after(&[MERGE], &text).expect("planned");
    assert_eq!(arena(&planned), 32, "{planned}");
    let freed = after(&[FREE], &text).expect("freed");
    assert!(!freed.contains("dealloc %alloc :"), "{freed}");
}

#[test]
fn memplan_verify_goes_by_descriptions_too() {
    // The transfer still writes when its bytes are used for another buffer.
    let text = r#"
        func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
          %c0 = arith.constant 0 : index
          %arena = memref.alloc() {bufferization.manual_deallocation, memplan.arena} : memref<32xi8>
          %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
          %t = "npu.start"(%x, %a) : (memref<8xf32>, memref<8xf32>) -> !npu.token
          %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<32xi8> to memref<8xf32>
          "npu.add"(%x, %x, %b) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          "npu.add"(%b, %x, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          "npu.wait"(%t) : (!npu.token) -> ()
          memref.dealloc %arena {bufferization.manual_deallocation} : memref<32xi8>
          return
        }"#;
    let said = after(&[("memplan-verify", "")], text).expect_err("a fault");
    assert!(
        said.starts_with("buffer 1 is used while an asynchronous"),
        "{said}"
    );
    let earlier = text.replace(r#""npu.wait"(%t) : (!npu.token) -> ()"#, "");
    let view = "          %b = memref.view";
    let waits = format!("          \"npu.wait\"(%t) : (!npu.token) -> ()\n{view}");
    let earlier = earlier.replace(view, &waits);
    after(&[("memplan-verify", "")], &earlier).expect("no fault");
}

#[test]
fn an_operation_that_starts_after_a_token_has_not_waited_for_it() {
    let text = function(
        r#"%a = memref.alloc() : M
           %t = "npu.op"(%x, %a) {does = "r0 w1 g0"} : (M, M) -> !npu.token
           %u = "npu.op"(%t, %y, %x) {does = "r1 w2 g0 a0"} : (!npu.token, M, M) -> !npu.token
           %b = memref.alloc() : M
           "npu.op"(%x, %b) {does = "r0 o1"} : (M, M) -> ()
           "npu.op"(%b, %y) {does = "r0 w1"} : (M, M) -> ()
           "npu.wait"(%u) : (!npu.token) -> ()
           %c = memref.alloc() : M
           "npu.op"(%x, %c) {does = "r0 o1"} : (M, M) -> ()
           "npu.op"(%c, %y) {does = "r0 w1"} : (M, M) -> ()"#,
    );
    let planned = after(&[MERGE], &text).expect("planned");
    assert_eq!(arena(&planned), 64, "{planned}");
}

#[test]
fn only_a_wait_of_the_host_ends_what_goes_on() {
    let text = function(
        r#"%a = memref.alloc() : M
           %t = "npu.op"(%x, %a) {does = "r0 w1 g0"} : (M, M) -> !npu.token
           %u = "npu.op"(%t) {does = "g0 a0"} : (!npu.token) -> !npu.token
           %v = "npu.op"(%u, %y) {does = "r1 g0 a0"} : (!npu.token, M) -> !npu.token
           "npu.wait"(%v) : (!npu.token) -> ()"#,
    );
    let freed = after(&[FREE], &text).expect("freed");
    let rest = freed.split("\"npu.wait\"").nth(1).expect("is there");
    assert!(rest.contains("memref.dealloc %alloc"), "{freed}");
    let text = text.replace(r#""npu.wait"(%v) : (!npu.token) -> ()"#, "");
    let left = after(&[FREE], &text).expect("left alone");
    assert!(!left.contains("dealloc"), "{left}");
}

#[test]
fn what_goes_on_has_one_token() {
    let text = function(
        r#"%a = memref.alloc() : M
           %t:2 = "npu.op"(%x, %a) {does = "r0 w1 g0"} : (M, M) -> (!npu.token, !npu.token)
           "npu.wait"(%t#0) : (!npu.token) -> ()"#,
    );
    let said = after(&[MERGE], &text).expect_err("two tokens");
    assert!(said.contains("more than one token"), "{said}");
}

#[test]
fn a_stack_of_bounded_programs_waits_for_what_goes_on() {
    let scan = ("memplan-tree-scan", "");
    let planned = after(&[scan], TRANSFER).expect("planned");
    assert_eq!(arena(&planned), 64, "{planned}");
}
