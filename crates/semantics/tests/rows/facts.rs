//! What is known of one operation without memplan's tables, and where an answer differs from it.

use memplan_semantics::{DataStart, OpMemory, ResultFact};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// Where a fact comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// `MemoryEffectsOpInterface`.
    Effects,
    /// `ViewLikeOpInterface`.
    View,
    /// `AsyncOpInterface`.
    Async,
    /// A token among the results in the definition of the operation.
    Token,
    /// Upstream's lowering to the LLVM dialect, or to LLVM IR.
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

/// What kind of fact an answer gets wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// An operand is written.
    Writes,
    /// An operand is read.
    Reads,
    /// An operand is freed.
    Frees,
    /// An operand is not overwritten whole, or is read through it.
    InPart,
    /// A result is in the memory of an operand, or holds its address.
    Of,
    /// A result is in the memory of an operand, and starts elsewhere.
    Moved,
    /// A result is new memory.
    New,
    /// The operation goes on after control has passed it.
    GoesOn,
}

type Sources = BTreeSet<Source>;

/// Facts about one operation; operands and results are numbers.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Operands of which bytes are written.
    pub writes: BTreeMap<usize, Sources>,
    /// Operands of which bytes are read.
    pub reads: BTreeMap<usize, Sources>,
    /// Operands that are freed.
    pub frees: BTreeMap<usize, Sources>,
    /// Operands of which bytes stay, or decide what is written to them.
    pub in_part: BTreeMap<usize, Sources>,
    /// Results, and the operands in whose memory they are or whose address they hold.
    pub of: BTreeMap<(usize, usize), Sources>,
    /// Those of them whose data does not start where the operand's does.
    pub moved: BTreeMap<(usize, usize), Sources>,
    /// Results that are new memory.
    pub new: BTreeMap<usize, Sources>,
    /// It goes on after control has passed it.
    pub goes_on: Sources,
    /// Results that are numbers: where these are addresses, who follows addresses follows all numbers.
    pub numbers: BTreeSet<usize>,
}

/// An answer that contradicts a fact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    pub fact: Fact,
    pub source: Source,
    /// The number of the operand, or of the result.
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
            Fact::GoesOn => write!(f, "it goes on after control has passed it"),
        }?;
        write!(f, " ({})", self.source)
    }
}

impl Facts {
    /// Adds others.
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
        self.goes_on.extend(other.goes_on);
        self.numbers.extend(other.numbers);
    }

    /// Where an answer contradicts them.
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
            // What is done to memory that is freed is the allocator's.
            if let Some(used) = memory.operand(*at)
                && !used.touch.writes()
                && used.frees.is_none()
            {
                add(Fact::Writes, sources, *at);
            }
        }
        for (at, sources) in &self.reads {
            // What was there decides something.
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
            add(Fact::GoesOn, &self.goes_on, 0);
        }
        found
    }
}

/// Is a result taken to be in the memory of an operand, or perhaps so?
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
