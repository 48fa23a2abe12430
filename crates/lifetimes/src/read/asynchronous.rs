//! Starts of asynchronous operations, and waits for them.
//!
//! Tokens of the dialects async, gpu and nvgpu, and those that an embedder registers, are followed. Memory that
//! an operation with another kind of token uses is not planned.

use super::{LifetimeReader, Mode, OpContext};
use crate::{
    asynchronous::{
        Act, ActKind, Edge, HandleFact, HandleId, Handles, Index, Source, StartFact, StartId, Tag,
    },
    program::{Position, Successor},
};
use memplan_mlir::{
    ir::{Identity, Op, Origin, Val, operands, origin, parent_block, results, type_of, uses},
    melior::ir::r#type::{MemRefType, ShapedTypeLike},
};
use memplan_semantics::{Join, OpMemory, Start, TokenRef};
use smallvec::SmallVec;

impl<'c> LifetimeReader<'c, '_> {
    fn is_handle(&mut self, value: Val<'c>) -> bool {
        self.semantics.class(type_of(value)).is_token()
    }

    /// The handle that a value is. `None` if it is none, or defined where control flow is not followed.
    fn handle(&mut self, value: Val<'c>) -> Option<HandleId> {
        if !self.is_handle(value) {
            return None;
        }
        if let Some(handle) = self.handles_by_value.get(&value.key()) {
            return Some(*handle);
        }
        let block = match origin(value)? {
            Origin::Result(op, _) => parent_block(op)?,
            Origin::Argument(block, _) => block,
        };
        let block = *self.blocks.get(&block.key())?;
        let handle = self.new_handle(HandleFact {
            made_in: SmallVec::from_slice(&[block]),
            tag: None,
        });
        self.handles_by_value.insert(value.key(), handle);
        Some(handle)
    }

    fn new_handle(&mut self, fact: HandleFact) -> HandleId {
        let handle = HandleId(self.asynchronous.handles.len() as u32);
        self.asynchronous.handles.push(fact);
        handle
    }

    fn act(&mut self, place: OpContext, position: Position, kind: ActKind) {
        self.asynchronous.acts.push(Act {
            block: place.block,
            position,
            kind,
        });
    }

    /// The handle of a token of an operation.
    fn handle_of(&mut self, op: Op<'c>, token: TokenRef) -> Option<HandleId> {
        let value = match token {
            TokenRef::Operand(at) => operands(op).nth(at as usize)?,
            TokenRef::Result(at) => results(op).nth(at as usize)?,
            TokenRef::Tag {
                memref,
                first_index,
            } => return self.tag(op, memref as usize, first_index as usize),
        };
        self.handle(value)
    }

    fn handles_of(&mut self, op: Op<'c>, tokens: &[TokenRef]) -> Handles {
        let handles = tokens.iter().filter_map(|token| self.handle_of(op, *token));
        handles.collect()
    }

    /// Records the waits and dependences of an operation.
    pub(super) fn waits(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        place: OpContext,
        position: Position,
    ) {
        if !matches!(place.mode, Mode::Flow) {
            return;
        }
        for join in &memory.joins {
            let kind = match join {
                Join::Wait(tokens) => ActKind::Wait(self.handles_of(op, tokens)),
                Join::Drain { at_most } => ActKind::Drain(*at_most),
                Join::Group { of, to } => {
                    let from = self.handles_of(op, of);
                    let Some(to) = self.handle_of(op, *to) else {
                        continue;
                    };
                    ActKind::Group { from, to }
                }
                Join::After { all_of: of, to } | Join::OneOf { of, to } => {
                    let from = self.handles_of(op, of);
                    let all = matches!(join, Join::OneOf { .. });
                    let Some(to) = self.handle_of(op, *to) else {
                        continue;
                    };
                    if from.is_empty() || (all && from.len() < of.len()) {
                        continue;
                    }
                    ActKind::After { from, to, all }
                }
            };
            self.act(place, position, kind);
        }
    }

    /// Begins an asynchronous operation. `None` if the wait for it is not known. Otherwise its uses are those until
    /// [`LifetimeReader::started`].
    pub(super) fn starts(
        &mut self,
        op: Op<'c>,
        start: &Start,
        place: OpContext,
        position: Position,
    ) -> Option<StartId> {
        if !matches!(place.mode, Mode::Flow) {
            return None;
        }
        let handles = self.handles_of(op, &start.tokens);
        if handles.is_empty() {
            return None;
        }
        let here = self.program.uses.len();
        let grouped = start.grouped;
        let start = StartId(self.asynchronous.starts.len() as u32);
        self.asynchronous.starts.push(StartFact {
            scope: place.scope,
            span: (position, position),
            uses: here..here,
            handles,
            grouped,
        });
        self.act(place, position, ActKind::Start(start));
        Some(start)
    }

    /// Ends the uses of an asynchronous operation.
    pub(super) fn started(&mut self, start: StartId) {
        let fact = &mut self.asynchronous.starts[start.0 as usize];
        fact.uses.end = self.program.uses.len();
        fact.span.1 = self.position - 1;
    }

    /// The tag of a transfer: an element of operand number `memref`, at the indices from `first_index` on. `None` if
    /// other operations may use the tag's memory.
    fn tag(&mut self, op: Op<'c>, memref: usize, first_index: usize) -> Option<HandleId> {
        let all: SmallVec<[Val<'c>; 16]> = operands(op).collect();
        let value = *all.get(memref)?;
        let rank = MemRefType::try_from(type_of(value)).ok()?.rank();
        let Some(Origin::Result(maker, number)) = origin(value) else {
            return None;
        };
        let is_memory = self.semantics.of(maker).allocates_result(number);
        if !is_memory || !self.is_only_tag(value, maker) {
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
        let memref = self.value(value);
        let tag = Tag { memref, indices };
        if let Some(handle) = self.tags.get(&tag) {
            return Some(*handle);
        }
        let handle = self.new_handle(HandleFact {
            made_in,
            tag: Some(tag.clone()),
        });
        self.tags.insert(tag, handle);
        Some(handle)
    }

    /// Whether all uses of a memref are tags of transfers that are started in sequence. Of parallel bodies, each could wait for
    /// the transfers of the others. The answer is cached.
    fn is_only_tag(&mut self, memref: Val<'c>, maker: Op<'c>) -> bool {
        if let Some(known) = self.only_tags.get(&memref.key()) {
            return *known;
        }
        let only = uses(memref).all(|(user, number)| {
            let memory = self.semantics.of(user);
            let freed = memory
                .operand(number)
                .is_some_and(|used| used.frees.is_some());
            freed || memory.has_tag(number) && self.semantics.runs_in_order(user, maker)
        });
        self.only_tags.insert(memref.key(), only);
        only
    }

    /// The block that defines a value.
    fn block_of(&self, value: Val<'c>) -> Option<crate::program::BlockId> {
        let block = match origin(value)? {
            Origin::Result(op, _) => parent_block(op)?,
            Origin::Argument(block, _) => block,
        };
        self.blocks.get(&block.key()).copied()
    }

    /// Records an edge that forwards handles to `targets`.
    pub(super) fn forward_handles(
        &mut self,
        source: Source,
        to: Successor,
        targets: impl Iterator<Item = Val<'c>>,
        forwarded: &[(Val<'c>, Val<'c>)],
    ) {
        let mut is_any_handle = false;
        for target in targets {
            is_any_handle |= self.is_handle(target);
        }
        if !is_any_handle {
            return;
        }
        let mut pairs = SmallVec::new();
        for (from, into) in forwarded {
            if let (Some(from), Some(into)) = (self.handle(*from), self.handle(*into)) {
                pairs.push((from, into));
            }
        }
        let edges = self.asynchronous.edges.entry(source).or_default();
        edges.push(Edge { to, pairs });
    }
}
