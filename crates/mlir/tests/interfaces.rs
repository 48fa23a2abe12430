//! The shim's queries on operations of MLIR's dialects.

use memplan_mlir::{
    calls,
    context::with_all_dialects,
    control_flow::{self, RegionEdge},
    effects,
    ir::{self, Identity, Op, blocks, operands, ops, regions, results},
    layout::{DataLayout, NoSize, memory_space},
    loops,
    melior::ir::{BlockLike, Module, Type, operation::OperationLike},
    names::{flags, name_of},
};

/// Runs `check` on the operations of the first function's first block.
fn in_function(text: &str, check: impl for<'c> FnOnce(Op<'c>, Vec<Op<'c>>)) {
    let context = with_all_dialects();
    context.set_allow_unregistered_dialects(true);
    let module = Module::parse(&context, text).expect("the program parses");
    let block = module.body();
    let function: Op<'_> = block.first_operation().expect("a function");
    let body: Vec<Op<'_>> = regions(function).flat_map(blocks).flat_map(ops).collect();
    check(function, body);
}

fn named<'c>(body: &[Op<'c>], name: &str) -> Op<'c> {
    *body
        .iter()
        .find(|op| op.name().as_string_ref().as_str() == Ok(name))
        .unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn names_have_traits_and_interfaces() {
    let text = r#"
        func.func @f(%m: memref<4xf32>, %n: index) {
          %c0 = arith.constant 0 : index
          %v = memref.subview %m[0][2][1] : memref<4xf32> to memref<2xf32, strided<[1]>>
          scf.for %i = %c0 to %n step %n { scf.yield }
          scf.forall (%i) in (4) { }
          func.call @f(%m, %n) : (memref<4xf32>, index) -> ()
          "unknown.op"(%m) : (memref<4xf32>) -> ()
          return
        }"#;
    in_function(text, |function, body| {
        let info = flags(function);
        assert!(info.is_function() && info.is_isolated() && info.is_allocation_scope());
        assert!(flags(named(&body, "memref.subview")).is_view());
        let loop_info = flags(named(&body, "scf.for"));
        assert!(loop_info.is_loop() && loop_info.is_region_branch());
        assert!(loop_info.has_recursive_effects() && !loop_info.has_parallel_region());
        let forall = named(&body, "scf.forall");
        assert!(flags(forall).has_parallel_region());
        assert!(flags(named(&body, "func.call")).is_call());
        let unknown = flags(named(&body, "unknown.op"));
        assert!(!unknown.is_registered() && !unknown.has_memory_effects());
        let last = flags(named(&body, "func.return"));
        assert!(last.is_terminator() && last.is_return() && !last.is_branch());
        assert_eq!(name_of(function), "func.func");
    });
}

#[test]
fn effects_name_the_value_and_the_kind_of_memory() {
    let text = r#"
        func.func @f(%m: memref<4xf32>) {
          %a = memref.alloc() : memref<4xf32>
          %s = memref.alloca() : memref<4xf32>
          memref.copy %m, %a : memref<4xf32> to memref<4xf32>
          memref.dealloc %a : memref<4xf32>
          %r = memref.cast %m : memref<4xf32> to memref<?xf32>
          return
        }"#;
    in_function(text, |_, body| {
        let all = |name| effects::effects(named(&body, name)).expect("effects");
        let alloc = all("memref.alloc");
        assert_eq!(alloc[0].kind, effects::EffectKind::Allocate);
        assert_eq!(alloc[0].value, results(named(&body, "memref.alloc")).next());
        assert!(alloc[0].memory && !alloc[0].automatic_scope);
        assert!(all("memref.alloca")[0].automatic_scope);
        let copy = named(&body, "memref.copy");
        let of = |kind| {
            let found = all("memref.copy");
            found
                .iter()
                .find(|effect| effect.kind == kind)
                .and_then(|effect| effect.value)
        };
        assert_eq!(of(effects::EffectKind::Read), operands(copy).next());
        assert_eq!(of(effects::EffectKind::Write), operands(copy).nth(1));
        assert_eq!(all("memref.dealloc")[0].kind, effects::EffectKind::Free);
        assert!(effects::is_effect_free(named(&body, "memref.cast")));
        assert!(!effects::is_effect_free(copy));
    });
}

fn targets(edges: &[RegionEdge<'_>]) -> Vec<Option<usize>> {
    edges.iter().map(|edge| edge.region).collect()
}

#[test]
fn region_edges_forward_values_in_and_out() {
    let text = r#"
        func.func @f(%m: memref<4xf32>, %n: index) -> memref<4xf32> {
          %c0 = arith.constant 0 : index
          %c9 = arith.constant 9 : index
          %c1 = arith.constant 1 : index
          %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%x = %m) -> (memref<4xf32>) {
            scf.yield %x : memref<4xf32>
          }
          return %r : memref<4xf32>
        }"#;
    in_function(text, |_, body| {
        let looped = named(&body, "scf.for");
        let entry = control_flow::entry_edges(looped).expect("entry edges");
        // MLIR may omit the edge around a loop that certainly runs; it never omits the edge into the body.
        assert!(targets(&entry).contains(&Some(0)));
        let block = regions(looped).flat_map(blocks).next().expect("a body");
        let argument = ir::arguments(block).nth(1).expect("the carried value");
        let into = entry
            .iter()
            .find(|edge| edge.region == Some(0))
            .expect("the body");
        assert_eq!(
            into.values,
            vec![(operands(looped).nth(3).expect("the start"), argument)]
        );
        let last = ir::terminator(block).expect("a terminator");
        let exit = control_flow::terminator_edges(last).expect("terminator edges");
        assert!(targets(&exit).contains(&None));
        let out = exit
            .iter()
            .find(|edge| edge.region.is_none())
            .expect("an exit edge");
        assert_eq!(
            out.values,
            vec![(argument, results(looped).next().expect("a result"))]
        );
        assert_eq!(loops::static_trip_count(looped), Some(9));
        assert!(control_flow::is_loop_body(
            looped,
            regions(looped).next().expect("a region")
        ));
        assert!(control_flow::entry_edges(named(&body, "arith.constant")).is_none());
    });
}

#[test]
fn branches_list_forwarded_operands() {
    let text = r#"
        func.func @f(%m: memref<4xf32>, %c: i1) {
          cf.cond_br %c, ^a(%m : memref<4xf32>), ^b
        ^a(%x: memref<4xf32>):
          return
        ^b:
          return
        }"#;
    in_function(text, |_, body| {
        let branch = named(&body, "cf.cond_br");
        let first = control_flow::branch_operands(branch, 0).expect("a branch");
        assert_eq!((first.produced, first.forwarded.len()), (0, 1));
        assert_eq!(
            first.forwarded[0],
            operands(branch).nth(1).expect("the memref")
        );
        assert!(
            control_flow::branch_operands(branch, 1)
                .expect("a branch")
                .forwarded
                .is_empty()
        );
        assert!(control_flow::branch_operands(named(&body, "func.return"), 0).is_none());
        let targets: Vec<_> = ir::successors(branch).map(|block| block.key()).collect();
        let function = ir::parent(branch).expect("a function");
        let after_entry: Vec<_> = regions(function)
            .flat_map(blocks)
            .skip(1)
            .map(|block| block.key())
            .collect();
        assert_eq!(targets, after_entry);
    });
}

#[test]
fn calls_views_and_functions_are_resolved() {
    let text = r#"
        func.func @f(%m: memref<4xf32>) {
          %v = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
          func.call @g(%m) : (memref<4xf32>) -> ()
          func.call @h(%m) : (memref<4xf32>) -> ()
          return
        }
        func.func private @g(memref<4xf32>)
        func.func private @h(%m: memref<4xf32>) { return }"#;
    in_function(text, |function, body| {
        let view = named(&body, "memref.expand_shape");
        assert_eq!(calls::view_source(view), operands(view).next());
        assert!(calls::view_source(named(&body, "func.call")).is_none());
        assert_eq!(ir::symbol_name(function), "f");
        let created: Vec<Op<'_>> = body
            .iter()
            .copied()
            .filter(|op| op.name().as_string_ref().as_str() == Ok("func.call"))
            .collect();
        let bodies: Vec<(String, bool)> = created
            .iter()
            .map(|call| calls::callee(*call).expect("a callee"))
            .map(|callee| {
                (
                    ir::symbol_name(callee),
                    calls::function_body(callee).is_some(),
                )
            })
            .collect();
        assert_eq!(bodies, [("g".to_string(), false), ("h".to_string(), true)]);
        assert_eq!(calls::call_arguments(created[0]), Some(0..1));
        let symbol = calls::callee_symbol(created[0]).expect("a symbol");
        assert_eq!(calls::flat_name(symbol).as_deref(), Some("g"));
    });
}

#[test]
fn extents_are_those_of_the_lowering() {
    in_function("func.func @f() { return }", |function, _| {
        let context = with_all_dialects();
        let mut layout = DataLayout::at(function);
        let mut extent = |text: &str| {
            let parsed = Type::parse(&context, text).expect("a type");
            layout
                .extent(parsed)
                .map(|extent| (extent.size, extent.alignment))
        };
        assert_eq!(extent("memref<3x5xf32>"), Ok((60, 4)));
        assert_eq!(extent("memref<f64>"), Ok((8, 8)));
        assert_eq!(extent("memref<7xi1>"), Ok((7, 1)));
        assert_eq!(extent("memref<7xi4>"), Ok((7, 1)));
        assert_eq!(extent("memref<2xi24>"), Ok((8, 4)));
        assert_eq!(extent("memref<2xi65>"), Ok((32, 16)));
        assert_eq!(extent("memref<2xf80>"), Ok((32, 16)));
        assert_eq!(extent("memref<2xindex>"), Ok((16, 8)));
        assert_eq!(extent("memref<2xcomplex<f32>>"), Ok((16, 8)));
        assert_eq!(extent("memref<2xvector<3xf32>>"), Ok((32, 16)));
        assert_eq!(extent("memref<0x4xf32>"), Ok((0, 4)));
        assert_eq!(extent("memref<?xf32>"), Err(NoSize::Dynamic));
        assert_eq!(extent("memref<*xf32>"), Err(NoSize::Dynamic));
        assert_eq!(extent("memref<4xf32, strided<[2]>>"), Err(NoSize::Layout));
        assert_eq!(extent("memref<4xmemref<4xf32>>"), Err(NoSize::Element));
        assert_eq!(extent("memref<4xvector<[4]xf32>>"), Err(NoSize::Element));
        assert_eq!(
            extent("memref<1152921504606846977xi64>"),
            Err(NoSize::TooLarge)
        );
        assert_eq!(
            extent("memref<4611686018427387904x4611686018427387904xf32>"),
            Err(NoSize::TooLarge)
        );
        let spaced = Type::parse(&context, "memref<4xf32, 3>").expect("a type");
        assert_eq!(memory_space(spaced), "3 : i64");
        let plain = Type::parse(&context, "memref<4xf32>").expect("a type");
        assert_eq!(memory_space(plain), "");
    });
}

#[test]
fn a_callee_may_store_an_argument_in_a_nested_memref() {
    let text = r#"
        func.func @f(%a: memref<4xf32>, %b: memref<*xf32>, %nested: memref<1xmemref<4xf32>>, %deep: memref<?xmemref<1xmemref<*xf32>>>,
                     %later: !async.value<memref<1xmemref<4xf32>>>, %come: !async.value<memref<4xf32>>, %g: !async.group, %n: index,
                     %p: !llvm.ptr, %s: memref<4xindex>) {
          func.call @a(%a, %b, %n, %s, %p) {stored = array<i64>} : (memref<4xf32>, memref<*xf32>, index, memref<4xindex>, !llvm.ptr) -> ()
          func.call @b(%nested) {stored = array<i64>} : (memref<1xmemref<4xf32>>) -> ()
          func.call @c(%a, %n, %nested, %b) {stored = array<i64: 0, 3>} : (memref<4xf32>, index, memref<1xmemref<4xf32>>, memref<*xf32>) -> ()
          func.call @d(%nested, %deep, %a) {stored = array<i64: 0, 2>} : (memref<1xmemref<4xf32>>, memref<?xmemref<1xmemref<*xf32>>>, memref<4xf32>) -> ()
          func.call @e(%later, %come, %nested) {stored = array<i64: 1>} : (!async.value<memref<1xmemref<4xf32>>>, !async.value<memref<4xf32>>, memref<1xmemref<4xf32>>) -> ()
          func.call @g(%g, %deep) {stored = array<i64: 1>} : (!async.group, memref<?xmemref<1xmemref<*xf32>>>) -> ()
          return
        }
        func.func private @a(memref<4xf32>, memref<*xf32>, index, memref<4xindex>, !llvm.ptr)
        func.func private @b(memref<1xmemref<4xf32>>)
        func.func private @c(memref<4xf32>, index, memref<1xmemref<4xf32>>, memref<*xf32>)
        func.func private @d(memref<1xmemref<4xf32>>, memref<?xmemref<1xmemref<*xf32>>>, memref<4xf32>)
        func.func private @e(!async.value<memref<1xmemref<4xf32>>>, !async.value<memref<4xf32>>, memref<1xmemref<4xf32>>)
        func.func private @g(!async.group, memref<?xmemref<1xmemref<*xf32>>>)"#;
    in_function(text, |_, body| {
        for call in body.iter().filter(|op| op.has_attribute("stored")) {
            let stored = calls::captured_by_type(*call);
            let stored = stored.iter().map(usize::to_string).collect::<Vec<_>>();
            let text = match stored.is_empty() {
                true => "array<i64>".to_owned(),
                false => format!("array<i64: {}>", stored.join(", ")),
            };
            let expected = call.attribute("stored").expect("is there").to_string();
            assert_eq!(text, expected, "{call}");
        }
    });
}
