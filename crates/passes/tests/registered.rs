//! Operations of another compiler, which describes what they do to memory, and planners of others.

use memplan_mlir::{
    context::with_all_dialects,
    create,
    ir::{Op, operands},
    melior::{
        Context,
        ir::{Module, operation::OperationLike},
        pass::PassManager,
    },
};
use memplan_semantics::{
    Description, RegisterError, op_memory::DataStart, register, register_allocator,
    register_override, register_token_type,
};
use std::sync::{Arc, Mutex, Once};

/// The program after these passes, or what was said.
fn after(passes: &[(&str, &str)], text: &str) -> Result<String, String> {
    static KNOWN: Once = Once::new();
    KNOWN.call_once(|| {
        memplan_passes::register_all();
        register_operations();
    });
    let context = with_all_dialects();
    context.set_allow_unregistered_dialects(true);
    let said = listen(&context);
    let mut module = Module::parse(&context, text).expect("the program parses");
    let manager = PassManager::new(&context);
    for (name, options) in passes {
        manager.add_pass(create::pass(name, options).expect("a pass with these options"));
    }
    let done = manager.run(&mut module);
    let said = said.lock().expect("no panic").join("\n");
    match done {
        Ok(()) => Ok(module.as_operation().to_string()),
        Err(_) => Err(said),
    }
}

fn listen(context: &Context) -> Arc<Mutex<Vec<String>>> {
    let said = Arc::new(Mutex::new(Vec::new()));
    let all = Arc::clone(&said);
    context.attach_diagnostic_handler(move |diagnostic| {
        all.lock().expect("no panic").push(diagnostic.to_string());
        true
    });
    said
}

const MERGE: (&str, &str) = ("memplan-merge-alloc", "verify=true alignment=1");
const FREE: (&str, &str) = ("memplan-ownership-dealloc", "");

/// Registers an operation, with what is said of all of its name.
fn add(name: &str, say: fn(&mut Description)) {
    let describe = move |_: Op<'_>, op: &mut Description| {
        say(op);
        Ok(())
    };
    register(name, describe).expect(name);
}

fn register_operations() {
    register_token_type("!npu.token");
    register_allocator("pool", Some("pool.put")).expect("a free name");
    register_allocator("own", None).expect("a free name");
    add("npu.add", |op| {
        op.reads(0).reads(1).overwrites(2);
    });
    add("npu.negate", |op| {
        op.in_step(0, 1).overwrites(1);
    });
    add("npu.part", |op| {
        op.views(0, 0, DataStart::Same);
    });
    add("npu.capture", |op| {
        op.captures(0);
    });
    add("npu.start", |op| {
        op.reads(0).writes(1).starts(0);
    });
    add("npu.wait", |op| {
        op.waits();
    });
    add("pool.get", |op| {
        op.allocates(0, "pool");
    });
    add("pool.put", |op| {
        op.frees(0, "pool");
    });
    add("pool.part", |op| {
        op.any_of(0, &[0]);
    });
    add("pool.keep", |op| {
        op.takes(0);
    });
    add("pool.use", |_| {});
    register("npu.op", by_text).expect("a free name");
    register_override("async.call", |_, _| Ok(())).expect("a free name");
    for name in ["npu.last", "npu.regions"] {
        add(name, |_| {});
    }
    // Of some operations of this name, the interfaces hold.
    register("npu.some", |op, said| {
        if operands(op).count() != 1 {
            said.by_interfaces();
        }
        Ok(())
    })
    .expect("a free name");
    register("npu.refused", |_, _| Err("not for this target".to_owned())).expect("free");
    register("npu.panics", |_, _| panic!("out of luck")).expect("a free name");
}

/// What the text of its attribute says: words such as `r0` for a read of operand 0, or `s0:1` for one in step.
fn by_text(op: Op<'_>, said: &mut Description) -> Result<(), String> {
    let text = op.attribute("does").map_err(|error| error.to_string())?;
    for word in text.to_string().trim_matches('"').split_whitespace() {
        let (what, numbers) = word.split_at(1);
        let mut numbers = numbers.split(':').filter_map(|number| number.parse().ok());
        let mut next = || numbers.next().unwrap_or_default();
        let first = next();
        match what {
            "d" => said.descriptor(first),
            "r" => said.reads(first),
            "w" => said.writes(first),
            "o" => said.overwrites(first),
            "s" => said.in_step(first, next()),
            "c" => said.copies(first, next()),
            "f" => said.frees(first, "own"),
            "F" => said.frees(first, "nobody"),
            "t" => said.takes(first),
            "k" => said.captures(first),
            "i" => said.stores_into(first, next()),
            "m" => said.allocates(first, "own"),
            "M" => said.allocates(first, "memref"),
            "v" => said.views(first, next(), DataStart::Same),
            "V" => said.views(first, next(), DataStart::Unknown),
            "h" => said.views(first, next(), DataStart::ShiftedBy(next())),
            "l" => said.loads(first, next()),
            "b" => said.borrowed(first),
            "A" => said.address_of(first, next()),
            "g" => said.starts(first),
            "a" => said.after(first),
            "W" => said.waits(),
            "x" => said.speculatable(),
            _ => return Err(format!("no such word as '{word}'")),
        };
    }
    Ok(())
}

/// The bytes of the arena; 0 without.
fn arena(text: &str) -> usize {
    let Some(line) = text.lines().find(|line| line.contains("memplan.arena")) else {
        return 0;
    };
    let bytes = line
        .rsplit("memref<")
        .next()
        .and_then(|rest| rest.split('x').next());
    bytes.and_then(|bytes| bytes.parse().ok()).expect("a size")
}

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

/// What is said at an `npu.op` whose description is wrong.
#[track_caller]
fn is_wrong(op: &str, why: &str) {
    let text = function(&format!(
        "%box = memref.alloc() : memref<2xM>
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
fn numbers_and_types_that_do_not_fit_are_errors_at_the_operation() {
    for (does, why) in [
        ("r3", "it has no operand 3"),
        ("r2", "operand 2 is not a memref"),
        ("o0 w9", "it has no operand 9"),
        ("b0", "it has no result 0"),
        ("i0:1", "operand 1 is not a memref of memrefs"),
        ("F0", "no allocator is registered as 'nobody'"),
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
        ("h0:0:1", "operand 1 is not a number of bytes"),
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
        "operands 0 and 1 have different elements",
    );
}

#[test]
fn statements_that_contradict_each_other_are_errors_at_the_operation() {
    for (does, why) in [
        (
            "d0 r0",
            "of operand 0 it is said that its bytes are used, and are not",
        ),
        (
            "o1 r1",
            "of operand 1 it is said that it is overwritten without a read, and read",
        ),
        (
            "s0:1 r0",
            "of operand 0 it is said that it is read in step, and used in another way",
        ),
        (
            "s0:1 o1 w0",
            "of operand 0 it is said that it is read in step, and used in another way",
        ),
        (
            "s0:1 r1",
            "of operand 1 it is said that it is written in step, and read",
        ),
        (
            "c0:1 k1",
            "of operand 1 it is said that it is used in step, and freed or captured",
        ),
        (
            "f0 t0",
            "of operand 0 it is said that it is freed, taken, captured or stored twice",
        ),
        (
            "a2",
            "it comes after a token, and has no token itself: say `waits`",
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
        ("m0 b0", "of result 0, two things are said"),
        (
            "v0:0 r0",
            "a view reads and writes other operands, and does nothing else",
        ),
        (
            "v0:0 k1",
            "a view reads and writes other operands, and does nothing else",
        ),
        (
            "v0:0 s1:2",
            "a view reads and writes other operands, and does nothing else",
        ),
        (
            "v0:0 W",
            "a view reads and writes other operands, and does nothing else",
        ),
    ] {
        let op = format!(r#"%r = "npu.op"(%x, %y, %x) {{does = "{does}"}} : (M, M, M) -> M"#);
        is_wrong(&op, why);
    }
    is_wrong(
        r#"%t = "npu.op"(%x, %y) {does = "g0 W"} : (M, M) -> !npu.token"#,
        "it waits for its tokens, and goes on without a wait: say `after` of what it starts after",
    );
}

#[test]
fn operations_are_registered_once_and_before_a_pass_asks() {
    let nothing = |_: Op<'_>, _: &mut Description| Ok(());
    let text = function(r#""late.op"(%x) : (M) -> ()"#);
    after(&[MERGE], &text).expect("left alone");
    let late = "late.op".to_owned();
    assert_eq!(
        register("late.op", nothing),
        Err(RegisterError::Asked(late.clone()))
    );
    assert_eq!(
        register_override("late.op", nothing),
        Err(RegisterError::Asked(late))
    );
    let twice = RegisterError::Twice("npu.add".to_owned());
    assert_eq!(register("npu.add", nothing), Err(twice.clone()));
    assert_eq!(register_override("npu.add", nothing), Err(twice));
    let known = RegisterError::OpKind("gpu.memset".to_owned());
    assert_eq!(register("gpu.memset", nothing), Err(known.clone()));
    assert_eq!(
        known.to_string(),
        "memplan knows what 'gpu.memset' does: to replace that, override it"
    );
    register_override("gpu.memset", |_, op| {
        op.captures(0);
        Ok(())
    })
    .expect("nobody has asked about it");
    for name in ["", "start", ".start", "npu."] {
        let wrong = RegisterError::Name(name.to_owned());
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
            "its plan is wrong, and was not used: buffers 0 and 1 share bytes at time",
        ),
        ("test.panics", "it panicked: no memory"),
    ] {
        let options = format!("planner={planner} alignment=1");
        let said = after(&[("memplan-merge-alloc", &options)], text).expect_err(planner);
        assert!(
            said.contains(&format!("the planner '{planner}' gave no plan: {why}"))
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
    assert_eq!(error.to_string(), "no pass is called 'memplan-nothing'");
}

/// A function whose body is written with `npu.op`, of two arguments.
fn function(body: &str) -> String {
    let body = body
        .replace(" M", " memref<8xf32>")
        .replace("(M", "(memref<8xf32>")
        .replace("xM>", "xmemref<8xf32>>");
    format!(
        "func.func @f(%x: memref<8xf32>, %y: memref<8xf32>, %s: memref<4xf32>, %i: memref<8xi32>) {{\n{body}\nreturn\n}}"
    )
}

#[test]
fn what_starts_behind_a_token_and_goes_on_has_not_waited_for_it() {
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
    let behind = freed.split("\"npu.wait\"").nth(1).expect("is there");
    assert!(behind.contains("memref.dealloc %alloc"), "{freed}");
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
fn a_stack_of_bounded_programs_waits_for_what_goes_on() {
    let text = TRANSFER.to_owned();
    let said = after(&[("memplan-tree-scan", "")], &text).expect_err("goes on");
    assert!(said.contains("[memplan-E"), "{said}");
}

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
        (calls, "what a call does, its callee shows"),
        (regions, "it has regions: what is in them is not described"),
        (last, "it ends a block, or may"),
    ] {
        for pass in [MERGE, FREE] {
            let said = after(&[pass], text).expect_err(why);
            // One of the two refuses it before it asks for a description.
            let is_end = said.contains("'npu.last' ends a block and hands memrefs on");
            assert!(said.contains(why) || is_end, "{pass:?}: {said}");
        }
    }
}

/// The lines of the function's body from the first that contains `from` on, without spaces around.
fn lines(text: &str, from: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim().to_owned());
    lines.skip_while(|line| !line.contains(from)).collect()
}

#[test]
fn what_an_operation_gives_is_freed_by_its_own_kind_behind_the_last_use_of_what_is_made_of_it() {
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
fn what_is_needed_behind_the_operation_that_takes_it_is_an_error() {
    let text = r#"
        func.func @f(%c: i1, %x: memref<8xf32>) {
          %a = memref.alloc() : memref<8xf32>
          %s = arith.select %c, %a, %x : memref<8xf32>
          "pool.keep"(%s) : (memref<8xf32>) -> ()
          "pool.use"(%a) : (memref<8xf32>) -> ()
          return
        }"#;
    let said = "'pool.keep' frees or takes memory that may be needed behind it [memplan-E303]";
    assert_eq!(after(&[FREE], text), Err(said.to_owned()));
}

#[test]
fn what_nobody_has_said_anything_of_is_an_error() {
    let text = r#"
        func.func @f(%x: memref<8xf32>) {
          "pool.unknown"(%x) : (memref<8xf32>) -> ()
          return
        }"#;
    let said = "'pool.unknown' uses memrefs, but does not say how: let it implement MemoryEffectOpInterface [memplan-E301]";
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
    let said = "'func.return' returns memory that 'pool.put' gives back, and whoever calls the function frees what \
                it gets by memref.dealloc [memplan-E311]";
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
