//! The descriptions of embedders, and the resulting memory semantics.

use memplan_mlir::{
    context::with_all_dialects,
    effects::EffectKind,
    ir::{Op, blocks, ops, regions},
    melior::ir::{BlockLike, Module, operation::OperationLike},
};
use memplan_semantics::{
    Description, Semantics, declared, op_memory::DataStart, register, register_allocator,
    register_token_type, speculation::is_safe_to_speculate,
};
use std::sync::Once;

fn add(name: &str, say: fn(&mut Description)) {
    let describe = move |_: Op<'_>, op: &mut Description| {
        say(op);
        Ok(())
    };
    register(name, describe).expect(name);
}

fn register_all() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        register_token_type("!d.token");
        register_allocator("d", Some("d.free")).expect("a free name");
        add("d.nothing", |_| {});
        add("d.part", |op| {
            op.views(0, 0, DataStart::ShiftedBy(1)).speculatable();
        });
        add("d.copy", |op| {
            op.copies(0, 1);
        });
        add("d.start", |op| {
            op.reads(0).writes(1).starts(0).after(2);
        });
        add("d.wait", |op| {
            op.waits();
        });
        add("d.alloc", |op| {
            op.allocates(0, "d").borrowed(1).any_of(2, &[1, 0]);
        });
        add("d.free", |op| {
            op.frees(0, "d");
        });
        add("d.take", |op| {
            op.takes(0).captures(1);
        });
        add("d.store", |op| {
            op.stores_into(0, 1);
        });
        add("d.load", |op| {
            op.loads(0, 0);
        });
        add("d.barrier", |op| {
            op.fence();
        });
    });
}

/// The result of `ask` for each operation of the body in order, except for those that are not of the dialect `d`.
fn each<T>(body: &str, ask: impl FnMut(Op<'_>) -> T) -> Vec<T> {
    register_all();
    let text = format!(
        "func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %box: memref<2xmemref<4xf32>>, %i: index, %t: !d.token) {{
           {body}
           return
         }}"
    )
    .replace("(M", "(memref<4xf32>")
    .replace(" M", " memref<4xf32>");
    let context = with_all_dialects();
    context.set_allow_unregistered_dialects(true);
    let module = Module::parse(&context, &text).expect("the program parses");
    let function: Op<'_> = module.body().first_operation().expect("a function");
    let all = regions(function).flat_map(blocks).flat_map(ops);
    all.filter(|op| {
        op.name()
            .as_string_ref()
            .as_str()
            .is_ok_and(|name| name.starts_with("d."))
    })
    .map(ask)
    .collect()
}

const ALL: &str = r#"
    %n = "d.nothing"(%a, %b) : (M, M) -> M
    %p = "d.part"(%a, %i) : (M, index) -> M
    "d.copy"(%a, %b) : (M, M) -> ()
    %s = "d.start"(%a, %b, %t) : (M, M, !d.token) -> !d.token
    "d.wait"(%s, %t) : (!d.token, !d.token) -> ()
    %m:3 = "d.alloc"(%a, %b) : (M, M) -> (M, M, M)
    "d.free"(%m#0) : (M) -> ()
    "d.take"(%a, %b) : (M, M) -> ()
    "d.store"(%a, %box) : (M, memref<2xmemref<4xf32>>) -> ()
    %l = "d.load"(%box, %i) : (memref<2xmemref<4xf32>>, index) -> M
    "d.barrier"() : () -> ()"#;

#[test]
fn descriptions_become_memory_semantics() {
    let mut semantics = Semantics::default();
    let found = each(ALL, |op| semantics.of(op).to_string());
    let expected = [
        "reads 0, 1; result 0 is not followed, perhaps of operands 0, 1",
        "reads the descriptor of 0; result 0 is a view of operand 0, shifted by operand 1",
        "reads 0; writes 1",
        "reads 0; writes 1; result 0 is a token; starts a use until result 0; result 0 is done after operand 2",
        "waits for operand 0 and operand 1",
        "result 0 is new memory, freed by d.free; result 1 is borrowed; result 2 is one of operands 0, 1",
        "frees 0 to d.free",
        "takes ownership of 0; captures 1",
        "writes 1; stores 0 in 1",
        "reads 0; result 0 is loaded from operand 0",
        "reads other memory; writes other memory; orders other operations",
    ];
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

#[test]
fn single_queries_use_descriptions() {
    let speculated = each(ALL, is_safe_to_speculate);
    assert_eq!(speculated.iter().filter(|is| **is).count(), 1);
    assert!(speculated[1]);
    let effects = each(ALL, |op| {
        let all = declared::effects(op).expect("a description");
        all.iter()
            .map(|effect| match (effect.kind, effect.value.is_some()) {
                (EffectKind::Read, _) => 'r',
                (EffectKind::Write, true) => 'w',
                // An effect on no particular value: no operation may be moved across it.
                (EffectKind::Write, false) => '!',
                (EffectKind::Allocate, _) => 'a',
                (EffectKind::Free, _) => 'f',
            })
            .collect::<String>()
    });
    let expected = ["rr", "", "rw", "rw!", "!", "a", "f", "f!", "w!", "r", "!!"];
    assert_eq!(effects, expected);
    let views = each(ALL, |op| declared::view_source(op).is_some());
    assert_eq!(views.iter().filter(|is| **is).count(), 1);
    let mut semantics = Semantics::default();
    let copied = each(ALL, |op| {
        let pairs = semantics.elements(op).pairs.clone();
        pairs.iter().filter(|pair| pair.copies).count()
    });
    assert_eq!(copied.iter().sum::<usize>(), 1);
}
