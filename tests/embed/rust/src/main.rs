//! A compiler in Rust with memplan inside: reads a module, plans it with a planner of its own, and prints it.
//!
//!     embed FILE [stack|heap|panics]
//!
//! The module may use operations `npu.start` and `npu.wait` of a dialect that MLIR does not know.

use memplan::{
    create,
    melior::{ir::Module, pass::PassManager},
    planner::{Buffer, Problem, custom},
    semantics::{self, Description, RegisterError},
};
use std::{env, error::Error, fs, process::ExitCode};

/// Nothing is reused: each buffer is placed after the one before.
fn stack(problem: &Problem) -> Vec<u64> {
    let mut end = 0_u64;
    let mut place = |buffer: &Buffer| {
        let offset = end.next_multiple_of(buffer.alignment);
        end = offset + buffer.size;
        offset
    };
    problem.buffers.iter().map(&mut place).collect()
}

/// Registers the effects of the dialect's operations on memory.
fn register_npu() -> Result<(), RegisterError> {
    let add = |name: &str, say: fn(&mut Description)| {
        semantics::register(name, move |_, op| {
            say(op);
            Ok(())
        })
    };
    add("npu.start", |op| {
        op.reads(0).overwrites(1).starts(0);
    })?;
    add("npu.wait", |op| {
        op.waits();
    })?;
    add("npu.fetch", |op| {
        op.allocates(0, "npu");
    })?;
    add("npu.release", |op| {
        op.frees(0, "npu");
    })
}

fn register() -> Result<(), Box<dyn Error>> {
    memplan::register_all()?;
    custom::register("embed.stack", |problem| Ok(stack(problem)))?;
    // Invalid: all buffers at one offset. memplan rejects it.
    custom::register("embed.heap", |problem| Ok(vec![0; problem.buffers.len()]))?;
    custom::register("embed.panics", |_| panic!("out of ideas"))?;
    semantics::register_token_type("!npu.token");
    semantics::register_allocator("npu", Some("npu.release"))?;
    register_npu()?;
    Ok(())
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: embed FILE [stack|heap|panics]");
        return Ok(ExitCode::from(2));
    };
    register()?;
    let planner = arguments.next().unwrap_or_else(|| "stack".to_owned());
    let context = memplan::context();
    context.set_allow_unregistered_dialects(true);
    let Some(mut module) = Module::parse(&context, &fs::read_to_string(file)?) else {
        return Ok(ExitCode::FAILURE);
    };
    let manager = PassManager::new(&context);
    manager.add_pass(create::merge_alloc(&format!(
        "planner=embed.{planner} verify=true"
    ))?);
    if manager.run(&mut module).is_err() {
        return Ok(ExitCode::FAILURE);
    }
    print!("{}", module.as_operation());
    Ok(ExitCode::SUCCESS)
}
