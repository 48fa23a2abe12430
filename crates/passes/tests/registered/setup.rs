//! Operations that are registered, and what a pass makes of a program with them.

use memplan_mlir::{
    context::with_all_dialects,
    create,
    ir::{Op, operands},
    melior::{
        Context,
        ir::{Module, operation::OperationLike},
        pass::PassManager,
    },
};
use memplan_semantics::{
    Description, op_memory::DataStart, register, register_allocator, register_override,
    register_token_type,
};
use std::sync::{Arc, Mutex, Once};

/// The program after these passes, or what was said.
pub fn after(passes: &[(&str, &str)], text: &str) -> Result<String, String> {
    static KNOWN: Once = Once::new();
    KNOWN.call_once(|| {
        memplan_passes::register_all();
        register_operations();
    });
    let context = with_all_dialects();
    context.set_allow_unregistered_dialects(true);
    let said = listen(&context);
    let mut module = Module::parse(&context, text).expect("the program parses");
    let manager = PassManager::new(&context);
    for (name, options) in passes {
        manager.add_pass(create::pass(name, options).expect("a pass with these options"));
    }
    let done = manager.run(&mut module);
    let said = said.lock().expect("no panic").join("\n");
    match done {
        Ok(()) => Ok(module.as_operation().to_string()),
        Err(_) => Err(said),
    }
}

fn listen(context: &Context) -> Arc<Mutex<Vec<String>>> {
    let said = Arc::new(Mutex::new(Vec::new()));
    let all = Arc::clone(&said);
    context.attach_diagnostic_handler(move |diagnostic| {
        all.lock().expect("no panic").push(diagnostic.to_string());
        true
    });
    said
}

pub const MERGE: (&str, &str) = ("memplan-merge-alloc", "verify=true alignment=1");
pub const FREE: (&str, &str) = ("memplan-ownership-dealloc", "");

/// Registers an operation, with what is said of all of its name.
fn add(name: &str, say: fn(&mut Description)) {
    let describe = move |_: Op<'_>, op: &mut Description| {
        say(op);
        Ok(())
    };
    register(name, describe).expect(name);
}

fn register_operations() {
    register_token_type("!npu.token");
    register_allocator("pool", Some("pool.put")).expect("a free name");
    register_allocator("own", None).expect("a free name");
    add("npu.add", |op| {
        op.reads(0).reads(1).overwrites(2);
    });
    add("npu.negate", |op| {
        op.in_step(0, 1).overwrites(1);
    });
    add("npu.part", |op| {
        op.views(0, 0, DataStart::Same);
    });
    add("npu.capture", |op| {
        op.captures(0);
    });
    add("npu.start", |op| {
        op.reads(0).writes(1).starts(0);
    });
    add("npu.wait", |op| {
        op.waits();
    });
    add("pool.get", |op| {
        op.allocates(0, "pool");
    });
    add("pool.put", |op| {
        op.frees(0, "pool");
    });
    add("pool.part", |op| {
        op.any_of(0, &[0]);
    });
    add("pool.keep", |op| {
        op.takes(0);
    });
    add("pool.use", |_| {});
    register("npu.op", by_text).expect("a free name");
    register_override("async.call", |_, _| Ok(())).expect("a free name");
    for name in ["npu.last", "npu.regions"] {
        add(name, |_| {});
    }
    // Of some operations of this name, the interfaces hold.
    register("npu.some", |op, said| {
        if operands(op).count() != 1 {
            said.by_interfaces();
        }
        Ok(())
    })
    .expect("a free name");
    register("npu.refused", |_, _| Err("not for this target".to_owned())).expect("free");
    register("npu.panics", |_, _| panic!("out of luck")).expect("a free name");
}

/// What the text of its attribute says: words such as `r0` for a read of operand 0, or `s0:1` for one in step.
fn by_text(op: Op<'_>, said: &mut Description) -> Result<(), String> {
    let text = op.attribute("does").map_err(|error| error.to_string())?;
    for word in text.to_string().trim_matches('"').split_whitespace() {
        let (what, numbers) = word.split_at(1);
        let mut numbers = numbers.split(':').filter_map(|number| number.parse().ok());
        let mut next = || numbers.next().unwrap_or_default();
        let first = next();
        match what {
            "d" => said.descriptor(first),
            "r" => said.reads(first),
            "w" => said.writes(first),
            "o" => said.overwrites(first),
            "s" => said.in_step(first, next()),
            "c" => said.copies(first, next()),
            "f" => said.frees(first, "own"),
            "F" => said.frees(first, "nobody"),
            "t" => said.takes(first),
            "k" => said.captures(first),
            "i" => said.stores_into(first, next()),
            "m" => said.allocates(first, "own"),
            "M" => said.allocates(first, "memref"),
            "v" => said.views(first, next(), DataStart::Same),
            "V" => said.views(first, next(), DataStart::Unknown),
            "h" => said.views(first, next(), DataStart::ShiftedBy(next())),
            "l" => said.loads(first, next()),
            "b" => said.borrowed(first),
            "A" => said.address_of(first, next()),
            "g" => said.starts(first),
            "a" => said.after(first),
            "W" => said.waits(),
            "x" => said.speculatable(),
            _ => return Err(format!("no such word as '{word}'")),
        };
    }
    Ok(())
}

/// The bytes of the arena; 0 without.
pub fn arena(text: &str) -> usize {
    let Some(line) = text.lines().find(|line| line.contains("memplan.arena")) else {
        return 0;
    };
    let bytes = line
        .rsplit("memref<")
        .next()
        .and_then(|rest| rest.split('x').next());
    bytes.and_then(|bytes| bytes.parse().ok()).expect("a size")
}

/// A function whose body is written with `npu.op`, of two arguments.
pub fn function(body: &str) -> String {
    let body = body
        .replace(" M", " memref<8xf32>")
        .replace("(M", "(memref<8xf32>")
        .replace("xM>", "xmemref<8xf32>>");
    format!(
        "func.func @f(%x: memref<8xf32>, %y: memref<8xf32>, %s: memref<4xf32>, %i: memref<8xi32>) {{\n{body}\nreturn\n}}"
    )
}

/// The lines of the function's body from the first that contains `from` on, without spaces around.
pub fn lines(text: &str, from: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim().to_owned());
    lines.skip_while(|line| !line.contains(from)).collect()
}
