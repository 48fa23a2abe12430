//! What is done to operands, and what results are: when memory is live, in place, or left alone.

use crate::setup::{FREE, MERGE, after, arena, function};

#[test]
fn what_is_read_and_overwritten_decides_when_buffers_are_live() {
    let text = r#"
        func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
          %a = memref.alloc() : memref<8xf32>
          "npu.add"(%x, %x, %a) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          "npu.add"(%a, %x, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          %b = memref.alloc() : memref<8xf32>
          "npu.add"(%x, %x, %b) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          "npu.add"(%b, %x, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          return
        }"#;
    let text = after(&[MERGE], text).expect("planned");
    assert_eq!(arena(&text), 32, "{text}");
    // Without a description, nothing is known of an operation.
    let text = after(
        &[MERGE],
        &text
            .replace("npu.", "other.")
            .replace("memplan.arena, ", ""),
    );
    assert!(text.is_ok_and(|text| !text.contains("memref.view %alloc_")));
}

#[test]
fn an_operation_in_step_runs_in_place() {
    let text = r#"
        func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
          %a = memref.alloc() : memref<8xf32>
          "npu.add"(%x, %x, %a) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          %b = memref.alloc() : memref<8xf32>
          "npu.negate"(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
          "npu.add"(%b, %x, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          return
        }"#;
    let text = after(&[MERGE], text).expect("planned");
    assert_eq!(arena(&text), 32, "{text}");
}

#[test]
fn what_another_operand_uses_too_is_not_done_in_place() {
    for does in ["s0:1 o1 r2", "s0:1 o1 w2"] {
        let text = function(
            r#"%a = memref.alloc() : M
               "npu.op"(%x, %a) {does = "r0 o1"} : (M, M) -> ()
               %b = memref.alloc() : M
               "npu.op"(%a, %b, %a) {does = "DOES"} : (M, M, M) -> ()
               "npu.op"(%b, %y) {does = "r0 w1"} : (M, M) -> ()"#,
        );
        let planned = after(&[MERGE], &text.replace("DOES", does)).expect("planned");
        assert_eq!(arena(&planned), 64, "{does}: {planned}");
    }
}

#[test]
fn a_registered_view_keeps_what_it_views_alive() {
    let text = r#"
        func.func @f(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<4xf32>) {
          %a = memref.alloc() : memref<8xf32>
          "npu.add"(%x, %x, %a) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          %v = "npu.part"(%a) : (memref<8xf32>) -> memref<4xf32>
          %b = memref.alloc() : memref<8xf32>
          "npu.add"(%x, %x, %b) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          "npu.add"(%b, %x, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          "npu.negate"(%v, %z) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        }"#;
    let planned = after(&[MERGE], text).expect("planned");
    assert_eq!(arena(&planned), 64, "{planned}");
    let freed = after(&[FREE], text).expect("freed");
    let lines: Vec<&str> = freed.lines().map(str::trim).collect();
    let last = lines
        .iter()
        .position(|line| line.starts_with("\"npu.negate\""))
        .expect("is there");
    assert_eq!(
        lines[last + 1],
        "memref.dealloc %alloc : memref<8xf32>",
        "{freed}"
    );
}

#[test]
fn a_view_that_reads_its_source_by_another_operand_uses_it() {
    let text = function(
        r#"%a = memref.alloc() : M
           "npu.op"(%x, %a) {does = "r0 o1"} : (M, M) -> ()
           %b = memref.alloc() : M
           "npu.op"(%x, %b) {does = "r0 o1"} : (M, M) -> ()
           "npu.op"(%b, %y) {does = "r0 w1"} : (M, M) -> ()
           %v = "npu.op"(%a, %a) {does = "v0:0"} : (M, M) -> M"#,
    );
    let planned = after(&[MERGE], &text).expect("planned");
    assert_eq!(arena(&planned), 64, "{planned}");
}

#[test]
fn a_view_starts_where_its_description_says_or_anywhere() {
    // Whether the view is what is returned is asked at run time: by its base, which goes along, where it may start elsewhere.
    let text = "func.func @f(%c: i1, %x: memref<8xf32>) -> memref<8xf32> {
           %a = memref.alloc() : memref<8xf32>
           %b = memref.alloc() : memref<8xf32>
           %v = \"npu.op\"(%a) {does = \"DOES\"} : (memref<8xf32>) -> memref<8xf32>
           %s = arith.select %c, %v, %b : memref<8xf32>
           return %s : memref<8xf32>
         }";
    for (does, selects) in [("v0:0", 1), ("V0:0", 2)] {
        let freed = after(&[FREE], &text.replace("DOES", does)).expect("freed");
        assert_eq!(freed.matches("arith.select").count(), selects, "{freed}");
    }
}

#[test]
fn what_is_captured_is_left_alone_and_not_freed() {
    let text = r#"
        func.func @f(%x: memref<8xf32>) {
          %a = memref.alloc() : memref<8xf32>
          "npu.add"(%x, %x, %a) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
          "npu.capture"(%a) : (memref<8xf32>) -> ()
          return
        }"#;
    let text = after(&[MERGE, FREE], text).expect("left alone");
    assert_eq!(arena(&text), 0, "{text}");
    assert!(!text.contains("dealloc"), "{text}");
}

#[test]
fn an_address_as_a_number_is_followed_to_where_it_gets_lost() {
    let text = |does: &str| {
        format!(
            "func.func @f(%x: memref<8xf32>, %y: memref<1xindex>) {{
               %c0 = arith.constant 0 : index
               %a = memref.alloc() : memref<8xf32>
               memref.copy %x, %a : memref<8xf32> to memref<8xf32>
               %p = \"npu.op\"(%a) {{does = \"{does}\"}} : (memref<8xf32>) -> index
               memref.store %p, %y[%c0] : memref<1xindex>
               return
             }}"
        )
    };
    for (does, is_lost) in [("d0", false), ("r0", false), ("A0:0", true)] {
        let planned = after(&[MERGE], &text(does)).expect("planned");
        assert_eq!(arena(&planned) == 0, is_lost, "{does}: {planned}");
        let freed = after(&[FREE], &text(does)).expect("freed");
        assert_eq!(
            !freed.contains("memref.dealloc"),
            is_lost,
            "{does}: {freed}"
        );
    }
}

#[test]
fn where_a_description_says_so_the_interfaces_hold() {
    let text = |operands: &str, types: &str| {
        format!(
            "func.func @f(%x: memref<8xf32>) {{
               %a = memref.alloc() : memref<8xf32>
               \"npu.some\"({operands}) : ({types}) -> ()
               return
             }}"
        )
    };
    let planned = after(&[MERGE], &text("%a", "memref<8xf32>")).expect("planned");
    assert_eq!(arena(&planned), 32, "{planned}");
    let planned = after(&[MERGE], &text("%a, %x", "memref<8xf32>, memref<8xf32>"));
    assert_eq!(arena(&planned.expect("left alone")), 0);
    let said = after(&[FREE], &text("%a, %x", "memref<8xf32>, memref<8xf32>"));
    assert!(said.expect_err("unknown").contains("npu.some"));
}
