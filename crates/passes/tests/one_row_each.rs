//! One view, one asynchronous operation and one allocator of another compiler, each described in a line: every pass
//! treats them like `memref.collapse_shape`, `gpu.memcpy async` and `gpu.alloc` or `memref.alloc`. What comes of the
//! whole pipeline is executed, with operations of MLIR that do what they do.

use memplan_harness::{
    command::{limited, output},
    runner::runner,
    tools::Tools,
};
use memplan_mlir::{
    context::with_all_dialects,
    create,
    melior::{
        ir::{
            Module,
            operation::{OperationLike, OperationPrintingFlags},
        },
        pass::PassManager,
        utility::parse_pass_pipeline,
    },
};
use memplan_semantics::{op_memory::DataStart, register, register_allocator, register_token_type};
use std::{
    fs,
    sync::{Arc, Mutex, Once},
    time::Duration,
};

fn register_all() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        memplan_passes::register_all();
        register_token_type("!npu.token");
        register_allocator("npu", Some("npu.free")).expect("a free name");
        register("npu.flat", |_, op| {
            op.views(0, 0, DataStart::Same).takes_any_space(0);
            Ok(())
        })
        .expect("a free name");
        register("npu.copy", |_, op| {
            op.overwrites(0).reads(1).starts(0);
            Ok(())
        })
        .expect("a free name");
        register("npu.wait", |_, op| {
            op.waits();
            Ok(())
        })
        .expect("a free name");
        register("npu.alloc", |_, op| {
            op.allocates(0, "npu");
            Ok(())
        })
        .expect("a free name");
        register("npu.free", |_, op| {
            op.frees(0, "npu");
            Ok(())
        })
        .expect("a free name");
        register("npu.negate", |_, op| {
            op.in_step(0, 1).overwrites(1);
            op.takes_any_strides(0).takes_any_strides(1);
            Ok(())
        })
        .expect("a free name");
    });
}

/// The same text with operations of MLIR in place of those of the other compiler.
fn twin(text: &str, allocator: Allocator) -> String {
    let (alloc, free) = match allocator {
        Allocator::Gpu => (
            r#""gpu.alloc"() <{operandSegmentSizes = array<i32: 0, 0, 0>}>"#,
            r#""gpu.dealloc""#,
        ),
        Allocator::Memref => (
            r#""memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}>"#,
            r#""memref.dealloc""#,
        ),
    };
    let mut text = text
        .replace("!npu.token", "!gpu.async.token")
        .replace("\"npu.copy\"", "\"gpu.memcpy\"")
        .replace("\"npu.wait\"", "\"gpu.wait\"")
        .replace("\"npu.alloc\"()", alloc)
        .replace("\"npu.free\"", free);
    while let Some((before, after)) = text.split_once("\"npu.flat\"(") {
        let (operand, rest) = after.split_once(')').expect("an operand");
        text = format!(
            "{before}\"memref.collapse_shape\"({operand}) <{{reassociation = [[0, 1]]}}>{rest}"
        );
    }
    text
}

#[derive(Clone, Copy)]
enum Allocator {
    Gpu,
    Memref,
}

/// What comes of a program, all of it in generic form; or the id of the error.
fn after(pass: &str, options: &str, text: &str) -> Result<String, String> {
    register_all();
    let context = with_all_dialects();
    context.set_allow_unregistered_dialects(true);
    let said = Arc::new(Mutex::new(String::new()));
    let heard = Arc::clone(&said);
    context.attach_diagnostic_handler(move |diagnostic| {
        let text = diagnostic.to_string();
        if let Some((_, id)) = text.rsplit_once("[memplan-E") {
            *heard.lock().expect("no panic") = id.to_owned();
        }
        true
    });
    let mut module = Module::parse(&context, text).expect("the program parses");
    let manager = PassManager::new(&context);
    manager.add_pass(create::pass(pass, options).expect("a pass with these options"));
    match manager.run(&mut module) {
        Ok(()) => Ok(generic(&module)),
        Err(_) => Err(said.lock().expect("no panic").clone()),
    }
}

fn generic(module: &Module<'_>) -> String {
    let flags = OperationPrintingFlags::new().print_generic_operation_form();
    let text = module.as_operation().to_string_with_flags(flags);
    text.expect("it prints")
}

/// Functions that use a view, also where it is returned, chosen, carried around a loop, or written through.
const VIEWS: &str = r#"
    func.func @reads(%x: memref<4x4xf32>, %y: memref<16xf32>) {
      %a = memref.alloc() : memref<4x4xf32>
      memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
      %v = "npu.flat"(%a) : (memref<4x4xf32>) -> memref<16xf32>
      %b = memref.alloc() : memref<16xf32>
      memref.copy %y, %b : memref<16xf32> to memref<16xf32>
      memref.copy %v, %y : memref<16xf32> to memref<16xf32>
      memref.copy %b, %v : memref<16xf32> to memref<16xf32>
      %c = memref.alloc() : memref<4x4xf32>
      memref.copy %x, %c : memref<4x4xf32> to memref<4x4xf32>
      memref.copy %c, %x : memref<4x4xf32> to memref<4x4xf32>
      return
    }
    func.func @returns(%x: memref<4x4xf32>) -> memref<16xf32> {
      %a = memref.alloc() : memref<4x4xf32>
      memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
      %v = "npu.flat"(%a) : (memref<4x4xf32>) -> memref<16xf32>
      return %v : memref<16xf32>
    }
    func.func @chooses(%c: i1, %x: memref<4x4xf32>, %y: memref<16xf32>) {
      %a = memref.alloc() : memref<4x4xf32>
      memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
      %v = "npu.flat"(%a) : (memref<4x4xf32>) -> memref<16xf32>
      %s = arith.select %c, %v, %y : memref<16xf32>
      memref.copy %s, %y : memref<16xf32> to memref<16xf32>
      return
    }
    func.func @carries(%n: index, %x: memref<4x4xf32>, %y: memref<16xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = memref.alloc() : memref<4x4xf32>
      memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
      %v = "npu.flat"(%a) : (memref<4x4xf32>) -> memref<16xf32>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %v) -> (memref<16xf32>) {
        memref.copy %y, %m : memref<16xf32> to memref<16xf32>
        scf.yield %m : memref<16xf32>
      }
      memref.copy %r, %y : memref<16xf32> to memref<16xf32>
      return
    }"#;

/// Functions that start a transfer, and wait for it, in time, late, or on one path alone.
const TRANSFERS: &str = r#"
    func.func @waits(%x: memref<16xf32>, %y: memref<16xf32>) {
      %a = memref.alloc() : memref<16xf32>
      %t = "npu.copy"(%a, %x) : (memref<16xf32>, memref<16xf32>) -> !npu.token
      %b = memref.alloc() : memref<16xf32>
      memref.copy %x, %b : memref<16xf32> to memref<16xf32>
      memref.copy %b, %y : memref<16xf32> to memref<16xf32>
      "npu.wait"(%t) : (!npu.token) -> ()
      %c = memref.alloc() : memref<16xf32>
      memref.copy %x, %c : memref<16xf32> to memref<16xf32>
      memref.copy %c, %y : memref<16xf32> to memref<16xf32>
      return
    }
    func.func @never_waits(%x: memref<16xf32>) {
      %a = memref.alloc() : memref<16xf32>
      %t = "npu.copy"(%a, %x) : (memref<16xf32>, memref<16xf32>) -> !npu.token
      return
    }
    func.func @waits_perhaps(%c: i1, %x: memref<16xf32>) {
      %a = memref.alloc() : memref<16xf32>
      %t = "npu.copy"(%a, %x) : (memref<16xf32>, memref<16xf32>) -> !npu.token
      scf.if %c {
        "npu.wait"(%t) : (!npu.token) -> ()
      }
      return
    }
    func.func @waits_in_both(%c: i1, %x: memref<16xf32>) {
      %a = memref.alloc() : memref<16xf32>
      %t = "npu.copy"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> !npu.token
      scf.if %c {
        "npu.wait"(%t) : (!npu.token) -> ()
      } else {
        "npu.wait"(%t) : (!npu.token) -> ()
      }
      return
    }"#;

/// Functions that allocate, free themselves, return, or choose.
const ALLOCATIONS: &str = r#"
    func.func @uses(%x: memref<16xf32>) {
      %a = "npu.alloc"() : () -> memref<16xf32>
      memref.copy %x, %a : memref<16xf32> to memref<16xf32>
      memref.copy %a, %x : memref<16xf32> to memref<16xf32>
      return
    }
    func.func @of_branches(%c: i1, %x: memref<16xf32>) {
      %a = "npu.alloc"() : () -> memref<16xf32>
      memref.copy %x, %a : memref<16xf32> to memref<16xf32>
      cf.cond_br %c, ^use, ^leave
    ^use:
      memref.copy %a, %x : memref<16xf32> to memref<16xf32>
      return
    ^leave:
      return
    }
    func.func @in_loop(%n: index, %x: memref<16xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %a = "npu.alloc"() : () -> memref<16xf32>
        memref.copy %x, %a : memref<16xf32> to memref<16xf32>
        memref.copy %a, %x : memref<16xf32> to memref<16xf32>
      }
      return
    }"#;

/// As above; what frees is there already.
const FREED: &str = r#"
    func.func @frees(%x: memref<16xf32>) {
      %a = "npu.alloc"() : () -> memref<16xf32>
      memref.copy %x, %a : memref<16xf32> to memref<16xf32>
      memref.copy %a, %x : memref<16xf32> to memref<16xf32>
      "npu.free"(%a) : (memref<16xf32>) -> ()
      return
    }"#;

#[track_caller]
fn are_alike(pass: &str, text: &str, allocator: Allocator) {
    let own = after(pass, "", text).map(|own| twin(&own, allocator));
    let other = after(pass, "", &twin(text, allocator));
    assert_eq!(own, other, "{pass}");
}

#[test]
fn every_pass_treats_a_view_an_asynchronous_operation_and_an_allocator_like_those_of_mlir() {
    register_all();
    for declaration in memplan_passes::declarations() {
        for text in [VIEWS, TRANSFERS, ALLOCATIONS, FREED] {
            are_alike(declaration.argument, text, Allocator::Gpu);
        }
    }
}

/// A step in place, and one whose operand may become a part of another buffer.
const IN_STEP: &str = r#"
    func.func @in_step(%x: memref<16xf32>, %y: memref<16xf32>) {
      %a = memref.alloc() : memref<16xf32>
      memref.copy %x, %a : memref<16xf32> to memref<16xf32>
      %b = memref.alloc() : memref<16xf32>
      "npu.negate"(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
      memref.copy %b, %y : memref<16xf32> to memref<16xf32>
      return
    }
    func.func @part(%x: memref<16xf32>, %y: memref<2x16xf32>) {
      %a = memref.alloc() : memref<16xf32>
      memref.copy %x, %a : memref<16xf32> to memref<16xf32>
      %whole = memref.alloc() : memref<2x16xf32>
      %part = memref.subview %whole[1, 0] [1, 16] [1, 1] : memref<2x16xf32> to memref<16xf32, strided<[1], offset: 16>>
      "npu.negate"(%a, %part) : (memref<16xf32>, memref<16xf32, strided<[1], offset: 16>>) -> ()
      %other = memref.subview %whole[0, 0] [1, 16] [1, 1] : memref<2x16xf32> to memref<16xf32, strided<[1]>>
      memref.copy %x, %other : memref<16xf32> to memref<16xf32, strided<[1]>>
      memref.copy %whole, %y : memref<2x16xf32> to memref<2x16xf32>
      return
    }"#;

#[test]
fn what_is_done_in_step_goes_in_place() {
    let planned = after("memplan-merge-alloc", "verify=true alignment=1", IN_STEP);
    let planned = planned.expect("planned");
    assert!(planned.contains("memref<64xi8>"), "{planned}");
    let elided = after("memplan-elide-copies", "", IN_STEP).expect("elided");
    // As of an elementwise operation of linalg: the second buffer of the first function becomes an argument, and both of
    // the second function become one.
    assert_eq!(elided.matches("\"memref.alloc\"").count(), 2, "{elided}");
}

#[test]
fn an_allocator_is_deallocated_like_memref_alloc_with_its_own_operation() {
    for text in [ALLOCATIONS, FREED] {
        are_alike("memplan-ownership-dealloc", text, Allocator::Memref);
    }
}

/// Prints what a planned function computes with a view, a transfer and memory of the allocator.
const EXECUTED: &str = r#"
    func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
    func.func @f(%x: memref<4x4xf32>, %y: memref<16xf32>) {
      %a = memref.alloc() : memref<4x4xf32>
      memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
      %v = "npu.flat"(%a) : (memref<4x4xf32>) -> memref<16xf32>
      %b = memref.alloc() : memref<16xf32>
      %t = "npu.copy"(%b, %v) : (memref<16xf32>, memref<16xf32>) -> !npu.token
      %c = memref.alloc() : memref<16xf32>
      memref.copy %y, %c : memref<16xf32> to memref<16xf32>
      memref.copy %c, %y : memref<16xf32> to memref<16xf32>
      %e = memref.collapse_shape %x [[0, 1]] : memref<4x4xf32> into memref<16xf32>
      memref.copy %c, %e : memref<16xf32> to memref<16xf32>
      "npu.wait"(%t) : (!npu.token) -> ()
      %d = "npu.alloc"() : () -> memref<16xf32>
      memref.copy %b, %d : memref<16xf32> to memref<16xf32>
      memref.copy %d, %y : memref<16xf32> to memref<16xf32>
      return
    }
    func.func @main() {
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %x = memref.alloc() : memref<4x4xf32>
      %y = memref.alloc() : memref<16xf32>
      linalg.fill ins(%one : f32) outs(%x : memref<4x4xf32>)
      linalg.fill ins(%two : f32) outs(%y : memref<16xf32>)
      call @f(%x, %y) : (memref<4x4xf32>, memref<16xf32>) -> ()
      %u = memref.cast %x : memref<4x4xf32> to memref<*xf32>
      call @printMemrefF32(%u) : (memref<*xf32>) -> ()
      %w = memref.cast %y : memref<16xf32> to memref<*xf32>
      call @printMemrefF32(%w) : (memref<*xf32>) -> ()
      return
    }"#;

/// The same with operations that run on the host, in generic form: the transfer is done at its wait, which is as late as it
/// may be.
fn executable(text: &str) -> String {
    let mut started = None;
    let mut lines = Vec::new();
    for line in twin(text, Allocator::Memref).lines() {
        if let Some((_, operands)) = line.split_once("\"gpu.memcpy\"(") {
            let (operands, _) = operands.split_once(')').expect("two operands");
            let (to, from) = operands.split_once(", ").expect("two operands");
            started = Some(format!(
                "\"memref.copy\"({from}, {to}) : (memref<16xf32>, memref<16xf32>) -> ()"
            ));
        } else if line.contains("\"gpu.wait\"") {
            lines.extend(started.take());
        } else {
            lines.push(line.to_owned());
        }
    }
    lines.join("\n")
}

/// The output of a program, without addresses.
fn printed(text: &str) -> String {
    const LOWERING: &str = "builtin.module(convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,\
                            lower-affine,finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,\
                            convert-index-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)";
    let limit = Duration::from_secs(60);
    let tools = Tools::find_llvm().expect("tools");
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program.mlir");
    fs::write(&program, text).expect("written");
    let mut lower = limited(limit, tools.mlir_opt());
    lower
        .arg(&program)
        .arg(format!("--pass-pipeline={LOWERING}"));
    fs::write(&program, output(&mut lower).expect("lowered")).expect("written");
    let out = output(&mut runner(&tools, &program, 0, &[], limit)).expect("executed");
    let out = String::from_utf8(out).expect("text");
    let is_data = |line: &&str| !line.starts_with("Unranked");
    out.lines().filter(is_data).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_comes_of_the_whole_pipeline_computes_the_same() {
    let context = with_all_dialects();
    context.set_allow_unregistered_dialects(true);
    let module = Module::parse(&context, EXECUTED).expect("the program parses");
    let before = printed(&executable(&generic(&module)));
    assert!(before.contains("2,") && before.contains("1,"), "{before}");
    for options in ["verify=true", "verify=true dynamic=slots"] {
        let planned = pipeline("memplan", options, EXECUTED);
        assert!(planned.contains("memplan.arena"), "{planned}");
        assert_eq!(planned.matches("\"npu.free\"").count(), 1, "{planned}");
        assert_eq!(printed(&executable(&planned)), before, "{planned}");
    }
}

/// The program after a pipeline.
fn pipeline(name: &str, options: &str, text: &str) -> String {
    register_all();
    let context = with_all_dialects();
    context.set_allow_unregistered_dialects(true);
    let mut module = Module::parse(&context, text).expect("the program parses");
    let manager = PassManager::new(&context);
    let pipeline = format!("builtin.module({name}{{{options}}})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline).expect("a pipeline");
    manager.run(&mut module).expect("planned");
    generic(&module)
}
