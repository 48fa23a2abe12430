//! Who frees what: allocators, and operations that free, or take, what they are given.

use crate::setup::{FREE, MERGE, after, arena, function, lines};

#[test]
fn what_does_more_than_free_stays() {
    for (does, uses) in [("f0 f1", "%b"), ("f0 w1", "%y")] {
        let text = function(&format!(
            r#"%a = memref.alloc() : M
               %b = memref.alloc() : M
               "npu.op"(%x, %a) {{does = "r0 o1"}} : (M, M) -> ()
               "npu.op"(%x, %b) {{does = "r0 o1"}} : (M, M) -> ()
               "npu.op"(%a, {uses}) {{does = "{does}"}} : (M, M) -> ()"#
        ));
        let freed = after(&[FREE], &text).expect("freed");
        assert!(freed.contains(does), "{freed}");
        assert!(!freed.contains("memref.dealloc %alloc :"), "{freed}");
    }
}

#[test]
fn new_memory_of_an_allocator_without_an_operation_is_freed_by_the_program_itself() {
    let text = function(
        r#"%a = "npu.op"() {does = "m0"} : () -> M
           "npu.op"(%x, %a) {does = "r0 o1"} : (M, M) -> ()
           "npu.op"(%a) {does = "f0"} : (M) -> ()"#,
    );
    let freed = after(&[FREE], &text).expect("freed");
    assert!(freed.contains(r#"does = "f0""#), "{freed}");
    assert!(!freed.contains("memref.dealloc"), "{freed}");
}

#[test]
fn new_memory_of_the_allocator_memref_is_freed_by_memref_dealloc_and_not_planned() {
    let text = function(
        r#"%a = "npu.op"() {does = "M0"} : () -> M
           "npu.op"(%x, %a) {does = "r0 o1"} : (M, M) -> ()"#,
    );
    let freed = after(&[MERGE, FREE], &text).expect("freed");
    assert_eq!(arena(&freed), 0, "{freed}");
    assert_eq!(freed.matches("memref.dealloc").count(), 1, "{freed}");
}

#[test]
fn a_result_is_freed_by_its_own_allocator_after_the_last_use_of_its_views() {
    let text = r#"
        func.func @f() {
          %a = "pool.get"() : () -> memref<8xf32>
          %b = "pool.part"(%a) : (memref<8xf32>) -> memref<4xf32>
          "pool.use"(%b) : (memref<4xf32>) -> ()
          return
        }"#;
    let text = after(&[FREE], text).expect("the pass knows all operations");
    let lines = lines(&text, "pool.use");
    assert!(lines[1].starts_with("\"pool.put\"(%0)"), "{text}");
    assert_eq!(lines[2], "return", "{text}");
}

#[test]
fn what_an_operation_takes_is_freed_on_the_other_ways_only() {
    let text = r#"
        func.func @f(%c: i1) {
          %a = memref.alloc() : memref<8xf32>
          cf.cond_br %c, ^keep, ^leave
        ^keep:
          "pool.keep"(%a) : (memref<8xf32>) -> ()
          return
        ^leave:
          return
        }"#;
    let text = after(&[FREE], text).expect("the pass knows all operations");
    let kept = lines(&text, "pool.keep");
    assert_eq!(kept[1], "return", "{text}");
    assert_eq!(text.matches("memref.dealloc").count(), 1, "{text}");
    assert!(
        kept[2..]
            .iter()
            .any(|line| line.starts_with("memref.dealloc")),
        "{text}"
    );
}

#[test]
fn one_of_two_that_an_operation_takes_is_found_by_a_test() {
    let text = r#"
        func.func @f(%c: i1, %x: memref<8xf32>) {
          %a = memref.alloc() : memref<8xf32>
          %s = arith.select %c, %a, %x : memref<8xf32>
          "pool.keep"(%s) : (memref<8xf32>) -> ()
          return
        }"#;
    let text = after(&[FREE], text).expect("the pass knows all operations");
    let lines = lines(&text, "arith.select");
    assert!(
        lines[1].contains("bufferization.dealloc (%alloc") && lines[1].contains("retain (%0"),
        "{text}"
    );
    assert!(lines[2].starts_with("\"pool.keep\"(%0)"), "{text}");
    assert_eq!(lines[3], "return", "{text}");
}

#[test]
fn a_use_after_the_operation_that_consumes_it_is_an_error() {
    let text = r#"
        func.func @f(%c: i1, %x: memref<8xf32>) {
          %a = memref.alloc() : memref<8xf32>
          %s = arith.select %c, %a, %x : memref<8xf32>
          "pool.keep"(%s) : (memref<8xf32>) -> ()
          "pool.use"(%a) : (memref<8xf32>) -> ()
          return
        }"#;
    let said = "'pool.keep' frees or consumes memory that may be used later [memplan-E303]";
    assert_eq!(after(&[FREE], text), Err(said.to_owned()));
}

#[test]
fn what_nobody_has_said_anything_of_is_an_error() {
    let text = r#"
        func.func @f(%x: memref<8xf32>) {
          "pool.unknown"(%x) : (memref<8xf32>) -> ()
          return
        }"#;
    let said = "'pool.unknown' has unknown effects on memrefs: let it implement MemoryEffectOpInterface [memplan-E301]";
    assert_eq!(after(&[FREE], text), Err(said.to_owned()));
}

#[test]
fn memory_of_a_pool_is_not_returned_to_callers_who_would_free_it_otherwise() {
    let text = r#"
        func.func private @get() -> memref<8xf32> {
          %a = "pool.get"() : () -> memref<8xf32>
          return %a : memref<8xf32>
        }
        func.func @f() {
          %a = call @get() : () -> memref<8xf32>
          "pool.use"(%a) : (memref<8xf32>) -> ()
          return
        }"#;
    let said = "'func.return' returns memory that 'pool.put' frees, but callers free results by memref.dealloc \
                [memplan-E311]";
    assert_eq!(after(&[FREE], text), Err(said.to_owned()));
}

#[test]
fn callers_do_not_free_what_an_operation_in_a_callee_takes() {
    let text = r#"
        func.func private @keep(%a: memref<8xf32>) {
          "pool.keep"(%a) : (memref<8xf32>) -> ()
          return
        }
        func.func @f() {
          %a = memref.alloc() : memref<8xf32>
          call @keep(%a) : (memref<8xf32>) -> ()
          return
        }"#;
    let text = after(&[FREE], text).expect("the pass knows all operations");
    assert!(!text.contains("dealloc"), "{text}");
}
