//! The element accesses, the control flow and the supported strides of single operations.

use memplan_mlir::{
    context::with_all_dialects,
    ir::{Op, Type, blocks, ops, regions},
    melior::{
        Context,
        ir::{BlockLike, Module, operation::OperationLike},
    },
};
use memplan_semantics::{Retyped, Semantics};

/// The result of `of` for each operation that has the attribute `asked`.
fn say(body: &str, of: impl Fn(&mut Semantics, Op<'_>, &Context) -> String) -> Vec<String> {
    let text = format!(
        "func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %d: memref<?x4xf32>, %e: memref<?x4xf32>,
                      %s: memref<4x4xf32, strided<[8, 1]>>, %h: memref<4x4xf16>, %one: memref<1x1xf32>, %box: memref<1xmemref<4x4xf32>>,
                      %i: index, %c: i1, %x: f32, %v: vector<4x4xf32>, %row: vector<4xf32>) {{
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           {body}
           return
         }}"
    );
    let context = with_all_dialects();
    let module = Module::parse(&context, &text).expect("the program parses");
    let function: Op<'_> = module.body().first_operation().expect("a function");
    let (mut semantics, mut all) = (Semantics::default(), Vec::new());
    for op in regions(function).flat_map(blocks).flat_map(ops) {
        if op.has_attribute("asked") {
            all.push(of(&mut semantics, op, &context));
        }
    }
    all
}

/// For example `overwrites 1`; then for each pair such as `0 to 1` its properties: same bytes, same elements, copy,
/// apart.
fn elements(semantics: &mut Semantics, op: Op<'_>) -> String {
    let elements = semantics.elements(op);
    let overwritten = elements.overwritten.iter();
    let mut all: Vec<String> = overwritten.map(|at| format!("overwrites {at}")).collect();
    for pair in &elements.pairs {
        let mut text = format!("{} to {}:", pair.read, pair.written);
        for (holds, what) in [
            (pair.same_bytes, " bytes"),
            (pair.same_elements, " elements"),
            (pair.copies, " copied"),
            (pair.apart, " apart"),
        ] {
            text += if holds { what } else { "" };
        }
        all.push(text);
    }
    if let Some(order) = semantics.copy(op).and_then(|copy| copy.order) {
        all.push(format!("copies in order {order:?}"));
    }
    if let Some(fill) = semantics.fill(op) {
        let value = fill
            .value
            .map_or("one from outside".to_owned(), |value| value.to_string());
        all.push(format!("fills {} with {value}", fill.memref));
    }
    all.join("; ")
}

#[test]
fn element_accesses() {
    let found = say(
        "memref.copy %a, %b {asked} : memref<4x4xf32> to memref<4x4xf32>
         memref.copy %a, %s {asked} : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1]>>
         memref.copy %d, %a {asked} : memref<?x4xf32> to memref<4x4xf32>
         linalg.copy {asked} ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
         linalg.copy {asked} ins(%h : memref<4x4xf16>) outs(%b : memref<4x4xf32>)
         linalg.fill {asked} ins(%x : f32) outs(%b : memref<4x4xf32>)
         linalg.transpose ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0] {asked}
         linalg.exp {asked} ins(%a : memref<4x4xf32>) outs(%s : memref<4x4xf32, strided<[8, 1]>>)
         linalg.matmul {asked} ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
         memref.store %x, %one[%c0, %c0] {asked} : memref<1x1xf32>
         memref.store %x, %a[%c0, %c0] {asked} : memref<4x4xf32>
         affine.store %x, %one[0, 0] {asked} : memref<1x1xf32>
         vector.store %v, %a[%c0, %c0] {asked} : memref<4x4xf32>, vector<4x4xf32>
         vector.store %v, %a[%c0, %i] {asked} : memref<4x4xf32>, vector<4x4xf32>
         vector.store %row, %a[%c0, %c0] {asked} : memref<4x4xf32>, vector<4xf32>
         vector.transfer_write %v, %a[%c0, %c0] {asked, in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32>
         vector.transfer_write %v, %a[%c0, %i] {asked} : vector<4x4xf32>, memref<4x4xf32>",
        |semantics, op, _| elements(semantics, op),
    );
    let expected = [
        "overwrites 1; 0 to 1: bytes elements copied apart",
        "overwrites 1; 0 to 1: elements copied apart",
        "overwrites 1",
        "overwrites 1; 0 to 1: bytes elements copied",
        "overwrites 1; 0 to 1: bytes",
        "overwrites 1; fills 1 with 0",
        "overwrites 1; copies in order [1, 0]",
        "overwrites 1; 0 to 1: elements",
        "",
        "overwrites 1",
        "",
        "overwrites 1",
        "overwrites 1",
        "",
        "",
        "overwrites 1",
        "",
    ];
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

/// The effect on an operation if operand 0 (of stores, operand 1) gets the strides of a part of a larger memref.
fn retyped(semantics: &mut Semantics, op: Op<'_>, context: &Context) -> String {
    let name = op.name();
    let name = name.as_string_ref().as_str().expect("a name").to_owned();
    let operand = usize::from(name.ends_with("store") || name.ends_with("write"));
    let part = Type::parse(context, "memref<4x4xf32, strided<[8, 1], offset: 3>>").expect("a type");
    match semantics.retyped(op, operand, part) {
        Retyped::Refuses => format!("{name}: refuses"),
        Retyped::Takes => format!("{name}: takes"),
        Retyped::Views(view) => format!("{name}: {view}"),
    }
}

#[test]
fn supported_strides() {
    let found = say(
        "%0 = memref.subview %a[1, 0] [2, 4] [1, 1] {asked} : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
         %1 = memref.cast %a {asked} : memref<4x4xf32> to memref<?x4xf32>
         %2 = memref.cast %a {asked} : memref<4x4xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
         %3 = memref.cast %a {asked} : memref<4x4xf32> to memref<*xf32>
         %4 = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 4] {asked} : memref<4x4xf32> into memref<2x2x4xf32>
         %5 = memref.collapse_shape %a [[0, 1]] {asked} : memref<4x4xf32> into memref<16xf32>
         %6 = memref.transpose %a (i, j) -> (j, i) {asked} : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
         memref.copy %a, %b {asked} : memref<4x4xf32> to memref<4x4xf32>
         linalg.exp {asked} ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
         %7 = memref.load %a[%i, %i] {asked} : memref<4x4xf32>
         memref.store %x, %a[%i, %i] {asked} : memref<4x4xf32>
         memref.store %x, %a[%i, %i] {asked, alignment = 16 : i64} : memref<4x4xf32>
         vector.store %row, %a[%i, %i] {asked} : memref<4x4xf32>, vector<4xf32>
         memref.store %a, %box[%i] {asked} : memref<1xmemref<4x4xf32>>",
        retyped,
    );
    let expected = [
        "memref.subview: memref<2x4xf32, strided<[8, 1], offset: 11>>",
        "memref.cast: memref<?x4xf32, strided<[8, 1], offset: 3>>",
        "memref.cast: memref<4x?xf32, strided<[?, 1], offset: ?>>",
        "memref.cast: refuses",
        "memref.expand_shape: memref<2x2x4xf32, strided<[16, 8, 1], offset: 3>>",
        "memref.collapse_shape: refuses",
        "memref.transpose: memref<4x4xf32, strided<[1, 8], offset: 3>>",
        "memref.copy: takes",
        "linalg.exp: takes",
        "memref.load: takes",
        "memref.store: takes",
        "memref.store: refuses",
        "vector.store: takes",
        "memref.store: takes",
    ];
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

#[test]
fn operations_may_trap_or_end_the_program() {
    let found = say(
        "%0 = memref.alloc() {asked} : memref<4xf32>
         %1 = memref.alloc(%i) {asked} : memref<?xf32>
         linalg.exp {asked} ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
         linalg.exp {asked} ins(%d : memref<?x4xf32>) outs(%e : memref<?x4xf32>)
         %2 = memref.cast %a {asked} : memref<4x4xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
         %3 = memref.subview %a[%i, 0] [2, 4] [1, 1] {asked} : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
         %4 = memref.assume_alignment %a, 16 {asked} : memref<4x4xf32>
         %5 = arith.addi %i, %i {asked} : index
         %6 = arith.divui %i, %i {asked} : index
         %7 = memref.load %a[%i, %i] {asked} : memref<4x4xf32>
         cf.assert %c, \"no\" {asked}
         scf.for %k = %i to %i step %c1 { } {asked}
         scf.for %k = %i to %i step %i { } {asked}
         scf.if %c { } {asked}
         affine.for %k = 0 to 4 { } {asked}
         memref.dealloc %0 {asked} : memref<4xf32>",
        |semantics, op, _| {
            let (traps, stops) = (semantics.may_trap(op), semantics.may_stop(op));
            let text = |holds, what: &str| if holds { what.to_owned() } else { String::new() };
            format!("{}{}", text(traps, "traps "), text(stops, "stops"))
        },
    );
    let expected = [
        "",
        "traps ",
        "",
        "traps ",
        "",
        "traps ",
        "traps ",
        "",
        "traps ",
        "traps ",
        "traps stops",
        "",
        "stops",
        "",
        "",
        "",
    ];
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}
