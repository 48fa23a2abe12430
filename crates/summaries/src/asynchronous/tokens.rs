//! Reads the starts, joins and waits of each operation of a body.

use super::state::{Act, TokenId, Tokens};
use memplan_flow::{EntitySet, PrimaryMap, SecondaryMap, ids};
use memplan_mlir::{
    ir::{Identity, Key, Op, Origin, Val, operands, origin, parent_block, results, type_of, uses},
    melior::ir::r#type::{MemRefType, ShapedTypeLike},
};
use memplan_semantics::{
    Join, OpMemory, RegionOrder, Semantics, TokenRef,
    graph::{BlockId, ControlGraph, End, EnteredId, SegmentId, Taken},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

ids! {
    /// Start of an asynchronous operation.
    pub StartId,
}

/// An index of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Index {
    /// A constant.
    Constant(i64),
    /// The value of this number.
    Value(u32),
}

/// Tag of transfers: an element of memory that has no other uses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tag {
    memref: Key,
    indices: SmallVec<[Index; 1]>,
}

impl Tag {
    /// Whether both may be the same element.
    pub fn may_be(&self, other: &Self) -> bool {
        let apart = |pair: (&Index, &Index)| match pair {
            (Index::Constant(one), Index::Constant(other)) => one != other,
            _ => false,
        };
        self.memref == other.memref && !self.indices.iter().zip(&other.indices).any(apart)
    }
}

/// A token.
#[derive(Clone, Debug)]
pub struct TokenFact {
    /// Blocks whose entry defines it anew.
    pub made_in: SmallVec<[BlockId; 1]>,
    /// The tag, if it is not a value.
    pub tag: Option<Tag>,
}

/// Start of an asynchronous operation.
#[derive(Clone, Debug)]
pub struct StartFact<'c> {
    pub op: Op<'c>,
    /// Its segment, and its index among the events of that.
    pub at: (SegmentId, u32),
    /// Tokens that cover it.
    pub tokens: Tokens,
    /// Whether it is pending until its group was waited for.
    pub is_grouped: bool,
}

/// Effect of an operation on tokens.
#[derive(Clone, Debug)]
pub enum Event {
    Start(StartId),
    Joins(Act),
}

/// How the regions of an operation are passed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Passed {
    /// They have no effect on tokens.
    #[default]
    Over,
    /// Control flow is followed through them.
    Through,
    /// They execute in parallel while the operation executes.
    Parallel,
    /// They may execute after the operation.
    Outlives,
}

/// Tokens and events of a body.
#[derive(Default)]
pub struct TokenFacts<'c> {
    pub tokens: PrimaryMap<TokenId, TokenFact>,
    pub starts: PrimaryMap<StartId, StartFact<'c>>,
    /// For each segment, its events in the order of execution. An operation that ends a segment and whose
    /// regions are not followed is one of its operations.
    pub events: SecondaryMap<SegmentId, Vec<(Op<'c>, Event)>>,
    /// For each segment, the tokens that each edge out of it forwards; empty if none does.
    pub forwarded: SecondaryMap<SegmentId, Vec<Vec<(TokenId, TokenId)>>>,
    pub passed: SecondaryMap<EnteredId, Passed>,
}

impl TokenFacts<'_> {
    /// The tag of a transfer.
    pub fn tag(&self, start: StartId) -> Option<&Tag> {
        self.tokens[*self.starts[start].tokens.first()?]
            .tag
            .as_ref()
    }
}

/// Gives the memory effects of an operation.
pub type Describe = fn(Op<'_>, &mut Semantics) -> Arc<OpMemory>;

/// Reads a body.
pub fn read<'c>(
    graph: &ControlGraph<'c>,
    semantics: &mut Semantics,
    describe: Describe,
) -> TokenFacts<'c> {
    let blocks = graph.blocks.iter();
    let mut reader = TokenReader {
        graph,
        semantics,
        describe,
        blocks: blocks.map(|(id, node)| (node.block.key(), id)).collect(),
        values: FxHashMap::default(),
        tags: FxHashMap::default(),
        only_tags: FxHashMap::default(),
        numbers: FxHashMap::default(),
        facts: TokenFacts::default(),
    };
    reader.regions();
    for (at, _) in graph.segments.iter() {
        reader.segment(at);
    }
    reader.busy();
    reader.facts
}

struct TokenReader<'g, 'c> {
    graph: &'g ControlGraph<'c>,
    semantics: &'g mut Semantics,
    describe: Describe,
    blocks: FxHashMap<Key, BlockId>,
    values: FxHashMap<Key, TokenId>,
    tags: FxHashMap<Tag, TokenId>,
    /// For memory, whether only transfers use it as a tag.
    only_tags: FxHashMap<Key, bool>,
    /// Numbers of the values that are indices of tags.
    numbers: FxHashMap<Key, u32>,
    facts: TokenFacts<'c>,
}

impl<'c> TokenReader<'_, 'c> {
    fn regions(&mut self) {
        let graph = self.graph;
        for (id, entered) in graph.entered.iter() {
            let memory = (self.describe)(entered.op, self.semantics);
            let order = self.semantics.region_order(entered.op);
            self.facts.passed[id] =
                if memory.start.is_some() || memory.regions.outlives() || order.outlives() {
                    Passed::Outlives
                } else if order == RegionOrder::Parallel || memory.regions == RegionOrder::Parallel
                {
                    Passed::Parallel
                } else {
                    Passed::Through
                };
        }
    }

    fn segment(&mut self, at: SegmentId) {
        let graph = self.graph;
        for op in graph.ops(at) {
            self.op(op, at);
        }
        if let End::Enters(entered) = graph.segments[at].end
            && self.facts.passed[entered] != Passed::Through
        {
            self.op(graph.entered[entered].op, at);
        }
        let edges = graph.edges_from(at).map(|edge| {
            let values = graph.values(edge).iter();
            let pairs =
                values.filter_map(|(from, to)| Some((self.value(*from)?, self.value(*to)?)));
            match edge.taken {
                Taken::Never => Vec::new(),
                _ => pairs.collect(),
            }
        });
        let edges: Vec<Vec<_>> = edges.collect();
        if edges.iter().any(|pairs| !pairs.is_empty()) {
            self.facts.forwarded[at] = edges;
        }
    }

    fn op(&mut self, op: Op<'c>, at: SegmentId) {
        if !self.semantics.concerns(op) {
            return;
        }
        let memory = (self.describe)(op, self.semantics);
        for join in &memory.joins {
            if let Some(act) = self.act(op, join) {
                self.facts.events[at].push((op, Event::Joins(act)));
            }
        }
        let (tokens, is_grouped) = match &memory.start {
            Some(start) => (self.all(op, &start.tokens), start.grouped),
            // If the start is unknown, tokens may concern anything that the operation uses.
            None if memory.operands.is_empty() => return,
            None => (
                results(op)
                    .filter_map(|result| self.value(result))
                    .collect(),
                false,
            ),
        };
        if tokens.is_empty() {
            return;
        }
        let start = self.facts.starts.push(StartFact {
            op,
            at: (at, self.facts.events[at].len() as u32),
            tokens,
            is_grouped,
        });
        self.facts.events[at].push((op, Event::Start(start)));
    }

    fn act(&mut self, op: Op<'c>, join: &Join) -> Option<Act> {
        Some(match join {
            Join::Wait(of) => Act::Wait(self.all(op, of)),
            Join::Drain { at_most } => Act::Drain(*at_most),
            Join::Group { of, to } => Act::Group {
                from: self.all(op, of),
                to: self.token(op, *to)?,
            },
            Join::After { all_of: of, to } | Join::OneOf { of, to } => {
                let from = self.all(op, of);
                let all = matches!(join, Join::OneOf { .. });
                if from.is_empty() || (all && from.len() < of.len()) {
                    return None;
                }
                let to = self.token(op, *to)?;
                Act::After { from, to, all }
            }
        })
    }

    fn all(&mut self, op: Op<'c>, tokens: &[TokenRef]) -> Tokens {
        let tokens = tokens.iter().filter_map(|token| self.token(op, *token));
        tokens.collect()
    }

    fn token(&mut self, op: Op<'c>, token: TokenRef) -> Option<TokenId> {
        let value = match token {
            TokenRef::Operand(at) => operands(op).nth(at as usize)?,
            TokenRef::Result(at) => results(op).nth(at as usize)?,
            TokenRef::Tag {
                memref,
                first_index,
            } => return self.tag(op, memref as usize, first_index as usize),
        };
        self.value(value)
    }

    /// The token that a value is; `None` if it is none.
    fn value(&mut self, value: Val<'c>) -> Option<TokenId> {
        if !self.semantics.class(type_of(value)).is_token() {
            return None;
        }
        if let Some(token) = self.values.get(&value.key()) {
            return Some(*token);
        }
        let block = self.block_of(value)?;
        let token = self.facts.tokens.push(TokenFact {
            made_in: SmallVec::from_slice(&[block]),
            tag: None,
        });
        self.values.insert(value.key(), token);
        Some(token)
    }

    /// The tag of a transfer: an element of operand number `memref`, at the indices from `first_index` on.
    /// `None` if other operations may use the tag's memory.
    fn tag(&mut self, op: Op<'c>, memref: usize, first_index: usize) -> Option<TokenId> {
        let all: SmallVec<[Val<'c>; 16]> = operands(op).collect();
        let value = *all.get(memref)?;
        let rank = MemRefType::try_from(type_of(value)).ok()?.rank();
        if !self.is_only_tag(value) {
            return None;
        }
        let mut made_in = SmallVec::from_slice(&[self.block_of(value)?]);
        let mut indices = SmallVec::new();
        for index in all.get(first_index..first_index + rank)? {
            indices.push(match self.semantics.constant(*index) {
                Some(constant) => Index::Constant(constant),
                None => {
                    made_in.push(self.block_of(*index)?);
                    let next = self.numbers.len() as u32;
                    Index::Value(*self.numbers.entry(index.key()).or_insert(next))
                }
            });
        }
        let tag = Tag {
            memref: value.key(),
            indices,
        };
        if let Some(token) = self.tags.get(&tag) {
            return Some(*token);
        }
        let token = self.facts.tokens.push(TokenFact {
            made_in,
            tag: Some(tag.clone()),
        });
        self.tags.insert(tag, token);
        Some(token)
    }

    /// Whether a memref is new memory of which all uses are tags of transfers that are started in sequence.
    /// The answer is cached.
    fn is_only_tag(&mut self, memref: Val<'c>) -> bool {
        if let Some(known) = self.only_tags.get(&memref.key()) {
            return *known;
        }
        let only = match origin(memref) {
            Some(Origin::Result(maker, number))
                if (self.describe)(maker, self.semantics).allocates_result(number) =>
            {
                uses(memref).all(|(user, at)| self.is_tag(maker, user, at))
            }
            _ => false,
        };
        self.only_tags.insert(memref.key(), only);
        only
    }

    /// Whether an operation uses an operand as the tag of transfers, in order with all other such uses, or
    /// frees it.
    fn is_tag(&mut self, maker: Op<'c>, user: Op<'c>, at: usize) -> bool {
        let memory = (self.describe)(user, self.semantics);
        if !memory.has_tag(at) {
            let used = memory.operand(at);
            return used.is_some_and(|used| used.frees.is_some());
        }
        let block = parent_block(user).and_then(|block| self.blocks.get(&block.key()));
        // Terminators are not visited.
        let is_read = block.is_some_and(|block| {
            let last = self.graph.blocks[*block].last;
            self.graph.last_op(last) != Some(user)
        });
        // Of parallel bodies, each could wait for the transfers of the others.
        is_read && self.semantics.runs_in_order(user, maker)
    }

    /// The block that defines a value; `None` if the graph does not contain it.
    fn block_of(&self, value: Val<'c>) -> Option<BlockId> {
        let block = match origin(value)? {
            Origin::Result(op, _) => parent_block(op)?,
            Origin::Argument(block, _) => block,
        };
        self.blocks.get(&block.key()).copied()
    }

    /// Marks operations whose regions have no effect on tokens: they are one step.
    fn busy(&mut self) {
        let graph = self.graph;
        let mut busy: EntitySet<EnteredId> = EntitySet::new();
        for (at, segment) in graph.segments.iter() {
            if self.facts.events[at].is_empty() && self.facts.forwarded[at].is_empty() {
                continue;
            }
            let mut region = graph.blocks[segment.block].region;
            while let Some(of) = graph.regions[region].of
                && busy.insert(of)
            {
                region = graph.blocks[graph.segments[graph.entered[of].before].block].region;
            }
        }
        for (id, _) in graph.entered.iter() {
            if !busy.contains(id) && self.facts.passed[id] == Passed::Through {
                self.facts.passed[id] = Passed::Over;
            }
        }
    }
}
