//! Transfers that go on when control has passed them (`memref.dma_start`), until their tag is waited for.
//!
//! A wait is for one transfer of an element of a tag. So that each wait is known to be for a certain transfer, starts and
//! waits of an element have to alternate in one block, and elements have to be told apart by constants.

use super::Reader;
use memplan_mlir::{
    ir::{Identity, Op, Origin, Val, operands, origin, parent_block, type_of, users},
    melior::ir::{ShapedTypeLike, r#type::MemRefType},
    values::is_before,
};
use memplan_ownership::function::ValueId;
use memplan_semantics::{Join, OpMemory, ResultFact, TokenRef};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// So many transfers with one tag are told apart: each is compared with all others.
const MOST_TRANSFERS: usize = 128;

/// An element of a tag.
struct Tag<'c> {
    memref: Val<'c>,
    indices: SmallVec<[Val<'c>; 2]>,
}

impl<'c> Reader<'c, '_> {
    /// What a transfer uses is used until the wait for it, or it is never known to end.
    pub(super) fn starts_transfer(&mut self, op: Op<'c>, memory: &OpMemory, used: &[ValueId]) {
        match self.wait_for(op, memory) {
            Some(wait) => self
                .transfers
                .entry(wait.key())
                .or_default()
                .extend(used.iter().copied()),
            None => {
                for value in used {
                    self.escapes.push((*value, op));
                }
            }
        }
    }

    /// The wait that a transfer is over behind.
    fn wait_for(&mut self, start: Op<'c>, memory: &OpMemory) -> Option<Op<'c>> {
        let (tag, _) = tag(start, memory)?;
        let Origin::Result(maker, number) = origin(tag.memref)? else {
            return None;
        };
        let maker = self.semantics.of(maker);
        let is_memory = matches!(maker.result(number), Some(ResultFact::New { .. }));
        if !is_memory || users(tag.memref).nth(MOST_TRANSFERS).is_some() {
            return None;
        }
        let block = parent_block(start)?.key();
        // Of this element, in the order of the text: is it a start?
        let mut same: Vec<(Op<'c>, bool)> = Vec::new();
        for user in users(tag.memref) {
            let memory = self.semantics.of(user);
            if memory.only_frees() {
                continue;
            }
            let (other, is_start) = self::tag(user, &memory)?;
            let uses = operands(user).filter(|operand| *operand == tag.memref);
            if other.memref != tag.memref || uses.count() > 1 || parent_block(user)?.key() != block
            {
                return None;
            }
            if other.indices == tag.indices {
                same.push((user, is_start));
            } else if !self.is_apart(&tag, &other) {
                return None;
            }
        }
        same.sort_by(|(one, _), (other, _)| match is_before(*one, *other) {
            true => Ordering::Less,
            false if one.key() == other.key() => Ordering::Equal,
            false => Ordering::Greater,
        });
        let alternates = same
            .chunks(2)
            .all(|pair| matches!(pair, [(_, true), (_, false)]));
        let at = same.iter().position(|(op, _)| op.key() == start.key())?;
        let wait = same.get(at + 1)?;
        alternates.then_some(wait.0)
    }

    /// Are elements of one tag different ones?
    fn is_apart(&mut self, one: &Tag<'c>, other: &Tag<'c>) -> bool {
        let mut pairs = one.indices.iter().zip(&other.indices);
        pairs.any(|(one, other)| {
            let mut constant = |index| self.semantics.constant(index);
            let values = (constant(*one), constant(*other));
            matches!(values, (Some(one), Some(other)) if one != other)
        })
    }
}

/// The tag of a transfer that an operation starts or waits for, and whether it starts it.
fn tag<'c>(op: Op<'c>, memory: &OpMemory) -> Option<(Tag<'c>, bool)> {
    let started = memory.start.iter().map(|start| (&start.tokens, true));
    let awaited = memory.joins.iter().filter_map(|join| match join {
        Join::Wait(tokens) => Some((tokens, false)),
        _ => None,
    });
    let (tokens, is_start) = started.chain(awaited).next()?;
    let [
        TokenRef::Tag {
            memref,
            first_index,
        },
    ] = tokens[..]
    else {
        return None;
    };
    let all: SmallVec<[Val<'c>; 12]> = operands(op).collect();
    let memref = *all.get(memref as usize)?;
    let rank = MemRefType::try_from(type_of(memref)).ok()?.rank();
    let first = first_index as usize;
    let indices = all.get(first..first + rank)?.iter().copied().collect();
    Some((Tag { memref, indices }, is_start))
}
