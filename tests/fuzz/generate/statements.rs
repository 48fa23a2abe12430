//! The kinds of statements, and the simple ones.

use super::Aim;
use super::generator::Generator;
use super::types::Type;
use super::values::{Memref, Roots};

/// The maximum nesting depth of operations with regions.
const DEPTH: usize = 4;

/// The kinds of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Compute,
    Allocate,
    WriteWhole,
    WritePartly,
    Print,
    View,
    Select,
    Free,
    Scratch,
    If,
    For,
    While,
    Switch,
    Blocks,
    Parallel,
    FreePrevious,
    Async,
    Call,
    Recurse,
    FreeInCallee,
    ExternalRead,
    Escape,
    OwnershipTransfer,
    Jump,
    Dynamic,
    FreeBoth,
    LastUse,
    Composite,
    ComputedAnew,
    Rows,
    Copied,
    Diamond,
    Scalar,
    Assert,
    Chain,
    Donate,
    OutParam,
    ChainOfCalls,
}

/// The statements with their weights; the simplest first.
const KINDS: [(usize, Kind); 32] = [
    (14, Kind::Print),
    (22, Kind::Compute),
    (10, Kind::Allocate),
    (10, Kind::WriteWhole),
    (9, Kind::WritePartly),
    (10, Kind::View),
    (6, Kind::Select),
    (6, Kind::Free),
    (6, Kind::Scratch),
    (9, Kind::If),
    (12, Kind::For),
    (6, Kind::While),
    (4, Kind::Switch),
    (4, Kind::Blocks),
    (4, Kind::Parallel),
    (3, Kind::FreePrevious),
    (3, Kind::Async),
    (4, Kind::Call),
    (2, Kind::Recurse),
    (1, Kind::FreeInCallee),
    (1, Kind::ExternalRead),
    (4, Kind::Escape),
    (2, Kind::OwnershipTransfer),
    (1, Kind::Jump),
    (4, Kind::Dynamic),
    (3, Kind::FreeBoth),
    (4, Kind::LastUse),
    (4, Kind::Chain),
    (2, Kind::Donate),
    (3, Kind::OutParam),
    (3, Kind::ComputedAnew),
    (3, Kind::ChainOfCalls),
];

/// The same for programs that are deallocated: memory that is passed around.
const FREED: [(usize, Kind); 27] = [
    (10, Kind::Print),
    (10, Kind::Compute),
    (14, Kind::Allocate),
    (6, Kind::WriteWhole),
    (4, Kind::WritePartly),
    (10, Kind::View),
    (12, Kind::Select),
    (8, Kind::Free),
    (3, Kind::Scratch),
    (14, Kind::If),
    (16, Kind::For),
    (10, Kind::While),
    (6, Kind::Switch),
    (7, Kind::Blocks),
    (4, Kind::Parallel),
    (6, Kind::FreePrevious),
    (2, Kind::Async),
    (14, Kind::Call),
    (3, Kind::Recurse),
    (1, Kind::ExternalRead),
    (5, Kind::Escape),
    (6, Kind::OwnershipTransfer),
    (2, Kind::Jump),
    (4, Kind::Dynamic),
    (3, Kind::FreeBoth),
    (2, Kind::LastUse),
    (3, Kind::Chain),
];

/// The same for programs that are rewritten: values computed for a part of a buffer, or copied.
const REWRITTEN: [(usize, Kind); 34] = [
    (12, Kind::Print),
    (30, Kind::Composite),
    (10, Kind::ComputedAnew),
    (14, Kind::Copied),
    (8, Kind::Rows),
    (8, Kind::Diamond),
    (6, Kind::Scalar),
    (3, Kind::Assert),
    (12, Kind::Compute),
    (4, Kind::Allocate),
    (5, Kind::WriteWhole),
    (5, Kind::WritePartly),
    (6, Kind::View),
    (2, Kind::Select),
    (4, Kind::Free),
    (2, Kind::Scratch),
    (9, Kind::If),
    (10, Kind::For),
    (2, Kind::While),
    (2, Kind::Switch),
    (3, Kind::Blocks),
    (3, Kind::Parallel),
    (2, Kind::Async),
    (6, Kind::Call),
    (2, Kind::ExternalRead),
    (2, Kind::Escape),
    (1, Kind::OwnershipTransfer),
    (1, Kind::Jump),
    (1, Kind::Dynamic),
    (4, Kind::LastUse),
    (2, Kind::Chain),
    (6, Kind::Donate),
    (8, Kind::OutParam),
    (8, Kind::ChainOfCalls),
];

impl Generator {
    /// A statement; a simple one where the chosen kind is not possible.
    pub fn statement(&mut self) {
        let kind = match self.aim {
            Aim::Merge => self.choices.weighted(&KINDS),
            Aim::Free => self.choices.weighted(&FREED),
            Aim::Rewrite | Aim::Split => self.choices.weighted(&REWRITTEN),
        };
        let nests = self.body.depth < DEPTH;
        let alone = self.body.parallel == 0;
        match kind {
            Kind::Compute => self.compute(),
            Kind::Allocate => self.allocation(),
            Kind::WriteWhole => self.overwrite(),
            Kind::WritePartly => {
                if let Some(memref) = self.find(|memref| memref.written && !memref.shared) {
                    self.write_partly(&memref);
                }
            }
            Kind::Print => {
                if let Some(memref) = self.find(|memref| memref.written) {
                    self.print(&memref);
                }
            }
            Kind::View => self.view(),
            Kind::Select => self.select(),
            Kind::Free => self.free_one(),
            Kind::Scratch if nests => self.scratch(),
            Kind::If if nests => self.branch(),
            Kind::For if nests => self.for_loop(),
            Kind::While if nests => self.while_loop(),
            Kind::Switch if nests => self.switch(),
            Kind::Blocks if nests => self.execute_region(),
            Kind::Parallel if nests => self.parallel(),
            Kind::FreePrevious if nests => self.free_previous(),
            // Upstream lowers it in straight-line code only.
            Kind::Async if self.body.depth == 0 && self.body.loops == 0 => self.asynchronous(),
            Kind::Call if self.helpers < 2 => self.call(),
            Kind::Recurse if self.helpers < 2 => self.recurse(),
            Kind::Donate if self.helpers < 2 => self.donate(),
            Kind::OutParam if self.helpers < 2 => self.out_param(),
            Kind::ChainOfCalls if self.helpers < 2 => self.chain_of_calls(),
            Kind::FreeInCallee if alone => self.free_in_callee(),
            Kind::ExternalRead => self.external_read(),
            Kind::Escape if alone => self.escape(),
            Kind::OwnershipTransfer if alone && self.helpers < 2 => self.transfer_ownership(),
            Kind::Jump => self.jump(),
            Kind::Dynamic if nests => self.dynamic(),
            Kind::FreeBoth => self.free_both(),
            Kind::LastUse => self.last_use(),
            Kind::Composite => self.composite(),
            Kind::ComputedAnew => self.computed_anew(),
            Kind::Rows if nests => self.rows(),
            Kind::Copied => self.copied(),
            Kind::Diamond => self.diamond(),
            Kind::Scalar => self.scalar(),
            Kind::Assert => self.assertion(),
            Kind::Chain if nests => self.else_if(),
            _ => self.compute(),
        }
    }

    /// A new buffer, written now or later.
    fn allocation(&mut self) {
        let r#type = self.any_type();
        let memref = self.allocate(&r#type);
        if self.choices.chance(25) {
            self.feature("allocated long before it is written");
        } else {
            self.write_whole(&memref);
            self.set_written(&memref);
        }
    }

    /// Overwrites a memref in scope: its contents end, or begin.
    fn overwrite(&mut self) {
        let unwritten = self.choices.chance(50);
        let Some(memref) = self.find(|memref| !memref.shared && (!memref.written || !unwritten))
        else {
            return;
        };
        if memref.written {
            self.feature("overwritten whole");
        }
        self.write_whole(&memref);
        self.set_written(&memref);
    }

    /// Memory from outside a loop that each iteration overwrites before it reads it: sometimes completely, sometimes
    /// only apparently.
    fn scratch(&mut self) {
        self.feature("scratch memory of a loop");
        let r#type = self.a_type();
        let memref = self.allocate(&r#type);
        let partly = self.choices.chance(30);
        if partly {
            self.write_whole(&memref);
            self.set_written(&memref);
        }
        let input = self.readable(&r#type);
        let before = self.open_loop();
        if partly {
            self.write_partly(&memref);
        } else {
            self.write_whole(&memref);
            self.set_written(&memref);
        }
        self.print(&memref);
        if input.name != memref.name {
            self.print(&input);
        }
        self.block(4);
        self.close_loop(before);
        self.line("}");
    }

    /// Frees a buffer that the innermost region owns.
    fn free_one(&mut self) {
        if self.frees == 0 {
            return;
        }
        let candidates: Vec<usize> = (0..self.body.env.len())
            .filter(|at| self.owns(&self.body.env[*at]))
            .collect();
        if candidates.is_empty() {
            return;
        }
        let at = candidates[self.choices.below(candidates.len())];
        let memref = self.body.env[at].clone();
        if memref.roots.known.len() > 1 {
            self.feature("freed, one of several");
        }
        self.free(&memref);
    }

    /// Frees two buffers, each through a select that may be either of them: both deallocations are removed, or neither.
    fn free_both(&mut self) {
        let own: Vec<Memref> = self
            .body
            .env
            .iter()
            .filter(|memref| self.owns(memref) && memref.written && memref.roots.known.len() == 1)
            .cloned()
            .collect();
        if self.frees == 0 || own.is_empty() {
            return;
        }
        let first = own[self.choices.below(own.len())].clone();
        let fits: Vec<Memref> = own
            .into_iter()
            .filter(|other| other.r#type == first.r#type && !other.roots.overlap(&first.roots))
            .collect();
        let second = match fits.len() {
            0 => self.allocate_plain(&first.r#type),
            count => fits[self.choices.below(count)].clone(),
        };
        self.feature("two are freed, each by a select");
        if self.body.parallel == 0 && self.choices.chance(50) {
            // One of the two is left alone, so the other one must be as well.
            let pinned = if self.choices.chance(50) {
                &first
            } else {
                &second
            };
            let pointer = self.value(format!(
                "memref.extract_aligned_pointer_as_index {} : {} -> index",
                pinned.name, pinned.r#type
            ));
            self.value(format!("arith.muli {pointer}, %c0 : index"));
        }
        let condition = self.condition();
        let (one, two, r#type) = (&first.name, &second.name, &first.r#type);
        for (one, two) in [(one, two), (two, one)] {
            let either = self
                .value(format!("arith.select {condition}, {one}, {two} : {type}", type = r#type));
            self.line(format!("memref.dealloc {either} : {type}", type = r#type));
        }
        self.feature("freed");
        self.remove_freed(&first.roots);
        self.remove_freed(&second.roots);
    }

    /// `memref.dealloc`.
    pub fn free(&mut self, memref: &Memref) {
        self.feature("freed");
        self.line(format!(
            "memref.dealloc {} : {}",
            memref.name, memref.r#type
        ));
        self.remove_freed(&memref.roots);
    }

    /// Frees some allocations of the innermost region, but nothing that may be in `kept`.
    pub fn free_some(&mut self, kept: &[Memref]) {
        if self.frees == 0 {
            return;
        }
        let own: Vec<u32> = self
            .body
            .frames
            .last()
            .map(|frame| frame.owned.iter().copied().collect())
            .unwrap_or_default();
        for root in own {
            let roots = Roots::one(root);
            if kept.iter().any(|kept| kept.roots.overlap(&roots)) {
                continue;
            }
            let named = self
                .body
                .env
                .iter()
                .find(|memref| memref.roots == roots && self.owns(memref))
                .cloned();
            if let Some(memref) = named
                && self.choices.chance(self.frees)
            {
                self.free(&memref);
            }
        }
    }

    /// The values that a region yields: for each type one in scope, or a new one.
    pub fn yielded_values(&mut self, types: &[Type]) -> Vec<Memref> {
        types.iter().map(|r#type| self.readable(r#type)).collect()
    }
}
