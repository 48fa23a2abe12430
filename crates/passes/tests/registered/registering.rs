//! When operations and planners can be registered.

use crate::setup::{FREE, MERGE, after, arena, function};
use memplan_mlir::{create, ir::Op};
use memplan_semantics::{
    Description, RegisterError, register, register_allocator, register_override,
};

#[test]
fn operations_are_registered_once_and_before_a_pass_asks() {
    let nothing = |_: Op<'_>, _: &mut Description| Ok(());
    let text = function(r#""late.op"(%x) : (M) -> ()"#);
    after(&[MERGE], &text).expect("left alone");
    let late = "late.op".to_owned();
    assert_eq!(
        register("late.op", nothing),
        Err(RegisterError::AlreadyUsed(late.clone()))
    );
    assert_eq!(
        register_override("late.op", nothing),
        Err(RegisterError::AlreadyUsed(late))
    );
    let twice = RegisterError::AlreadyRegistered("npu.add".to_owned());
    assert_eq!(register("npu.add", nothing), Err(twice.clone()));
    assert_eq!(register_override("npu.add", nothing), Err(twice));
    let known = RegisterError::InTable("gpu.memset".to_owned());
    assert_eq!(register("gpu.memset", nothing), Err(known.clone()));
    assert_eq!(
        known.to_string(),
        "memplan has a description of 'gpu.memset': override it to replace that"
    );
    register_override("gpu.memset", |_, op| {
        op.captures(0);
        Ok(())
    })
    .expect("nobody has asked about it");
    for name in ["", "start", ".start", "npu."] {
        let wrong = RegisterError::InvalidName(name.to_owned());
        assert_eq!(register(name, nothing), Err(wrong));
    }
    let text = function(
        "%z = arith.constant 0.0 : f32
         %a = memref.alloc() : M
         gpu.memset %a, %z : M, f32",
    );
    let freed = after(&[FREE], &text).expect("left alone");
    assert!(!freed.contains("dealloc"), "{freed}");
    assert!(register_allocator("memref", Some("npu.free")).is_err());
    assert!(register_allocator("pool", Some("npu.free")).is_err());
    assert_eq!(register_allocator("pool", Some("pool.put")), Ok(()));
}

#[test]
fn a_planner_of_somebody_else_is_an_option_and_its_plan_is_checked() {
    use memplan_planner::custom;
    custom::register("test.stack", |problem| {
        let mut end = 0;
        let place = |buffer: &memplan_planner::Buffer| {
            let offset = end;
            end += buffer.size;
            offset
        };
        Ok(problem.buffers.iter().map(place).collect())
    })
    .expect("a free name");
    custom::register("test.heap", |problem| Ok(vec![0; problem.buffers.len()])).expect("free");
    custom::register("test.panics", |_| panic!("no memory")).expect("a free name");
    let text = r#"
        func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
          %a = memref.alloc() : memref<8xf32>
          %b = memref.alloc() : memref<8xf32>
          memref.copy %x, %a : memref<8xf32> to memref<8xf32>
          memref.copy %y, %b : memref<8xf32> to memref<8xf32>
          memref.copy %a, %y : memref<8xf32> to memref<8xf32>
          memref.copy %b, %x : memref<8xf32> to memref<8xf32>
          return
        }"#;
    // Passes that were registered before know it.
    let planned = after(
        &[("memplan-merge-alloc", "planner=test.stack alignment=1")],
        text,
    )
    .expect("planned");
    assert_eq!(arena(&planned), 64, "{planned}");
    for (planner, why) in [
        (
            "test.heap",
            "its plan is invalid, and was not used: buffers 0 and 1 share bytes at time",
        ),
        ("test.panics", "it panicked: no memory"),
    ] {
        let options = format!("planner={planner} alignment=1");
        let said = after(&[("memplan-merge-alloc", &options)], text).expect_err(planner);
        assert!(
            said.contains(&format!("the planner '{planner}' returned no plan: {why}"))
                && said.ends_with(" [memplan-E006]"),
            "{said}"
        );
    }
    let error = create::pass("memplan-merge-alloc", "planner=nobody")
        .err()
        .expect("no such planner");
    assert!(error.to_string().contains("test.stack"), "{error}");
    let error = create::pass("memplan-nothing", "")
        .err()
        .expect("no such pass");
    assert_eq!(error.to_string(), "there is no pass 'memplan-nothing'");
}
