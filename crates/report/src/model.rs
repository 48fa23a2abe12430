//! The report as plain data. Field names and their order are the file format.

use crate::{OrderReport, RegionsReport, bounds, load};
use serde::{Deserialize, Serialize};

/// Everything that one run planned. Functions stand in the order of the module.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Report {
    /// Version of the format: [`Report::VERSION`].
    pub version: u32,
    /// One entry a function.
    pub functions: Vec<FunctionReport>,
}

/// What was planned in one function, and what was left alone.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
pub struct FunctionReport {
    /// Symbol name, without the `@`.
    pub name: String,
    /// One entry for each arena: a scope and a memory space.
    pub scopes: Vec<ScopeReport>,
    /// Allocations that were not planned.
    pub skipped: Vec<Skipped>,
    /// Where it is a bounded program on one stack, what layouts of it cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounded: Option<BoundedReport>,
    /// Where its memory goes to regions, to which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regions: Option<RegionsReport>,
    /// Where orders of operations were looked for, what became of each block.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<OrderReport>,
    /// How often memplan's passes have read the function, where that is counted: those before this one, and those after it
    /// that the same pass manager runs. Where no operation was asked about, that is none. `memplan-verify` reads for
    /// itself, and is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub functions_read: Option<u32>,
}

/// A bounded program: how large it is, and what layouts on one stack cost. Sizes are rounded up to
/// `alignment`, the strictest of all.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Default)]
pub struct BoundedReport {
    /// How large it becomes, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<SizeReport>,
    /// Its layouts, where these were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<LayoutReport>,
}

/// How large a bounded program becomes. Numbers may be of any size, so they are texts.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Default)]
pub struct SizeReport {
    /// Its loops: where each is, and how often it turns each time; none where that depends on a loop around.
    pub loops: Vec<(String, Option<u64>)>,
    /// Operations as they are.
    pub operations: u64,
    /// Operations with all loops written out.
    pub expanded: String,
    /// Operations with what follows branches duplicated, too.
    pub tree: String,
    /// Paths.
    pub paths: String,
}

/// What layouts on one stack cost.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Default)]
pub struct LayoutReport {
    /// `plain`, `scan` or `defrag`.
    pub mode: String,
    /// `first`, `best` or `planner`.
    pub fit: String,
    /// `buffers`, or `all` values.
    pub values: String,
    /// The code was not duplicated: paths were followed through the program as it is.
    #[serde(rename = "virtual", default)]
    pub is_virtual: bool,
    /// Where the stack is: `alloc`, `alloca` or `arg`; empty where the program was left as it is.
    pub stack: String,
    /// The strictest alignment.
    pub alignment: u64,
    /// The most bytes that are live at once on any path.
    pub max_live_bytes: u64,
    /// The stack, as it was asked for.
    pub peak_bytes: u64,
    /// The stack without sharing.
    pub plain_bytes: u64,
    /// The stack without moves, placed as `fit` says; none if paths do not agree on one layout.
    pub scan_bytes: Option<u64>,
    /// The stack without moves, by the planner; none if there is no one place for each allocation.
    pub planner_bytes: Option<u64>,
    /// The stack with moves; none where these were not looked at, or find no room. What is live at once, if
    /// nothing is pinned.
    pub defrag_bytes: Option<u64>,
    /// Buffers that stay where they are placed, as their address is taken or what they are is not known
    /// everywhere; these may keep the stack above what is live at once.
    #[serde(default, skip_serializing_if = "is_none")]
    pub pinned: u64,
    /// The best plan without moves of the program before what follows branches was duplicated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_tree_bytes: Option<u64>,
    /// Operations before that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations_before_tree: Option<u64>,
    /// Operations.
    pub operations: u64,
    /// How often something is moved to make room, the most over all paths; the same for the two that follow.
    pub defragmentations: u64,
    /// Values moved.
    pub moves: u64,
    /// Bytes moved.
    pub moved_bytes: u64,
    /// How many paths there are; 2^64 - 1 stands for more, too.
    pub path_count: u64,
    /// How many paths there are, whatever that number is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub all_paths: String,
    /// What each path costs, in the order of the text; the first thousand. None where the code was not
    /// duplicated and there are more than that.
    pub paths: Vec<PathReport>,
    /// The stack against the most bytes that a path moves: from none, descending, to as many as it takes.
    pub curve: Vec<CurvePoint>,
}

/// What a path costs.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PathReport {
    /// The most bytes that are live at once.
    pub max_live_bytes: u64,
    /// One past the last byte that is used.
    pub peak_bytes: u64,
    /// How often something is moved to make room.
    pub defragmentations: u64,
    /// Values moved.
    pub moves: u64,
    /// Bytes moved.
    pub moved_bytes: u64,
}

/// A stack of that size can be had for that many bytes moved.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurvePoint {
    /// Bytes of the stack.
    pub peak_bytes: u64,
    /// The most bytes that a path moves.
    pub moved_bytes: u64,
}

/// The plan of one arena.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct ScopeReport {
    /// What the scope is: `function`, or the op whose body it is; empty where the buffers are not
    /// from a program.
    pub kind: String,
    /// Where the scope is.
    pub location: String,
    /// Where the arena lives: `alloc`, `alloca`, `global`, `arg`, or `hoisted` into one of the scope
    /// around; empty where nobody knows, as in reports from before it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub arena: String,
    /// Memory space as MLIR prints it; empty for the default one.
    pub memory_space: String,
    /// Which planner found the plan; empty where nobody knows.
    pub planner: String,
    /// Whether `planned_bytes` equals `lower_bound_bytes`.
    pub optimal: bool,
    /// Sum of the sizes, each rounded up to its alignment, as separate allocations would be.
    pub naive_bytes: u64,
    /// The largest sum of sizes live at one point.
    pub load_bytes: u64,
    /// The best lower bound proven; at least the load.
    pub lower_bound_bytes: u64,
    /// The kind of the certificate of `lower_bound_bytes`: `load`, `alignment`, `end` (of one
    /// buffer), `search` or `nothing`; empty where nobody knows, as in reports from before it.
    #[serde(default)]
    pub lower_bound_proof: String,
    /// The largest sum of sizes that one operation touches, what is joined in place counted once: no order of the
    /// same operations can do with less. Not there where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op_floor_bytes: Option<u64>,
    /// Size of the arena.
    pub planned_bytes: u64,
    /// Alignment of the arena.
    pub alignment: u64,
    /// The buffers in the arena.
    pub buffers: Vec<BufferReport>,
    /// Behind `planned_bytes`: what buffers share whose size only the run knows. The numbers above
    /// say nothing of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<SlotReport>,
}

/// Bytes that buffers share whose size only the run knows.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct SlotReport {
    /// Its size: the largest of these. Numbers of bytes times dimensions `d0`, `d1`, ...; what
    /// has the same name is equal.
    pub size: Vec<String>,
    /// Alignment of its start.
    pub alignment: u64,
    /// What lies in it.
    pub buffers: Vec<SlotBufferReport>,
}

/// One buffer of a slot.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct SlotBufferReport {
    /// Unique in its scope.
    pub id: u64,
    /// Where the allocation was.
    pub location: String,
    /// Type as MLIR prints it.
    #[serde(rename = "type")]
    pub ty: String,
    /// Half-open ranges of positions, ascending and apart from each other.
    pub live: Vec<(u64, u64)>,
}

/// One buffer and its place in the arena.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct BufferReport {
    /// Unique in its scope.
    pub id: u64,
    /// Where the allocation was.
    pub location: String,
    /// Type as MLIR prints it; empty where the buffer is not from a program.
    #[serde(rename = "type")]
    pub ty: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment that the offset keeps.
    pub alignment: u64,
    /// First byte in the arena.
    pub offset: u64,
    /// Half-open ranges of positions, ascending and apart from each other.
    pub live: Vec<(u64, u64)>,
    /// Id of the buffer whose bytes these are, where the two were joined.
    pub in_place_with: Option<u64>,
    /// Set where it is no allocation of the program but the arena of something else: of a `callee`
    /// that it is lent to, or of the `turns` of a body that runs in parallel.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub arena_of: String,
    /// Id of the buffer that this one is again, of the same size: the copy of its allocation on another
    /// path, or a place that it moves to. It counts for nothing by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<u64>,
}

/// An allocation that was left alone.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Skipped {
    /// Where it is.
    pub location: String,
    /// Type as MLIR prints it.
    #[serde(rename = "type")]
    pub ty: String,
    /// Why, in one word: `dynamic-size`, `returned`, ...
    pub reason: String,
}

impl ScopeReport {
    /// Whether the buffers are those of a program.
    #[must_use]
    pub fn of_program(&self) -> bool {
        !self.kind.is_empty()
    }

    /// The same with naive, load, the best bound that the buffers alone give, and whether it is reached.
    #[must_use]
    pub fn with_sums(mut self) -> Self {
        let blocks = load::blocks(&self);
        self.load_bytes = load::peak(&load::curve(&blocks)).map_or(0, |peak| peak.load);
        let counted = self
            .buffers
            .iter()
            .filter(|buffer| buffer.same_as.is_none());
        self.naive_bytes = counted
            .map(|buffer| buffer.size.next_multiple_of(buffer.alignment))
            .sum();
        let aligned = bounds::by_alignment(&blocks);
        let (bound, proof) = match aligned > self.load_bytes {
            true => (aligned, "alignment"),
            false => (self.load_bytes, "load"),
        };
        self.lower_bound_bytes = bound;
        proof.clone_into(&mut self.lower_bound_proof);
        self.optimal = bound == self.planned_bytes;
        self
    }
}

impl Report {
    /// The version that this crate writes and reads.
    pub const VERSION: u32 = 1;

    /// A report over `functions`, of the current version.
    pub fn new(functions: Vec<FunctionReport>) -> Self {
        Self {
            version: Self::VERSION,
            functions,
        }
    }

    /// The documents of one file as one report: all functions, in order.
    pub fn merge(reports: impl IntoIterator<Item = Report>) -> Self {
        Self::new(
            reports
                .into_iter()
                .flat_map(|report| report.functions)
                .collect(),
        )
    }
}

impl Default for Report {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_none(count: &u64) -> bool {
    *count == 0
}
