//! Cached information equals that of a new instance, whatever was changed in between.

use memplan_mlir::{
    build::set_integer,
    context::with_all_dialects,
    copy::copy_before,
    ir::{
        Op, Val, blocks, erase, operands, ops, parent_block, regions, replace_all_uses, results,
        set_type, type_of,
    },
    melior::ir::{BlockLike, Module, operation::OperationLike},
    values::{move_before, set_operand},
};
use memplan_semantics::Semantics;

const PROGRAM: &str = "
func.func @f(%x: memref<4xf32>, %box: memref<1xmemref<4xf32>>, %v: vector<4xf32>, %f: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  vector.store %v, %a[%zero] : memref<4xf32>, vector<4xf32>
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  scf.for %i = %zero to %one step %one {
    linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
    memref.store %b, %box[%zero] : memref<1xmemref<4xf32>>
  }
  memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}";

fn all<'c>(op: Op<'c>, found: &mut Vec<Op<'c>>) {
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        found.push(nested);
        all(nested, found);
    }
}

fn named<'c>(function: Op<'c>, name: &str, number: usize) -> Op<'c> {
    let mut found = Vec::new();
    all(function, &mut found);
    let of_name = |op: &Op<'c>| {
        op.name()
            .as_string_ref()
            .as_str()
            .is_ok_and(|one| one == name)
    };
    let mut found = found.into_iter().filter(of_name);
    found.nth(number).expect("an operation of that name")
}

fn operand<'c>(op: Op<'c>, number: usize) -> Val<'c> {
    operands(op).nth(number).expect("an operand")
}

/// Queries all operations, and compares the results with those of a new instance.
fn agrees(function: Op<'_>, semantics: &mut Semantics) {
    let mut found = Vec::new();
    all(function, &mut found);
    let mut fresh = Semantics::default();
    for op in found {
        assert_eq!(*semantics.of(op), *fresh.of(op), "{op}");
        assert_eq!(*semantics.elements(op), *fresh.elements(op), "{op}");
        assert_eq!(semantics.holds_nothing(op), fresh.holds_nothing(op), "{op}");
    }
}

fn with_function(look: impl FnOnce(Op<'_>)) {
    let context = with_all_dialects();
    let module = Module::parse(&context, PROGRAM).expect("the program parses");
    let block = module.body();
    look(block.first_operation().expect("a function"));
}

#[test]
fn a_change_invalidates_cached_facts() {
    with_function(|function| {
        let mut semantics = Semantics::caching();
        agrees(function, &mut semantics);
        let exp = named(function, "linalg.exp", 0);
        let store = named(function, "vector.store", 0);
        let copy = named(function, "memref.copy", 0);
        let one = results(named(function, "arith.constant", 1)).next();
        let (a, b) = (operand(exp, 0), operand(exp, 1));

        // Part of the memref is no longer written.
        assert_eq!(semantics.elements(store).overwritten.len(), 1);
        set_operand(store, 2, one.expect("a result"));
        assert_eq!(semantics.elements(store).overwritten.len(), 0);
        agrees(function, &mut semantics);

        // Changes an operation in place.
        set_operand(exp, 1, a);
        agrees(function, &mut semantics);
        set_operand(exp, 1, b);

        set_type(b, type_of(operand(named(function, "memref.store", 0), 1)));
        agrees(function, &mut semantics);

        set_integer(named(function, "memref.alloc", 0), "alignment", 64);
        agrees(function, &mut semantics);

        move_before(exp, copy);
        agrees(function, &mut semantics);

        // Moves an operation into a body.
        let fill = named(function, "linalg.fill", 0);
        let body = parent_block(fill).expect("a block");
        let inside = copy_before(copy, body, fill).expect("a copy");
        agrees(function, &mut semantics);
        move_before(inside, copy);
        agrees(function, &mut semantics);
        erase(inside);

        // Creates an operation at the position of an erased one.
        for _ in 0..8 {
            let block = parent_block(copy).expect("a block");
            let made = copy_before(exp, block, copy).expect("a copy");
            agrees(function, &mut semantics);
            erase(made);
            let made = copy_before(copy, block, copy).expect("a copy");
            set_operand(made, 0, a);
            agrees(function, &mut semantics);
            erase(made);
        }

        erase(named(function, "memref.dealloc", 0));
        replace_all_uses(a, b);
        agrees(function, &mut semantics);
    });
}

#[test]
fn cached_facts_survive_passes_by_operation_number() {
    with_function(|function| {
        let mut semantics = Semantics::caching();
        agrees(function, &mut semantics);
        let fill = named(function, "linalg.fill", 0);
        let known = semantics.of(fill);
        assert!(!semantics.is_changed());
        let reading = semantics.into_reading(function);
        let mut semantics = reading.of(function).expect("the same function");
        assert!(std::sync::Arc::ptr_eq(&known, &semantics.of(fill)));
        agrees(function, &mut semantics);

        // In another order, and with one operation missing.
        let exp = named(function, "linalg.exp", 0);
        move_before(named(function, "memref.dealloc", 0), exp);
        erase(named(function, "vector.store", 0));
        assert!(semantics.is_changed());
        let reading = semantics.into_reading(function);
        let mut semantics = reading.of(function).expect("the same function");
        assert!(std::sync::Arc::ptr_eq(&known, &semantics.of(fill)));
        agrees(function, &mut semantics);
    });
}

#[test]
fn cached_facts_are_not_used_for_another_function() {
    with_function(|function| {
        let mut semantics = Semantics::caching();
        agrees(function, &mut semantics);
        let reading = semantics.into_reading(function);
        erase(named(function, "memref.dealloc", 0));
        assert!(reading.of(function).is_none());
    });
}
