//! Random kernels as text.

use memplan_workgroup::interpret::Random;
use std::fmt::Write;

/// The threads of a workgroup.
const THREADS: usize = 8;

/// A kernel. Attributes say what the parser cannot see: `whole` of stores by which all threads overwrite a buffer, and
/// `divergent` of branches and loops on which threads differ.
pub fn kernel(seed: u64) -> String {
    let mut random = Random::new(seed);
    let count = 2 + random.below(4);
    let sizes: Vec<usize> = (0..count).map(|_| 1 + random.below(8)).collect();
    let mut generator = Generator {
        barriers: 15 + random.below(4) * 8,
        copies: if seed.is_multiple_of(3) { 15 } else { 0 },
        calls: if has_calls(seed) { 10 } else { 0 },
        random,
        text: String::new(),
        buffers: Vec::new(),
        names: 0,
        phase: 0,
    };
    let mut attributions = Vec::new();
    let mut allocs = String::new();
    for (number, size) in sizes.into_iter().enumerate() {
        let name = format!("%b{number}");
        let form = format!("memref<{size}xi8, #gpu.address_space<workgroup>>");
        match generator.random.chance(70) {
            true => attributions.push(format!("{name}: {form}")),
            false => writeln!(allocs, "{name} = memref.alloc() : {form}").expect("text"),
        }
        generator.buffers.push((name, size));
    }
    generator.sequence(2, true, 8);
    let mut constants = String::new();
    for size in 1..=8 {
        writeln!(
            constants,
            "%c{size} = arith.constant {size} : index\n%i{size} = arith.remui %t, %c{size} : index"
        )
        .expect("text");
    }
    let attributions = match attributions.is_empty() {
        true => String::new(),
        false => format!("workgroup({})", attributions.join(", ")),
    };
    let callees = match has_calls(seed) {
        true => callees(&generator.text),
        false => String::new(),
    };
    format!(
        "gpu.module @m {{
{callees}gpu.func @f(%g: memref<64xi8>, %h: memref<64xindex>, %n: index, %u: index, %p: i1, %v: i8) {attributions} kernel
attributes {{known_block_size = array<i32: {THREADS}, 1, 1>}} {{
%c0 = arith.constant 0 : index
%t = gpu.thread_id x
%block = gpu.block_id x
{constants}
%even = arith.cmpi ult, %i2, %c1 : index
%first = arith.cmpi eq, %block, %c0 : index
%vv = vector.broadcast %v : i8 to vector<2xi8>
%loaded = memref.load %h[%c0] : memref<64xindex>
%none = nvgpu.device_async_create_group {{none}}
{allocs}{}gpu.return
}}
}}
",
        generator.text
    )
}

/// Does a kernel call functions?
pub const fn has_calls(seed: u64) -> bool {
    seed.is_multiple_of(2)
}

/// The barriers that are generated.
pub const BARRIERS: [&str; 4] = [
    "gpu.barrier",
    "nvvm.barrier0",
    "rocdl.barrier",
    "nvvm.barrier",
];

/// The functions that are called, one for each size of a buffer. The parser puts their bodies in the place of calls: barriers
/// before, between and after accesses.
fn callees(calls: &str) -> String {
    let mut text = "func.func @sync() {\ngpu.barrier\nreturn\n}\n".to_owned();
    for size in 1..=8 {
        let form = format!("memref<{size}xi8, #gpu.address_space<workgroup>>");
        for (name, body) in [
            ("sum", "STORE\ngpu.barrier\nLOAD"),
            ("first", "func.call @sync() : () -> ()\nSTORE"),
            ("last", "LOAD\nnvvm.barrier0"),
            ("reads", "LOAD"),
        ] {
            if !calls.contains(&format!("@{name}{size}(")) {
                continue;
            }
            let body = body.replace("STORE", &format!("memref.store %v, %a[%u] : {form}"));
            let body = body.replace("LOAD", &format!("%r = memref.load %a[%u] : {form}"));
            writeln!(
                text,
                "func.func @{name}{size}(%a: {form}, %u: index, %v: i8) {{\n{body}\nreturn\n}}"
            )
            .expect("text");
        }
    }
    text
}

/// The same in a launch.
pub fn launch(seed: u64) -> String {
    let text = kernel(seed).replace("gpu.module @m {", "module {");
    let (start, rest) = text.split_once("gpu.func @f").expect("a kernel");
    let (header, body) = rest
        .split_once("}} {\n")
        .or_else(|| rest.split_once("} {\n"))
        .expect("a body");
    let (arguments, attributions) = header.split_once(") ").expect("arguments");
    let attributions = attributions.split_once(" kernel").map_or("", |one| one.0);
    let body = body.replace("gpu.return\n}", "gpu.terminator\n}\nreturn\n}");
    format!(
        "{start}func.func @f{arguments}) {{
%one = arith.constant 1 : index
%all = arith.constant {THREADS} : index
gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one) threads(%tx, %ty, %tz) in (%sx = %all, %sy = %one, %sz = %one) {attributions} {{
{body}"
    )
}

struct Generator {
    random: Random,
    text: String,
    /// Buffers in scope.
    buffers: Vec<(String, usize)>,
    names: usize,
    barriers: usize,
    copies: usize,
    calls: usize,
    /// Grows with barriers. Most statements use the buffers of a phase.
    phase: usize,
}

impl Generator {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn buffer(&mut self) -> (String, usize) {
        let number = match self.random.chance(80) {
            true => self.phase + self.random.below(2),
            false => self.random.below(self.buffers.len()),
        };
        self.buffers[number % self.buffers.len()].clone()
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%x{}", self.names)
    }

    fn sequence(&mut self, depth: usize, is_uniform: bool, most: usize) {
        for _ in 0..1 + self.random.below(most) {
            match self.random.below(12) {
                0 | 1 if depth > 0 => self.branch(depth, is_uniform),
                2 | 3 if depth > 0 => self.repeated(depth, is_uniform),
                5 if depth > 0 => self.threads(depth),
                4 => {
                    self.phase += 1;
                    let (buffer, size) = self.buffer();
                    if is_uniform {
                        self.whole(&buffer, size);
                    }
                    self.barrier(is_uniform);
                    self.read(&buffer, size);
                    if self.random.chance(50) {
                        self.barrier(is_uniform);
                    }
                }
                _ => self.statement(is_uniform),
            }
        }
    }

    fn barrier(&mut self, is_uniform: bool) {
        if is_uniform {
            let barrier = match self.random.below(8) {
                0 if self.calls > 0 => "func.call @sync() : () -> ()",
                number => BARRIERS[number % BARRIERS.len()],
            };
            self.line(barrier);
            self.phase += self.random.below(3);
        }
    }

    fn read(&mut self, buffer: &str, size: usize) {
        let name = self.name();
        let line = format!(
            "{name} = memref.load {buffer}[%i{size}] : memref<{size}xi8, #gpu.address_space<workgroup>>"
        );
        self.line(&line);
    }

    /// All threads overwrite a buffer, by one of several operations.
    fn whole(&mut self, buffer: &str, size: usize) {
        let form = format!("memref<{size}xi8, #gpu.address_space<workgroup>>");
        let [index, view] = [self.name(), self.name()];
        let half = size / 2;
        let text = match self.random.below(6) {
            5 if size < THREADS => format!(
                "scf.forall (%k) in ({size}) {{\nmemref.store %v, {buffer}[%k] {{whole}} : {form}\n}} {{mapping = [#gpu.thread<x>]}}"
            ),
            3 if half > 0 && size.is_multiple_of(2) => format!(
                "{index} = arith.muli %i{half}, %c2 : index
vector.store %vv, {buffer}[{index}] {{whole}} : {form}, vector<2xi8>"
            ),
            4 => format!(
                "{view} = memref.subview {buffer}[0] [{size}] [1] : {form} to memref<{size}xi8, strided<[1]>, #gpu.address_space<workgroup>>
memref.store %v, {view}[%i{size}] {{whole}} : memref<{size}xi8, strided<[1]>, #gpu.address_space<workgroup>>"
            ),
            0 => format!("memref.store %v, {buffer}[%i{size}] {{whole}} : {form}"),
            1 => format!(
                "scf.for %k = %t to %c{size} step %c8 {{\nmemref.store %v, {buffer}[%k] {{whole}} : {form}\n}}"
            ),
            _ => format!("linalg.fill {{whole}} ins(%v : i8) outs({buffer} : {form})"),
        };
        self.line(&text);
    }

    fn statement(&mut self, is_uniform: bool) {
        if self.random.chance(self.barriers) {
            return self.barrier(is_uniform);
        }
        let (buffer, size) = self.buffer();
        let form = format!("memref<{size}xi8, #gpu.address_space<workgroup>>");
        if is_uniform && self.random.chance(self.calls) {
            let callee = ["sum", "first", "last", "reads"][self.random.below(4)];
            return self.line(&format!(
                "func.call @{callee}{size}({buffer}, %u, %v) : ({form}, index, i8) -> ()"
            ));
        }
        if self.random.chance(self.copies) {
            return self.copy(&buffer, size, &form);
        }
        // Stores of some threads, and of others in another branch, might overwrite a buffer together.
        if !is_uniform && (size == 1 || self.random.chance(50)) {
            return self.read(&buffer, size);
        }
        match self.random.below(if is_uniform { 11 } else { 7 }) {
            10 if size > 1 => self.nearly_whole(&buffer, size, &form),
            0..=4 => self.read(&buffer, size),
            5 | 6 => {
                // A single element is always overwritten.
                let whole = if size == 1 { " {whole}" } else { "" };
                let line = format!("memref.store %v, {buffer}[%u]{whole} : {form}");
                self.line(&line);
            }
            _ => self.whole(&buffer, size),
        }
    }

    /// Stores by which the threads miss some elements.
    fn nearly_whole(&mut self, buffer: &str, size: usize, form: &str) {
        let less = size - 1;
        let [index, view] = [self.name(), self.name()];
        let text = match self.random.below(6) {
            5 => format!(
                "scf.forall (%k) in ({less}) {{\nmemref.store %v, {buffer}[%k] : {form}\n}} {{mapping = [#gpu.thread<x>]}}"
            ),
            0 => format!("memref.store %v, {buffer}[%i{less}] : {form}"),
            1 => format!(
                "scf.for %k = %t to %c{less} step %c8 {{\nmemref.store %v, {buffer}[%k] : {form}\n}}"
            ),
            2 if size.is_multiple_of(2) => {
                format!("scf.if %even {{\nmemref.store %v, {buffer}[%i{size}] : {form}\n}} {{divergent}}")
            }
            3 if size > 2 => format!(
                "{index} = arith.remui %i{size}, %c{less} : index
{view} = arith.andi {index}, %c6 : index
memref.store %v, {buffer}[{view}] : {form}"
            ),
            _ => format!(
                "{view} = memref.subview {buffer}[1] [{less}] [1] : {form} to memref<{less}xi8, strided<[1], offset: 1>, #gpu.address_space<workgroup>>
memref.store %v, {view}[%i{less}] : memref<{less}xi8, strided<[1], offset: 1>, #gpu.address_space<workgroup>>"
            ),
        };
        self.line(&text);
    }

    fn copy(&mut self, buffer: &str, size: usize, form: &str) {
        let [copy, group] = [self.name(), self.name()];
        let start = format!(
            "{copy} = nvgpu.device_async_copy %g[%c0], {buffer}[%u], 4 : memref<64xi8> to {form}"
        );
        match self.random.below(6) {
            0..=2 if size >= 4 => {
                self.line(&start);
                let line = format!("{group} = nvgpu.device_async_create_group {copy}");
                self.line(&line);
                if self.random.chance(30) {
                    let line = format!("nvgpu.device_async_wait {group}");
                    self.line(&line);
                }
            }
            3 if size >= 4 => self.line(&start),
            _ => {
                let newest = self.random.below(3);
                let line = format!("nvgpu.device_async_wait %none {{numGroups = {newest} : i32}}");
                self.line(&line);
            }
        }
    }

    fn branch(&mut self, depth: usize, is_uniform: bool) {
        let diverges = self.random.chance(40);
        let flag = match (diverges, self.random.chance(50)) {
            (true, _) => "%even",
            (false, true) => "%p",
            (false, false) => "%first",
        };
        self.line(&format!("scf.if {flag} {{"));
        self.sequence(depth - 1, is_uniform && !diverges, 3);
        if self.random.chance(50) {
            self.line("} else {");
            self.sequence(depth - 1, is_uniform && !diverges, 3);
        }
        self.line(if diverges { "} {divergent}" } else { "}" });
    }

    /// A loop over threads. Each executes one of its iterations, or none.
    fn threads(&mut self, depth: usize) {
        let index = self.name();
        self.line(&format!("scf.forall ({index}) in ({THREADS}) {{"));
        self.sequence(depth - 1, false, 3);
        self.line("} {mapping = [#gpu.thread<x>]}");
    }

    fn repeated(&mut self, depth: usize, is_uniform: bool) {
        let diverges = self.random.chance(20);
        let end = if diverges { "%loaded" } else { "%n" };
        let index = self.name();
        self.line(&format!("scf.for {index} = %c0 to {end} step %c1 {{"));
        let count = self.buffers.len();
        if self.random.chance(30) {
            let (name, size) = (self.name(), 1 + self.random.below(8));
            let line = format!(
                "{name} = memref.alloc() : memref<{size}xi8, #gpu.address_space<workgroup>>"
            );
            self.line(&line);
            self.buffers.push((name, size));
        }
        self.sequence(depth - 1, is_uniform && !diverges, 5);
        self.buffers.truncate(count);
        self.line(if diverges { "} {divergent}" } else { "}" });
    }
}
