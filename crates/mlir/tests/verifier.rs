//! The verification after a pass covers the operations that the pass changed, and those that the change affects.

use memplan_interface::Example;
use memplan_mlir::{
    build::set_text,
    context::with_all_dialects,
    ir::{Op, Val, blocks, context_of, erase, ops, regions, results, set_type, type_of},
    melior::{
        ir::{Module, operation::OperationLike},
        pass::PassManager,
        utility::parse_pass_pipeline,
    },
    pass::{Declaration, Failed, Pass, Run, register},
    split::rename,
    values::{move_before, set_operand},
};
use std::{cell::RefCell, rc::Rc};

/// The changed function, and a much larger unchanged one: without it, a change makes memplan verify everything.
fn program() -> String {
    let unchanged = "    %x = arith.addi %n, %n : index\n";
    let unchanged: String = (0..200)
        .map(|number| unchanged.replace("%x", &format!("%x{number}")))
        .collect();
    let large = format!("  func.func @large(%n: index) {{\n{unchanged}    return\n  }}\n}}\n");
    format!("{CHANGED}{large}")
}

const CHANGED: &str = r#"
module {
  func.func @callee(%x: memref<8xf32>) {
    cf.br ^next
  ^next:
    return
  }
  func.func @f(%x: memref<8xf32>, %y: memref<4xf32>, %c: i1, %n: index) -> index {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.addi %one, %one : index
    %value = memref.load %x[%zero] : memref<8xf32>
    scf.for %i = %zero to %n step %one {
      %inner = arith.addi %i, %two : index
      memref.store %value, %x[%inner] : memref<8xf32>
    }
    %which = scf.if %c -> (index) {
      scf.yield %one : index
    } else {
      scf.yield %two : index
    }
    %part = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    memref.copy %part, %y : memref<4xf32, strided<[1]>> to memref<4xf32>
    func.call @callee(%x) : (memref<8xf32>) -> ()
    %a = arith.addi %which, %one : index
    %b = arith.addi %a, %one : index
    %d = arith.addi %b, %one : index
    %e = arith.addi %d, %one : index
    %f = arith.addi %e, %one : index
    %g = arith.addi %f, %one : index
    return %g : index
  }
"#;

const fn declaration(argument: &'static str) -> Declaration {
    Declaration {
        argument,
        summary: "",
        description: "",
        example: Example {
            before: "",
            after: "",
        },
        options: &[],
        statistics: &[],
        codes: &[],
        dialects: &[],
        module_only: true,
    }
}

/// A change of the program, and MLIR's error about it, if any.
struct Case {
    argument: &'static str,
    change: fn(&Found<'_>),
    message: Option<&'static str>,
}

const CASES: [Case; 9] = [
    Case {
        argument: "test-valid",
        change: |found| set_text(found.nth("memref.load", 0), "note", "changed"),
        message: None,
    },
    Case {
        argument: "test-operand",
        change: |found| {
            let load = found.nth("memref.load", 0);
            set_operand(load, 1, first_result(load));
        },
        message: Some("op operand #1 must be variadic of index, but got 'f32'"),
    },
    Case {
        argument: "test-result",
        change: |found| {
            let load = found.nth("memref.load", 0);
            set_type(
                first_result(found.nth("scf.if", 0)),
                type_of(first_result(load)),
            );
        },
        message: Some("op along control flow edge from"),
    },
    // The user is in a loop that did not change.
    Case {
        argument: "test-order",
        change: |found| move_before(found.nth("arith.addi", 0), found.nth("memref.subview", 0)),
        message: Some("does not dominate this use"),
    },
    Case {
        argument: "test-terminator",
        change: |found| erase(found.nth("func.return", 1)),
        message: Some("block with no terminator"),
    },
    Case {
        argument: "test-yield",
        change: |found| {
            let value = first_result(found.nth("memref.load", 0));
            set_operand(found.nth("scf.yield", 1), 0, value);
        },
        message: Some("op along control flow edge from"),
    },
    // The call did not change.
    Case {
        argument: "test-symbol",
        change: |found| {
            let function = found.nth("func.func", 0);
            rename(function, context_of(function).text("other"));
        },
        message: Some("'callee' does not reference a valid function"),
    },
    // Another operation follows.
    Case {
        argument: "test-branch",
        change: |found| {
            let branch = found.nth("cf.br", 0);
            move_before(branch, found.nth("memref.load", 0));
        },
        message: Some("must terminate its parent block"),
    },
    Case {
        argument: "test-attribute",
        change: |found| set_text(found.nth("arith.constant", 0), "linalg.note", "changed"),
        message: Some("not supported by the linalg dialect"),
    },
];

/// The operations of a program, in the order of the text.
struct Found<'c>(Vec<Op<'c>>);

impl<'c> Found<'c> {
    fn of(op: Op<'c>) -> Self {
        fn add<'c>(op: Op<'c>, to: &mut Vec<Op<'c>>) {
            to.push(op);
            for nested in regions(op).flat_map(blocks).flat_map(ops) {
                add(nested, to);
            }
        }
        let mut all = Vec::new();
        add(op, &mut all);
        Self(all)
    }

    fn nth(&self, name: &str, number: usize) -> Op<'c> {
        let mut named = self.0.iter().filter(|op| is_named(**op, name));
        *named.nth(number).expect("an operation")
    }
}

fn is_named(op: Op<'_>, name: &str) -> bool {
    op.name().as_string_ref().as_str() == Ok(name)
}

fn first_result<'c>(op: Op<'c>) -> Val<'c> {
    results(op).next().expect("a result")
}

/// A pass that makes the change of a case.
struct Changes<const CASE: usize>;

impl<const CASE: usize> Pass for Changes<CASE> {
    const DECLARATION: &'static Declaration = &declaration(CASES[CASE].argument);

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        (CASES[CASE].change)(&Found::of(run.op));
        Ok(())
    }
}

/// Whether the module is valid, and the diagnostics, after a pass made the change.
fn diagnostics_of<const CASE: usize>() -> (bool, Vec<String>) {
    register::<Changes<CASE>>();
    let context = with_all_dialects();
    let messages: Rc<RefCell<Vec<String>>> = Rc::default();
    let captured = Rc::clone(&messages);
    context.attach_diagnostic_handler(move |diagnostic| {
        captured.borrow_mut().push(diagnostic.to_string());
        true
    });
    let mut module = Module::parse(&context, &program()).expect("a module");
    let manager = PassManager::new(&context);
    let pipeline = format!("builtin.module({})", CASES[CASE].argument);
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline).expect("a pipeline");
    let is_valid = manager.run(&mut module).is_ok();
    let argument = CASES[CASE].argument;
    assert_eq!(is_valid, module.as_operation().verify(), "{argument}");
    (is_valid, messages.take())
}

fn check<const CASE: usize>() {
    let (is_valid, messages) = diagnostics_of::<CASE>();
    let case = &CASES[CASE];
    assert_eq!(
        is_valid,
        case.message.is_none(),
        "{}: {messages:?}",
        case.argument
    );
    if let Some(text) = case.message {
        let has_message = messages.iter().any(|one| one.contains(text));
        assert!(has_message, "{}: {messages:?}", case.argument);
    } else {
        assert!(messages.is_empty(), "{messages:?}");
    }
}

#[test]
fn invalid_changes_of_a_pass_are_reported() {
    check::<0>();
    check::<1>();
    check::<2>();
    check::<3>();
    check::<4>();
    check::<5>();
    check::<6>();
    check::<7>();
    check::<8>();
}
