//! Control-flow graphs of bodies, as text.

use memplan_mlir::{
    calls::function_body,
    context::with_all_dialects,
    ir::{Op, Origin, Val, origin},
    melior::ir::{BlockLike, Module, operation::OperationLike},
};
use memplan_semantics::{
    Semantics,
    graph::{ControlGraph, EdgeKind, End, Enter},
};

fn name(op: Op<'_>) -> String {
    let name = op.name();
    name.as_string_ref().as_str().expect("a name").to_owned()
}

fn value(graph: &ControlGraph<'_>, value: Val<'_>) -> String {
    match origin(value).expect("an origin") {
        Origin::Result(op, number) => format!("{}#{number}", name(op)),
        Origin::Argument(block, number) => {
            let found = graph.blocks.iter().find(|(_, node)| node.block == block);
            format!("b{}.{number}", found.expect("a block").0.index())
        }
    }
}

/// One line per segment, and one per edge.
fn lines(body: &str, enter: Enter) -> Vec<String> {
    let text = format!(
        "func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %c: i1, %i: index) {{
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c9 = arith.constant 9 : index
           {body}
         }}"
    );
    let context = with_all_dialects();
    context.set_allow_unregistered_dialects(true);
    let module = Module::parse(&context, &text).expect("the program parses");
    let block = module.body();
    let function: Op<'_> = block.first_operation().expect("a function");
    let region = function_body(function).expect("a body");
    let mut semantics = Semantics::default();
    let graph = ControlGraph::of(region, &mut semantics, &mut |_, _, _| enter);
    let mut lines = Vec::new();
    for (id, segment) in &graph.segments {
        let ops = graph.ops(id).map(name);
        let ops: Vec<String> = ops.filter(|name| name != "arith.constant").collect();
        let end = match segment.end {
            End::Enters(entered) if graph.entered[entered].is_known => {
                let iterations = graph.entered[entered].iterations;
                let times = iterations.map(|times| format!(" {times} times"));
                format!("enters{}", times.unwrap_or_default())
            }
            End::Enters(_) => "enters in any order".to_owned(),
            End::Terminator(_, None) => "ends".to_owned(),
            End::Terminator(_, Some(_)) => "ends, regions".to_owned(),
            End::NeverLeft(_) => "never left".to_owned(),
            End::NoTerminator => "falls".to_owned(),
        };
        let last = graph.last_op(id).map(name).unwrap_or_default();
        let (id_number, block) = (id.index(), segment.block.index());
        let ops = ops.iter().map(|op| format!("{op} ")).collect::<String>();
        let line = format!("{id_number} b{block}: {ops}{end} {last}");
        lines.push(line.trim_end().to_owned());
        for edge in graph.edges_from(id) {
            let kind = match edge.kind {
                EdgeKind::Enter(_) => "enter",
                EdgeKind::Yield(_) => "yield",
                EdgeKind::NoTerminator(_) => "fall",
                EdgeKind::Branch(..) => "branch",
                EdgeKind::Return(_) => "return",
            };
            let to = edge
                .to
                .map_or("out".to_owned(), |to| to.index().to_string());
            let values: Vec<String> = graph
                .values(edge)
                .iter()
                .map(|(from, to)| format!("{}={}", value(&graph, *to), value(&graph, *from)))
                .collect();
            let unknown = if edge.forwards_known { "" } else { " untold" };
            let split = if edge.can_split { " split" } else { "" };
            let line = format!(
                "  {kind} {to} {:?}{unknown}{split} {}",
                edge.taken,
                values.join(" ")
            );
            lines.push(line.trim_end().to_owned());
        }
        let others: Vec<String> = graph
            .not_forwarded(id)
            .into_iter()
            .map(|one| value(&graph, one))
            .collect();
        if !others.is_empty() {
            lines.push(format!("  keeps {}", others.join(" ")));
        }
    }
    lines
}

#[track_caller]
fn check(body: &str, expected: &[&str]) {
    check_with(body, Enter::Yes, expected);
}

#[track_caller]
fn check_with(body: &str, enter: Enter, expected: &[&str]) {
    let found = lines(body, enter);
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

fn loops(kind: &str, to: &str) -> String {
    match kind {
        "scf" => format!(
            "%r = scf.for %k = %c0 to {to} step %c1 iter_args(%x = %m) -> (memref<4xf32>) {{
               scf.yield %n : memref<4xf32>
             }}
             return"
        ),
        _ => format!(
            "%r = affine.for %k = 0 to {to} iter_args(%x = %m) -> (memref<4xf32>) {{
               affine.yield %n : memref<4xf32>
             }}
             return"
        ),
    }
}

/// The edges of a loop; the other edges are the same in all loops.
#[track_caller]
fn check_loop(kind: &str, to: &str, expected: &[&str]) {
    let found = lines(&loops(kind, to), Enter::Yes);
    let is_shown = |line: &&String| {
        ["enters", "enter ", "yield "]
            .iter()
            .any(|word| line.contains(word))
    };
    let found: Vec<String> = found
        .iter()
        .filter(is_shown)
        .map(|line| line.trim().to_owned())
        .collect();
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

/// A constant trip count excludes paths, even if the interface of the loop reports them.
#[test]
fn constant_trip_counts_exclude_edges() {
    check_loop(
        "scf",
        "%c0",
        &[
            "0 b0: enters 0 times scf.for",
            "enter 2 Never b1.1=b0.0",
            "enter 1 Always scf.for#0=b0.0",
            "yield 2 Never b1.1=b0.1",
            "yield 1 Never scf.for#0=b0.1",
        ],
    );
    check_loop(
        "scf",
        "%c1",
        &[
            "0 b0: enters 1 times scf.for",
            "enter 2 Always b1.1=b0.0",
            "enter 1 Never scf.for#0=b0.0",
            "yield 2 Never b1.1=b0.1",
            "yield 1 Always scf.for#0=b0.1",
        ],
    );
    check_loop(
        "scf",
        "%c9",
        &[
            "0 b0: enters 9 times scf.for",
            "enter 2 Always b1.1=b0.0",
            "enter 1 Never scf.for#0=b0.0",
            "yield 2 Maybe b1.1=b0.1",
            "yield 1 Maybe scf.for#0=b0.1",
        ],
    );
    check_loop(
        "scf",
        "%i",
        &[
            "0 b0: enters scf.for",
            "enter 2 Maybe b1.1=b0.0",
            "enter 1 Maybe scf.for#0=b0.0",
            "yield 2 Maybe b1.1=b0.1",
            "yield 1 Maybe scf.for#0=b0.1",
        ],
    );
    check_loop(
        "affine",
        "0",
        &[
            "0 b0: enters 0 times affine.for",
            "enter 1 Always affine.for#0=b0.0",
            "yield 2 Never b1.1=b0.1",
            "yield 1 Never affine.for#0=b0.1",
        ],
    );
    check_loop(
        "affine",
        "1",
        &[
            "0 b0: enters 1 times affine.for",
            "enter 2 Always b1.1=b0.0",
            "yield 1 Always affine.for#0=b0.1",
            "yield 2 Never b1.1=b0.1",
        ],
    );
    check_loop(
        "affine",
        "9",
        &[
            "0 b0: enters 9 times affine.for",
            "enter 2 Always b1.1=b0.0",
            "yield 2 Maybe b1.1=b0.1",
            "yield 1 Maybe affine.for#0=b0.1",
        ],
    );
    check_loop(
        "affine",
        "%i",
        &[
            "0 b0: enters affine.for",
            "enter 2 Maybe b1.1=b0.0",
            "enter 1 Maybe affine.for#0=b0.0",
            "yield 2 Maybe b1.1=b0.1",
            "yield 1 Maybe affine.for#0=b0.1",
        ],
    );
}

#[test]
fn code_can_be_added_to_a_missing_else() {
    check(
        r#"scf.if %c { memref.dealloc %m : memref<4xf32> } memref.dealloc %n : memref<4xf32> return"#,
        &[
            "0 b0: enters scf.if",
            "  enter 2 Maybe",
            "  enter 1 Maybe split",
            "  keeps b0.2",
            "1 b0: memref.dealloc ends func.return",
            "  return out Always untold",
            "2 b1: memref.dealloc ends scf.yield",
            "  yield 1 Always",
        ],
    );
}

#[test]
fn regions_that_exclude_each_other() {
    check(
        r#"scf.if %c { memref.dealloc %m : memref<4xf32> } else { memref.dealloc %n : memref<4xf32> } return"#,
        &[
            "0 b0: enters scf.if",
            "  enter 2 Maybe",
            "  enter 3 Maybe",
            "  keeps b0.2",
            "1 b0: ends func.return",
            "  return out Always untold",
            "2 b1: memref.dealloc ends scf.yield",
            "  yield 1 Always",
            "3 b2: memref.dealloc ends scf.yield",
            "  yield 1 Always",
        ],
    );
}

#[test]
fn branches_forward_to_arguments() {
    check(
        r#"cf.cond_br %c, ^b(%m : memref<4xf32>), ^d ^b(%x : memref<4xf32>): cf.br ^d ^d: return"#,
        &[
            "0 b0: ends cf.cond_br",
            "  branch 1 Maybe split b1.0=b0.0",
            "  branch 2 Maybe split",
            "  keeps b0.2",
            "1 b1: ends cf.br",
            "  branch 2 Always split",
            "2 b2: ends func.return",
            "  return out Always untold",
        ],
    );
}

#[test]
fn an_unknown_branch_forwards_nothing() {
    check(
        r#""test.branch"(%m)[^b, ^d] : (memref<4xf32>) -> () ^b(%x: memref<4xf32>): return ^d: return"#,
        &[
            "0 b0: ends test.branch",
            "  branch 1 Maybe untold",
            "  branch 2 Maybe untold",
            "  keeps b0.0",
            "1 b1: ends func.return",
            "  return out Always untold",
            "2 b2: ends func.return",
            "  return out Always untold",
        ],
    );
}

#[test]
fn regions_of_unknown_order() {
    check(
        r#""test.r"(%m) ({ ^b(%x: memref<4xf32>): "test.end"(%x) : (memref<4xf32>) -> () }, { memref.dealloc %m : memref<4xf32> }) : (memref<4xf32>) -> () return"#,
        &[
            "0 b0: enters in any order test.r",
            "  enter 2 Maybe untold",
            "  enter 3 Maybe untold",
            "  enter 1 Maybe untold",
            "  keeps b0.0",
            "1 b0: ends func.return",
            "  return out Always untold",
            "2 b1: ends test.end",
            "  yield 2 Maybe untold",
            "  yield 3 Maybe untold",
            "  yield 1 Maybe untold",
            "  keeps b1.0",
            "3 b2: memref.dealloc falls",
            "  fall 2 Maybe untold",
            "  fall 3 Maybe untold",
            "  fall 1 Maybe untold",
        ],
    );
}

#[test]
fn only_known_control_flow_is_entered() {
    check_with(
        r#""test.r"(%m) ({ memref.dealloc %m : memref<4xf32> }) : (memref<4xf32>) -> () scf.if %c { } return"#,
        Enter::IfKnown,
        &[
            "0 b0: test.r enters scf.if",
            "  enter 2 Maybe",
            "  enter 1 Maybe split",
            "  keeps b0.2",
            "1 b0: ends func.return",
            "  return out Always untold",
            "2 b1: ends scf.yield",
            "  yield 1 Always",
        ],
    );
}

#[test]
fn control_never_leaves_a_block() {
    check(
        r#"scf.execute_region { cf.cond_br %c, ^b, ^d ^b: scf.yield ^d: ub.unreachable } return"#,
        &[
            "0 b0: enters scf.execute_region",
            "  enter 2 Always",
            "1 b0: ends func.return",
            "  return out Always untold",
            "2 b1: ends cf.cond_br",
            "  branch 3 Maybe split",
            "  branch 4 Maybe split",
            "  keeps b0.2",
            "3 b2: ends scf.yield",
            "  yield 1 Always",
            "4 b3: never left ub.unreachable",
        ],
    );
}

#[test]
fn values_are_forwarded_between_regions() {
    check(
        r#"%r:2 = scf.while (%x = %m, %y = %c) : (memref<4xf32>, i1) -> (memref<4xf32>, i1) { scf.condition(%y) %x, %c : memref<4xf32>, i1 } do { ^b(%x: memref<4xf32>, %y: i1): scf.yield %x, %y : memref<4xf32>, i1 } return"#,
        &[
            "0 b0: enters scf.while",
            "  enter 2 Always b1.0=b0.0 b1.1=b0.2",
            "1 b0: ends func.return",
            "  return out Always untold",
            "2 b1: ends scf.condition",
            "  yield 1 Maybe scf.while#0=b1.0 scf.while#1=b0.2",
            "  yield 3 Maybe b2.0=b1.0 b2.1=b0.2",
            "  keeps b1.1",
            "3 b2: ends scf.yield",
            "  yield 2 Always b1.0=b2.0 b1.1=b2.1",
        ],
    );
}

#[test]
fn regions_of_a_terminator() {
    check(
        r#"%s = arith.constant 0.0 : f32 %r = scf.parallel (%k) = (%c0) to (%i) step (%c1) init (%s) -> f32 { scf.reduce(%s : f32) { ^b(%x: f32, %y: f32): scf.reduce.return %x : f32 } } return"#,
        &[
            "0 b0: enters scf.parallel",
            "  enter 2 Maybe",
            "  enter 1 Maybe",
            "  keeps arith.constant#0 b0.3 arith.constant#0 arith.constant#0",
            "1 b0: ends func.return",
            "  return out Always untold",
            "2 b1: ends, regions scf.reduce",
            "  yield 2 Maybe",
            "  yield 1 Maybe",
            "  keeps arith.constant#0",
            "3 b2: ends scf.reduce.return",
            "  yield 3 Maybe untold",
            "  keeps b2.0",
        ],
    );
}
