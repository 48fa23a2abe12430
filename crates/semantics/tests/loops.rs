//! Loops: trip counts, induction variables, and conditions of branches.

use memplan_mlir::{
    context::with_all_dialects,
    ir::{Op, blocks, ops, regions},
    melior::ir::{
        Attribute, BlockLike, Module,
        attribute::{IntegerAttribute, StringAttribute},
        operation::OperationLike,
    },
};
use memplan_semantics::{
    Form, Loop, Semantics,
    constants::{evaluate, no_known_values},
    loops::{parallel_iterations, trip_count},
};

/// Calls `visit` for each operation that has the attribute, in program order.
fn each_with(text: &str, name: &str, visit: &mut dyn FnMut(Op<'_>, Attribute<'_>, &mut Semantics)) {
    fn nested(
        op: Op<'_>,
        name: &str,
        semantics: &mut Semantics,
        visit: &mut dyn FnMut(Op<'_>, Attribute<'_>, &mut Semantics),
    ) {
        if let Ok(attribute) = op.attribute(name) {
            visit(op, attribute, semantics);
        }
        for op in regions(op).flat_map(blocks).flat_map(ops) {
            nested(op, name, semantics, visit);
        }
    }
    let context = with_all_dialects();
    let module = Module::parse(&context, text).expect("the program parses");
    let function: Op<'_> = module.body().first_operation().expect("a function");
    nested(function, name, &mut Semantics::default(), visit);
}

/// Each loop states its trip count; -1 is for a trip count that is not constant.
#[test]
fn iterations_are_counted_over_all_dimensions() {
    let text = "
        func.func @f(%n: index, %c: i1, %x: i8) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %c9 = arith.addi %c4, %c4 : index
          %last = arith.addi %n, %c4 overflow<nsw> : index
          %m1 = arith.constant -1 : i8
          %b0 = arith.constant 0 : i8
          %b100 = arith.constant 100 : i8
          scf.for %i = %c0 to %c9 step %c4 {} {times = 2 : i64}
          scf.for %i = %c0 to %n step %c4 {} {times = -1 : i64}
          scf.for %i = %n to %last step %c1 {} {times = 4 : i64}
          scf.for %i = %c4 to %c0 step %c1 {} {times = 0 : i64}
          scf.for %i = %c0 to %c4 step %c0 {} {times = -1 : i64}
          scf.for %i = %b0 to %m1 step %b100 : i8 {} {times = 0 : i64}
          scf.for unsigned %i = %b0 to %m1 step %b100 : i8 {} {times = 3 : i64}
          affine.for %i = max affine_map<()[s0] -> (0, s0 - 2)>()[%c4] to min affine_map<() -> (9, 8)>() step 3 {} {times = 2 : i64}
          affine.for %i = 0 to %n {} {times = -1 : i64}
          affine.parallel (%i, %j) = (max(0, 1), 2) to (min(4, 6), 8) step (1, 3) {} {times = 6 : i64}
          affine.parallel (%i) = (0) to (symbol(%n)) {} {times = -1 : i64}
          scf.parallel (%i, %j) = (%c0, %c1) to (%c4, %c9) step (%c1, %c4) { scf.reduce } {times = 8 : i64}
          scf.parallel (%i) = (%c0) to (%n) step (%c1) { scf.reduce } {times = -1 : i64}
          scf.forall (%i, %j) in (%c4, 3) {} {times = 12 : i64}
          scf.forall (%i) = (%c0) to (%c9) step (%c4) {} {times = 2 : i64}
          scf.forall (%i) in (%n) {} {times = -1 : i64}
          scf.while : () -> () { scf.condition(%c) } do { scf.yield } attributes {times = -1 : i64}
          return
        }";
    let mut seen = 0;
    each_with(text, "times", &mut |op, times, semantics| {
        let times = IntegerAttribute::try_from(times).expect("a number").value();
        assert_eq!(trip_count(op, semantics), u64::try_from(times).ok(), "{op}");
        let is_parallel = semantics.form(op) == Form::Parallel;
        let all = parallel_iterations(op, semantics).map(|(_, count)| count);
        let expected = u64::try_from(times).ok().filter(|_| is_parallel);
        assert_eq!(all, expected, "{op}");
        seen += 1;
    });
    assert_eq!(seen, 17);
}

/// The loop-carried values that the interface reports.
#[test]
fn loops_carry_values_from_one_iteration_to_the_next() {
    let text = "
        func.func @f(%m: memref<4xf32>, %k: index) {
          %c0 = arith.constant 0 : index
          %c4 = arith.constant 4 : index
          %c1 = arith.constant 1 : index
          %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %m, %b = %k) -> (memref<4xf32>, index) {
            scf.yield %a, %i : memref<4xf32>, index
          } {loop}
          %s = affine.for %i = 0 to 4 iter_args(%a = %m) -> memref<4xf32> {
            affine.yield %a : memref<4xf32>
          } {loop}
          return
        }";
    let mut counts = Vec::new();
    each_with(text, "loop", &mut |op, _, semantics| {
        let found = Loop::of(op, semantics).expect("a loop");
        let iterations = found
            .counted(semantics, &no_known_values)
            .expect("constants");
        let only = found.only_dimension().expect("one dimension");
        assert!(found.carried.iter().all(|one| one.start != one.argument));
        counts.push((found.carried.len(), iterations.count, iterations.at(3)));
        // The second value is the induction variable of the previous iteration.
        if let Some(second) = found.carried.get(1) {
            assert_eq!(second.yielded, only.induction);
        }
    });
    assert_eq!(counts, [(2, 4, 3), (1, 4, 3)]);
}

/// Each operation states its control flow, and its selection for a constant flag.
#[test]
fn branches_select_by_condition_or_case() {
    let text = r#"
        func.func @f(%n: index, %x: i3) -> index {
          %true = arith.constant true
          %two = arith.constant 2 : index
          %small = arith.constant 2 : i3
          %byte = arith.constant -1 : i8
          scf.if %true {} {form = "Choice 0"}
          scf.index_switch %two {form = "Choice 2"} case 7 { scf.yield } case 2 { scf.yield } default {}
          scf.index_switch %n {form = "Choice"} case 7 { scf.yield } default {}
          affine.if affine_set<(d0) : (d0 >= 0)>(%n) {} {form = "Choice"}
          scf.execute_region { scf.yield } {form = "Once"}
          memref.alloca_scope { memref.alloca_scope.return } {form = "Scope"}
          cf.br ^a {form = "Jump"}
        ^a:
          cf.switch %byte : i8, [default: ^b, 255: ^c] {form = "Choice 1"}
        ^b:
          cf.switch %small : i3, [default: ^c, 2: ^d] {form = "Choice"}
        ^c:
          cf.cond_br %true, ^d, ^e {form = "Choice 0"}
        ^d:
          return {form = "Other"} %n : index
        ^e:
          return %n : index
        }"#;
    let mut seen = 0;
    each_with(text, "form", &mut |op, form, semantics| {
        let form = StringAttribute::try_from(form).expect("text").value();
        let choice = semantics.choice(op);
        let chosen = choice.and_then(|choice| {
            let flag = evaluate(choice.flag?, semantics, &no_known_values)?;
            choice.chosen(flag)
        });
        let kind = semantics.form(op);
        let found = match chosen {
            Some(chosen) => format!("{kind:?} {chosen}"),
            None => format!("{kind:?}"),
        };
        assert_eq!(found, form, "{op}");
        seen += 1;
    });
    assert_eq!(seen, 11);
}
