//! Summaries of random modules, against what their functions do when they are executed.
//!
//! All functions have the same type: two memrefs, a memref of memrefs, and two flags; they return two memrefs. Each is executed
//! for all flags, with memory as numbered objects. What an execution does, the summary has to say.

use memplan_mlir::{
    context::with_all_dialects,
    ir::{Op, ops},
    melior::ir::Module,
};
use memplan_semantics::Allocator;
use memplan_semantics::Readings;
use memplan_summaries::{
    CallGraph, Contract, FreesArgument, FunctionSummary, Question, Questions, ResultFacet,
    Summaries,
};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};
use std::{collections::BTreeSet, fmt::Write as _};

const FUNCTIONS: usize = 3;
/// Statements that one execution runs at most.
const FUEL: usize = 300;
const LEAF: &str = "memref<4xf32>";
const NESTED: &str = "memref<1xmemref<4xf32>>";
const SIGNATURE: &str = "(memref<4xf32>, memref<4xf32>, memref<1xmemref<4xf32>>, i1, i1) -> (memref<4xf32>, memref<4xf32>)";

/// Memrefs, memrefs of memrefs and flags are numbered, arguments first.
#[derive(Clone, Debug)]
enum Statement {
    Alloc,
    NestedMemref,
    Select(usize, usize, usize),
    View(usize),
    Store(usize, usize),
    Load(usize),
    Free(usize),
    Call(usize, usize, usize, usize),
    If(usize, Body, Body),
}

/// Statements, and the memrefs that they give.
#[derive(Clone, Debug)]
struct Body {
    statements: Vec<Statement>,
    gives: [usize; 2],
}

/// Makes bodies of bytes.
struct Maker<'b>(std::slice::Iter<'b, u8>);

impl Maker<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.0.next().map_or(0, |byte| usize::from(*byte) % bound)
    }

    fn body(&mut self, mut leaves: usize, mut nested: usize, depth: usize) -> Body {
        let mut statements = Vec::new();
        for _ in 0..self.below(6) {
            let leaf = |maker: &mut Self| maker.below(leaves);
            let statement = match self.below(9) {
                0 => Statement::Alloc,
                1 => Statement::NestedMemref,
                2 => Statement::Select(self.below(2), leaf(self), leaf(self)),
                3 => Statement::View(leaf(self)),
                4 => Statement::Store(leaf(self), self.below(nested)),
                5 => Statement::Load(self.below(nested)),
                6 => Statement::Free(leaf(self)),
                7 => Statement::Call(
                    self.below(FUNCTIONS),
                    leaf(self),
                    leaf(self),
                    self.below(nested),
                ),
                _ if depth == 0 => Statement::Alloc,
                _ => {
                    let flag = self.below(2);
                    let then = self.body(leaves, nested, depth - 1);
                    Statement::If(flag, then, self.body(leaves, nested, depth - 1))
                }
            };
            match statement {
                Statement::NestedMemref => nested += 1,
                Statement::Store(..) | Statement::Free(_) => {}
                Statement::Call(..) | Statement::If(..) => leaves += 2,
                _ => leaves += 1,
            }
            statements.push(statement);
        }
        let gives = [self.below(leaves), self.below(leaves)];
        Body { statements, gives }
    }
}

/// Writes a body. `next` numbers names, which `leaves` and `nested` hold.
fn write(
    body: &Body,
    leaves: &mut Vec<String>,
    nested: &mut Vec<String>,
    next: &mut usize,
    text: &mut String,
) {
    for statement in &body.statements {
        *next += 1;
        let name = format!("%v{next}");
        let line = match statement {
            Statement::Alloc => format!("{name} = memref.alloc() : {LEAF}"),
            Statement::NestedMemref => format!("{name} = memref.alloc() : {NESTED}"),
            Statement::Select(flag, one, other) => {
                format!(
                    "{name} = arith.select %c{flag}, {}, {} : {LEAF}",
                    leaves[*one], leaves[*other]
                )
            }
            Statement::View(of) => format!(
                "%w{next} = memref.cast {} : {LEAF} to memref<?xf32>\n{name} = memref.cast %w{next} : memref<?xf32> to {LEAF}",
                leaves[*of]
            ),
            Statement::Store(leaf, inside) => {
                format!(
                    "memref.store {}, {}[%zero] : {NESTED}",
                    leaves[*leaf], nested[*inside]
                )
            }
            Statement::Load(from) => {
                format!("{name} = memref.load {}[%zero] : {NESTED}", nested[*from])
            }
            Statement::Free(leaf) => format!("memref.dealloc {} : {LEAF}", leaves[*leaf]),
            Statement::Call(callee, one, other, inside) => format!(
                "{name}:2 = func.call @f{callee}({}, {}, {}, %c0, %c1) : {SIGNATURE}",
                leaves[*one], leaves[*other], nested[*inside]
            ),
            Statement::If(flag, then, otherwise) => {
                let mut inside = format!("{name}:2 = scf.if %c{flag} -> ({LEAF}, {LEAF}) {{\n");
                for (at, body) in [then, otherwise].into_iter().enumerate() {
                    let (count, box_count) = (leaves.len(), nested.len());
                    write(body, leaves, nested, next, &mut inside);
                    let _ = writeln!(inside, "scf.yield {}", given(body, leaves));
                    leaves.truncate(count);
                    nested.truncate(box_count);
                    inside.push_str(if at == 0 { "} else {\n" } else { "}" });
                }
                inside
            }
        };
        match statement {
            Statement::NestedMemref => nested.push(name),
            Statement::Store(..) | Statement::Free(_) => {}
            Statement::Call(..) | Statement::If(..) => {
                leaves.extend([format!("{name}#0"), format!("{name}#1")]);
            }
            _ => leaves.push(name),
        }
        text.push_str(&line);
        text.push('\n');
    }
}

/// The memrefs that a body gives, and their types.
fn given(body: &Body, leaves: &[String]) -> String {
    let [one, other] = body.gives.map(|at| &leaves[at]);
    format!("{one}, {other} : {LEAF}, {LEAF}")
}

fn module(bodies: &[Body]) -> String {
    let mut text = String::new();
    for (at, body) in bodies.iter().enumerate() {
        let _ = writeln!(
            text,
            "func.func @f{at}(%a: {LEAF}, %b: {LEAF}, %nested: {NESTED}, %c0: i1, %c1: i1) -> ({LEAF}, {LEAF}) {{\n\
             %zero = arith.constant 0 : index"
        );
        let mut leaves = vec!["%a".to_owned(), "%b".to_owned()];
        write(
            body,
            &mut leaves,
            &mut vec!["%nested".to_owned()],
            &mut 0,
            &mut text,
        );
        let _ = writeln!(text, "return {}\n}}", given(body, &leaves));
    }
    text
}

/// An execution.
struct Machine<'b> {
    bodies: &'b [Body],
    flags: [bool; 2],
    /// What functions return is copied.
    copies: bool,
    /// For each object, what is stored there.
    stored: Vec<Option<usize>>,
    freed: BTreeSet<usize>,
    fuel: usize,
}

impl Machine<'_> {
    fn object(&mut self) -> usize {
        self.stored.push(None);
        self.stored.len() - 1
    }

    /// `None` if it takes too long, or reads what was never written.
    fn run(
        &mut self,
        body: &Body,
        leaves: &mut Vec<usize>,
        nested: &mut Vec<usize>,
    ) -> Option<[usize; 2]> {
        for statement in &body.statements {
            self.fuel = self.fuel.checked_sub(1)?;
            let given = match statement {
                Statement::Alloc => self.object(),
                Statement::NestedMemref => {
                    let new = self.object();
                    nested.push(new);
                    continue;
                }
                Statement::Select(flag, one, other) => {
                    leaves[if self.flags[*flag] { *one } else { *other }]
                }
                Statement::View(of) => leaves[*of],
                Statement::Store(leaf, inside) => {
                    self.stored[nested[*inside]] = Some(leaves[*leaf]);
                    continue;
                }
                Statement::Load(from) => self.stored[nested[*from]]?,
                Statement::Free(leaf) => {
                    self.freed.insert(leaves[*leaf]);
                    continue;
                }
                Statement::Call(callee, one, other, inside) => {
                    let mut own = vec![leaves[*one], leaves[*other]];
                    let bodies = self.bodies;
                    let given = self.run(&bodies[*callee], &mut own, &mut vec![nested[*inside]])?;
                    for given in given {
                        let is_copied = self.copies;
                        leaves.push(if is_copied { self.object() } else { given });
                    }
                    continue;
                }
                Statement::If(flag, then, otherwise) => {
                    let body = if self.flags[*flag] { then } else { otherwise };
                    leaves.extend(self.run(body, &mut leaves.clone(), &mut nested.clone())?);
                    continue;
                }
            };
            leaves.push(given);
        }
        Some(body.gives.map(|at| leaves[at]))
    }
}

/// Objects of a function that is executed: its arguments, and what is in the memref of memrefs at first.
const ARGUMENTS: [usize; 2] = [0, 1];
const BOXES: usize = 2;
const FOREIGN: usize = 3;

fn check(
    bodies: &[Body],
    at: usize,
    copies: bool,
    summary: &FunctionSummary,
) -> Result<(), TestCaseError> {
    for flags in [[false, false], [false, true], [true, false], [true, true]] {
        let mut machine = Machine {
            bodies,
            flags,
            copies,
            stored: vec![None, None, Some(FOREIGN), None],
            freed: BTreeSet::new(),
            fuel: FUEL,
        };
        let Some(given) = machine.run(&bodies[at], &mut ARGUMENTS.to_vec(), &mut vec![BOXES])
        else {
            continue;
        };
        let [Some(one), Some(other)] = [0, 1].map(|at| summary.result(at)) else {
            prop_assert!(false, "f{at} returns");
            continue;
        };
        for argument in ARGUMENTS {
            let facet = summary.argument(argument);
            if machine.stored[BOXES] == Some(argument) {
                prop_assert!(facet.is_captured, "f{at} captures {argument}");
            }
            match machine.freed.contains(&argument) {
                true => prop_assert!(facet.is_kept(), "f{at} frees {argument}"),
                false => prop_assert!(
                    facet.frees != FreesArgument::Always,
                    "f{at} does not free {argument}"
                ),
            }
            for (given, result) in given.into_iter().zip([one, other]) {
                if given == argument && !copies {
                    // What is captured is elsewhere, too.
                    let is_known = result.may_be.contains(&(argument as u32))
                        || facet.is_captured && result.is_unknown;
                    prop_assert!(is_known, "f{at} returns {argument}");
                }
            }
        }
        if copies {
            continue;
        }
        for (given, result) in given.into_iter().zip([one, other]) {
            prop_assert_eq!(result.elsewhere, result.is_unknown, "there are no globals");
            prop_assert!(!result.is_moved, "no view is moved");
            if given == FOREIGN {
                prop_assert!(result.is_unknown, "f{at} returns what was stored");
            }
            if given > FOREIGN {
                let is_known = result.is_new() || result.is_unknown;
                prop_assert!(is_known, "f{at} returns what it allocates");
                if machine.stored[BOXES] == Some(given) {
                    let is_known = result.is_new_captured || result.is_unknown;
                    prop_assert!(is_known, "f{at} stores what it allocates");
                }
            }
        }
        if given[0] == given[1] && given[0] > FOREIGN {
            let is_shared = one.new.iter().any(|number| other.new.contains(number));
            let is_loaded = |one: &ResultFacet, other: &ResultFacet| {
                one.is_unknown && (other.is_unknown || other.is_new_captured)
            };
            prop_assert!(
                is_shared || is_loaded(one, other) || is_loaded(other, one),
                "f{at} returns the same twice"
            );
        }
    }
    Ok(())
}

#[test]
fn what_functions_do_is_in_their_summaries() {
    let context = with_all_dialects();
    let mut runner = TestRunner::new(Config::default());
    let bytes = vec(vec(any::<u8>(), 0..48), FUNCTIONS);
    let tested = runner.run(&bytes, |bytes| {
        let bodies = bytes.iter().map(|bytes| Maker(bytes.iter()).body(2, 1, 2));
        let bodies: Vec<Body> = bodies.collect();
        // Each is called, so that each is looked at.
        let calls: String = (0..FUNCTIONS)
            .map(|at| format!("%r{at}:2 = call @f{at}(%a, %a, %nested, %c, %c) : {SIGNATURE}\n"))
            .collect();
        let main =
            format!("func.func @main(%a: {LEAF}, %nested: {NESTED}, %c: i1) {{\n{calls}return\n}}");
        let text = module(&bodies) + &main;
        let module = Module::parse(&context, &text).expect("the module parses");
        let root: Op<'_> = module.as_operation();
        for contract in [
            Contract::AsWritten,
            Contract::ClonesCopy,
            Contract::Ownership,
        ] {
            for numbers in [false, true] {
                let functions: Vec<Op<'_>> = ops(module.body()).collect();
                let mut graph = CallGraph::of(root, functions.clone());
                let questions = Questions {
                    taken_over: Vec::new(),
                    question: Question {
                        contract,
                        numbers,
                        describe: |op, semantics| semantics.of(op),
                    },
                    declared_capture: false,
                    freed_by: Some(Allocator::Memref),
                    with_flags: Vec::new(),
                    matters: Vec::new(),
                };
                let summaries = Summaries::of(&mut graph, &questions, &Readings::default());
                for (at, function) in functions.iter().take(FUNCTIONS).enumerate() {
                    let summary = summaries.of_function(*function).expect("a summary");
                    check(&bodies, at, contract == Contract::Ownership, summary)
                        .map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
                }
            }
        }
        Ok(())
    });
    if let Err(error) = tested {
        panic!("{error}");
    }
}
