//! The report as plain data. Field names and their order are the file format.

use crate::{
    ChainReport, CostReport, ExplainedReport, OrderReport, PeakReport, RegionsReport, bounds, load,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Everything that one run planned. Functions are in the order of the module.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub struct Report {
    /// Version of the format: 1.
    pub version: u32,
    /// One entry for each function.
    pub functions: Vec<FunctionReport>,
    /// The modules that these functions are in, where there are several: those of `--split-input-file`, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chunks: Vec<ChunkReport>,
}

/// A module of several.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ChunkReport {
    /// The place of its first function in `functions`.
    pub first: u64,
    /// The number of its functions.
    pub functions: u64,
}

/// What was planned in one function, and what was left alone.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Default)]
pub struct FunctionReport {
    /// Symbol name, without the `@`.
    pub name: String,
    /// One entry for each arena: a scope and a memory space.
    pub scopes: Vec<ScopeReport>,
    /// Allocations that were not planned.
    pub skipped: Vec<Skipped>,
    /// The program that the numbers are of: load, bounds, `optimal`, names and lines. Absent where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
    /// The size and the layouts of a bounded program on one stack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounded: Option<BoundedReport>,
    /// The regions that its allocations go to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regions: Option<RegionsReport>,
    /// The blocks that `memplan-reorder` looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<OrderReport>,
    /// The chains of operations that `memplan-split` made strips of, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<ChainReport>,
    /// The dynamic dimensions of its arguments, in order, and other numbers that sizes depend on. Empty where no planned
    /// size is dynamic.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dimensions: Vec<DimensionReport>,
    /// How often memplan's passes have read the function: those before this one, and later ones of the same pass
    /// manager. Absent where the passes ask about no operation. `memplan-verify` is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub functions_read: Option<u32>,
    /// The most bytes of arenas that are held at one moment of a call. Absent where each scope has one arena in a memory
    /// space: it is the sum of theirs then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_bytes: Option<u64>,
    /// A lower bound of `planned_bytes`. Absent where that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower_bound_bytes: Option<u64>,
    /// The most bytes of the heap that a call holds at one moment: arenas, results, and what is left alone; callees are not
    /// counted. Absent where only arenas are held, and where sizes are known only at run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap_bytes: Option<u64>,
    /// A lower bound of `heap_bytes`, for this order of the operations. Absent where that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap_lower_bound_bytes: Option<u64>,
    /// What its buffers cost in the memory spaces of a machine, as `memplan-assign-spaces` assigned them. Absent where it did
    /// not, and in reports of `memplan` unless `points` asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<CostReport>,
    /// What other options would give, with `memplan{explain=true}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explained: Option<ExplainedReport>,
}

/// The program that a plan is of.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// The one that the first pass of memplan received.
    Given,
    /// One that passes of memplan made of it before it was planned: with strips, without copies, in another order.
    Rewritten,
}

/// A bounded program: how large it is, and what layouts on one stack cost. In layouts with moves, sizes are rounded
/// up to `alignment`, the strictest of all.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct BoundedReport {
    /// How large it becomes once it is expanded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<SizeReport>,
    /// Its layout on one stack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<LayoutReport>,
}

/// How large a bounded program becomes. Numbers may be of any size, so they are texts.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct SizeReport {
    /// Its loops: the location, and the trip count; null where the count depends on a loop around.
    pub loops: Vec<(String, Option<u64>)>,
    /// The number of its operations.
    pub operations: u64,
    /// The number of operations once all loops are unrolled.
    pub expanded: String,
    /// The number of operations once code after branches is duplicated, too.
    pub tree: String,
    /// The number of paths.
    pub paths: String,
}

/// What layouts on one stack cost.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct LayoutReport {
    /// `plain`, `scan` or `defrag`.
    pub mode: String,
    /// `first`, `best` or `planner`.
    pub fit: String,
    /// `buffers`, or `all` values.
    pub values: String,
    /// Whether paths were followed through the program as it is, without duplicating code.
    #[serde(rename = "virtual", default)]
    pub is_virtual: bool,
    /// Where the stack lives: `alloc`, `alloca` or `arg`; empty where the program was not rewritten.
    pub stack: String,
    /// The strictest alignment.
    pub alignment: u64,
    /// The most bytes that are live at once on any path.
    pub max_live_bytes: u64,
    /// The same with sizes rounded up to `alignment`; absent where that is as many. A layout with moves needs no more,
    /// if nothing is pinned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounded_live_bytes: Option<u64>,
    /// The size of the stack with the mode and the fit of this layout.
    pub peak_bytes: u64,
    /// The size of the stack where no buffers share bytes.
    pub plain_bytes: u64,
    /// The size of the stack without moves, with this `fit`; null if paths do not agree on one layout.
    pub scan_bytes: Option<u64>,
    /// The size of the stack without moves, by the planner; null if some allocation has no single offset.
    pub planner_bytes: Option<u64>,
    /// The size of the stack with moves: at most the rounded bytes live at once, if nothing is pinned. Null where moves were
    /// not considered or find no free bytes.
    pub defrag_bytes: Option<u64>,
    /// The number of buffers that cannot move, as their address is taken or is not known everywhere. They may keep
    /// the stack above the most bytes live at once.
    #[serde(default, skip_serializing_if = "is_none")]
    pub pinned: u64,
    /// The size of the best stack without moves, before code after branches was duplicated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_tree_bytes: Option<u64>,
    /// The number of operations before code after branches was duplicated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations_before_tree: Option<u64>,
    /// The number of operations.
    pub operations: u64,
    /// How often values are moved to make room, the most over all paths.
    pub defragmentations: u64,
    /// The number of values moved, the most over all paths.
    pub moves: u64,
    /// The number of bytes moved, the most over all paths.
    pub moved_bytes: u64,
    /// The number of paths, at most 2^64 - 1.
    pub path_count: u64,
    /// The exact number of paths, as a decimal text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub all_paths: String,
    /// The cost of the first thousand paths, in program order; empty where code was not duplicated and there are more
    /// paths.
    pub paths: Vec<PathReport>,
    /// The size of the stack against the most bytes that a path moves, from no moves on.
    pub curve: Vec<CurvePoint>,
}

/// What a path costs.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PathReport {
    /// The most bytes that are live at once.
    pub max_live_bytes: u64,
    /// One past the last byte that is used.
    pub peak_bytes: u64,
    /// How often values are moved to make room.
    pub defragmentations: u64,
    /// The number of values moved.
    pub moves: u64,
    /// The number of bytes moved.
    pub moved_bytes: u64,
}

/// A stack of that size can be had for that many bytes moved.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurvePoint {
    /// The size of the stack.
    pub peak_bytes: u64,
    /// The most bytes that a path moves.
    pub moved_bytes: u64,
}

/// The plan of one arena.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub struct ScopeReport {
    /// `function`, `workgroup` for a kernel, or the name of the operation whose body the scope is; empty where the buffers are not from a
    /// program.
    pub kind: String,
    /// The location of the scope.
    pub location: String,
    /// Where the arena lives: `alloc`, `alloca`, `global`, `arg`, `attribution` of a GPU function, or `hoisted` into an arena
    /// of the scope around.
    /// Empty in older reports.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub arena: String,
    /// Memory space as MLIR prints it; empty for the default one.
    pub memory_space: String,
    /// The planner whose plan was taken; empty where it is not known.
    pub planner: String,
    /// Whether `planned_bytes` equals `lower_bound_bytes`: whether no plan of this program is smaller. The program is the
    /// input of the pass: `program` of the function says whether passes before it rewrote the given one.
    pub optimal: bool,
    /// Sum of the sizes, each rounded up to its alignment, as separate allocations would be.
    pub naive_bytes: u64,
    /// The largest sum of sizes live at one point of the program that the pass got, as in `optimal`.
    pub load_bytes: u64,
    /// The best lower bound proven; at least the load.
    pub lower_bound_bytes: u64,
    /// The kind of the certificate of `lower_bound_bytes`: `load`, `alignment`, `clique`, `end` (of one buffer),
    /// `search`, `distances`, `banks` or `nothing`. Empty in older reports.
    #[serde(default)]
    pub lower_bound_proof: String,
    /// With slots, the arena never takes less than the largest of these, such as `16*d0*d1 + 64`: sums of sizes that are live
    /// at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lower_bound_sizes: Vec<String>,
    /// The largest sum of sizes that one operation touches; buffers that share bytes in place count once. No order of
    /// the same operations needs less. Absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op_floor_bytes: Option<u64>,
    /// Size of the arena.
    pub planned_bytes: u64,
    /// Alignment of the arena.
    pub alignment: u64,
    /// The positions at which the arena is held, half-open, where its scope has several arenas in its memory space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<(u64, u64)>,
    /// Whether each iteration of a loop that has all of its uses allocates the arena.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub each_iteration: bool,
    /// The time in the text that is position 0 here, where the buffers are from a CSV with negative times: pictures show
    /// times as the text does. Absent where it is 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub first_time: i64,
    /// Addresses that no buffer may use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<ExcludedReport>,
    /// Where the banks of the memory space are, if it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banks: Option<BanksReport>,
    /// The buffers in the arena.
    pub buffers: Vec<BufferReport>,
    /// Slots that buffers of dynamic size share, after the `planned_bytes`. The sizes above do not count them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<SlotReport>,
    /// The operation at the peak of the load, and why buffers are live there. Absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak: Option<PeakReport>,
}

impl ExcludedReport {
    /// What the addresses are, for people: `@NAME`, or that they are excluded.
    pub fn name(&self) -> String {
        match self.state.as_str() {
            "" => "excluded".to_owned(),
            name => format!("@{name}"),
        }
    }
}

/// Addresses of an arena that no buffer may use.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
pub struct ExcludedReport {
    /// The first one.
    pub start: u64,
    /// The first one after them.
    pub end: u64,
    /// The name of the global whose bytes they are; empty where an option excludes them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub state: String,
}

/// The banks of a memory space, by address.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
#[serde(untagged)]
pub enum BanksReport {
    /// The addresses of each, half-open, in order.
    Contiguous {
        /// The ranges.
        ranges: Vec<(u64, u64)>,
    },
    /// Banks that alternate from address 0 on.
    Interleaved {
        /// How many there are.
        count: u32,
        /// Consecutive bytes in one bank.
        width: u64,
    },
}

impl BanksReport {
    /// The addresses of contiguous banks.
    pub fn ranges(&self) -> &[(u64, u64)] {
        match self {
            Self::Contiguous { ranges } => ranges,
            Self::Interleaved { .. } => &[],
        }
    }

    /// The banks that bytes from an offset on are in; interleaved ones from that of the first byte on.
    pub fn touched(&self, offset: u64, size: u64) -> Vec<u64> {
        let Some(last) = size.checked_sub(1).map(|size| offset.saturating_add(size)) else {
            return Vec::new();
        };
        match self {
            Self::Contiguous { ranges } => {
                let numbered = (0..).zip(ranges);
                let touched = numbered.filter(|(_, (start, end))| *start <= last && offset < *end);
                touched.map(|(number, _)| number).collect()
            }
            Self::Interleaved { count, width } => {
                let (count, width) = (u64::from(*count).max(1), (*width).max(1));
                let strips = (last / width - offset / width + 1).min(count);
                (0..strips)
                    .map(|next| (offset / width + next) % count)
                    .collect()
            }
        }
    }
}

/// A number that sizes depend on.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default, PartialEq, Eq)]
pub struct DimensionReport {
    /// Its name in sizes: `d0`, `d1`, and so on.
    pub name: String,
    /// The number of the function's argument that it is, or whose dimension it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument: Option<u64>,
    /// The dimension of that argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<u64>,
    /// Where it is computed, if it is no argument and no dimension of one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub location: String,
    /// Its least and its largest value, if these are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<(i64, i64)>,
}

/// Bytes that buffers of dynamic size share.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub struct SlotReport {
    /// Its size is the largest of these: products of a number of bytes and dimensions `d0`, `d1`, …, or sums of such products;
    /// equal names are equal dimensions.
    pub size: Vec<String>,
    /// Offsets and sizes in the slot are multiples of these bytes, such as `4*d0`, and these are rounded up to the
    /// alignment at run time. Left out where nothing is rounded up so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Alignment of its start.
    pub alignment: u64,
    /// The buffers in the slot.
    pub buffers: Vec<SlotBufferReport>,
    /// Other orders of the buffers. A run takes the first of those that take least, that of `size` and `inside` or one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_orders: Vec<SlotOrderReport>,
}

/// The places of the buffers of a slot in another order.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub struct SlotOrderReport {
    /// The size of the slot is the largest of these.
    pub size: Vec<String>,
    /// The place of each buffer of the slot.
    pub buffers: Vec<InsideReport>,
}

/// One buffer of a slot.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub struct SlotBufferReport {
    /// The number of the buffer, unique in its scope.
    pub id: u64,
    /// The location of the allocation.
    pub location: String,
    /// The type as MLIR prints it.
    #[serde(rename = "type")]
    pub ty: String,
    /// The live range: half-open intervals of positions in program order, ascending and disjoint.
    pub live: Vec<(u64, u64)>,
    /// Bytes of the buffer, such as `512*d0`. Left out where `inside` has them, and where they are the size of the slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
    /// The alignment of the buffer. Left out where it is that of the slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alignment: Option<u64>,
    /// Where it is in the slot, and its size, such as `512*d0`, without the rounding up to the alignment. Left out
    /// where each buffer begins where the slot begins, and none are there at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<InsideReport>,
    /// `callee` where it is the arena of a callee and no allocation of the program.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub arena_of: String,
}

/// The place of a buffer in a slot.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub struct InsideReport {
    /// Bytes from the start of the slot: a sum of products, or `max(…, …)` of such sums.
    pub offset: String,
    /// Bytes of the buffer.
    pub size: String,
    /// The ids of the buffers that it begins above: at the largest of their ends, rounded up to its alignment. Left out
    /// where it begins at the start of the slot, and where offsets are multiples of one size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<u64>,
}

/// One buffer and its place in the arena.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub struct BufferReport {
    /// The number of the buffer, unique in its scope.
    pub id: u64,
    /// The location of the allocation.
    pub location: String,
    /// The type as MLIR prints it; empty where the buffer is not from a program.
    #[serde(rename = "type")]
    pub ty: String,
    /// Size in bytes.
    pub size: u64,
    /// The alignment of the offset, in bytes.
    pub alignment: u64,
    /// The first byte in the arena.
    pub offset: u64,
    /// The live range: half-open intervals of positions in program order, ascending and disjoint. Between two of them
    /// the buffer uses no bytes, or those of `windows`.
    pub live: Vec<(u64, u64)>,
    /// The times at which the buffer uses only some of its bytes: ascending, disjoint, and outside of `live`. Absent
    /// where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<WindowReport>,
    /// The id of the buffer whose bytes this one takes over in place; null where it has bytes of its own.
    pub in_place_with: Option<u64>,
    /// Set where the buffer is another arena and no allocation of the program: `callee`, the arena of a callee, or
    /// `turns`, the arenas of the iterations of a parallel body.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub arena_of: String,
    /// The id of the buffer that this one duplicates, with the same size: the same allocation on another path, or a
    /// place that it moves to. It is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<u64>,
}

/// A time at which a buffer uses only some of its bytes.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowReport {
    /// The time: a half-open interval of positions.
    pub during: (u64, u64),
    /// The bytes in use: a half-open interval, counted from the start of the buffer.
    pub bytes: (u64, u64),
}

/// An allocation that was left alone.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub struct Skipped {
    /// The location of the allocation.
    pub location: String,
    /// The type as MLIR prints it.
    #[serde(rename = "type")]
    pub ty: String,
    /// The id of the reason, such as `dynamic-size` or `returned`: a topic of `memplan help`.
    pub reason: String,
    /// The id of the allocation, where it is left alone by choice: a run that takes the plan leaves it alone as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// `callee` where it is the arena of a callee and no allocation of the program.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub arena_of: String,
}

impl ScopeReport {
    /// The bytes of all that is in the arena, each for itself: the naive bytes, and those of state.
    pub fn separate_bytes(&self) -> u64 {
        let state = self.excluded.iter().filter(|range| !range.state.is_empty());
        let bytes = state.map(|range| range.end.saturating_sub(range.start));
        bytes.fold(self.naive_bytes, u64::saturating_add)
    }

    /// Whether the buffers are those of a program.
    #[must_use]
    pub fn of_program(&self) -> bool {
        !self.kind.is_empty()
    }

    /// A position as it is shown: the time of the text that the buffers are from.
    #[must_use]
    pub fn time(&self, position: u64) -> i128 {
        // No later than what readers of JSON take.
        (i128::from(position) + i128::from(self.first_time)).min(u64::MAX.into())
    }

    /// A range of positions as it is shown.
    pub(crate) fn times(&self, (start, end): (u64, u64)) -> (i128, i128) {
        (self.time(start), self.time(end))
    }

    /// Ranges of positions as they are shown.
    pub(crate) fn all_times(&self, ranges: &[(u64, u64)]) -> Vec<(i128, i128)> {
        ranges.iter().map(|&range| self.times(range)).collect()
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
            chunks: Vec::new(),
        }
    }

    /// The documents of one file as one report: all functions, in order. Of several documents, each has one chunk or more.
    pub fn merge(reports: impl IntoIterator<Item = Report>) -> Self {
        let mut all = Self::default();
        for report in reports {
            let first = all.functions.len() as u64;
            match report.chunks.is_empty() {
                true => all.chunks.push(ChunkReport {
                    first,
                    functions: report.functions.len() as u64,
                }),
                false => all
                    .chunks
                    .extend(report.chunks.iter().map(|one| ChunkReport {
                        first: first + one.first,
                        ..*one
                    })),
            }
            all.functions.extend(report.functions);
        }
        if all.chunks.len() < 2 {
            all.chunks.clear();
        }
        all
    }
}

impl Default for Report {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_zero(time: &i64) -> bool {
    *time == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_none(count: &u64) -> bool {
    *count == 0
}
