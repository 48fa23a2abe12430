//! Diagnostics of failed passes, which end in the id of their kind.

use memplan_interface::Example;
use memplan_mlir::{
    codes::OPTION,
    context::with_all_dialects,
    melior::{ir::Module, pass::PassManager, utility::parse_pass_pipeline},
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run, register},
};
use std::{cell::RefCell, rc::Rc};

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
        module_only: false,
    }
}

/// A pass that panics.
struct Panics;

impl Pass for Panics {
    const DECLARATION: &'static Declaration = &declaration("test-panics");

    fn new() -> Self {
        Self
    }

    fn run(&self, _run: &Run<'_>) -> Result<(), Failed> {
        panic!("nobody thought of that");
    }
}

/// A pass whose initialization fails.
struct Refuses;

impl Pass for Refuses {
    const DECLARATION: &'static Declaration = &declaration("test-refuses");

    fn new() -> Self {
        Self
    }

    fn initialize(&self, _values: &OptionValues) -> Result<(), InitError> {
        Err(InitError {
            code: OPTION,
            message: "not today".to_owned(),
        })
    }

    fn run(&self, _run: &Run<'_>) -> Result<(), Failed> {
        Ok(())
    }
}

/// The diagnostics of a pass that fails on an empty module.
fn diagnostics_of<P: Pass>() -> Vec<String> {
    register::<P>();
    let context = with_all_dialects();
    let messages: Rc<RefCell<Vec<String>>> = Rc::default();
    let captured = Rc::clone(&messages);
    context.attach_diagnostic_handler(move |diagnostic| {
        captured.borrow_mut().push(diagnostic.to_string());
        true
    });
    let mut module = Module::parse(&context, "module {}").expect("a module");
    let manager = PassManager::new(&context);
    let pipeline = format!("builtin.module({})", P::DECLARATION.argument);
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline).expect("a pipeline");
    assert!(manager.run(&mut module).is_err());
    messages.take()
}

#[test]
fn a_panic_is_an_internal_error() {
    assert_eq!(
        diagnostics_of::<Panics>(),
        ["test-panics: internal error: nobody thought of that [memplan-E001]"]
    );
}

#[test]
fn a_pass_that_does_not_start_says_why() {
    assert_eq!(
        diagnostics_of::<Refuses>(),
        ["test-refuses: not today [memplan-E002]"]
    );
}
