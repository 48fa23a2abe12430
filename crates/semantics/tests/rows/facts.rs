//! Facts about one operation that are known without memplan's tables, and contradictions with its memory semantics.

use memplan_semantics::{DataStart, OpMemory, ResultFact};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// The source of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// `MemoryEffectsOpInterface`.
    Effects,
    /// `ViewLikeOpInterface`.
    View,
    /// `AsyncOpInterface`.
    Async,
    /// A token result in the definition of the operation.
    Token,
    /// Upstream's lowering to the LLVM dialect or to LLVM IR.
    Lowering,
    /// An execution.
    Execution,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Effects => "effects",
            Self::View => "view-like",
            Self::Async => "async interface",
            Self::Token => "token type",
            Self::Lowering => "lowering",
            Self::Execution => "execution",
        })
    }
}

/// The kind of a fact that is contradicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// An operand is written.
    Writes,
    /// An operand is read.
    Reads,
    /// An operand is freed.
    Frees,
    /// An operand is not overwritten completely, or is read through the operand.
    InPart,
    /// A result aliases an operand, or contains its address.
    Of,
    /// A result aliases an operand, with a different start.
    Moved,
    /// A result is new memory.
    New,
    /// The operation is asynchronous.
    Asynchronous,
}

type Sources = BTreeSet<Source>;

/// Facts about one operation; operands and results are represented by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Operands of which bytes are written.
    pub writes: BTreeMap<usize, Sources>,
    /// Operands of which bytes are read.
    pub reads: BTreeMap<usize, Sources>,
    /// Operands that are freed.
    pub frees: BTreeMap<usize, Sources>,
    /// Operands of which bytes keep their contents, or affect the written bytes.
    pub in_part: BTreeMap<usize, Sources>,
    /// Results, with the operands that they alias or whose address they contain.
    pub of: BTreeMap<(usize, usize), Sources>,
    /// The pairs of these whose data starts differ.
    pub moved: BTreeMap<(usize, usize), Sources>,
    /// Results that are new memory.
    pub new: BTreeMap<usize, Sources>,
    /// The operation is asynchronous.
    pub is_asynchronous: Sources,
    /// Results that are numbers. If they are addresses, an analysis of addresses includes all numbers.
    pub numbers: BTreeSet<usize>,
}

/// Memory semantics that contradict a fact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    pub fact: Fact,
    pub source: Source,
    /// The number of the operand or result.
    pub at: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at;
        match self.fact {
            Fact::Writes => write!(f, "operand {at} is written"),
            Fact::Reads => write!(f, "operand {at} is read"),
            Fact::Frees => write!(f, "operand {at} is freed"),
            Fact::InPart => write!(f, "operand {at} is not overwritten whole"),
            Fact::Of => write!(f, "result {at} is in an operand's memory"),
            Fact::Moved => write!(f, "result {at} starts elsewhere in an operand's memory"),
            Fact::New => write!(f, "result {at} is new memory"),
            Fact::Asynchronous => write!(f, "it is asynchronous"),
        }?;
        write!(f, " ({})", self.source)
    }
}

impl Facts {
    /// Adds other facts.
    pub fn add(&mut self, other: Self) {
        fn merge<K: Ord>(into: &mut BTreeMap<K, Sources>, from: BTreeMap<K, Sources>) {
            for (key, sources) in from {
                into.entry(key).or_default().extend(sources);
            }
        }
        merge(&mut self.writes, other.writes);
        merge(&mut self.reads, other.reads);
        merge(&mut self.frees, other.frees);
        merge(&mut self.in_part, other.in_part);
        merge(&mut self.of, other.of);
        merge(&mut self.moved, other.moved);
        merge(&mut self.new, other.new);
        self.is_asynchronous.extend(other.is_asynchronous);
        self.numbers.extend(other.numbers);
    }

    /// The contradictions between memory semantics and these facts.
    pub fn differences(&self, memory: &OpMemory, overwritten: &[usize]) -> BTreeSet<Difference> {
        let mut found = BTreeSet::new();
        let mut add = |fact, sources: &Sources, at: usize| {
            let all = sources.iter();
            found.extend(all.map(|source| Difference {
                fact,
                source: *source,
                at,
            }));
        };
        for (at, sources) in &self.writes {
            // Effects on freed memory belong to the allocator.
            if let Some(used) = memory.operand(*at)
                && !used.touch.writes()
                && used.frees.is_none()
            {
                add(Fact::Writes, sources, *at);
            }
        }
        for (at, sources) in &self.reads {
            // The old contents affect the new ones.
            if overwritten.contains(at) {
                add(Fact::InPart, sources, *at);
            }
            if let Some(used) = memory.operand(*at)
                && !used.touch.reads()
                && used.frees.is_none()
            {
                add(Fact::Reads, sources, *at);
            }
        }
        for (at, sources) in &self.frees {
            if memory.operand(*at).is_some_and(|used| used.frees.is_none()) {
                add(Fact::Frees, sources, *at);
            }
        }
        for (at, sources) in &self.in_part {
            if overwritten.contains(at) {
                add(Fact::InPart, sources, *at);
            }
        }
        for ((result, operand), sources) in &self.of {
            let is_number = self.numbers.contains(result) && memory.result(*result).is_none();
            if memory.operand(*operand).is_some() && !is_number && !is_of(memory, *result, *operand)
            {
                add(Fact::Of, sources, *result);
            }
        }
        for ((result, _), sources) in &self.moved {
            let same = DataStart::Same;
            if matches!(memory.result(*result), Some(ResultFact::View { start, .. }) if *start == same)
            {
                add(Fact::Moved, sources, *result);
            }
        }
        for (result, sources) in &self.new {
            if !matches!(memory.result(*result), Some(ResultFact::New { .. })) {
                add(Fact::New, sources, *result);
            }
        }
        if memory.start.is_none() {
            add(Fact::Asynchronous, &self.is_asynchronous, 0);
        }
        found
    }
}

/// May a result alias an operand according to memplan?
fn is_of(memory: &OpMemory, result: usize, operand: usize) -> bool {
    let operand = operand as u32;
    match memory.result(result) {
        Some(ResultFact::View { of, .. }) => *of == operand,
        Some(ResultFact::AnyOf(of) | ResultFact::Address { of }) => of.contains(&operand),
        Some(ResultFact::Unknown { may_be }) => may_be.contains(&operand),
        Some(ResultFact::New { may_share, .. }) => *may_share == Some(operand),
        Some(ResultFact::Token) => true,
        Some(ResultFact::Loaded { from }) => *from == operand,
        Some(ResultFact::Borrowed) | None => false,
    }
}
