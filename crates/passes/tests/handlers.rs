//! Operations of another compiler, of which handlers say what they do with memory.

use memplan_mlir::{
    context::with_all_dialects,
    melior::{ir::Module, pass::PassManager, utility::parse_pass_pipeline},
};
use memplan_passes::ownership_dealloc::handlers::{Behavior, Given, register};
use std::{cell::RefCell, rc::Rc};

/// The function after the pass, or what was said when that failed.
fn freed(text: &str) -> Result<String, Vec<String>> {
    static PASSES: std::sync::Once = std::sync::Once::new();
    PASSES.call_once(memplan_passes::register_all);
    let context = with_all_dialects();
    context.set_allow_unregistered_dialects(true);
    let mut module = Module::parse(&context, text).expect("the program parses");
    let manager = PassManager::new(&context);
    let pipeline = "builtin.module(memplan-ownership-dealloc)";
    parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline).expect("a pipeline");
    let said: Rc<RefCell<Vec<String>>> = Rc::default();
    let heard = Rc::clone(&said);
    context.attach_diagnostic_handler(move |diagnostic| {
        heard.borrow_mut().push(diagnostic.to_string());
        true
    });
    match manager.run(&mut module) {
        Ok(()) => Ok(module.as_operation().to_string()),
        Err(_) => Err(said.take()),
    }
}

/// The lines of the function's body from the first that contains `from` on, without spaces around.
fn lines(text: &str, from: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim().to_owned());
    lines.skip_while(|line| !line.contains(from)).collect()
}

fn register_all() {
    register("pool.get", |_| {
        Ok(Some(Behavior {
            gives: vec![Given::New {
                freed_by: Some("pool.put"),
            }],
            takes: Vec::new(),
        }))
    });
    register("pool.part", |_| {
        Ok(Some(Behavior {
            gives: vec![Given::Operands(vec![0])],
            takes: Vec::new(),
        }))
    });
    register("pool.keep", |_| {
        Ok(Some(Behavior {
            gives: Vec::new(),
            takes: vec![0],
        }))
    });
    register("pool.use", |_| Ok(Some(Behavior::default())));
    register("pool.odd", |_| {
        Ok(Some(Behavior {
            gives: vec![Given::Foreign],
            takes: Vec::new(),
        }))
    });
}

#[test]
fn what_an_operation_gives_is_freed_by_its_own_kind_behind_the_last_use_of_what_is_made_of_it() {
    register_all();
    let text = r#"
        func.func @f() {
          %a = "pool.get"() : () -> memref<8xf32>
          %b = "pool.part"(%a) : (memref<8xf32>) -> memref<4xf32>
          "pool.use"(%b) : (memref<4xf32>) -> ()
          return
        }"#;
    let text = freed(text).expect("the pass knows all operations");
    let lines = lines(&text, "pool.use");
    assert!(lines[1].starts_with("\"pool.put\"(%0)"), "{text}");
    assert_eq!(lines[2], "return", "{text}");
}

#[test]
fn what_an_operation_takes_is_freed_on_the_other_ways_only() {
    register_all();
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
    let text = freed(text).expect("the pass knows all operations");
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
    register_all();
    let text = r#"
        func.func @f(%c: i1, %x: memref<8xf32>) {
          %a = memref.alloc() : memref<8xf32>
          %s = arith.select %c, %a, %x : memref<8xf32>
          "pool.keep"(%s) : (memref<8xf32>) -> ()
          return
        }"#;
    let text = freed(text).expect("the pass knows all operations");
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
    register_all();
    let text = r#"
        func.func @f(%c: i1, %x: memref<8xf32>) {
          %a = memref.alloc() : memref<8xf32>
          %s = arith.select %c, %a, %x : memref<8xf32>
          "pool.keep"(%s) : (memref<8xf32>) -> ()
          "pool.use"(%a) : (memref<8xf32>) -> ()
          return
        }"#;
    let said = "'pool.keep' frees or takes memory that may be needed behind it [memplan-E303]";
    assert_eq!(freed(text), Err(vec![said.to_owned()]));
}

#[test]
fn a_handler_that_tells_of_other_results_is_an_error() {
    register_all();
    let text = r#"
        func.func @f(%x: memref<8xf32>) {
          "pool.odd"(%x) : (memref<8xf32>) -> ()
          return
        }"#;
    let said = "'pool.odd' has a handler that tells of other results or operands than there are [memplan-E305]";
    assert_eq!(freed(text), Err(vec![said.to_owned()]));
}

#[test]
fn what_nobody_has_said_anything_of_is_an_error() {
    let text = r#"
        func.func @f(%x: memref<8xf32>) {
          "pool.unknown"(%x) : (memref<8xf32>) -> ()
          return
        }"#;
    let said = "'pool.unknown' uses memrefs, but does not say how: let it implement MemoryEffectOpInterface [memplan-E301]";
    assert_eq!(freed(text), Err(vec![said.to_owned()]));
}

#[test]
fn memory_of_a_pool_is_not_returned_to_callers_who_would_free_it_otherwise() {
    register_all();
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
    assert_eq!(freed(text), Err(vec![said.to_owned()]));
}

#[test]
fn callers_do_not_free_what_an_operation_in_a_callee_takes() {
    register_all();
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
    let text = freed(text).expect("the pass knows all operations");
    assert!(!text.contains("dealloc"), "{text}");
}
