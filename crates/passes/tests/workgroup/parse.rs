//! Reads kernels from text, line by line. It knows only the operations that are generated and written, and shares nothing
//! with the pass.

use memplan_flow::PrimaryMap;
use memplan_workgroup::{
    Action, AsyncCopy, BlockId, Branch, Buffer, BufferId, Extent, GroupId, Kernel, Wait,
};
use std::collections::BTreeMap;

/// A kernel, and where its buffers are.
pub struct Parsed {
    pub kernel: Kernel,
    pub offsets: PrimaryMap<BufferId, u64>,
    /// The bytes that buffers share; 0 if they do not.
    pub arena: u64,
    /// The bytes of workgroup memory.
    pub bytes: u64,
    last: u64,
}

impl Parsed {
    /// Is a buffer outside of the bytes that it is a view of?
    pub fn leaves_arena(&self) -> bool {
        self.last > self.arena
    }
}

struct Frame {
    /// The block that chooses.
    choice: BlockId,
    /// The end of the first region of a branch.
    then: Option<BlockId>,
    is_loop: bool,
    /// Threads choose by themselves.
    is_divergent: bool,
    /// A loop in which all threads together overwrite a buffer.
    is_collective: bool,
}

struct Parser {
    kernel: Kernel,
    at: BlockId,
    frames: Vec<Frame>,
    buffers: BTreeMap<String, BufferId>,
    constants: BTreeMap<String, u64>,
    /// The offsets of views; other buffers have none.
    offsets: Vec<Option<u64>>,
    /// The copies and groups by the names of their tokens.
    groups: BTreeMap<String, GroupId>,
    /// The memory of which there are views, and where it starts: each after the one before.
    arenas: BTreeMap<String, u64>,
    /// The bytes of these together.
    arena: u64,
    /// What each function does to its first argument.
    callees: BTreeMap<String, Vec<Step>>,
}

/// What a function does, without the buffer.
#[derive(Clone, Copy)]
enum Step {
    Read,
    Write,
    Barrier,
}

/// What functions do, which are straight lines. Those that call no others are known.
fn callees(text: &str, known: &BTreeMap<String, Vec<Step>>) -> BTreeMap<String, Vec<Step>> {
    let mut all: BTreeMap<String, Vec<Step>> = BTreeMap::new();
    let mut current = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with("func.func") {
            current = Some(symbol(line));
            all.insert(symbol(line), Vec::new());
        } else if line.starts_with('}') {
            current = None;
        } else if let Some(current) = &current {
            let steps = match () {
                () if is_barrier(line) => vec![Step::Barrier],
                () if line.contains("memref.store") => vec![Step::Write],
                () if line.contains("memref.load") => vec![Step::Read],
                () if line.contains("call @") => {
                    known.get(&symbol(line)).cloned().unwrap_or_default()
                }
                () => Vec::new(),
            };
            all.get_mut(current).expect("a function").extend(steps);
        }
    }
    all
}

/// The text without the functions before the kernel.
fn without_callees(text: &str) -> impl Iterator<Item = &str> {
    let mut is_inside = false;
    text.lines().map(str::trim).filter(move |line| {
        let was_inside = is_inside;
        // The function of a launch is @f.
        is_inside |= line.starts_with("func.func") && !line.contains("@f(");
        is_inside &= !line.starts_with('}');
        !was_inside && !is_inside
    })
}

/// The first symbol in a text.
fn symbol(text: &str) -> String {
    let start = text.find('@').expect("a symbol") + 1;
    text[start..text.find('(').expect("arguments")].to_owned()
}

fn is_barrier(line: &str) -> bool {
    super::generate::BARRIERS
        .iter()
        .any(|name| line.starts_with(name))
}

/// The first name in a text.
fn name(text: &str) -> String {
    let start = text.find('%').expect("a name");
    let rest = &text[start..];
    let is_end = |letter: char| !letter.is_ascii_alphanumeric() && !"%_".contains(letter);
    rest[..rest.find(is_end).unwrap_or(rest.len())].to_owned()
}

/// The number of bytes in the last `memref<Nxi8` of a text.
fn bytes(text: &str) -> u64 {
    let form = text.rsplit("memref<").next().expect("a memref");
    let sizes = form.split('x').map_while(|size| size.parse::<u64>().ok());
    sizes.reduce(|all, one| all * one).expect("a size")
}

/// The memory that a line has a view of.
fn source(line: &str) -> String {
    let start = ["memref.view", "memref.reinterpret_cast"];
    let start = start.iter().find_map(|view| line.find(view));
    name(&line[start.expect("a view")..])
}

pub fn parse(text: &str) -> Parsed {
    let mut kernel = Kernel::new();
    let at = kernel.add_block(Branch::Uniform);
    let mut parser = Parser {
        kernel,
        at,
        frames: Vec::new(),
        buffers: BTreeMap::new(),
        constants: BTreeMap::new(),
        offsets: Vec::new(),
        groups: BTreeMap::new(),
        arenas: BTreeMap::new(),
        arena: 0,
        callees: callees(text, &callees(text, &BTreeMap::new())),
    };
    let views = text.lines().filter(|line| line.contains("memplan.buffer"));
    let sources: Vec<String> = views.map(source).collect();
    for line in without_callees(text) {
        if let Some(start) = line.find("workgroup(") {
            let list = &line[start + "workgroup(".len()..];
            let list = &list[..list.find(')').expect("an end")];
            for one in list.split('%').skip(1) {
                let one = format!("%{one}");
                match sources.contains(&name(&one)) {
                    true => parser.add_arena(&one),
                    false => {
                        parser.buffer(name(&one), bytes(&one), None);
                    }
                }
            }
        } else if line.contains("memref.alloc()") && sources.contains(&name(line)) {
            parser.add_arena(line);
            continue;
        }
        parser.line(line);
    }
    let last = parser.kernel.buffers.iter().zip(&parser.offsets);
    let last = last.filter_map(|((_, buffer), offset)| Some((*offset)? + buffer.size));
    let last = last.max().unwrap_or(0);
    let arena = parser.arena;
    let mut end = arena.max(last);
    let sizes = parser.kernel.buffers.values().map(|buffer| buffer.size);
    let offsets = parser.offsets.iter().zip(sizes).map(|(offset, size)| {
        offset.unwrap_or_else(|| {
            end += size;
            end - size
        })
    });
    let offsets: PrimaryMap<BufferId, u64> = offsets.collect();
    Parsed {
        offsets,
        arena,
        bytes: end,
        last,
        kernel: parser.kernel,
    }
}

impl Parser {
    fn add_arena(&mut self, text: &str) {
        self.arenas.insert(name(text), self.arena);
        self.arena += bytes(text);
    }

    fn buffer(&mut self, name: String, size: u64, offset: Option<u64>) -> BufferId {
        let buffer = self.kernel.add_buffer(Buffer { size, alignment: 1 });
        self.buffers.insert(name, buffer);
        self.offsets.push(offset);
        buffer
    }

    fn push(&mut self, action: Action) {
        self.kernel.push(self.at, action);
    }

    fn block(&mut self) -> BlockId {
        self.kernel.add_block(Branch::Uniform)
    }

    fn known(&self, text: &str) -> Option<BufferId> {
        self.buffers.get(&name(text)).copied()
    }

    fn line(&mut self, line: &str) {
        if line.contains("arith.constant") && line.ends_with(": index") {
            let value = line.split_whitespace().nth(3).expect("a value");
            let value = value.parse().expect("a number");
            self.constants.insert(name(line), value);
        } else if let Some(at) = line.find("memref.view") {
            let shift = &line[at + line[at..].find('[').expect("a shift")..];
            let offset = self.arenas[&source(line)] + self.constants[&name(shift)];
            let buffer = self.buffer(name(line), bytes(line), Some(offset));
            self.push(Action::Discard(buffer));
        } else if line.contains("memref.reinterpret_cast") {
            let offset = self.arenas[&source(line)];
            let buffer = self.buffer(name(line), bytes(line), Some(offset));
            self.push(Action::Discard(buffer));
        } else if line.contains("memref.alloc()") {
            let buffer = self.buffer(name(line), bytes(line), None);
            self.push(Action::Discard(buffer));
        } else if let Some(at) = line.find("memref.load") {
            if let Some(buffer) = self.known(&line[at..]) {
                self.push(Action::Read(buffer));
            }
        } else if let Some(at) = line.find("memref.subview") {
            let of = self.known(&line[at..]).expect("a buffer");
            self.buffers.insert(name(line), of);
        } else if ["memref.store", "vector.store", "linalg.fill"]
            .iter()
            .any(|start| line.starts_with(start))
        {
            let place = match line.find("outs(") {
                Some(at) => at,
                None => line.find(',').expect("two operands"),
            };
            let buffer = self.known(&line[place..]).expect("a buffer");
            let extent = match line.contains("{whole}") {
                true => Extent::Whole,
                false => Extent::Part,
            };
            self.push(Action::Write(buffer, extent));
        } else if is_barrier(line) {
            self.push(Action::Barrier);
        } else if line.contains("call @") {
            let buffer = line.contains('%').then(|| self.known(line));
            for step in self.callees[&symbol(line)].clone() {
                let buffer = || buffer.flatten().expect("a buffer");
                self.push(match step {
                    Step::Read => Action::Read(buffer()),
                    Step::Write => Action::Write(buffer(), Extent::Part),
                    Step::Barrier => Action::Barrier,
                });
            }
        } else if line.contains("nvgpu.") {
            self.asynchronous(line);
        } else {
            self.control(line);
        }
    }

    fn asynchronous(&mut self, line: &str) {
        let group = GroupId::new(self.groups.len());
        if let Some(at) = line.find("nvgpu.device_async_copy") {
            let target = &line[at + line[at..].find(',').expect("a target")..];
            let buffer = self.known(target).expect("a buffer");
            self.groups.insert(name(line), group);
            self.push(Action::Copy(AsyncCopy {
                group,
                reads: Vec::new(),
                writes: vec![(buffer, Extent::Part)],
            }));
        } else if let Some(at) = line.find("nvgpu.device_async_create_group") {
            let of = line[at..]
                .contains('%')
                .then(|| self.groups[&name(&line[at..])]);
            self.groups.insert(name(line), of.unwrap_or(group));
            self.push(Action::Commit);
        } else if let Some((_, newest)) = line.split_once("numGroups = ") {
            let newest = newest.split_whitespace().next().expect("a number");
            let newest = newest.parse().expect("a number");
            self.push(Action::Wait(Wait::AllButNewest(newest)));
        } else {
            // The group of the copy that was started last, and of all before it.
            self.push(Action::Wait(Wait::AllButNewest(0)));
        }
    }

    fn control(&mut self, line: &str) {
        let is_loop = line.starts_with("scf.for");
        let starts_at_thread = ["= %t to", "= %thread_id_x"];
        // Loops over all threads have other statements.
        let is_forall = line.starts_with("scf.forall") && !line.contains("in (8)");
        if is_forall || is_loop && starts_at_thread.iter().any(|text| line.contains(text)) {
            self.frames.push(Frame {
                choice: self.at,
                then: None,
                is_loop,
                is_divergent: false,
                is_collective: true,
            });
        } else if is_loop {
            let header = self.block();
            self.kernel.add_edge(self.at, header);
            self.at = self.block();
            self.kernel.add_edge(header, self.at);
            self.frames.push(Frame {
                choice: header,
                then: None,
                is_loop,
                is_divergent: false,
                is_collective: false,
            });
        } else if line.starts_with("scf.if") || line.starts_with("scf.forall") {
            let choice = self.at;
            self.at = self.block();
            self.kernel.add_edge(choice, self.at);
            self.frames.push(Frame {
                choice,
                then: None,
                is_loop,
                is_divergent: line.starts_with("scf.forall"),
                is_collective: false,
            });
        } else if line == "} else {" {
            let other = self.block();
            let end = std::mem::replace(&mut self.at, other);
            let frame = self.frames.last_mut().expect("a branch");
            frame.then = Some(end);
            self.kernel.add_edge(frame.choice, other);
        } else if line.starts_with('}') {
            self.close(line);
        }
    }

    fn close(&mut self, line: &str) {
        let Some(frame) = self.frames.pop().filter(|frame| !frame.is_collective) else {
            return;
        };
        if line.contains("divergent") || frame.is_divergent {
            self.kernel.blocks[frame.choice].branch = Branch::Divergent;
        }
        let after = self.block();
        match (frame.is_loop, frame.then) {
            (true, _) => {
                self.kernel.add_edge(self.at, frame.choice);
                self.kernel.add_edge(frame.choice, after);
            }
            (false, Some(then)) => {
                self.kernel.add_edge(then, after);
                self.kernel.add_edge(self.at, after);
            }
            (false, None) => {
                self.kernel.add_edge(frame.choice, after);
                self.kernel.add_edge(self.at, after);
            }
        }
        self.at = after;
    }
}
