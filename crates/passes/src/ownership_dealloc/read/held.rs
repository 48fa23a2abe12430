//! Memory that is used for longer than the operation that uses it: until something waits.

use super::Reader;
use memplan_mlir::{
    ir::{Identity, Key, Op, Val, next_in_block, operands, parent_block, results, type_of, users},
    values::is_before,
};
use memplan_ownership::function::{Kind, SegmentId, ValueId};
use memplan_semantics::{Join, OpMemory, TokenRef, TypeClass};
use smallvec::SmallVec;

/// So many operations behind one that makes a group of transfers are looked at for a wait that names no group.
const MOST_AHEAD: usize = 64;

/// How what a token stands for is known to be done.
#[derive(Clone, Copy)]
pub(super) enum Done<'c> {
    /// Control waits for it, or for a token that is done no earlier.
    Awaited,
    /// Control waits here until few enough of the thread's transfers are left.
    Drained(Op<'c>),
}

/// Tokens that are done no earlier than others.
type Later<'c> = SmallVec<[Val<'c>; 2]>;

/// Where what is inside of an operation starts.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    pub segment: SegmentId,
    pub value: ValueId,
    /// How many uses of what holds on to memory come before.
    pub uses: usize,
}

impl<'c> Reader<'c, '_> {
    /// What an asynchronous operation uses is used until it is waited for: in the block of the operation
    /// itself, or it is never known to end.
    pub(super) fn asynchronous(&mut self, op: Op<'c>, inside: Inside, next: SegmentId) {
        let function = &self.reading.memory.function;
        let mut used: SmallVec<[ValueId; 2]> = SmallVec::new();
        let mut note = |value: ValueId| {
            if function.value(value).segment < inside.segment && !used.contains(&value) {
                used.push(value);
            }
        };
        for segment in &function.segments[inside.segment.index()..] {
            segment.uses.iter().for_each(|(_, value)| note(*value));
            for edge in &segment.edges {
                let passed = function.edge(*edge).passed.iter();
                passed.flatten().for_each(|value| note(*value));
            }
        }
        for value in &function.values[inside.value.index()..] {
            if let Kind::Any(sources) | Kind::Told(sources) = &value.kind {
                sources.iter().for_each(|value| note(*value));
            }
        }
        self.expose_all(&used);
        let waits = self.held_until_awaited(op, &used);
        self.carry_from_inside(op, inside, next, waits);
    }

    /// What `op` uses is used until its results have been waited for. False if that is not seen.
    pub(super) fn held_until_awaited(&mut self, op: Op<'c>, used: &[ValueId]) -> bool {
        self.carry(op, results(op), used);
        let semantics = &mut *self.semantics;
        let is_token = |result: &Val<'c>| semantics.class(type_of(*result)).is_token();
        let tokens: Later<'c> = results(op).filter(is_token).collect();
        let done = tokens.into_iter().find_map(|token| self.done(op, token));
        match done {
            Some(Done::Awaited) => {}
            Some(Done::Drained(at)) => {
                let transfers = self.transfers.entry(at.key()).or_default();
                transfers.extend(used.iter().copied());
            }
            None => {
                for value in used {
                    self.escapes.push((*value, op));
                }
            }
        }
        done.is_some()
    }

    /// How what a token of `op` stands for is known to be done, in the block of `op`, where nothing goes past a wait. Tokens
    /// are followed to those that are done no earlier; each is looked at once.
    fn done(&mut self, op: Op<'c>, token: Val<'c>) -> Option<Done<'c>> {
        let here = parent_block(op)?.key();
        let mut path: Vec<(Val<'c>, Later<'c>)> = Vec::new();
        let mut next = Some(token);
        let found = loop {
            if let Some(token) = next.take() {
                match self.awaited.get(&token.key()) {
                    Some(Some(done)) => break Some(*done),
                    Some(None) => {}
                    None => {
                        let (done, later) = self.joined(token, here);
                        self.awaited.insert(token.key(), done);
                        if done.is_some() {
                            break done;
                        }
                        path.push((token, later));
                    }
                }
            }
            let Some((_, later)) = path.last_mut() else {
                break None;
            };
            next = later.pop();
            if next.is_none() {
                path.pop();
            }
        };
        if found.is_some() {
            let tokens = path.into_iter().map(|(token, _)| token.key());
            self.awaited.extend(tokens.map(|token| (token, found)));
        }
        found
    }

    /// Is a token waited for in a block, or which tokens are done no earlier there?
    fn joined(&mut self, token: Val<'c>, here: Key) -> (Option<Done<'c>>, Later<'c>) {
        let mut later = Later::new();
        for user in users(token).filter(|user| is_in(*user, here)) {
            for join in &self.semantics.of(user).joins {
                let (tokens, to) = match join {
                    Join::Wait(tokens) if names(user, tokens, token) => {
                        return (Some(Done::Awaited), later);
                    }
                    Join::After { all_of, to } => (all_of, *to),
                    Join::Group { of, to } => (of, *to),
                    _ => continue,
                };
                if !names(user, tokens, token) {
                    continue;
                }
                if matches!(join, Join::Group { .. })
                    && let Some(at) = self.drained(user)
                {
                    return (Some(Done::Drained(at)), later);
                }
                match to {
                    TokenRef::Result(at) => later.extend(results(user).nth(at as usize)),
                    TokenRef::Operand(at) => {
                        let group = operands(user).nth(at as usize);
                        if group.is_some_and(|group| self.is_group_awaited(group, user, here)) {
                            return (Some(Done::Awaited), later);
                        }
                    }
                    TokenRef::Tag { .. } => {}
                }
            }
        }
        (None, later)
    }

    /// Are all that are added to a group waited for in one block, behind where `add` adds one? The group is made, added to
    /// and waited for there, so all can be named there.
    fn is_group_awaited(&mut self, group: Val<'c>, add: Op<'c>, here: Key) -> bool {
        let waits = |join: &Join, user| matches!(join, Join::Wait(of) if names(user, of, group));
        users(group).all(|user| is_in(user, here))
            && users(group).any(|user| {
                is_before(add, user) && {
                    let memory = self.semantics.of(user);
                    memory.joins.iter().any(|join| waits(join, user))
                }
            })
    }

    /// Where control goes on, in the block of an operation that makes a group, only when that group is done.
    fn drained(&mut self, group: Op<'c>) -> Option<Op<'c>> {
        // At least so many groups are younger.
        let mut younger = 0;
        let behind = std::iter::successors(next_in_block(group), |op| next_in_block(*op));
        for op in behind.take(MOST_AHEAD) {
            if !self.semantics.concerns(op) {
                continue;
            }
            for join in &self.semantics.of(op).joins {
                match join {
                    Join::Drain { at_most } if *at_most <= younger => return Some(op),
                    Join::Group { .. } => younger += 1,
                    _ => {}
                }
            }
        }
        None
    }

    /// The group that an operation adds to.
    pub(super) fn group(&mut self, op: Op<'c>) -> Option<Val<'c>> {
        let is_group = |val: Val<'c>| self.semantics.class(type_of(val)) == TypeClass::Group;
        if !operands(op).any(is_group) {
            return None;
        }
        let memory = self.semantics.of(op);
        added_to(op, &memory)
    }
}

/// The group that an operation adds to.
pub(super) fn added_to<'c>(op: Op<'c>, memory: &OpMemory) -> Option<Val<'c>> {
    memory.joins.iter().find_map(|join| match join {
        Join::After {
            to: TokenRef::Operand(at),
            ..
        } => operands(op).nth(*at as usize),
        _ => None,
    })
}

fn is_in(op: Op<'_>, block: Key) -> bool {
    parent_block(op).is_some_and(|around| around.key() == block)
}

/// Is a value among tokens of an operation?
fn names<'c>(op: Op<'c>, tokens: &[TokenRef], value: Val<'c>) -> bool {
    tokens.iter().any(|token| match token {
        TokenRef::Operand(at) => operands(op).nth(*at as usize) == Some(value),
        _ => false,
    })
}
